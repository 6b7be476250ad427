"""The file itself: a zip with the database, the settings, and a manifest that says what must be in it.

The manifest holds the SHA-256 and the size of every part. It comes last, so that a file that was cut off has none. With
a passphrase the whole zip is locked (see `sealed`). Models and the search index are not in it: the first are large and
public, the second is made anew from the database. Tokens of other programs are not either: they belong to a machine.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, BinaryIO, Final, cast

from desk_assistant import __version__
from desk_assistant.errors import InputError, NotFoundError, StorageError
from desk_assistant.memory.backup import sealed
from desk_assistant.memory.backup.staging import staging
from desk_assistant.paths import Locations
from desk_assistant.store import copying, now_iso
from desk_assistant.store.copying import Contents

SUFFIX: Final = ".deskbackup"
FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
DATABASE: Final = "assistant.db"
SMALL: Final = ("settings.toml", "keys.toml")
"""What the person has set; files of the profile's folder that go along where they exist."""

LARGEST_MANIFEST: Final = 1 << 16
PIECE: Final = 1 << 20
SQLITE: Final = b"SQLite format 3\x00"


@dataclass(frozen=True)
class Part:
    """One file of a backup: how long it is in bytes, and its SHA-256."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a backup holds.

    Attributes:
        made_at: When it was made (ISO 8601); empty for a bare copy of the database.
        program: Version of the program that made it.
        profile: Name of the profile it was made from.
        contents: What is in the database.
        parts: The files in it by name.
        locked: Whether it needs a passphrase.
    """

    made_at: str
    program: str
    profile: str
    contents: Contents
    parts: dict[str, Part]
    locked: bool = False


def write(locations: Locations, target: Path, passphrase: str | None = None) -> Manifest:
    """Back a profile up into one new file, while programs may use it.

    The file takes its name when it is complete and on the disk.

    Args:
        locations: The profile.
        target: The file to make.
        passphrase: Locks it; None leaves it readable for whoever has the file.

    Raises:
        InputError: There is such a file already.
        NotFoundError: There is nothing to back up.
        StorageError: The database is damaged, or the file cannot be written; nothing is left of it.
    """
    if target.exists():
        raise InputError("backup.exists", path=target)
    if not locations.database.is_file():
        raise NotFoundError("backup.nothing", path=locations.home)
    part = target.with_name(f".{target.name}{copying.PART}")
    try:
        with staging(locations.home) as folder:
            copy = folder / DATABASE
            copying.copy(locations.database, copy)
            held = copying.contents(copy)  # a damaged database must not pass for a good backup
            files = {DATABASE: copy, **{name: locations.home / name for name in SMALL}}
            with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
                manifest = _fill(file, {n: p for n, p in files.items() if p.is_file()}, locations, held, passphrase)
                file.flush()
                os.fsync(file.fileno())
        part.replace(target)
        copying.sync(target.parent)
    except sqlite3.DatabaseError as error:
        # The low byte is the kind. A full disk or a database that is in use says nothing against the database.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise StorageError("backup.damaged", path=locations.database, cause=type(error).__name__) from error
        raise StorageError("backup.failed", path=target, reason=error) from error
    except OSError as error:
        raise StorageError("backup.failed", path=target, reason=error.strerror or error) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return manifest


