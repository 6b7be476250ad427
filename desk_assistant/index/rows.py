"""The columns of the table, rows as Arrow data, and the few SQL conditions that are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from desk_assistant.index import analysis
from desk_assistant.index.records import IndexRecord

ANALYSIS: Final = b"desk_assistant.analysis"
"""Metadata key that holds the version of the text analysis the terms were made with."""

IDS_A_FILTER: Final = 500


@dataclass(frozen=True)
class Row:
    """A record with what was made of it: its search terms, and its vector where the model was there to make one."""

    record: IndexRecord
    terms: str
    model: str = ""
    vector: Sequence[float] | None = None


def vector_type(dimensions: int) -> pa.DataType:
    """Return the type of the vector column."""
    return pa.list_(pa.float32(), dimensions)


def schema(dimensions: int) -> pa.Schema:
    """Return the columns of a table whose vectors have this many dimensions."""
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("kind", pa.string()),
            pa.field("session", pa.string()),
            pa.field("text", pa.string()),
            pa.field("terms", pa.string()),
            pa.field("language", pa.string()),
            pa.field("epoch", pa.float64()),
            pa.field("importance", pa.float32()),
            pa.field("model", pa.string()),
            pa.field("vector", vector_type(dimensions)),
        ],
        metadata={ANALYSIS: str(analysis.VERSION).encode()},
    )


def to_arrow(rows: Sequence[Row], dimensions: int) -> pa.Table:
    """Return rows as Arrow data for a table with vectors of this many dimensions."""
    columns: dict[str, list[object]] = {
        name: [getattr(row.record, name) for row in rows]
        for name in ("id", "kind", "session", "text", "language", "epoch", "importance")
    }
    columns["terms"] = [row.terms for row in rows]
    columns["model"] = [row.model for row in rows]
    # The library takes a mixture of vectors and nulls for vectors of unlike length, so a row that waits for its
    # vector holds zeros; that its model is empty tells it from the others.
    waiting = [0.0] * dimensions
    columns["vector"] = [waiting if row.vector is None else row.vector for row in rows]
    return pa.table({name: columns[name] for name in schema(dimensions).names}, schema=schema(dimensions))


def equals(column: str, value: str) -> str:
    """Return the condition that a column has a value."""
    return f"{column} = {_quoted(value)}"


def among(column: str, values: Sequence[str]) -> str:
    """Return the condition that a column has one of some values."""
    return f"{column} IN ({', '.join(map(_quoted, values))})"


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def slices(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield ids in pieces that make conditions of bearable length."""
    for start in range(0, len(ids), IDS_A_FILTER):
        yield ids[start : start + IDS_A_FILTER]
