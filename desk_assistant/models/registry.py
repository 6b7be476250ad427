"""The models on this machine: list, find, verify and remove."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desk_assistant.errors import ModelError, NotFoundError
from desk_assistant.models.catalogue import Catalogue, CatalogueEntry, Kind, Sampling
from desk_assistant.models.gguf import GGUFHeader, check_conversational, read_header
from desk_assistant.models.locking import model_lock, valid_id
from desk_assistant.models.manifest import MANIFEST, Manifest, read_manifest, sha256_file
from desk_assistant.models.progress import ProgressCallback, ignore

log = logging.getLogger(__name__)

GGUF_NAME: Final = "model.gguf"
EMBEDDING_NAME: Final = "st"


@dataclass(frozen=True)
class InstalledModel:
    """A model that is on this machine.

    Attributes:
        folder: Its folder in one of the model folders.
        manifest: What was written down at its install.
        entry: The catalogue entry of exactly this file (by id and checksum), or None for any other file.
    """

    folder: Path
    manifest: Manifest
    entry: CatalogueEntry | None

    @property
    def id(self) -> str:
        """Name used on the command line and in the settings."""
        return self.manifest.id

    @property
    def kind(self) -> Kind:
        """`"llm"` or `"embedding"`."""
        return self.manifest.kind

    @property
    def name(self) -> str:
        """Name shown to people."""
        return self.manifest.name

    @property
    def path(self) -> Path:
        """The GGUF file (llm) or the sentence-transformers folder (embedding)."""
        if self.manifest.external:
            return Path(self.manifest.external)
        return self.folder / (GGUF_NAME if self.kind == "llm" else EMBEDDING_NAME)

    @property
    def size(self) -> int:
        """Bytes of its files."""
        return self.manifest.size

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages it is good at, best first; empty when unknown."""
        return self.entry.languages if self.entry else ()

    @property
    def sampling(self) -> Sampling:
        """Default sampling parameters."""
        return self.entry.sampling if self.entry else Sampling()

    @property
    def context(self) -> int:
        """Default context window in tokens."""
        return self.entry.context if self.entry else 4096

    @property
    def chat_template(self) -> str | None:
        """Template to use instead of the file's own, for a file that has none; else None."""
        return self.entry.chat_template if self.entry else None

    @property
    def stop(self) -> tuple[str, ...]:
        """Texts that end an answer."""
        return self.entry.stop if self.entry else ()

    @property
    def persona(self) -> str | None:
        """First line of the system message for a model that follows no instructions; None for all others."""
        return self.entry.persona if self.entry else None

    def header(self) -> GGUFHeader:
        """Read and check the GGUF header, as is done before every load (llm).

        Raises:
            ModelError: The file is missing, damaged, not a language model or has no chat template.
        """
        header = read_header(self.path)
        check_conversational(header, self.chat_template)
        return header


class ModelStore:
    """The models in a list of folders; each model is a folder with `manifest.toml`.

    Args:
        folders: Folders searched, first match wins. They need not exist.
        install_to: Folder that new models go to.
        catalogue: Known models; the packaged catalogue by default.
    """

    def __init__(self, folders: Sequence[Path], install_to: Path, catalogue: Catalogue | None = None) -> None:
        self.folders = tuple(dict.fromkeys((*folders, install_to)))
        self.install_to = install_to
        self.catalogue = catalogue or Catalogue.load()

    def list(self, kind: Kind | None = None) -> tuple[InstalledModel, ...]:
        """Return the models that are here, of one kind or of all; folders that cannot be read are left out."""
        found: dict[str, InstalledModel] = {}
        for root in self.folders:
            try:
                candidates = sorted(path.parent for path in root.glob(f"*/{MANIFEST}"))
            except OSError as error:
                log.warning("model folder not readable: %r", error)
                continue
            for folder in candidates:
                try:
                    found.setdefault(folder.name, self._load(folder))
                except ModelError as error:
                    log.warning("model %s left out: %s", folder.name, error.cause)
        return tuple(model for model in found.values() if kind is None or model.kind == kind)

    def find(self, model_id: str) -> InstalledModel:
        """Return one model by its id.

        Raises:
            NotFoundError: It is not on this machine; the sentence says how to get it when the catalogue has it.
            ModelError: Its manifest is damaged, or its file is gone.
        """
        for root in self.folders:
            folder = root / model_id
            if valid_id(model_id) and (folder / MANIFEST).is_file():
                model = self._load(folder)
                if not model.path.exists():
                    raise ModelError("models.file_missing", path=model.path)
                return model
        if model_id in self.catalogue:
            raise NotFoundError("models.not_installed", model=model_id)
        raise NotFoundError("models.not_here", model=model_id)

    def has(self, model_id: str) -> bool:
        """Return whether a model is here and its file is in place."""
        try:
            return self.find(model_id).path.exists()
        except (NotFoundError, ModelError):
            return False

    def path(self, model_id: str) -> Path:
        """Return the GGUF file or sentence-transformers folder of a model; raises like `find`."""
        return self.find(model_id).path

    def preferred(self, language: str, kind: Kind = "llm") -> InstalledModel | None:
        """Return the model to use when none was chosen: the best one here for a language.

        Larger models from the catalogue come before starters, starters of the language before others, of two such the
        larger; imported files, of which nothing is known, come last. None when nothing is here.
        """

        def rank(model: InstalledModel) -> tuple[bool, bool, bool, int]:
            entry = model.entry
            return (
                entry is not None and language in entry.languages,
                entry is not None and not entry.starter_for,
                entry is not None and language in entry.starter_for,
                model.size,
            )

        return max(self.list(kind), key=rank, default=None)

    def verify(self, model_id: str, progress: ProgressCallback = ignore) -> InstalledModel:
        """Read every file of a model and compare its checksum with the one taken at its install.

        Raises:
            NotFoundError: No such model is here.
            ModelError: A file is missing or was changed.
        """
        model = self.find(model_id)
        for relative, expected in model.manifest.files.items():
            path = model.path if model.manifest.external else model.folder / relative
            try:
                digest = sha256_file(path, model.id, progress)
            except OSError as error:
                raise ModelError("models.file_missing", path=path, cause=repr(error)) from error
            if digest != expected:
                raise ModelError("models.changed", path=path, model=model.id, cause=f"{digest} is not {expected}")
        return model

    def remove(self, model_id: str) -> int:
        """Delete a model; a file that was left where it is stays there.

        Returns:
            Bytes given back.

        Raises:
            NotFoundError: No such model is here.
            ModelError: It lies in a folder that this program does not install into, or cannot be deleted.
        """
        model = self.find(model_id)
        if model.folder.parent != self.install_to:
            raise ModelError("models.not_ours", model=model_id, path=model.folder)
        freed = 0 if model.manifest.external else model.size
        try:
            with model_lock(self.install_to, model_id):
                # Without its manifest the folder is no model any more, whatever happens to the rest of it.
                (model.folder / MANIFEST).unlink(missing_ok=True)
                shutil.rmtree(model.folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise ModelError("models.not_removed", path=model.folder, reason=reason, cause=repr(error)) from error
        return freed

    def _load(self, folder: Path) -> InstalledModel:
        manifest = read_manifest(folder)
        entry = self.catalogue.by_sha256(manifest.source_sha256)
        if entry is None and manifest.origin == "catalogue" and manifest.id in self.catalogue:
            known = self.catalogue.get(manifest.id)
            entry = known if known.sha256 is None else None
        return InstalledModel(folder, manifest, entry)