def _fill(
    file: BinaryIO, files: dict[str, Path], locations: Locations, held: Contents, passphrase: str | None
) -> Manifest:
    parts: dict[str, Part] = {}
    locked = sealed.SealingWriter(file, passphrase) if passphrase is not None else None
    with zipfile.ZipFile(cast(IO[bytes], locked or file), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files.items():
            digest, size = hashlib.sha256(), 0
            with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as into:
                while piece := source.read(PIECE):
                    digest.update(piece)
                    size += len(piece)
                    into.write(piece)
            parts[name] = Part(size, digest.hexdigest())
        manifest = Manifest(now_iso(), __version__, locations.profile, held, parts, passphrase is not None)
        archive.writestr(MANIFEST, json.dumps({"format": FORMAT, **asdict(manifest)}, ensure_ascii=False, indent=1))
    if locked is not None:
        locked.close()
    return manifest


def needs_passphrase(path: Path) -> bool:
    """Tell whether a backup is locked.

    Raises:
        NotFoundError: There is no such file.
    """
    try:
        with path.open("rb") as file:
            return sealed.is_sealed(file.read(len(sealed.MAGIC)))
    except OSError as error:
        raise NotFoundError("backup.no_file", path=path) from error


def inspect(path: Path, home: Path, passphrase: str | None = None) -> Manifest:
    """Check a backup to its last byte and tell what it holds; raises like `unpacked`."""
    with unpacked(path, home, passphrase) as (manifest, _):
        return manifest


@contextlib.contextmanager
def unpacked(path: Path, home: Path, passphrase: str | None = None) -> Iterator[tuple[Manifest, Path]]:
    """Unpack a backup, checked, into a folder that goes away at the end of the block.

    Args:
        path: A file made by `write`, or a bare copy of a database such as those made before a migration.
        home: Folder of the profile, which holds the unpacked files for that time: readable by the owner alone.
        passphrase: For a locked one.

    Raises:
        NotFoundError: There is no such file.
        InputError: It is no backup, it is locked and no passphrase was given, or it is the wrong one.
        StorageError: It is damaged or newer than the program, or the disk refuses.
    """
    locked = needs_passphrase(path)
    if locked and passphrase is None:
        raise InputError("backup.needs_passphrase", path=path)
    try:
        with staging(home) as folder, path.open("rb") as file:
            beginning = file.read(len(SQLITE))
            file.seek(0)
            if beginning == SQLITE:
                shutil.copyfile(path, folder / DATABASE)
                yield Manifest("", "", "", copying.contents(folder / DATABASE), {}), folder
                return
            if locked:
                plain = folder / "unlocked"
                with plain.open("wb") as into:
                    sealed.unseal(file, passphrase or "", into, path)
                manifest = _unpack(plain, path, folder, locked=True)
                plain.unlink()
            else:
                manifest = _unpack(path, path, folder, locked=False)
            yield manifest, folder
    except OSError as error:
        raise StorageError("backup.failed", path=path, reason=error.strerror or error) from error


def _unpack(archive: Path, path: Path, folder: Path, *, locked: bool) -> Manifest:
    if not zipfile.is_zipfile(archive):
        with archive.open("rb") as file:
            cut_off = file.read(2) == b"PK"
        raise StorageError("backup.damaged", path=path) if cut_off else InputError("backup.not_one", path=path)
    try:
        with zipfile.ZipFile(archive) as opened:
            said, parts = _manifest(opened, path)
            for name, part in parts.items():
                _extract(opened, name, part, folder / name)
    except StorageError:
        raise
    except Exception as error:  # zipfile and zlib have no common ancestor, and any of theirs means the same here
        raise StorageError("backup.damaged", path=path, cause=type(error).__name__) from error
    try:
        held = copying.contents(folder / DATABASE)
    except StorageError as error:
        raise StorageError(error.key, path=path, cause=error.cause) from error
    return Manifest(str(said["made_at"]), str(said["program"]), str(said["profile"]), held, parts, locked)


def _manifest(archive: zipfile.ZipFile, path: Path) -> tuple[dict[str, object], dict[str, Part]]:
    info = archive.getinfo(MANIFEST)
    if info.file_size > LARGEST_MANIFEST:
        raise ValueError(info.file_size)
    said = json.loads(archive.read(info))
    if said["format"] > FORMAT:
        raise StorageError("backup.newer", path=path)
    parts = {name: Part(int(part["bytes"]), str(part["sha256"])) for name, part in said["parts"].items()}
    # Names come from a fixed list: a file from elsewhere must not be able to write anywhere else.
    if DATABASE not in parts or not set(parts) <= {DATABASE, *SMALL}:
        raise ValueError(MANIFEST)
    return said, parts


def _extract(archive: zipfile.ZipFile, name: str, part: Part, target: Path) -> None:
    digest, size = hashlib.sha256(), 0
    with archive.open(name) as source, target.open("wb") as into:
        while piece := source.read(PIECE):
            size += len(piece)
            if size > part.bytes:
                raise ValueError(name)
            digest.update(piece)
            into.write(piece)
    if size != part.bytes or digest.hexdigest() != part.sha256:
        raise ValueError(name)
