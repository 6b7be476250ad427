"""The graph on disk: entities and the relations between them, each with the fact that it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from desk_assistant.store.database import Database

_STAMP = "graph_stamp"


@dataclass(frozen=True)
class Entity:
    """Somebody or something that facts speak of.

    Attributes:
        form: Normal form of the name; one entity has one.
        kind: `person`, `product`, `organisation`, `place`, `event` or `concept`.
    """

    name: str
    form: str
    kind: str


@dataclass(frozen=True)
class Relation:
    """A directed edge: `source` stands in `predicate` to `target`, as the fact says."""

    fact_id: str
    source: Entity
    predicate: str
    target: Entity


class GraphTables:
    """Reads and writes the graph. It is derived: `replace` makes it anew, deleting a fact takes its part away.

    Every method raises `StorageError` when the disk refuses (see `Database`).
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def is_current(self) -> bool:
        """Tell whether no active fact was added, changed or taken away since the graph was made."""
        row = self._db.row("SELECT value FROM meta WHERE key = ?", (_STAMP,))
        return row is not None and row[0] == self._facts_stamp()

    def replace(self, relations: Iterable[Relation]) -> None:
        """Put these relations, with the entities they name, in place of all there are."""
        with self._db.transaction():
            self._db.execute("DELETE FROM relations")
            self._db.execute("DELETE FROM entities")
            ids: dict[str, int] = {}
            for relation in relations:
                for entity in (relation.source, relation.target):
                    if entity.form not in ids:
                        cursor = self._db.execute(
                            "INSERT INTO entities (name, form, kind) VALUES (?, ?, ?)",
                            (entity.name, entity.form, entity.kind),
                        )
                        assert cursor.lastrowid is not None
                        ids[entity.form] = cursor.lastrowid
                self._db.execute(
                    "INSERT OR IGNORE INTO relations VALUES (?, ?, ?, ?)",
                    (relation.fact_id, ids[relation.source.form], relation.predicate, ids[relation.target.form]),
                )
            self._db.execute(
                "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (_STAMP, self._facts_stamp()),
            )

    def entities(self) -> list[Entity]:
        """Return all entities by name."""
        rows = self._db.rows("SELECT name, form, kind FROM entities ORDER BY name")
        return [Entity(row["name"], row["form"], row["kind"]) for row in rows]

    def relations(self) -> list[Relation]:
        """Return all relations, oldest fact first."""
        rows = self._db.rows(
            """SELECT r.fact_id, r.predicate, a.name AS a_name, a.form AS a_form, a.kind AS a_kind,
                      b.name AS b_name, b.form AS b_form, b.kind AS b_kind
               FROM relations r JOIN entities a ON a.id = r.source JOIN entities b ON b.id = r.target
               JOIN facts f ON f.id = r.fact_id ORDER BY f.rowid"""
        )
        return [
            Relation(
                row["fact_id"],
                Entity(row["a_name"], row["a_form"], row["a_kind"]),
                row["predicate"],
                Entity(row["b_name"], row["b_form"], row["b_kind"]),
            )
            for row in rows
        ]

    def _facts_stamp(self) -> str:
        row = self._db.row(
            "SELECT count(*), total(version), ifnull(max(rowid), 0), total(rowid) FROM facts WHERE status = 'active'"
        )
        return "" if row is None else ":".join(str(value) for value in row)
