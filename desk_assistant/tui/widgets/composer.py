"""Where the person types: Enter sends, Ctrl+J makes a new line, a paste is text, and folded when it is long."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import OptionList, TextArea
from textual.widgets.option_list import Option

from desk_assistant.i18n import t
from desk_assistant.tui import keymap, slash
from desk_assistant.tui.cells import clean
from desk_assistant.tui.folds import Folds
from desk_assistant.tui.typed import DraftChanged, SendText
from desk_assistant.tui.widgets.mask_hint import MaskHint

PAGES = {"pageup": -1, "pagedown": 1}
"""Keys that scroll the conversation while the draft itself needs no scrolling."""

HISTORY = 100
"""How many sent texts are kept for the arrow keys, in the memory of this run alone."""


class SlashMenu(OptionList):
    """The commands that fit what was typed. The composer keeps the focus and moves through it."""

    can_focus = False

    def offer(self, commands: tuple[slash.Slash, ...]) -> None:
        """Show these commands, or nothing."""
        self.display = bool(commands)
        self.clear_options()
        self.add_options(
            Option(f"[b]{command.usage}[/b]  [dim]{command.summary}[/dim]", id=command.name) for command in commands
        )
        if commands:
            self.highlighted = 0

    @property
    def choice(self) -> str | None:
        """Name of the command under the cursor."""
        option = self.highlighted_option if self.display else None
        return option.id if option is not None else None


class Composer(TextArea):
    """The text field."""

    def __init__(self, menu: SlashMenu) -> None:
        super().__init__(
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            placeholder=t("tui.composer_placeholder"),
            id="composer",
            highlight_cursor_line=False,
        )
        keymap.bind(self, "composer")
        self._menu = menu
        self._folds = Folds()
        self._sent: list[str] = []
        self._back = 0

    @property
    def content(self) -> str:
        """The text that is sent: what is shown, with long pastes in full."""
        return self._folds.unfold(self.text)

    def fill(self, text: str) -> None:
        """Show another text, a very long one folded, with the cursor at its end."""
        self.text = self._folds.fold(text)
        self.move_cursor(self.document.end)

    async def _on_key(self, event: events.Key) -> None:
        if self._menu.display and event.key in ("up", "down", "tab", "escape", "enter"):
            if self._menu_key(event.key):
                event.stop()
                event.prevent_default()
                return
        elif event.key in ("up", "down") and self._walk_history(event.key):
            event.stop()
            event.prevent_default()
            return
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self._send()
            return
        if event.key in PAGES and self.virtual_size.height <= self.size.height:
            # The whole draft is in view: what is to be scrolled can only be the conversation.
            event.stop()
            event.prevent_default()
            await self.run_action(f"screen.scroll_chat({PAGES[event.key]})")
            return
        await super()._on_key(event)

    async def _on_paste(self, event: events.Paste) -> None:
        # TextArea would type control characters of the clipboard as they are.
        event.prevent_default()
        event.stop()
        result = self._replace_via_keyboard(self._folds.fold(clean(event.text)), *self.selection)
        if result is not None:
            self.move_cursor(result.end_location)

    def _menu_key(self, key: str) -> bool:
        """Act on a key of the open menu; return whether that was all."""
        if key == "escape":
            self._menu.display = False
        elif key == "up":
            self._menu.action_cursor_up()
        elif key == "down":
            self._menu.action_cursor_down()
        else:
            name = self._menu.choice
            if name is None or (key == "enter" and self.text == f"/{name}"):
                return False
            self.complete(name)
        return True

    def complete(self, name: str) -> None:
        """Put a command into the field, ready for its argument; one without an argument is sent."""
        parsed = slash.parse(f"/{name}")
        if parsed is not None and parsed[0].argument == "none":
            self.text = f"/{name}"
            self._send()
            return
        self.text = f"/{name} "
        self.move_cursor(self.document.end)

    def action_delete_left(self) -> None:
        """Delete a character, or a folded paste as a whole."""
        row, column = self.cursor_location
        folded = self._folds.line_before(self.document.get_line(row)[:column]) if self.selection.is_empty else ""
        if folded:
            self.delete((row, column - len(folded)), (row, column))
        else:
            super().action_delete_left()

    def _send(self) -> None:
        text = self.content
        if text.strip():
            self.post_message(SendText(text))

    def sent(self, text: str) -> None:
        """Take note that the text was taken, and become empty."""
        self._sent = [*self._sent[1 - HISTORY :], text]
        self._back = 0
        self.clear()
        self._folds.clear()
        self._menu.display = False

    def _walk_history(self, key: str) -> bool:
        """Bring back an earlier text, when the field is empty or already shows one."""
        shows_earlier = self._back > 0 and self.content == self._sent[-self._back]
        if not self._sent or (self.text and not shows_earlier):
            return False
        self._back = max(0, min(len(self._sent), self._back + (1 if key == "up" else -1)))
        self._folds.clear()
        self.fill(self._sent[-self._back] if self._back else "")
        return True

    def action_newline(self) -> None:
        """Begin a new line."""
        self.insert("\n")
        self.scroll_cursor_visible()


class Entry(Vertical):
    """The composer with its command menu above and the note on masked parts below."""

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        menu = SlashMenu(id="slash-menu")
        menu.display = False
        yield menu
        yield Composer(menu)
        yield MaskHint()

    @property
    def composer(self) -> Composer:
        """The text field."""
        return self.query_one(Composer)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Offer commands, and let the screen look for private parts."""
        event.stop()
        self.query_one(SlashMenu).offer(slash.matching(event.text_area.text))
        self.post_message(DraftChanged(self.composer.content))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the command that was clicked."""
        event.stop()
        if event.option_id:
            self.composer.complete(event.option_id)
            self.composer.focus()
