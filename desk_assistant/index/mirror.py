"""The table in memory: what searching needs of every record, so that a question costs no read from the disk.

A record takes its vector (4 bytes a dimension), its text, its terms and an entry in the list of each term: 2 to 3 kB
for a turn of conversation with 384 dimensions, 200 to 300 MB for a hundred thousand of them, most of it vectors.

A scan of 100,000 vectors takes about 15 ms and has no recall to lose, builds nothing, and gives the cosine of *every*
record, also of those that only their words found. An approximate index would be slower to keep than this is to scan.

Of a table that another process wrote to, only the rows that differ are taken in. They are found by comparing, which
needs no knowledge of how the library numbers rows or merges files, and costs a fraction of building the word lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from desk_assistant.index.failures import TableDamagedError
from desk_assistant.index.postings import Postings, best
from desk_assistant.index.records import Hit
from desk_assistant.index.rows import Row
from desk_assistant.index.table import Commit, EpisodeTable
from desk_assistant.index.vectors import Vectors

_GROWTH: Final = 1.5
_FIRST: Final = 1024
_HOLES: Final = 1024


@dataclass(frozen=True)
class Probe:
    """One thing to look for.

    Attributes:
        terms: Its terms, for BM25.
        vector: Its unit vector, (dimensions,); None to go by words alone.
    """

    terms: Sequence[str]
    vector: Vectors | None


class _Entry(NamedTuple):
    # A tuple, because a hundred thousand of them are made and compared at a time.
    id: str
    kind: str
    session: str
    text: str
    terms: str


class Mirror:
    """All records of the table, place by place.

    Args:
        table: Where they are stored.
        model: Key of the embedding model; vectors of another are left out. Empty for no model.
    """

    def __init__(self, table: EpisodeTable, model: str) -> None:
        self._table = table
        self._model = model
        self._version = -1
        self._clear()

    @property
    def current(self) -> bool:
        """Whether it holds the newest version of the table."""
        return self._version == self._table.version

    def sync(self, between: Callable[[], None] | None = None) -> None:
        """Bring it up to the newest version of the table. Free when nothing was written elsewhere.

        Args:
            between: Called every few thousand records; what it raises ends the work, which goes on from there next
                time.
        """
        version = self._table.version
        if version == self._version:
            return
        self._version = -1
        if self._crowded:
            self._clear()
        try:
            self._take_over(between)
        except TableDamagedError:
            self._table.reopen()
            version = self._table.version
            self._take_over(between)
        self._version = version

    def _take_over(self, between: Callable[[], None] | None) -> None:
        """Read the table, take in the rows that are new or changed, and drop those that are gone."""
        self._reserve(self._table.count())
        stored: set[str] = set()
        for part in self._table.batches((*_Entry._fields, "model", "vector")):
            if between is not None:
                between()
            entries = list(map(_Entry, *(part[name].to_pylist() for name in _Entry._fields)))
            known = [bool(model) and model == self._model for model in part["model"].to_pylist()]
            stored.update(entry.id for entry in entries)
            fresh = [row for row, entry in enumerate(entries) if self._differs(entry, known[row])]
            if fresh:
                vectors = np.asarray(part["vector"].flatten(), dtype=np.float32).reshape(part.num_rows, -1)
                self._remove(entries[row].id for row in fresh)
                self._append([entries[row] for row in fresh], vectors[fresh], np.asarray(known)[fresh])
        self._remove([key for key in self._places if key not in stored])

    def _differs(self, entry: _Entry, known: bool) -> bool:
        # A vector follows from text and model, so it need not be compared.
        place = self._places.get(entry.id)
        return place is None or bool(self._known[place]) != known or self._entries[place] != entry

    def put(self, rows: Sequence[Row], vectors: Vectors | None, commit: Commit) -> None:
        """Take in rows that this process has just added or replaced.

        Args:
            rows: The rows.
            vectors: Their unit vectors, (rows, dimensions); None when they have none yet.
            commit: The write; when another process wrote in between, the next `sync` compares everything.
        """
        self.drop([row.record.id for row in rows], commit)
        if rows and self._version == commit.after:
            known = np.full(len(rows), vectors is not None)
            made = np.zeros((len(rows), self._table.dimensions), np.float32) if vectors is None else vectors
            entries = [_Entry(r.record.id, r.record.kind, r.record.session, r.record.text, r.terms) for r in rows]
            self._append(entries, made, known)

    def fill(self, ids: Sequence[str], vectors: Vectors, commit: Commit) -> None:
        """Take in the vectors that this process has just given to stored rows."""
        for key, vector in zip(ids, vectors, strict=True):
            place = self._places.get(key)
            if place is not None:
                self._matrix[place] = vector
                self._known[place] = True
        self.follow(commit)

    def drop(self, ids: Iterable[str], commit: Commit) -> None:
        """Forget rows that this process has just deleted: vector, words and all."""
        self._remove(ids)
        self.follow(commit)

    def _remove(self, ids: Iterable[str]) -> None:
        for key in ids:
            place = self._places.pop(key, None)
            if place is not None:
                self._alive[place] = self._known[place] = False
                self._matrix[place] = 0.0
                self._postings.remove(place, self._entries[place].terms)
                self._entries[place] = _EMPTY

    def find(
        self, probes: Sequence[Probe], limit: int, kinds: Sequence[str] = (), sessions: Sequence[str] = ()
    ) -> list[tuple[Hit, ...]]:
        """Return, for each probe, the best records by meaning together with the best by words, with both numbers.

        Args:
            probes: What to look for.
            limit: Most records from each of the two ways.
            kinds: Kinds to look at, all when empty.
            sessions: Sessions to look at, all when empty.
        """
        allowed = self._allowed(kinds, sessions)
        known = allowed & self._known[: self._size]
        found: list[tuple[Hit, ...]] = []
        for probe in probes:
            words = self._postings.scores(probe.terms)
            places = dict.fromkeys(best(words, allowed & (words > 0.0), limit))
            meaning = None
            if probe.vector is not None:
                # One by one: for a few vectors the library's matrix product takes longer than its single ones.
                meaning = self._matrix[: self._size] @ probe.vector
                places.update(dict.fromkeys(best(meaning, known, limit)))
            found.append(tuple(self._hit(place, words, meaning) for place in places))
        return found

    def text_of(self, key: str) -> str | None:
        """Return what a record says, None when there is none."""
        place = self._places.get(key)
        return None if place is None else self._entries[place].text

    def vector_of(self, key: str) -> Vectors | None:
        """Return the vector of a record, None when it has none."""
        place = self._places.get(key)
        return None if place is None or not self._known[place] else self._matrix[place]

    def _hit(self, place: int, words: Vectors, meaning: Vectors | None) -> Hit:
        entry = self._entries[place]
        score = float(words[place])
        cosine = float(meaning[place]) if meaning is not None and self._known[place] else None
        return Hit(entry.id, entry.kind, entry.session, cosine, score if score > 0.0 else None)

    def _allowed(self, kinds: Sequence[str], sessions: Sequence[str]) -> NDArray[np.bool_]:
        allowed: NDArray[np.bool_] = self._alive[: self._size].copy()
        for codes, book, wanted in ((self._kind, self._kinds, kinds), (self._session, self._sessions, sessions)):
            if wanted:
                allowed &= np.isin(codes[: self._size], [book[name] for name in wanted if name in book])
        return allowed

    def follow(self, commit: Commit) -> None:
        """Stay current over a write of this process that has been taken in, or changed no record."""
        self._version = commit.after if commit.before == self._version and not self._crowded else -1

    @property
    def _crowded(self) -> bool:
        """Whether more places are empty than taken, so that building everything anew is worth it."""
        return self._size - len(self._places) > _HOLES + len(self._places)

    def _clear(self) -> None:
        self._matrix: Vectors = np.zeros((0, self._table.dimensions), dtype=np.float32)
        self._alive: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._known: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._kind: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._session: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._postings = Postings()
        self._entries: list[_Entry] = []
        self._places: dict[str, int] = {}
        self._kinds: dict[str, int] = {}
        self._sessions: dict[str, int] = {}
        self._size = 0

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._alive):
            return
        self._matrix = _grown(self._matrix, rows)
        self._alive = _grown(self._alive, rows)
        self._known = _grown(self._known, rows)
        self._kind = _grown(self._kind, rows)
        self._session = _grown(self._session, rows)

    def _append(self, entries: Sequence[_Entry], vectors: Vectors, known: NDArray[np.bool_]) -> None:
        start, stop = self._size, self._size + len(entries)
        if stop > len(self._alive):
            self._reserve(max(_FIRST, stop, int(len(self._alive) * _GROWTH)))
        self._matrix[start:stop] = vectors
        self._matrix[start:stop][~known] = 0.0
        self._known[start:stop] = known
        self._alive[start:stop] = True
        for place, entry in enumerate(entries, start):
            self._entries.append(entry)
            self._places[entry.id] = place
            self._kind[place] = self._kinds.setdefault(entry.kind, len(self._kinds))
            self._session[place] = self._sessions.setdefault(entry.session, len(self._sessions))
            self._postings.add(place, entry.terms)
        self._size = stop


_EMPTY: Final = _Entry("", "", "", "", "")


def _grown(array: NDArray[Any], rows: int) -> NDArray[Any]:
    larger = np.zeros((rows, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
