"""The app itself, in a terminal, with its real children: how long its event loop stands still, phase by phase.

Run as a program of its own (`python -m tests.bench._app_probe DATA_DIR OUT`), since what is measured begins with the
imports; `_engine_app` starts it and reads what it writes.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import ClassVar, Final

from desk_assistant import tui
from desk_assistant.paths import Locations
from desk_assistant.tui.app import DeskApp
from tests.bench._waiting import waited

TICK: Final = 0.005
PATIENCE: Final = 240.0
PASTE: Final = "The river runs to the sea, and 14 boats follow it on day 3.\n" * 15_000
"""About 900 kB."""


class Probe(DeskApp):
    """The app, talking to itself.

    Attributes:
        stalls: By phase, milliseconds by which each tick of the loop came late; what the thread waited for a
            processor that other programs had is left out.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = [Path(tui.__file__).parent / path for path in DeskApp.CSS_PATH]
    stalls: dict[str, list[float]]

    async def on_mount(self) -> None:
        """Start as usual, and watch."""
        self.stalls = {}
        self._phase = "opens"
        self._watching = asyncio.create_task(self._watch())
        self._driving = asyncio.create_task(self._drive())
        await super().on_mount()

    async def _watch(self) -> None:
        while True:
            due, before = time.perf_counter() + TICK, waited()
            await asyncio.sleep(TICK)
            late = time.perf_counter() - due - (waited() - before)
            self.stalls.setdefault(self._phase, []).append(max(0.0, late) * 1000)

    async def _until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError(self._phase)
            await asyncio.sleep(0.02)

    async def _drive(self) -> None:
        try:
            await self._until(lambda: self.is_open and self.screen is self._main)
            self._phase = "models load"
            await self._until(lambda: {self.assistant.status.llm.state, self.assistant.status.index.state} == {"ready"})
            self._phase = "it answers"
            for text in ("I am a carpenter and I live in Bergen.", "Which town do I live in?"):
                await self._say(text)
            self._phase = "memory is written"
            await self.assistant.memory.settle()
            self._phase = "900 kB are pasted"
            self.main.composer.focus()
            # As a terminal delivers it.
            from textual import events

            self.post_message(events.Paste(PASTE))
            await self._until(lambda: len(self.main.composer.content) > 800_000)
            await asyncio.sleep(1.0)
            self._phase = "they are sent"
            await self._say("")
            await asyncio.sleep(10.0)
        finally:
            self._watching.cancel()
            self.exit(0)

    async def _say(self, text: str) -> None:
        if text:
            self.main.composer.fill(text)
        self.main.composer._send()
        before = self.chat.live
        await self._until(lambda: self.chat.live is not before)
        await self._until(lambda: self.chat.running is None)


def main() -> None:
    """Run the app and write what was seen."""
    gc.disable()
    app = Probe(Locations.find(sys.argv[1]))
    app.run()
    Path(sys.argv[2]).write_text(json.dumps(app.stalls), encoding="utf-8")


if __name__ == "__main__":
    main()
