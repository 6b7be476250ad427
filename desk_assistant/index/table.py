"""The LanceDB table of episodes: opening it whatever state it is in, writing, full-text search.

Runs in the index child only. Several processes may have the same table open: every write holds a file lock beside it
and works on its newest version, and every read looks for a newer version first.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import filelock
import lancedb
import pyarrow as pa
from lancedb.index import FTS
from lancedb.query import MatchQuery

from desk_assistant.errors import StorageError
from desk_assistant.index import analysis, remains
from desk_assistant.index.failures import TableDamagedError, is_failure, reading, writing
from desk_assistant.index.records import Hit
from desk_assistant.index.rows import ANALYSIS, Row, among, equals, schema, slices, to_arrow, vector_type

LOCK_PATIENCE: Final = 30.0
"""Seconds to wait for another process that is writing."""

WRITES_BEFORE_COMPACTION: Final = 40
"""Every write leaves a version and a small file, and search slows down with each of them."""

KEEP_VERSIONS: Final = timedelta(seconds=60)
"""How long a compaction leaves old versions to another process that may just be reading them."""

_INDEXED: Final = "terms"
_TOKENS: Final = FTS(
    base_tokenizer="whitespace",
    lower_case=False,
    stem=False,
    remove_stop_words=False,
    ascii_folding=False,
    max_token_length=None,
    with_position=False,
)

Result = TypeVar("Result")
Found = Literal["whole", "new", "damaged", "analysis"]


@dataclass(frozen=True)
class Commit:
    """What a write did to the table's version: a copy at `before` that takes in the write is at `after`."""

    before: int
    after: int


