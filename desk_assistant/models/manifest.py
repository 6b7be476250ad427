"""The small file beside each installed model: what it is, where it came from, and its checksums."""

from __future__ import annotations

import datetime
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import tomlkit

from desk_assistant.errors import ModelError
from desk_assistant.models.catalogue import Kind
from desk_assistant.models.progress import Progress, ProgressCallback, ignore

MANIFEST: Final = "manifest.toml"
CHUNK: Final = 2**20

Placement: TypeAlias = Literal["here", "elsewhere"]


@dataclass(frozen=True)
class Manifest:
    """What was written down when a model was installed or imported.

    Attributes:
        id: Name of the model; the same as its folder's.
        kind: `"llm"` or `"embedding"`.
        name: Name shown to people.
        origin: `"catalogue"` or `"import"`.
        installed: Day and time of the install, ISO 8601 with offset.
        source_sha256: Checksum of the file as downloaded or imported; it ties the model to its catalogue entry.
        external: Absolute path of a GGUF file that was left where it is; None when the model is in its folder.
        files: Path (relative to the folder; the external file's own path is `"model.gguf"`) → SHA-256.
        sizes: The same paths → bytes.
    """

    id: str
    kind: Kind
    name: str
    origin: Literal["catalogue", "import"]
    source_sha256: str | None
    files: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    external: str | None = None
    installed: str = ""

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(self.sizes.values())


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write a manifest into a model folder."""
    document = tomlkit.document()
    document.add("id", tomlkit.item(manifest.id))
    document.add("kind", tomlkit.item(manifest.kind))
    document.add("name", tomlkit.item(manifest.name))
    document.add("origin", tomlkit.item(manifest.origin))
    document.add("installed", tomlkit.item(manifest.installed or _now()))
    if manifest.source_sha256:
        document.add("source_sha256", tomlkit.item(manifest.source_sha256))
    if manifest.external:
        document.add("external", tomlkit.item(manifest.external))
    for path, digest in sorted(manifest.files.items()):
        document.setdefault("files", tomlkit.table()).add(
            path, tomlkit.item({"sha256": digest, "size": manifest.sizes[path]})
        )
    temporary = folder / f"{MANIFEST}.part"
    temporary.write_text(tomlkit.dumps(document), encoding="utf-8")
    temporary.replace(folder / MANIFEST)


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a model folder.

    Raises:
        ModelError: It is missing or not a manifest.
    """
    file = folder / MANIFEST
    try:
        data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        files: dict[str, dict[str, Any]] = data.get("files", {})
        if data["kind"] not in ("llm", "embedding") or data["origin"] not in ("catalogue", "import"):
            raise ValueError("unknown kind or origin")
        return Manifest(
            id=str(data["id"]),
            kind=data["kind"],
            name=str(data["name"]),
            origin=data["origin"],
            source_sha256=data.get("source_sha256"),
            files={path: str(entry["sha256"]) for path, entry in files.items()},
            sizes={path: int(entry["size"]) for path, entry in files.items()},
            external=data.get("external"),
            installed=str(data.get("installed", "")),
        )
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError) as e:
        raise ModelError("models.manifest_damaged", path=file, cause=repr(e)) from e


def sha256_file(path: Path, model: str = "", progress: ProgressCallback = ignore) -> str:
    """Return the SHA-256 of a file, in hexadecimal, telling how far it is (stage `"check"`)."""
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            done += len(chunk)
            progress(Progress("check", model, done, total, path.name))
    return digest.hexdigest()


def _now() -> str:
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")
