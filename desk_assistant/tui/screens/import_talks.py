"""The import dialog: what an export holds and what would be masked, before any of it comes in."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Button, Footer, Input, Static

from desk_assistant.assistant import ImportPreview
from desk_assistant.assistant.import_words import preview_lines, problem_line, report_lines
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.importers import Selection
from desk_assistant.tui.cells import clean
from desk_assistant.tui.host import Host
from desk_assistant.tui.screens.dialog import Dialog, MarkedScroll

LOOK_DELAY: Final = 0.4
SHOWN_SECONDS: Final = 0.1
LISTED: Final = 100
PROBLEMS: Final = 5


class ImportScreen(Dialog[None]):
    """Shows an export, lets the person choose by title and date, and imports it.

    Args:
        host: The app.
        path: The export, empty when it has still to be named.
    """

    def __init__(self, host: Host, path: str = "") -> None:
        super().__init__(classes="import-screen")
        self._host = host
        self._path = path
        self._look_number = 0
        self._resting: Timer | None = None
        self._share: tuple[str, float] | None = None
        self._importing = False
        self._stop_wanted = False

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("importers.title"), classes="dialog-title")
            yield Input(self._path, placeholder=t("importers.path_hint"), id="import-path", compact=True)
            with Horizontal(id="import-choice"):
                yield Input(placeholder=t("importers.title_hint"), id="import-title", compact=True)
                yield Input(placeholder=t("importers.since_hint"), id="import-since", compact=True)
                yield Input(placeholder=t("importers.until_hint"), id="import-until", compact=True)
            yield Static("", id="import-what", markup=False)
            with MarkedScroll(id="import-scroll"):
                yield Static("", id="import-list", markup=False)
            yield Static(t("importers.note"), classes="dialog-hint")
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("importers.accept"), id="accept", variant="primary", compact=True, disabled=True)
                yield Button(t("tui.close"), id="cancel", compact=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Look at the export that was named, and keep what is shown up to date."""
        self.query_one("#import-path", Input).focus()
        self.set_interval(SHOWN_SECONDS, self._show_share)
        if self._path:
            self._look_soon()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Look again once the typing rests."""
        event.stop()
        if self._importing:
            return
        self._look_number += 1
        self.query_one("#accept", Button).disabled = True
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(LOOK_DELAY, self._look_soon)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on to the button."""
        event.stop()
        accept = self.query_one("#accept", Button)
        if not accept.disabled:
            accept.focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Import, stop or close."""
        event.stop()
        if event.button.id == "cancel":
            self.action_close()
        elif self._importing:
            self._stop_wanted = True
        else:
            self._host.attempt(self._import())

    def action_close(self) -> None:
        """Close; an import that is under way ends after the batch at hand, and what it stored stays."""
        self._stop_wanted = True
        self._look_number += 1
        self.dismiss(None)

    def _look_soon(self) -> None:
        self._host.attempt_latest("import", self._look)

    async def _look(self) -> None:
        path, selection = self._named(), self._selection()
        if path is None or selection is None:
            return
        self._look_number += 1
        number = self._look_number
        try:
            preview = await self._host.assistant.imports.preview(
                path,
                selection=selection,
                progress=lambda _phase, done, total: self._told("importers.looking", done, total),
                stop=lambda: number != self._look_number,
            )
        except DeskError as error:
            self._say([str(error)])
            return
        finally:
            self._share = None
        if number == self._look_number and self.is_attached:
            self._show(preview)

    def _named(self) -> Path | None:
        """Return the path as it was typed, pasted or dropped: terminals put quotation marks around it."""
        typed = self.query_one("#import-path", Input).value.strip().strip("'\"")
        return Path(typed).expanduser() if typed else None

    def _selection(self) -> Selection | None:
        days: list[date | None] = []
        wrong = False
        for name in ("since", "until"):
            field = self.query_one(f"#import-{name}", Input)
            typed = field.value.strip()
            try:
                day = date.fromisoformat(typed) if typed else None
            except ValueError:
                day = None
            field.set_class(bool(typed) and day is None, "-invalid")
            wrong = wrong or (bool(typed) and day is None)
            days.append(day)
        if wrong:
            self._say([t("importers.bad_day")])
            return None
        return Selection(days[0], days[1], self.query_one("#import-title", Input).value)

    def _show(self, preview: ImportPreview) -> None:
        self._say([*preview_lines(preview), *map(problem_line, preview.problems[:PROBLEMS])])
        rows = [
            f"{(talk.date or '')[:10]:10}  {clean(talk.title)}  ({talk.messages})" for talk in preview.listed[:LISTED]
        ]
        if preview.talks > len(rows):
            rows.append(t("importers.more", count=preview.talks - len(rows)))
        self.query_one("#import-list", Static).update("\n".join(rows))
        self.query_one("#accept", Button).disabled = preview.talks == 0

    async def _import(self) -> None:
        path, selection = self._named(), self._selection()
        if path is None or selection is None:
            return
        self._importing, self._stop_wanted = True, False
        self._look_number += 1
        accept = self.query_one("#accept", Button)
        accept.label = t("importers.stop")
        try:
            report = await self._host.assistant.imports.run(
                path,
                lambda _phase, done, total: self._told("importers.storing", done, total),
                selection=selection,
                stop=lambda: self._stop_wanted,
                wait=False,
            )
        finally:
            self._importing, self._share = False, None
            if self.is_attached:
                accept.label = t("importers.accept")
        await self._host.memory_changed()
        if self.is_attached:
            accept.disabled = not report.stopped
            self._say([*report_lines(report), *map(problem_line, report.problems[:PROBLEMS])])
            self.query_one("#cancel", Button).focus()
        else:
            self._host.tell(" ".join(report_lines(report)))

    def _told(self, key: str, done: int, total: int) -> None:
        """Keep how far it is; called from the thread that reads."""
        self._share = key, done / total if total else 1.0

    def _show_share(self) -> None:
        if self._share is not None:
            key, share = self._share
            self._say([t(key, share=f"{share:.0%}")])

    def _say(self, lines: list[str]) -> None:
        self.query_one("#import-what", Static).update("\n".join(map(clean, lines)))
