"""What takes long with models: install, import, verify. It runs beside the chat and outlives the screen it began on."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from desk_assistant.i18n import t
from desk_assistant.models import ImportMode, InstalledModel, Installer, Progress, ProgressCallback, import_model
from desk_assistant.tui.host import Host

JobKind = Literal["install", "import", "verify"]
BAR_CELLS: Final = 20
REPORT_SECONDS: Final = 0.1
"""Reports of one stage that come faster than this are left out."""


@dataclass(frozen=True)
class ImportWish:
    """A file that the person brings.

    Attributes:
        path: The file.
        mode: Whether it is copied, linked, or left where it is.
        name: Id to give it; None makes one from the file's name.
    """

    path: Path
    mode: ImportMode
    name: str | None = None


class _Stopped(Exception):  # noqa: N818 - not an error: the person stopped it
    """Raised out of a progress report to end the work."""


class ModelJobs:
    """Runs one job at a time, in a thread.

    Args:
        host: The app.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._listeners: list[Callable[[], None]] = []
        self._stop = threading.Event()
        self._running = ""
        self._progress: Progress | None = None

    @property
    def model_id(self) -> str:
        """What the running job is about; empty when none runs."""
        return self._running

    @property
    def line(self) -> str:
        """How far the running job is, in words and as a bar; empty when none runs."""
        if not self._running:
            return ""
        progress = self._progress
        if progress is None:
            return t("picker.begins", model=self._running)
        if not progress.total:
            return str(progress)
        share = min(1.0, progress.done / progress.total)
        filled = round(share * BAR_CELLS)
        return f"{progress}  {'█' * filled}{'░' * (BAR_CELLS - filled)} {round(share * 100)} %"

    def watch(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` on the event loop whenever the line changes or a job ends; returns what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def install(self, model_id: str) -> None:
        """Fetch a model of the catalogue; one that was interrupted goes on where it stopped."""
        installer = Installer(self._host.assistant.models)
        self._start("install", model_id, lambda report: installer.install(model_id, report))

    def bring(self, wish: ImportWish) -> None:
        """Import a file of the person's own."""
        models = self._host.assistant.models
        name = wish.name or wish.path.name
        self._start("import", name, lambda report: import_model(models, wish.path, wish.mode, wish.name, report))

    def verify(self, model_id: str) -> None:
        """Compare every file of a model with the checksum taken when it was installed."""
        models = self._host.assistant.models
        self._start("verify", model_id, lambda report: models.verify(model_id, report))

    def stop(self) -> None:
        """End the running job; what was fetched is kept."""
        self._stop.set()

    def _start(self, kind: JobKind, model_id: str, work: Callable[[ProgressCallback], InstalledModel]) -> None:
        if self._running:
            self._host.tell(t("picker.busy", model=self._running))
            return
        self._running, self._progress = model_id, None
        self._stop = threading.Event()
        self._tell()
        self._host.attempt(self._run(kind, work, self._stop))

    async def _run(
        self, kind: JobKind, work: Callable[[ProgressCallback], InstalledModel], stop: threading.Event
    ) -> None:
        loop = asyncio.get_running_loop()
        last: tuple[str, float] = ("", 0.0)

        def report(progress: Progress) -> None:
            nonlocal last
            if stop.is_set():
                raise _Stopped
            if progress.stage == last[0] and time.monotonic() - last[1] < REPORT_SECONDS:
                return
            last = progress.stage, time.monotonic()
            loop.call_soon_threadsafe(self._told, progress)

        name = self._running
        try:
            model = await asyncio.to_thread(work, report)
        except _Stopped:
            self._host.tell(t("picker.stopped", model=name))
        else:
            self._host.tell(t(f"picker.done_{kind}", model=model.id))
        finally:
            # When the app ends it cancels this; the thread must end too, or the app would wait for it.
            stop.set()
            self._running, self._progress = "", None
            self._tell()

    def _told(self, progress: Progress) -> None:
        if self._running:
            self._progress = progress
            self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()
