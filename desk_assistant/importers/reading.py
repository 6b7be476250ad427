"""Reading an export: which format it is, and its conversations one after another."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Final

from desk_assistant.errors import InputError
from desk_assistant.i18n import t
from desk_assistant.importers import chatgpt, claude, jsonl, markdown, openwebui
from desk_assistant.importers.files import Member, members
from desk_assistant.importers.records import Item, Items, Problem, Talk
from desk_assistant.importers.stream import BrokenJsonError, objects

FORMATS: Final = ("auto", "chatgpt", "claude", "openwebui", "jsonl", "markdown")
MAX_DOCUMENT: Final = 32 << 20
"""Bytes of the largest Markdown document that is read."""

_BY_OBJECT: Final[Mapping[str, ModuleType]] = {"chatgpt": chatgpt, "claude": claude, "openwebui": openwebui}
_CONTAINERS: Final = ("conversations", "chats", "data")
"""Fields under which an object may hold the list of its conversations."""


class Reading:
    """An export, opened for reading once from its beginning to its end.

    Attributes:
        path: The file, folder or archive.
        format: One of `FORMATS`; `auto` until the first conversation tells.
        position: Bytes read so far, as they are unpacked.
        size: Bytes there are.

    Raises:
        NotFoundError: There is no such file.
        InputError: It cannot be opened, or there is nothing in it that could be read.
    """

    def __init__(self, path: Path, source: str = "auto") -> None:
        if source not in FORMATS:
            raise InputError("importers.unknown_format", format=source, known=", ".join(FORMATS))
        self.path = path
        self.format = source
        self.position = 0
        self._forced = source != "auto"
        self._members = members(path)
        self.size = sum(member.size for member in self._members)
        if not self._members:
            raise InputError("importers.nothing_to_read", path=path)

    def __iter__(self) -> Items:
        """Yield each conversation, and what could not be read.

        Raises:
            InputError: A file cannot be read any further.
        """
        several = len(self._members) > 1
        for member in self._members:
            for item in self._member(member):
                if several and isinstance(item, Problem):
                    yield replace(item, file=member.name)
                else:
                    yield item

    def _told(self, count: int) -> None:
        self.position += count

    def _member(self, member: Member) -> Iterator[Item]:
        try:
            with member.open() as file:
                kind = self.format if self._forced else _kind_of(member)
                if kind == "markdown":
                    yield from self._document(member, file)
                elif kind == "jsonl":
                    self.format = "jsonl"
                    yield from jsonl.read(file, self._told)
                else:
                    yield from self._objects(file)
        except (OSError, RuntimeError, zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise InputError("assistant.import_no_file", path=self.path, reason=reason) from error

    def _document(self, member: Member, file: IO[bytes]) -> Iterator[Item]:
        self.format = "markdown"
        raw = file.read(MAX_DOCUMENT + 1)
        self._told(len(raw))
        talk = markdown.talk_of(raw[:MAX_DOCUMENT].decode("utf-8-sig", errors="replace"), member.stem)
        if len(raw) > MAX_DOCUMENT:
            yield Problem(0, t("importers.too_large"), "file")
        yield talk if talk is not None else Problem(0, t("importers.nobody_speaks"), "file")

    def _objects(self, file: IO[bytes]) -> Iterator[Item]:
        try:
            for number, found in enumerate(_unpacked(objects(file, self._told)), start=1):
                yield self._talk(found, number)
        except BrokenJsonError as error:
            yield Problem(0, t("importers.truncated" if error.truncated else "importers.not_json"), "file")

    def _talk(self, found: Any, number: int) -> Item:
        if not isinstance(found, dict):
            return Problem(number, t("assistant.import_not_object"), "talk")
        kinds = {self.format: _BY_OBJECT[self.format]} if self.format in _BY_OBJECT else _BY_OBJECT
        for name, module in kinds.items():
            if module.fits(found):
                self.format = name
                talk: Talk = module.talk_of(found, number)
                return talk if talk.turns else Problem(number, t("importers.no_messages"), "talk")
        return Problem(number, t("importers.other_format"), "talk")


def _kind_of(member: Member) -> str:
    """Tell how a file has to be read: as Markdown, as lines, or as objects."""
    if member.suffix in (".md", ".markdown"):
        return "markdown"
    if member.suffix in (".jsonl", ".ndjson"):
        return "jsonl"
    try:
        with member.open() as file:
            first = next(_unpacked(objects(file, _unheard)), None)
    except BrokenJsonError:
        return "objects" if member.suffix == ".json" else _lines_or_text(member)
    if isinstance(first, dict) and not any(module.fits(first) for module in _BY_OBJECT.values()) and jsonl.fits(first):
        return "jsonl"
    return "objects"


def _lines_or_text(member: Member) -> str:
    with member.open() as file:
        start = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    return "jsonl" if start[:1] in (b"{", b"[") else "markdown"


def _unheard(_count: int) -> None:
    return None


def _unpacked(found: Iterator[Any]) -> Iterator[Any]:
    """Yield conversations, also those that an object around them holds as a list."""
    for value in found:
        inner = next((value[f] for f in _CONTAINERS if isinstance(value.get(f), list)), None) if _plain(value) else None
        yield from inner if inner is not None else (value,)


def _plain(value: Any) -> bool:
    return isinstance(value, dict) and not any(module.fits(value) for module in (*_BY_OBJECT.values(), jsonl))