class EpisodeTable:
    """One table on disk.

    Args:
        path: The table's folder, `…/<name>.lance`.
        dimensions: Length of the vectors of the embedding model in use.

    Attributes:
        emptied: Opening it took out vectors of another length, which are those of another model.
    """

    def __init__(self, path: Path, dimensions: int) -> None:
        self.path = path
        self.dimensions = dimensions
        self.emptied = False
        self._name = path.stem
        self._lock = filelock.FileLock(path.with_name(path.name + ".lock"))
        self._table: Any = None
        self._database: Any = None
        self._writes = 0

    def open(self) -> tuple[Found, Path | None]:
        """Open the table, or make an empty one where there is none that can be used.

        A table that cannot be read is moved aside, never deleted.

        Returns:
            What was found, and where a damaged table was moved to.

        Raises:
            StorageError: The folder cannot be written, or another process keeps it locked.
        """
        with self._writing():
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._database = lancedb.connect(str(self.path.parent), read_consistency_interval=timedelta(0))
            if not self.path.exists():
                self._create()
                return "new", None
            try:
                found = self._inspect()
            except TableDamagedError:
                moved = self._move_aside()
                self._create()
                return "damaged", moved
            if found == "analysis":
                self._create()
            elif self._width() != self.dimensions:
                self._change_width()
                self.emptied = True
            return found, None

    def move_aside(self) -> Path:
        """Put a table that turned out to be damaged out of the way and start an empty one; return its new place."""
        with self._writing():
            moved = self._move_aside()
            self._create()
            return moved

    @property
    def version(self) -> int:
        """Number of the newest version; it changes with every write of any process."""
        return int(self._attempt(lambda: self._table.version))

    @property
    def fragments(self) -> int:
        """Number of data files the newest version is made of."""
        return int(self._attempt(lambda: self._table.stats()["fragment_stats"]["num_fragments"]))

    def count(self, where: str | None = None) -> int:
        """Return the number of rows, or of those that match an SQL condition."""
        return int(self._attempt(lambda: self._table.count_rows(where)))

    def ids(self, kind: str | None = None) -> list[str]:
        """Return the ids of all rows, or of those of one kind."""
        return [str(value) for value in self.read(("id",), equals("kind", kind) if kind else None)["id"].to_pylist()]

    def read(self, columns: Sequence[str], where: str | None = None, limit: int | None = None) -> pa.Table:
        """Return columns of the rows that match an SQL condition.

        Raises:
            TableDamagedError: They cannot be read.
        """

        def query() -> pa.Table:
            chosen = self._table.search().select(list(columns))
            if where:
                chosen = chosen.where(where)
            return chosen.limit(limit).to_arrow()

        return self._attempt(query)

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield columns of all rows, some thousands at a time, so that memory stays flat.

        Raises:
            TableDamagedError: They cannot be read.
        """
        with reading():
            yield from self._table.search().select(list(columns)).to_batches()

    def reopen(self) -> None:
        """Open the table anew: another process may have cleaned up the very version that was being read.

        Raises:
            TableDamagedError: It cannot be opened.
        """
        with reading():
            self._table = self._database.open_table(self._name)

    def full_text(
        self, terms: Sequence[str], limit: int, kinds: Sequence[str] = (), sessions: Sequence[str] = ()
    ) -> tuple[Hit, ...]:
        """Return the best rows by BM25 over any of the terms, best first."""
        if not terms:
            return ()
        where = " AND ".join(
            among(column, values) for column, values in (("kind", kinds), ("session", sessions)) if values
        )

        def query() -> list[dict[str, Any]]:
            chosen = self._table.search(MatchQuery(" ".join(terms), _INDEXED), query_type="fts").limit(limit)
            if where:
                chosen = chosen.where(where, prefilter=True)
            rows: list[dict[str, Any]] = chosen.select(["id", "kind", "session", "_score"]).to_arrow().to_pylist()
            return rows

        found = self._attempt(query)
        return tuple(Hit(row["id"], row["kind"], row["session"], None, float(row["_score"])) for row in found)

    def write(self, rows: Sequence[Row]) -> Commit:
        """Add rows in one commit; rows with the id of stored ones replace them.

        Args:
            rows: One row an id.

        Raises:
            StorageError: Nothing was written; what was there stays readable.
        """
        with self._writing() as before:
            if rows:
                self._put(to_arrow(rows, self.dimensions), [row.record.id for row in rows])
            return Commit(before, self.version)

    def fill(self, model: str, vectors: Mapping[str, tuple[str, Sequence[float]]]) -> tuple[list[str], Commit]:
        """Give stored rows their vectors. Rows that are gone or say something else by now are left out.

        Args:
            model: Key of the model that made the vectors.
            vectors: For each id, the text that was embedded and its vector.

        Returns:
            The ids that were filled.

        Raises:
            StorageError: Nothing was written.
        """
        with self._writing() as before:
            rows = self.read(schema(self.dimensions).names, among("id", list(vectors))).to_pylist() if vectors else []
            rows = [row for row in rows if row["text"] == vectors[row["id"]][0]]
            for row in rows:
                row["model"], row["vector"] = model, vectors[row["id"]][1]
            if rows:
                self._put(pa.Table.from_pylist(rows, schema=schema(self.dimensions)), [row["id"] for row in rows])
            return [row["id"] for row in rows], Commit(before, self.version)

    def delete(self, ids: Sequence[str]) -> Commit:
        """Take rows out of search. Their bytes may stay on disk for a while; see `erase`."""
        with self._writing() as before:
            for part in slices(ids):
                self._table.delete(among("id", part))
            self._compact_when_due()
            return Commit(before, self.version)

    def erase(self, ids: Sequence[str]) -> Commit:
        """Remove rows for good: the table is written anew without them and every older file is deleted.

        A deletion alone only marks the row; its text stays in the data file and its words in the full-text
        dictionary. Also right when the ids are gone already, so that an interrupted erasure can simply be repeated.

        Raises:
            StorageError: Not everything could be removed; repeat it.
        """
        with self._writing() as before:
            texts: list[str] = []
            for part in slices(ids):
                texts += self.read(("text",), among("id", part))["text"].to_pylist()
            for part in slices(ids):
                self._table.delete(among("id", part))
            self._rewrite()
            self._verify_erased(ids, texts)
            return Commit(before, self.version)

    def reset(self) -> None:
        """Make the table empty; nothing of its rows stays on disk."""
        with self._writing():
            self._create()
            self._drop_old(timedelta(0))

    def compact(self) -> Commit:
        """Merge small files and index new rows, so that search is as quick as it can be."""
        with self._writing() as before:
            self._drop_old(KEEP_VERSIONS)
            return Commit(before, self.version)

    def _put(self, rows: pa.Table, ids: Sequence[str]) -> None:
        known = any(self.read(("id",), among("id", part), 1).num_rows for part in slices(ids))
        if known:
            self._table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all().execute(rows)
        else:
            self._table.add(rows)
        self._index_when_missing()
        self._compact_when_due()

    def _create(self) -> None:
        self._table = self._database.create_table(self._name, schema=schema(self.dimensions), mode="overwrite")

    def _inspect(self) -> Found:
        with reading():
            self._table = self._database.open_table(self._name)
            if not self._table.schema.names:
                raise TableDamagedError("no columns")  # what a zeroed manifest reads as
            metadata = self._table.schema.metadata or {}
            if metadata.get(ANALYSIS) != str(analysis.VERSION).encode():
                return "analysis"
            expected, present = schema(self.dimensions), self._table.schema
            if present.names != expected.names:
                return "analysis"
            # Opening reads the manifest alone. Reading a column of every row touches every data file, and one
            # search touches the full-text index.
            self.read(("id", "model"))
            self.full_text(["\u00b7"], 1)
            self._index_when_missing()
            # Short runs of the program would otherwise never reach a compaction.
            self._writes = sum(1 for _ in (self.path / "_versions").glob("*.manifest"))
            return "whole"

    def _move_aside(self) -> Path:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        target = self.path.with_name(f"{self._name}.damaged-{stamp}")
        number = 1
        while target.exists():
            number += 1
            target = self.path.with_name(f"{self._name}.damaged-{stamp}-{number}")
        self.path.rename(target)
        return target

    def _width(self) -> int:
        return int(self._table.schema.field("vector").type.list_size)

    def _change_width(self) -> None:
        # The rows are kept for full-text search; their vectors, of another model, are of no use any more.
        kept = [name for name in schema(self.dimensions).names if name not in ("model", "vector")]
        rows = self.read(kept)
        rows = rows.append_column("model", pa.array([""] * rows.num_rows, pa.string()))
        waiting = [[0.0] * self.dimensions] * rows.num_rows
        rows = rows.append_column("vector", pa.array(waiting, vector_type(self.dimensions)))
        self._table = self._database.create_table(
            self._name, data=rows.select(schema(self.dimensions).names).cast(schema(self.dimensions)), mode="overwrite"
        )
        self._index_when_missing()

    def _rewrite(self) -> None:
        # An overwrite is one commit: a crash leaves either the old table or the new one.
        with reading():
            rows = self._table.search().to_batches()
        self._table = self._database.create_table(
            self._name, data=rows, schema=schema(self.dimensions), mode="overwrite"
        )
        self._index_when_missing()
        self._drop_old(timedelta(0))

    def _verify_erased(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        limits = {"data": self.fragments, "_deletions": 0, "_indices": len(self._table.list_indices())}
        stray = remains.stray_files(self.path, limits)
        if any(self.read(("id",), among("id", part), 1).num_rows for part in slices(ids)):
            stray.append("rows")
        if texts:
            stray += remains.files_with(self.path, texts, self.read(("text",))["text"].to_pylist())
        if stray:
            raise StorageError("index.erase_unverified", cause=f"left: {stray[:5]}")

    def _drop_old(self, age: timedelta) -> None:
        with warnings.catch_warnings():
            # It warns that readers of older versions fail; every reader of ours asks for the newest.
            warnings.simplefilter("ignore", UserWarning)
            # Every writer holds the lock, so files of no version are remains of a crash, never of a write under way.
            self._table.optimize(cleanup_older_than=age, delete_unverified=True)
        remains.sweep_unfinished(self.path)
        self._writes = 0

    def _index_when_missing(self) -> None:
        # An index made while the table is empty never covers anything, hence after the first rows.
        if not self._table.list_indices() and self._table.count_rows():
            self._table.create_index(_INDEXED, config=_TOKENS)

    def _compact_when_due(self) -> None:
        self._writes += 1
        if self._writes >= WRITES_BEFORE_COMPACTION:
            self._drop_old(KEEP_VERSIONS)

    def _attempt(self, read: Callable[[], Result]) -> Result:
        # Another process may have cleaned up the very version that was being read: look again before crying damage.
        try:
            return read()
        except BaseException as error:
            if not is_failure(error):
                raise
        self.reopen()
        with reading():
            return read()

    @contextmanager
    def _writing(self) -> Iterator[int]:
        with writing(self.path):
            try:
                with self._lock.acquire(timeout=LOCK_PATIENCE):
                    yield self.version if self._table is not None else 0
            except filelock.Timeout as error:
                raise StorageError("index.busy", path=self.path, cause="lock timeout") from error
