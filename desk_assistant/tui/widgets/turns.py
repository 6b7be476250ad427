"""One message on the screen: the person's, or the assistant's answer while it streams and after."""

from __future__ import annotations

import re
import time
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Collapsible, Markdown, Static
from textual.widgets.markdown import MarkdownStream

from desk_assistant.assistant.events import Answered, Usage
from desk_assistant.i18n import t
from desk_assistant.store import Message
from desk_assistant.tui import blackout, keymap
from desk_assistant.tui.cells import clean
from desk_assistant.tui.masking import kind_name, kinds_in, marked
from desk_assistant.tui.messages import AddRecord, CopyText, EditMessage, ForgetRecords, OtherVersion
from desk_assistant.tui.rows import speaker
from desk_assistant.tui.widgets.turn_actions import TurnActions

WRITES_A_SECOND: Final = 20
"""How often a streaming answer is laid out anew, at most."""

LAYOUT_SHARE: Final = 0.25
"""Share of the time that may go into that; where a layout takes long there are fewer of them."""

SHOWN_CHARACTERS: Final = 20_000
"""A longer message of the person is shown up to here; laying out a megabyte would stall the screen."""

_CODE_BLOCK: Final = re.compile(r"^(`{3,}|~{3,})[^\n]*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)


class Turn(Vertical, can_focus=True):
    """What both kinds of message have in common: the keys for copying, remembering and forgetting."""

    def __init__(self, message: Message | None, *, classes: str) -> None:
        super().__init__(classes=f"turn {classes}")
        keymap.bind(self, "turn")
        self.message = message

    @property
    def text(self) -> str:
        """The message as Markdown."""
        return self.message.content if self.message is not None else ""

    @property
    def possible(self) -> tuple[str, ...]:
        """Ids of the keys that do something with this message."""
        return ("turn_copy", "turn_edit", "turn_other", "turn_remember", "turn_forget")

    async def on_focus(self) -> None:
        """Show what can be done."""
        if self.message is not None and not self.query(TurnActions):
            await self.mount(TurnActions(self.possible))

    async def on_blur(self) -> None:
        """Only the message that has the focus shows it."""
        await self.query(TurnActions).remove()

    def action_copy(self) -> None:
        """Copy the message."""
        self.post_message(CopyText(self.text))

    def action_copy_code(self) -> None:
        """Copy the last code block, or the whole message when it has none."""
        blocks = _CODE_BLOCK.findall(self.text)
        self.post_message(CopyText(blocks[-1][1] if blocks else self.text))

    def action_remember(self) -> None:
        """Offer what was said for remembering."""
        self.post_message(AddRecord(self.text))

    def action_forget(self) -> None:
        """Forget this message and what was learnt from it."""
        if self.message is not None:
            self.post_message(ForgetRecords((self.message.id,)))

    def action_edit(self) -> None:
        """Say it in other words; only what the person said can be."""
        if self.message is not None:
            self.post_message(EditMessage(self.message.id, self.message.content))

    async def action_again(self) -> None:
        """Answer the last question again."""
        await self.run_action("screen.regenerate")

    async def action_go_on(self) -> None:
        """Go on with the last answer where it was stopped or cut."""
        await self.run_action("screen.palette('continue')")

    def action_other(self) -> None:
        """Show another version of this message."""
        if self.message is not None:
            self.post_message(OtherVersion(self.message.id))


class UserTurn(Turn):
    """What the person said, with the masked parts marked and named."""

    def __init__(self, message: Message, *, private: bool = False) -> None:
        super().__init__(message, classes="user-turn")
        self._private = private

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        assert self.message is not None
        yield Static(speaker(self.message), classes="turn-name", markup=False)
        text = self.message.content
        yield Static(marked(text[:SHOWN_CHARACTERS]), classes="turn-text")
        if len(text) > SHOWN_CHARACTERS:
            yield Static(t("tui.shown_in_part", shown=SHOWN_CHARACTERS, total=len(text)), classes="turn-note")
        kinds = () if self._private else kinds_in(text)
        if kinds:
            names = t("tui.list_comma").join(kind_name(kind) for kind in kinds)
            yield Static(t("tui.masked_note", kinds=names), classes="turn-note", markup=False)
        if gone := blackout.note(text):
            yield Static(gone, classes="turn-note", markup=False)


class AnswerTurn(Turn):
    """The assistant's answer. Streams with `piece`, ends with `finish`; a stored one is shown at once."""

    def __init__(self, message: Message | None = None) -> None:
        super().__init__(message, classes="answer-turn")
        self._shown = blackout.shown(clean(message.content)) if message is not None else ""
        self._thought = ""
        self._buffer = ""
        self._last_write = 0.0
        self._flush_planned = False
        self._pause = 1 / WRITES_A_SECOND
        self._stream: MarkdownStream | None = None

    @property
    def possible(self) -> tuple[str, ...]:
        """Ids of the keys that do something with this message."""
        code = ("turn_copy_code",) if _CODE_BLOCK.search(self.text) else ()
        newest = ("turn_again", "turn_continue") if self.is_newest else ()
        return ("turn_copy", *code, *newest, "turn_other", "turn_remember", "turn_forget")

    @property
    def is_newest(self) -> bool:
        """Whether it is the last message that is shown; another one cannot be answered again or gone on with."""
        turns = [turn for turn in self.screen.query(Turn) if turn.message is not None]
        return bool(turns) and turns[-1] is self

    @property
    def text(self) -> str:
        """The answer as Markdown, as far as it has come."""
        return self.message.content if self.message is not None else self._shown + self._buffer

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static(t("tui.role_assistant"), classes="turn-name")
        yield Markdown(self._shown, open_links=False)
        if self.message is not None:
            for note in (_state_note(self.message.state), blackout.note(self.message.content)):
                if note:
                    yield Static(note, classes="turn-note", markup=False)

    # Every widget is laid out anew whenever anything on the screen grows: those that most answers do not need come
    # only when they do.

    async def progress(self, text: str) -> None:
        """Say what is waited for; nothing when empty."""
        line = self.query(".turn-progress").first(Static) if self.query(".turn-progress") else None
        if line is not None and text:
            line.update(text)
        elif line is not None:
            await line.remove()
        elif text:
            await self.mount(Static(text, classes="turn-progress", markup=False), before=self.query_one(Markdown))

    async def piece(self, text: str, *, thinking: bool = False) -> None:
        """Add the next words."""
        await self.progress("")
        if thinking:
            await self._think(clean(text))
            return
        self._buffer += clean(text)
        if time.monotonic() - self._last_write >= self._pause:
            await self.flush()
        elif not self._flush_planned:
            # The next words may be long in coming.
            self._flush_planned = True
            self.set_timer(self._pause, self.flush)

    async def flush(self) -> None:
        """Put the words that came since the last time on the screen."""
        self._flush_planned = False
        if not self._buffer:
            return
        words, self._buffer = self._buffer, ""
        self._shown += words
        self._last_write = time.monotonic()
        if self._stream is None:
            self._stream = Markdown.get_stream(self.query_one(Markdown))
        await self._stream.write(words)
        self.call_after_refresh(self._measure)

    def _measure(self) -> None:
        cost = time.monotonic() - self._last_write
        self._pause = min(1.0, max(1 / WRITES_A_SECOND, cost / LAYOUT_SHARE))

    async def finish(self, answered: Answered) -> None:
        """Show the whole answer and what it cost."""
        self.message = answered.message
        await self.progress("")
        await self._end_stream()
        self._buffer = ""
        self._shown = clean(answered.message.content)
        # A fenced block that streamed in can have lost its lines; the whole text lays it out again.
        await self.query_one(Markdown).update(self._shown)
        state = {"length": t("tui.cut_at_budget"), "stopped": t("tui.state_stopped")}.get(answered.reason, "")
        await self._note(" · ".join(part for part in (state, usage_note(answered.usage)) if part))

    async def fail(self, sentence: str) -> None:
        """Keep what had come and say why no more comes."""
        await self.progress("")
        await self.flush()
        await self._end_stream()
        self.add_class("-failed")
        await self._note(sentence)

    async def _end_stream(self) -> None:
        if self._stream is not None:
            stream, self._stream = self._stream, None
            await stream.stop()

    async def _think(self, text: str) -> None:
        self._thought += text
        if not self.query(Collapsible):
            thought = Static("", classes="thought", markup=False)
            await self.mount(
                Collapsible(thought, title=t("tui.thinking"), classes="turn-thinking"), before=self.query_one(Markdown)
            )
        self.query_one(".thought", Static).update(self._thought)

    async def _note(self, text: str) -> None:
        if text:
            await self.mount(Static(text, classes="turn-note", markup=False))


def usage_note(usage: Usage) -> str:
    """Return the speed and length of an answer in words."""
    if not usage.answer_tokens:
        return ""
    speed = f"{usage.tokens_per_second:.0f}" if usage.tokens_per_second >= 10 else f"{usage.tokens_per_second:.1f}"
    return t("tui.usage", tokens=usage.answer_tokens, speed=speed)


def _state_note(state: str) -> str:
    return t(f"tui.state_{state}") if state in ("stopped", "failed") else ""
