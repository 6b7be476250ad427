"""`ask`: one question, one streamed answer, for the shell and for scripts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desk_assistant import shapes, textkit
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import Console, fit
from desk_assistant.cli.running import assistant, settled, started
from desk_assistant.errors import InputError, NotFoundError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant import Answered, Assistant, Conversation, Recalled, Saved, TurnEvent

CARD_CELLS: Final = 100
"""Longest text of a recalled memory shown beside an answer, in terminal cells."""

MAX_FILE: Final = 1_000_000
"""Bytes of the largest file that goes with a question."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "ask", run)
    parser.add_argument("text", nargs="*", metavar=t("cli.text_or_dash"), help=t("cli.help_ask_text"))
    parser.add_argument("--file", action="append", default=[], metavar=t("cli.file"), help=t("cli.help_ask_file"))
    parser.add_argument("--session", metavar="ID", help=t("cli.help_ask_session"))
    parser.add_argument("--load-anyway", action="store_true", help=t("cli.help_ask_load_anyway"))
    parser.add_argument("--private", action="store_true", help=t("cli.help_ask_private"))


async def run(invocation: Invocation) -> int:
    """Ask, stream the answer to standard output, and wait until the exchange has been remembered."""
    options, console = invocation.options, invocation.console
    text = asked(options.text, options.file)
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


def asked(words: Sequence[str], files: Sequence[str]) -> str:
    """Return the question: the words, with what `-` reads from standard input in its place, and files quoted after it.

    Without words the one file is the question; without anything it is what comes through a pipe.

    Raises:
        NotFoundError: There is no such file.
        InputError: A file cannot be read, or is too large for a question.
    """
    given = [_standard_input() if word == "-" else word for word in words]
    if not given and not files and not sys.stdin.isatty():
        given = [_standard_input()]
    text = " ".join(given)
    contents = [(Path(name).name, _read(name)) for name in files]
    if not text.strip() and len(contents) == 1:
        return contents[0][1]
    quoted = [textkit.fenced(content, name) for name, content in contents]
    return "\n\n".join([text, *quoted] if text.strip() else quoted)


def _standard_input() -> str:
    return sys.stdin.buffer.read().decode("utf-8", errors="replace")


def _read(name: str) -> str:
    path = Path(name).expanduser()
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE + 1)
    except FileNotFoundError as error:
        raise NotFoundError("cli.no_file", path=path) from error
    except OSError as error:
        raise InputError("cli.unreadable_file", path=path, reason=error.strerror or error) from error
    if len(raw) > MAX_FILE:
        raise InputError("cli.file_too_large", path=path, most=MAX_FILE // 1000)
    return raw.decode("utf-8-sig", errors="replace")


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
