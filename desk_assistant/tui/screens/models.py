"""The models: those on this machine to choose from, and those the catalogue knows with what they need."""

from __future__ import annotations

import asyncio

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Footer, Static

from desk_assistant import i18n
from desk_assistant.assistant import Assistant
from desk_assistant.i18n import t
from desk_assistant.models import Catalogue
from desk_assistant.models.memory import available_memory
from desk_assistant.tui.screens.dialog import Dialog
from desk_assistant.tui.widgets.row_list import Row, RowList

MEGABYTE = 1_000_000
AUTO = "auto"


class ModelsScreen(Dialog[str]):
    """Returns the id of the chosen model. A model that is not here shows how to get it."""

    def __init__(self, assistant: Assistant) -> None:
        super().__init__(classes="models-screen")
        self._assistant = assistant
        self._missing: set[str] = set()

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("tui.models_title"), classes="dialog-title")
            yield RowList(empty=t("tui.models_none"), id="model-list")
            yield Static(
                t("tui.models_keys", path=self._assistant.locations.models), classes="panel-keys", markup=False
            )
        yield Footer(compact=True, show_command_palette=False)

    async def on_mount(self) -> None:
        """Look which are here."""
        rows = self.query_one(RowList)
        rows.set_rows(await asyncio.to_thread(self._rows))
        rows.focus_row(self._assistant.settings.text("model.name"))
        rows.focus()

    def _rows(self) -> list[Row]:
        chosen = self._assistant.settings.text("model.name")
        installed = self._assistant.models.list("llm")
        free = available_memory()
        rows = [Row("", t("tui.models_here")), Row(AUTO, t("tui.model_auto"), mark="✓" if chosen == AUTO else "")]
        for model in installed:
            need = model.entry.memory_mb if model.entry is not None else None
            note = [f"{model.size / MEGABYTE:,.0f} MB", "/".join(model.languages)]
            if need:
                note.append(_fit(need, free))
            if model.entry is not None:
                note.append(model.entry.licence)
            text = model.entry.describe(i18n.language()) if model.entry is not None else ""
            mark = "✓" if chosen == model.id else ""
            rows.append(Row(model.id, f"{model.name}. {text}", " · ".join(x for x in note if x), mark, height=2))
        here = {model.id for model in installed}
        others = [entry for entry in Catalogue.load() if entry.kind == "llm" and entry.id not in here]
        self._missing = {entry.id for entry in others}
        if others:
            rows.append(Row("", t("tui.models_elsewhere")))
        for entry in others:
            size = entry.download_size
            note = [f"{size / MEGABYTE:,.0f} MB" if size else "", "/".join(entry.languages)]
            note.extend([_fit(entry.memory_mb, free), entry.licence])
            text = f"{entry.name}. {entry.describe(i18n.language())}"
            rows.append(Row(entry.id, text, " · ".join(x for x in note if x), "↓", height=2))
        return rows

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Use it, or say how it gets here."""
        event.stop()
        if event.row_id in self._missing:
            self.app.notify(t("tui.model_get", model=event.row_id), markup=False, timeout=12)
        else:
            self.dismiss(event.row_id)


def _fit(need_mb: int, free: int | None) -> str:
    need = t("tui.model_needs", memory=f"{need_mb / 1024:.1f}")
    if free is None:
        return need
    return f"{need} ({t('tui.model_fits') if need_mb * MEGABYTE <= free else t('tui.model_too_big')})"
