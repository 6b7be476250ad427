"""`ask`: one question, one streamed answer, for the shell and for scripts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from desk_assistant import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import Console, fit
from desk_assistant.cli.running import assistant, settled, started
from desk_assistant.errors import InputError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant import Answered, Assistant, Conversation, Recalled, Saved, TurnEvent

CARD_CELLS: Final = 100
"""Longest text of a recalled memory shown beside an answer, in terminal cells."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "ask", run)
    parser.add_argument("text", nargs="+", metavar=t("cli.text_or_dash"), help=t("cli.help_ask_text"))
    parser.add_argument("--session", metavar="ID", help=t("cli.help_ask_session"))
    parser.add_argument("--load-anyway", action="store_true", help=t("cli.help_ask_load_anyway"))
    parser.add_argument("--private", action="store_true", help=t("cli.help_ask_private"))


async def run(invocation: Invocation) -> int:
    """Ask, stream the answer to standard output, and wait until the exchange has been remembered."""
    options, console = invocation.options, invocation.console
    text = " ".join(options.text)
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", errors="replace")
    if not text.strip():
        raise InputError("cli.nothing_asked")
    if options.private and options.session:
        raise InputError("cli.private_session")
    from desk_assistant.assistant import Saved

    async with assistant(invocation.locations, llm=True, index=True, force=options.load_anyway) as running:
        conversation = running.conversation(options.session, private=options.private)
        turn = _Turn(console, as_json=options.json)
        async for event in running.send(conversation, text):
            turn.show(event)
            if isinstance(event, Saved):
                # The message is safe; now a one-off command has time for the whole of memory, where the app would go
                # on with the full text alone.
                await started(running, console, "index")
        turn.finish(running, conversation)
        if not conversation.private:
            await settled(running, console)
    return 0


class _Turn:
    """Renders the events of one turn, and keeps what the JSON at its end needs."""

    def __init__(self, console: Console, *, as_json: bool) -> None:
        self._console = console
        self._as_json = as_json
        self._saved: Saved | None = None
        self._recalled: Recalled | None = None
        self._answered: Answered | None = None
        self._streamed = ""

    def show(self, event: TurnEvent) -> None:
        from desk_assistant.assistant import Answered, Piece, Reading, Recalled, Saved, Waiting

        console = self._console
        match event:
            case Saved():
                self._saved = event
                if event.spans:
                    kinds = dict.fromkeys(t(f"privacy.kind_{span.type}") for span in event.spans)
                    console.note(t("cli.masked", kinds=t("cli.and").join(kinds)), "yellow")
            case Recalled():
                self._recalled = event
                for item in event.result.items:
                    console.note(t("cli.card", text=card(item.text), date=item.created_at[:10]), "cyan")
                if event.result.by_text_only:
                    console.note(t("cli.by_text_only"), "dim")
            case Waiting():
                console.progress(t("cli.waiting", model=event.model), step="waiting")
            case Reading():
                console.progress(t("cli.reading", done=event.done, total=event.total), step="reading")
            case Piece():
                if event.thinking:
                    console.progress(t("cli.thinking"), step="thinking")
                else:
                    self._streamed += event.text
                    if not self._as_json:
                        console.piece(event.text)
            case Answered():
                self._answered = event

    def finish(self, running: Assistant, conversation: Conversation) -> None:
        console, answered = self._console, self._answered
        if answered is None:
            return
        if self._as_json:
            console.record(self._shape(running, conversation, answered))
            console.flush()
        elif not self._streamed.endswith("\n"):
            console.piece("\n")
        if answered.reason == "length":
            console.note(t("cli.cut_answer"), "yellow")
        if conversation.parts is not None and conversation.parts.cut:
            console.note(t("cli.cut_message"), "yellow")
        if not self._as_json and conversation.session_id is not None and not conversation.private:
            console.note(t("cli.session_hint", id=conversation.session_id), "dim")

    def _shape(self, running: Assistant, conversation: Conversation, answered: Answered) -> shapes.Shape:
        usage = answered.usage
        return {
            "session": conversation.session_id,
            "message": None if conversation.private else answered.message.id,
            "answer": answered.message.content,
            "reason": answered.reason,
            "model": running.model_name,
            "recalled": [shapes.recalled(item) for item in self._recalled.result.items] if self._recalled else [],
            "masked": shapes.spans(self._saved.spans) if self._saved else [],
            "message_cut": bool(conversation.parts and conversation.parts.cut),
            "usage": {
                "prompt_tokens": usage.prompt_tokens,
                "reused_tokens": usage.reused_tokens,
                "answer_tokens": usage.answer_tokens,
                "prompt_seconds": round(usage.prompt_seconds, 3),
                "answer_seconds": round(usage.answer_seconds, 3),
            },
        }


def card(text: str) -> str:
    """Return a memory on one line, short enough to stand beside an answer."""
    return fit(" ".join(text.split()), CARD_CELLS)
