"""The line above the keys: what the model and the memory are doing, the speed, and how full the context is."""

from __future__ import annotations

from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from desk_assistant.assistant import Status
from desk_assistant.assistant.events import PromptParts, Usage
from desk_assistant.i18n import t
from desk_assistant.tui.messages import ChooseModel

METER_CELLS: Final = 10


class ModelState(Static):
    """The model's name and state; a click shows the models."""

    def on_click(self, event: events.Click) -> None:
        """Show the models."""
        event.stop()
        self.post_message(ChooseModel())


class ContextMeter(Static):
    """How full the model's window is; a click shows with what."""

    async def on_click(self, event: events.Click) -> None:
        """Show the parts."""
        event.stop()
        await self.run_action("screen.palette('context')")


class StatusLine(Horizontal):
    """Model and memory to the left, speed and context to the right."""

    def __init__(self) -> None:
        super().__init__(id="status-line")

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield ModelState("", id="model-state", markup=False)
        yield Static("", id="memory-state", markup=False)
        yield Static("", id="speed", markup=False)
        yield ContextMeter("", id="context-meter", markup=False)

    def show_status(self, status: Status, model: str) -> None:
        """Show what the parts are doing."""
        self.query_one("#model-state", Static).update(model_words(status, model))
        self.query_one("#memory-state", Static).update(memory_words(status))
        self.set_class(status.llm.state == "failed", "-model-failed")
        self.set_class(status.index.state == "failed", "-index-failed")

    def show_turn(self, usage: Usage | None, parts: PromptParts | None) -> None:
        """Show the speed of the last answer and how full the context is."""
        speed = ""
        if usage is not None and usage.answer_tokens:
            speed = t("tui.tokens_per_second", speed=f"{usage.tokens_per_second:.0f}")
        self.query_one("#speed", Static).update(speed)
        self.query_one("#context-meter", Static).update(meter(parts))


def model_words(status: Status, model: str) -> str:
    """Return the model's state in words."""
    part = status.llm
    if part.state == "starting" and part.progress is not None:
        return t("tui.model_loading_percent", model=model, percent=round(part.progress * 100))
    return t(f"tui.model_{part.state}", model=model or t("tui.no_model"))


def memory_words(status: Status) -> str:
    """Return what memory is doing in words; empty when there is nothing to tell."""
    if status.index.state != "ready":
        return t(f"tui.index_{status.index.state}")
    if status.index.progress is not None:
        return t("tui.index_embeds", percent=round(status.index.progress * 100))
    return t("tui.pending_work", count=status.pending) if status.pending else ""


def meter(parts: PromptParts | None) -> str:
    """Return how full the context is, as a bar and in figures."""
    if parts is None or not parts.context:
        return ""
    used = parts.persona + parts.profile + parts.history + parts.recalled + parts.message
    filled = min(METER_CELLS, round(METER_CELLS * used / parts.context))
    bar = "█" * filled + "░" * (METER_CELLS - filled)
    return t("tui.context", used=f"{used:,}", context=f"{parts.context:,}", bar=bar)
