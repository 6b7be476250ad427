"""The vectors of the table, held in memory and searched exactly.

A scan of 100,000 vectors takes about 15 ms and has no recall to lose, builds nothing, and gives the cosine of *every*
record, also of those that only full text found. An approximate index would be slower to keep than this is to scan.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from desk_assistant.index.table import Commit, EpisodeTable

Vectors = NDArray[np.float32]

_GROWTH: Final = 1.5
_FIRST: Final = 1024
_HOLES: Final = 1024


class VectorCache:
    """All vectors of the model in use, row by row.

    Args:
        table: Where they are stored.
        model: Key of the embedding model; rows with vectors of another are left out. Empty for no model.
    """

    def __init__(self, table: EpisodeTable, model: str) -> None:
        self._table = table
        self._model = model
        self._version = -1
        self._clear()

    def sync(self) -> None:
        """Bring the cache up to the newest version of the table. Free when nothing was written elsewhere."""
        version = self._table.version
        if version == self._version or not self._model:
            return
        where = f"model = '{self._model.replace(chr(39), chr(39) * 2)}'"
        columns = self._table.read(("id", "kind", "session", "vector"), where)
        self._clear()
        if columns.num_rows:
            flat = np.asarray(columns["vector"].combine_chunks().flatten(), dtype=np.float32)
            self._append(
                columns["id"].to_pylist(),
                columns["kind"].to_pylist(),
                columns["session"].to_pylist(),
                flat.reshape(columns.num_rows, -1),
            )
        self._version = version

    def put(self, rows: Sequence[tuple[str, str, str]], vectors: Vectors, commit: Commit) -> None:
        """Take in rows that this process has just added or replaced.

        Args:
            rows: Id, kind and session of each.
            vectors: Unit vectors, (rows, dimensions).
            commit: The write; when another process wrote in between, the next `sync` reads everything again.
        """
        self.drop([row[0] for row in rows], commit)
        if rows and self._version == commit.after:
            ids, kinds, sessions = zip(*rows, strict=True)
            self._append(ids, kinds, sessions, vectors)

    def drop(self, ids: Iterable[str], commit: Commit) -> None:
        """Forget rows that this process has just deleted, or stored without a vector."""
        for key in ids:
            place = self._places.pop(key, None)
            if place is not None:
                self._alive[place] = False
                self._matrix[place] = 0.0
        crowded = self._size - len(self._places) > _HOLES + len(self._places)
        self._version = commit.after if commit.before == self._version and not crowded else -1

    def nearest(
        self, query: Vectors, limit: int, kinds: Sequence[str] = (), sessions: Sequence[str] = ()
    ) -> tuple[list[tuple[str, str, str, float]], Vectors]:
        """Return the rows nearest to a question, best first, and the cosine to every row by place.

        Args:
            query: Unit vector, (dimensions,).
            limit: Most rows to return.
            kinds: Kinds to look at, all when empty.
            sessions: Sessions to look at, all when empty.

        Returns:
            `(id, kind, session, cosine)` of the best, and the cosines for `cosine_of`.
        """
        cosines: Vectors = self._matrix[: self._size] @ query
        mask = self._alive[: self._size].copy()
        for codes, book, wanted in (
            (self._kind, self._kinds, kinds),
            (self._session, self._sessions, sessions),
        ):
            if wanted:
                known = [book[name] for name in wanted if name in book]
                mask &= np.isin(codes[: self._size], known)
        masked = np.where(mask, cosines, -np.inf)
        count = min(limit, int(mask.sum()))
        if count <= 0:
            return [], cosines
        best = np.argpartition(-masked, count - 1)[:count]
        best = best[np.argsort(-masked[best], kind="stable")]
        return [(*self._rows[place], float(cosines[place])) for place in best], cosines

    def place_of(self, key: str) -> int | None:
        """Return the place of a row among the cosines of `nearest`, None when it has no vector."""
        return self._places.get(key)

    def vector_of(self, key: str) -> Vectors | None:
        """Return the vector of a row, None when it has none."""
        place = self._places.get(key)
        return None if place is None else self._matrix[place]

    def _clear(self) -> None:
        self._matrix: Vectors = np.zeros((0, self._table.dimensions), dtype=np.float32)
        self._alive: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._kind: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._session: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._rows: list[tuple[str, str, str]] = []
        self._places: dict[str, int] = {}
        self._kinds: dict[str, int] = {}
        self._sessions: dict[str, int] = {}
        self._size = 0

    def _append(self, ids: Sequence[str], kinds: Sequence[str], sessions: Sequence[str], vectors: Vectors) -> None:
        start, stop = self._size, self._size + len(ids)
        if stop > len(self._alive):
            room = max(_FIRST, stop, int(len(self._alive) * _GROWTH))
            self._matrix = _grown(self._matrix, room)
            self._alive = _grown(self._alive, room)
            self._kind = _grown(self._kind, room)
            self._session = _grown(self._session, room)
        self._matrix[start:stop] = vectors
        self._alive[start:stop] = True
        for offset, row in enumerate(zip(ids, kinds, sessions, strict=True)):
            key, kind, session = row
            self._rows.append(row)
            self._places[key] = start + offset
            self._kind[start + offset] = self._kinds.setdefault(kind, len(self._kinds))
            self._session[start + offset] = self._sessions.setdefault(session, len(self._sessions))
        self._size = stop


def _grown(array: NDArray[Any], rows: int) -> NDArray[Any]:
    larger = np.zeros((rows, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
