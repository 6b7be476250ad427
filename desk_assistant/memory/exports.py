"""The files that conversations were exported to: the person's own, outside the profile, so they are named, not touched.

The list holds paths alone. An entry whose path itself says what was forgotten is dropped once it has been told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from desk_assistant.memory import traces
from desk_assistant.store import Store

_KEY: Final = "exports"


class Exports:
    """Reads and writes the list. Entries of files that are gone are left out."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, *paths: Path) -> None:
        """Remember that conversations were exported to files."""
        with self._store.transaction():
            self._put([*self.all(), *(path.absolute() for path in paths)])

    def all(self) -> list[Path]:
        """Return the exported files that are still there, oldest first."""
        paths = map(Path, json.loads(self._store.meta.get(_KEY) or "[]"))
        return [path for path in paths if path.is_file()]

    def holding(self, words: Sequence[str]) -> list[Path]:
        """Return those whose bytes hold any of the words."""
        return [path for path in self.all() if traces.holds(path, words)]

    def drop(self, paths: Iterable[Path]) -> None:
        """Take files off the list."""
        gone = set(paths)
        with self._store.transaction():
            self._put([path for path in self.all() if path not in gone])

    def drop_named(self, words: Sequence[str]) -> None:
        """Take those off the list whose path says any of the words."""
        self.drop([path for path in self.all() if any(_says(path, word) for word in words)])

    def _put(self, paths: Iterable[Path]) -> None:
        self._store.meta.set(_KEY, json.dumps([str(path) for path in dict.fromkeys(paths)], ensure_ascii=False))


def _says(path: Path, words: str) -> bool:
    name = path.stem.replace("-", " ").replace("_", " ")
    return traces.tells(words) and (traces.carries(name, words) or traces.carries(words, name))
