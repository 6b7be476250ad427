"""The files of an export: one file, a folder that was unpacked, or the archive as it was downloaded."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final

from desk_assistant.errors import InputError, NotFoundError

READABLE: Final = (".json", ".jsonl", ".ndjson", ".md", ".markdown")
MAX_FILES: Final = 10_000
_ACCOUNT: Final = frozenset(
    {
        *("user", "users", "projects", "memories", "message_feedback", "model_comparisons", "shared_conversations"),
        *("group_chats", "shopping", "sora", "tool_messages", "export_manifest", "manifest", "account", "settings"),
    }
)
"""Files of the known exports that hold no conversations, by their names without the ending."""


@dataclass(frozen=True)
class Member:
    """One file of an export.

    Attributes:
        name: Its path inside the export.
        size: Bytes it holds, unpacked.
        open: Opens it for reading.
    """

    name: str
    size: int
    open: Callable[[], AbstractContextManager[IO[bytes]]]

    @property
    def stem(self) -> str:
        """Its name without folder and ending."""
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        """Its ending in small letters, with the dot."""
        return PurePosixPath(self.name).suffix.lower()


def members(path: Path) -> list[Member]:
    """Return the files to read, in the order of their names.

    Raises:
        NotFoundError: There is no such file or folder.
        InputError: It cannot be opened, or the archive is damaged or locked with a password.
    """
    try:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file())
            return _wanted([_plain(p, p.relative_to(path).as_posix()) for p in inside])
        if not path.exists():
            raise NotFoundError("importers.no_file", path=path)
        if zipfile.is_zipfile(path):
            return _wanted(list(_zipped(path)))
        return [_plain(path, path.name)]
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise InputError("importers.bad_archive", path=path, cause=repr(error)) from error
    except OSError as error:
        raise InputError("assistant.import_no_file", path=path, reason=error.strerror or error) from error


def _wanted(found: list[Member]) -> list[Member]:
    """Return the files that may hold conversations: the export's own, where it names them so, or else all readable."""
    readable = [m for m in found if m.suffix in READABLE and not m.name.startswith("__MACOSX/")][:MAX_FILES]
    named = [m for m in readable if m.stem == "conversations" or m.stem.startswith("conversations-")]
    return named or [m for m in readable if m.stem.lower() not in _ACCOUNT]


def _plain(path: Path, name: str) -> Member:
    return Member(name, path.stat().st_size, lambda: path.open("rb"))


def _zipped(path: Path) -> Iterator[Member]:
    with zipfile.ZipFile(path) as archive:
        for info in sorted(archive.infolist(), key=lambda item: item.filename):
            if info.is_dir():
                continue
            if info.flag_bits & 1 and PurePosixPath(info.filename).suffix.lower() in READABLE:
                raise InputError("importers.locked_archive", path=path)
            yield Member(info.filename, info.file_size, _opener(path, info.filename))


def _opener(path: Path, name: str) -> Callable[[], AbstractContextManager[IO[bytes]]]:
    @contextmanager
    def opened() -> Iterator[IO[bytes]]:
        with zipfile.ZipFile(path) as archive, archive.open(name) as file:
            yield file

    return opened
