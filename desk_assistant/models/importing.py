"""Takes in a GGUF file that the person brings: copied, linked, or left where it is."""

from __future__ import annotations

import errno
import os
import re
import shutil
from pathlib import Path
from typing import Final, Literal, TypeAlias

from desk_assistant.errors import InputError, ModelError
from desk_assistant.models.gguf import check_conversational, read_header
from desk_assistant.models.locking import model_lock, valid_id
from desk_assistant.models.manifest import CHUNK, Manifest, sha256_file, write_manifest
from desk_assistant.models.progress import Progress, ProgressCallback, ignore
from desk_assistant.models.registry import GGUF_NAME, InstalledModel, ModelStore

ImportMode: TypeAlias = Literal["copy", "link", "leave"]

MAX_ID: Final = 60


def import_model(
    store: ModelStore,
    path: Path,
    mode: ImportMode = "copy",
    name: str | None = None,
    progress: ProgressCallback = ignore,
) -> InstalledModel:
    """Add a GGUF file to the models on this machine.

    Args:
        store: The store to add it to.
        path: The file.
        mode: `"copy"` it into the model folder, `"link"` it there (a hard link where possible, else a symbolic one),
            or `"leave"` it and only write down where it is.
        name: Id to give it; made from the file name by default.
        progress: Receives the stages `"check"` and `"extract"` (copying).

    Returns:
        The model. A file that is already here under the same id with the same contents is returned as it is.

    Raises:
        InputError: The name cannot be used, or another model has it.
        ModelError: The file is missing, damaged, not a conversational model, or cannot be copied.
    """
    path = path.expanduser().absolute()
    header = read_header(path)
    model_id = name or id_from(path)
    if not valid_id(model_id):
        raise InputError("models.bad_name", name=model_id)
    try:
        digest = sha256_file(path, model_id, progress)
        entry = store.catalogue.by_sha256(digest)
        check_conversational(header, entry.chat_template if entry else None)
        with model_lock(store.install_to, model_id, waiting=lambda: progress(Progress("wait", model_id))):
            if store.has(model_id):
                present = store.find(model_id)
                if present.manifest.source_sha256 == digest:
                    return present
                raise InputError("models.name_taken", name=model_id)
            manifest = Manifest(
                id=model_id,
                kind="llm",
                name=entry.name if entry else header.name,
                origin="import",
                source_sha256=digest,
                files={GGUF_NAME: digest},
                sizes={GGUF_NAME: header.file_size},
                external=str(path) if mode == "leave" else None,
            )
            _place(store, path, mode, manifest, progress)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        reason = error.strerror or str(error)
        key = "models.disk_full" if full else "models.folder_unwritable"
        raise ModelError(key, model=model_id, path=store.install_to, reason=reason, cause=repr(error)) from error
    return store.find(model_id)


def id_from(path: Path) -> str:
    """Return an id made from a file name: lower case, without what a folder name cannot carry safely."""
    stem = re.sub(r"[^a-z0-9._]+", "-", path.stem.lower()).strip("-._")
    return stem[:MAX_ID].rstrip("-._") or "model"


def _place(store: ModelStore, path: Path, mode: ImportMode, manifest: Manifest, progress: ProgressCallback) -> None:
    staged = store.install_to / ".partial" / manifest.id / "import"
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(parents=True)
    try:
        if mode == "copy":
            _copy(path, staged / GGUF_NAME, manifest, progress)
        elif mode == "link":
            _link(path, staged / GGUF_NAME)
        write_manifest(staged, manifest)
        place = store.install_to / manifest.id
        shutil.rmtree(place, ignore_errors=True)
        staged.replace(place)
    finally:
        shutil.rmtree(staged.parent, ignore_errors=True)


def _copy(source: Path, target: Path, manifest: Manifest, progress: ProgressCallback) -> None:
    done = 0
    with source.open("rb") as reading, target.open("wb") as writing:
        while chunk := reading.read(CHUNK):
            writing.write(chunk)
            done += len(chunk)
            progress(Progress("extract", manifest.id, done, manifest.size, source.name))


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        target.symlink_to(source)
