"""The Recall tab: all that went into the last answer, with the parts of every score and the way to the exact prompt."""

from __future__ import annotations

from datetime import date
from typing import Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Button, Static

from desk_assistant.assistant.events import PromptParts, TurnReport
from desk_assistant.i18n import t
from desk_assistant.memory.records import RecalledItem, RecallResult, ScoreParts
from desk_assistant.tui import keymap
from desk_assistant.tui.cells import one_line
from desk_assistant.tui.dates import when
from desk_assistant.tui.memory_rows import matching
from desk_assistant.tui.messages import OpenRecord, ShowPrompt
from desk_assistant.tui.widgets.row_list import Row, RowList

NOTABLE: Final = 0.005
"""A factor nearer to one than this would be shown as 1.00, which says nothing."""


class RecallList(RowList):
    """The recalled records."""

    def __init__(self) -> None:
        super().__init__(empty=t("tui.empty_recall"), id="recall-list")
        keymap.bind(self, "memory")


class RecallView(VerticalScroll):
    """Shows a turn's report, or the result of a recall asked for by hand."""

    can_focus = True

    def __init__(self) -> None:
        super().__init__(id="recall-view")
        self._words = ""

    def filter(self, words: str) -> None:
        """Show from now on only the recalled records that hold these words."""
        self._words = words

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static(t("tui.recall_none_yet"), id="recall-head", markup=False)
        yield Button(t("tui.show_prompt"), id="show-prompt", compact=True)
        yield RecallList()
        yield Static("", id="recall-profile", markup=False)
        yield Static("", id="recall-parts", markup=False)

    def on_mount(self) -> None:
        """Hide what has nothing to show yet."""
        self._fill(None, (), None)

    def show_report(self, report: TurnReport | None, today: date) -> None:
        """Show what was used for the last answer."""
        if report is None:
            self.query_one("#recall-head", Static).update(t("tui.recall_none_yet"))
            self._fill(None, (), None)
            return
        self.query_one("#recall-head", Static).update(_head(report.recall))
        self._fill(report.recall, report.profile, report.parts, today=today, prompt=bool(report.prompt))

    def show_result(self, result: RecallResult, today: date) -> None:
        """Show what memory holds about a question that was put by hand."""
        head = t("tui.recall_asked", query=one_line(result.query)) + "\n" + _head(result)
        self.query_one("#recall-head", Static).update(head)
        self._fill(result, (), None, today=today)

    def _fill(
        self,
        result: RecallResult | None,
        profile: tuple[str, ...],
        parts: PromptParts | None,
        *,
        today: date | None = None,
        prompt: bool = False,
    ) -> None:
        rows = self.query_one(RecallList)
        items = result.items if result is not None else ()
        rows.set_rows(matching([_row(item, today) for item in items], self._words) if today is not None else [])
        rows.display = result is not None
        rows.styles.height = max(1, rows.total_lines)
        block = self.query_one("#recall-profile", Static)
        block.display = bool(profile)
        block.update(
            "\n".join([t("tui.recall_profile", count=len(profile)), *(f"  {one_line(line)}" for line in profile)])
        )
        meter = self.query_one("#recall-parts", Static)
        meter.display = parts is not None
        meter.update(parts_table(parts) if parts is not None else "")
        self.query_one("#show-prompt", Button).display = prompt

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Open a record."""
        event.stop()
        self.post_message(OpenRecord(event.row_id))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Show the exact prompt."""
        event.stop()
        self.post_message(ShowPrompt())

    def on_focus(self) -> None:
        """Hand the focus to the list when there is something in it."""
        rows = self.query_one(RecallList)
        if rows.rows:
            rows.focus()


def parts_table(parts: PromptParts) -> str:
    """Return the tokens of each part of the prompt, one a line, and what is free."""
    named = [
        (name, getattr(parts, name)) for name in ("persona", "profile", "history", "recalled", "message", "answer")
    ]
    free = max(0, parts.context - sum(count for _, count in named))
    lines = [t("tui.parts_heading", context=f"{parts.context:,}")]
    lines.extend(f"  {count:>7,}  {t(f'tui.part_{name}')}" for name, count in [*named, ("free", free)])
    if parts.left_out:
        lines.append(t("tui.left_out", count=parts.left_out))
    if parts.cut:
        lines.append(t("tui.message_cut"))
    return "\n".join(lines)


def _head(result: RecallResult) -> str:
    found = t("tui.recall_found", count=len(result.items), seconds=f"{result.seconds:.2f}")
    return f"{found}\n{t('tui.by_words_only')}" if result.by_text_only else found


def _row(item: RecalledItem, today: date) -> Row:
    note = f"{item.score:.2f} · {when(item.created_at, today)}\n= {score_line(item.parts)}"
    return Row(item.id, f"{t(f'tui.card_{item.kind}')}: {item.text}", note, height=2)


def score_line(parts: ScoreParts) -> str:
    """Return how a score came about: the relevance with its parts, and on a second line the factors."""
    found = [
        t(f"tui.score_{name}", value=f"{value:.2f}")
        for name, value in (("vector", parts.vector), ("text", parts.text))
        if value is not None
    ]
    relevance = f"{parts.relevance:.2f} ({' + '.join(found)})" if found else f"{parts.relevance:.2f}"
    factors = [
        t(f"tui.score_{name}", value=f"{value:.2f}")
        for name, value in (("decay", parts.decay), ("importance", parts.importance))
        if abs(value - 1) >= NOTABLE
    ]
    return relevance + ("\n× " + " × ".join(factors) if factors else "")
