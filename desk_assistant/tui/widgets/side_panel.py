"""What both panels beside the chat share: they stand beside it when there is room, else they are opened when wanted."""

from __future__ import annotations

from textual.containers import Vertical
from textual.widget import Widget


class SidePanel(Vertical):
    """A panel that can be opened and closed. Where it stands follows the width of the screen (see `main.tcss`)."""

    @property
    def is_open(self) -> bool:
        """Whether it is on the screen."""
        return bool(self.styles.display != "none") and self.display

    @property
    def holds_focus(self) -> bool:
        """Whether the focus is inside."""
        focused = self.screen.focused
        return focused is not None and self in focused.ancestors_with_self

    def open(self, *, focus: bool = True) -> None:
        """Show it, and put the focus into it unless the person goes on writing beside it."""
        self.remove_class("-closed")
        self.add_class("-open")
        self._tell_parent(True)
        if focus:
            self.call_after_refresh(self._focus_target().focus)

    def close(self) -> None:
        """Hide it."""
        self.remove_class("-open")
        self.add_class("-closed")
        self._tell_parent(False)

    def _tell_parent(self, opened: bool) -> None:
        """Let what stands beside the panel know, so that the style sheet can make room."""
        if isinstance(self.parent, Widget):
            self.parent.set_class(opened, f"-{self.id}-open")

    def _focus_target(self) -> Widget:
        raise NotImplementedError
