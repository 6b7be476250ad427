"""What the last erase removed where, and the copies outside the profile that still hold it: listed, and deletable."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Footer, Static

from desk_assistant.errors import NotFoundError
from desk_assistant.i18n import counted, t
from desk_assistant.memory.records import ForgetReport
from desk_assistant.tui import keymap
from desk_assistant.tui.dates import when
from desk_assistant.tui.host import Host
from desk_assistant.tui.messages import OpenRecord
from desk_assistant.tui.screens.dialog import ConfirmDialog, Dialog
from desk_assistant.tui.widgets.record_list import RecordList
from desk_assistant.tui.widgets.row_list import Row, RowList

BACKUP: Final = "backup:"
EXPORT: Final = "export:"


class ErasedScreen(Dialog[None]):
    """The report on top; below it records that say the same elsewhere, backups and exported files.

    Args:
        host: The app.
        report: What the last erase of this run removed; None when there was none.
    """

    def __init__(self, host: Host, report: ForgetReport | None) -> None:
        super().__init__(classes="erased-screen")
        keymap.bind(self, "copies")
        self._host = host
        self._memory = host.assistant.memory
        self._report = report

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("panel.erased_title"), classes="dialog-title")
            yield Static(report_text(self._report), id="erased-report", markup=False)
            yield RecordList("copies", keys=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("panel.copies_delete"), id="copies-delete", compact=True)
                yield Button(t("panel.copies_delete_all"), id="copies-delete-all", compact=True)
                yield Button(t("tui.close"), id="do-close", compact=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """List the copies."""
        self.query_one(RecordList).focus()
        self._host.attempt_latest("copies", self._load)

    async def _load(self) -> None:
        rows: list[Row] = []
        mentions = self._report.mentions if self._report is not None else ()
        if mentions:
            rows.append(Row("", t("panel.copies_mentions", count=len(mentions))))
            rows.extend([row for record_id in mentions if (row := await self._mention(record_id)) is not None])
        backups, exports = self._memory.backups(), self._memory.exports()
        holding = set(self._report.exports) if self._report is not None else set()
        for heading, prefix, paths in (("backups", BACKUP, backups), ("exports", EXPORT, exports)):
            if paths:
                rows.append(Row("", t(f"panel.copies_{heading}", count=len(paths))))
                rows.extend(self._file(prefix, path, str(path) in holding) for path in paths)
        shown = self.query_one(RecordList)
        shown.set_rows(rows)
        any_copy = bool(backups or exports)
        for name in ("copies-delete", "copies-delete-all"):
            self.query_one(f"#{name}", Button).display = any_copy

    async def _mention(self, record_id: str) -> Row | None:
        try:
            hit = await self._memory.as_hit(record_id)
        except NotFoundError:  # it was forgotten since, or several conversations have a message of this imported id
            return None
        return Row(hit.id, hit.text, f"{t(f'tui.layer_{hit.layer}')} · {when(hit.created_at, self._host.today)}", "", 2)

    def _file(self, prefix: str, path: Path, holds: bool) -> Row:
        name = path.name if prefix == BACKUP else str(path)
        return Row(f"{prefix}{path}", name, t("panel.copy_holds") if holds else t("panel.copy_may_hold"), "", 2)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Open a record; ask whether a file shall go."""
        event.stop()
        if event.row_id.startswith((BACKUP, EXPORT)):
            self.action_delete_copies()
        else:
            self.post_message(OpenRecord(event.row_id))

    def action_delete_copies(self) -> None:
        """Delete the marked files, or the one under the cursor, after asking."""
        rows = self.query_one(RecordList)
        ids = tuple(i for i in rows.selection if i.startswith((BACKUP, EXPORT)))
        if ids:
            self._host.attempt(self._delete(ids))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Delete, or close."""
        event.stop()
        match event.button.id:
            case "copies-delete":
                self.action_delete_copies()
            case "copies-delete-all":
                rows = self.query_one(RecordList).rows
                self._host.attempt(self._delete(tuple(r.id for r in rows if r.id.startswith((BACKUP, EXPORT)))))
            case _:
                self.dismiss(None)

    async def _delete(self, ids: tuple[str, ...]) -> None:
        names = "\n".join(i.partition(":")[2] for i in ids)
        question = ConfirmDialog(t("panel.copies_really", count=len(ids)), names, t("panel.copies_delete"))
        if not await self._host.ask(question):
            return
        backups = [Path(i.removeprefix(BACKUP)).name for i in ids if i.startswith(BACKUP)]
        if backups:
            await self._memory.delete_backups(backups)
        exports = [Path(i.removeprefix(EXPORT)) for i in ids if i.startswith(EXPORT)]
        if exports:
            await self._memory.delete_exports(exports)
        self._host.tell(t("panel.copies_deleted", count=len(ids)))
        await self._load()


def report_text(report: ForgetReport | None) -> str:
    """Return what an erase removed where, one place a line."""
    if report is None:
        return t("panel.erased_none")
    lines = [
        f"  {counted('fact', report.facts)} · {t('panel.erased_facts')}",
        f"  {counted('episode', report.episodes)} · {t('panel.erased_episodes')}",
        f"  {counted('message', report.messages)} · {t('panel.erased_messages')}",
        f"  {counted('episode', report.rebuilt)} · {t('panel.erased_rebuilt')}",
    ]
    if report.verified:
        lines.append(t("panel.erased_checked"))
    else:
        lines.append(t("tui.erase_leftovers", files=", ".join(report.leftovers)))
    return "\n".join([t("panel.erased_heading"), *lines])
