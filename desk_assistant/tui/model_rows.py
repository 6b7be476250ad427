"""The models as rows of a list and as a card of text: those on this machine, and those of the catalogue."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from desk_assistant import i18n
from desk_assistant.assistant import Assistant
from desk_assistant.assistant.model_card import CardLine, megabytes, model_card
from desk_assistant.assistant.model_choices import gigabytes
from desk_assistant.assistant.model_notes import ModelNotes
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.models import CatalogueEntry, InstalledModel
from desk_assistant.models.memory import available_memory
from desk_assistant.tui.widgets.row_list import Row

AUTO: Final = "auto"
CHOSEN, MISSING, UNUSABLE = "✓", "↓", "!"
MEGABYTE: Final = 1_000_000


class ModelShelf:
    """Looks models up for the screen. Every method reads files and belongs in a thread.

    Args:
        assistant: The facade.
    """

    def __init__(self, assistant: Assistant) -> None:
        self._assistant = assistant
        self._notes = ModelNotes(assistant.store.meta)

    def rows(self) -> list[Row]:
        """Return the automatic choice, the models that are here, and those that could be fetched."""
        chosen = self._assistant.settings.text("model.name")
        here = self._assistant.models.list("llm")
        rows = [
            Row("", t("tui.models_here")),
            Row(AUTO, t("tui.model_auto"), mark=CHOSEN if chosen == AUTO else "", height=2),
        ]
        rows.extend(self._here(model, chosen) for model in here)
        known = {model.id for model in here}
        absent = [e for e in self._assistant.models.catalogue if e.kind == "llm" and e.id not in known]
        if absent:
            rows.append(Row("", t("tui.models_elsewhere")))
        rows.extend(self._absent(entry) for entry in absent)
        return rows

    def _here(self, model: InstalledModel, chosen: str) -> Row:
        mark = CHOSEN if chosen == model.id else ""
        note = [megabytes(model.size), "/".join(model.languages)]
        try:
            parts = self._assistant.model_fit(model)
            note.append(_need(parts.total, parts.fits))
        except DeskError:
            mark = UNUSABLE
            note.append(t("picker.unusable"))
        if speed := self._notes.speed(model.id):
            note.append(t("tui.tokens_per_second", speed=f"{speed:.0f}"))
        return Row(model.id, model.name, " · ".join(part for part in note if part), mark, height=2)

    @staticmethod
    def _absent(entry: CatalogueEntry) -> Row:
        size = entry.download_size
        note = [megabytes(size) if size else "", "/".join(entry.languages), _absent_need(entry)]
        return Row(entry.id, entry.name, " · ".join(part for part in note if part), MISSING, height=2)

    def find(self, model_id: str) -> InstalledModel | None:
        """Return a model of this machine, None when it is not here."""
        return next((model for model in self._assistant.models.list("llm") if model.id == model_id), None)

    def entry(self, model_id: str) -> CatalogueEntry | None:
        """Return the catalogue entry of a model, wherever it is."""
        model = self.find(model_id)
        if model is not None:
            return model.entry
        catalogue = self._assistant.models.catalogue
        return catalogue.get(model_id) if model_id in catalogue else None

    def card(self, model_id: str) -> RenderableType:
        """Return what there is to say about one row of the list."""
        if model_id == AUTO:
            return Text(t("picker.about_auto"))
        model = self.find(model_id)
        entry = model.entry if model is not None else self.entry(model_id)
        about = entry.describe(i18n.language()) if entry is not None else ""
        if model is not None:
            try:
                parts = self._assistant.model_fit(model)
                lines = model_card(
                    model,
                    self._assistant.settings,
                    parts,
                    speed=self._notes.speed(model_id),
                    aptitude=self._assistant.reader.aptitude_of(model),
                )
            except DeskError as error:
                return _paragraphs(about, str(error))
        elif entry is not None:
            lines = self._of_catalogue(entry)
        else:
            return Text()
        terms = self._terms(entry) if entry is not None and entry.terms else ""
        return _paragraphs(about, _labelled(lines), terms)

    def _terms(self, entry: CatalogueEntry) -> str:
        accepted = "picker.terms_accepted" if self._notes.accepted(entry) else "picker.terms_open"
        return f"{entry.terms}\n{t(accepted)}"

    @staticmethod
    def _of_catalogue(entry: CatalogueEntry) -> tuple[CardLine, ...]:
        size = entry.download_size
        return (
            CardLine(t("picker.download"), megabytes(size) if size else t("picker.unknown_size")),
            CardLine(t("models.card_licence"), entry.licence),
            CardLine(t("models.card_memory"), _absent_need(entry)),
            CardLine(t("models.card_settings"), f"context = {entry.context}"),
        )


def _labelled(lines: tuple[CardLine, ...]) -> Table:
    """Return lines below each other; a long text goes on below its own beginning."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for line in lines:
        table.add_row(Text(line.label), Text(line.text))
    return table


def _paragraphs(*parts: str | Table) -> Group:
    """Return the parts that say something, an empty line between two."""
    said: list[RenderableType] = []
    for part in parts:
        if part:
            said.extend([Text()] if said else [])
            said.append(Text(part) if isinstance(part, str) else part)
    return Group(*said)


def _need(total: int, fits: bool) -> str:
    return t("picker.needs", memory=gigabytes(total), verdict=t("assistant.fits" if fits else "picker.too_big"))


def _absent_need(entry: CatalogueEntry) -> str:
    free, need = available_memory(), entry.memory_mb * MEGABYTE
    if free is None:
        return t("picker.needs_about_unknown", memory=gigabytes(need))
    verdict = t("assistant.fits" if need <= free else "picker.too_big")
    return t("picker.needs_about", memory=gigabytes(need), verdict=verdict)
