"""What a model was found able to do by its exam. Kept beside it: it is true of the file, not of a profile."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tomlkit

from desk_assistant import atomic
from desk_assistant.models.registry import InstalledModel, ModelStore

FILE: Final = "exam.toml"
ELSEWHERE: Final = ".exams"
"""Folder for the results of models whose own folder cannot be written, such as packaged ones."""

READING_LEAST: Final = 2
"""Statements, of those asked for in one language, that a model must find to be trusted with reading."""


@dataclass(frozen=True)
class Aptitude:
    """The result of one exam.

    Attributes:
        version: Which exam it was; a result of another one does not count.
        checksum: SHA-256 of the file that sat it.
        passed: Whether each probe was passed, by its name: `<language>.<kind>.<number>`.
    """

    version: int
    checksum: str
    passed: Mapping[str, bool]

    @property
    def reads(self) -> tuple[str, ...]:
        """Languages in which it finds what is stated and nothing else: it may help to read messages."""
        return tuple(
            language
            for language in self.languages
            if self._count(language, "extract") >= READING_LEAST and self._all(language, "ignore")
        )

    @property
    def summarises(self) -> tuple[str, ...]:
        """Languages in which it sums up and keeps every figure."""
        return tuple(language for language in self.languages if self._all(language, "summary"))

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages it was examined in."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.passed))

    @property
    def score(self) -> tuple[int, int]:
        """Probes passed, and all of them."""
        return sum(self.passed.values()), len(self.passed)

    def _of(self, language: str, kind: str) -> list[bool]:
        return [passed for name, passed in self.passed.items() if name.startswith(f"{language}.{kind}.")]

    def _count(self, language: str, kind: str) -> int:
        return sum(self._of(language, kind))

    def _all(self, language: str, kind: str) -> bool:
        found = self._of(language, kind)
        return bool(found) and all(found)


class Aptitudes:
    """Keeps and finds results.

    Args:
        models: The models on this machine.
        version: The exam whose results count.
    """

    def __init__(self, models: ModelStore, version: int) -> None:
        self._models = models
        self.version = version

    def of(self, model: InstalledModel) -> Aptitude | None:
        """Return the result of a model; None when it was not examined, or another file or exam it was."""
        for path in self._places(model):
            found = _read(path)
            if found is not None and found.version == self.version and found.checksum == checksum(model):
                return found
        return None

    def keep(self, model: InstalledModel, result: Aptitude) -> None:
        """Write a result down, beside the model or, where that cannot be written, among the models of this user.

        Raises:
            OSError: Neither can be written.
        """
        document = tomlkit.document()
        document.add("version", tomlkit.item(result.version))
        document.add("checksum", tomlkit.item(result.checksum))
        document.add("passed", tomlkit.item(dict(result.passed)))
        beside, elsewhere = self._places(model)
        try:
            atomic.write_text(beside, tomlkit.dumps(document))
        except OSError:
            elsewhere.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            atomic.write_text(elsewhere, tomlkit.dumps(document))

    def _places(self, model: InstalledModel) -> tuple[Path, Path]:
        return model.folder / FILE, self._models.install_to / ELSEWHERE / f"{model.id}.toml"


def checksum(model: InstalledModel) -> str:
    """Return what ties a result to a file."""
    return model.manifest.source_sha256 or next(iter(model.manifest.files.values()), "")


def _read(path: Path) -> Aptitude | None:
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        passed = {str(name): bool(value) for name, value in data["passed"].items()}
        return Aptitude(int(data["version"]), str(data["checksum"]), passed)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError, AttributeError):
        return None  # no result, or one that cannot be read: the exam can be taken again
