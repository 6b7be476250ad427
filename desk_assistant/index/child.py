"""The index child: the table, the vectors in memory and the embedding model, behind the operations of `IndexClient`.

The table is opened first, so that full-text search works after a second or two; the embedding model loads behind it in
a thread of its own. Records written before it is there are stored without a vector and filled in later.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from desk_assistant.errors import DeskError, ModelError, StorageError
from desk_assistant.index import analysis, embedder, sorting
from desk_assistant.index.embedder import Embedder
from desk_assistant.index.records import EmbedderState, IndexRecord, Role
from desk_assistant.index.rows import Row
from desk_assistant.index.table import EpisodeTable, TableDamagedError
from desk_assistant.index.vectors import VectorCache, Vectors
from desk_assistant.workers import child as worker
from desk_assistant.workers.child import Call, Handler, Notify, Params

FILL: Final = 64
"""Rows given their vectors in one write."""

DEFAULT_DIMENSIONS: Final = 384
"""Of a table made while no embedding model is installed."""

DIGITS: Final = 5
"""Decimals of vectors that are sent out."""


class IndexChild:
    """Handlers of the index child. All run on the worker's main thread; only the model loads on another.

    Args:
        notify: Sends a notice: `{"embedder": state}` or `{"index": "damaged", "moved_to": path}`.
    """

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._table: EpisodeTable | None = None
        self._vectors: VectorCache | None = None
        self._model = ""
        self._embedder: Embedder | None = None
        self._state: EmbedderState = "absent"
        self._folder: Path | None = None
        self._home = Path()
        self._sorter: sorting.Sorter | None = None
        self._loaded = threading.Event()

    def handlers(self) -> dict[str, Handler]:
        """Return the operations by name."""
        guarded: dict[str, Handler] = {
            "add": self.add,
            "delete": self.delete,
            "erase": self.erase,
            "search": self.search,
            "similarity": self.similarity,
            "related": self.related,
            "backfill": self.backfill,
            "compact": self.compact,
            "reset": self.reset,
            "count": self.count,
            "ids": self.ids,
        }
        return {
            "open": self.open,
            "embed": self.embed,
            "classify": self.classify,
            "wait": self.wait,
            **{name: self._guarded(handler) for name, handler in guarded.items()},
        }

    def open(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Open the table `path`, then start to load the model in `model_dir` (null for none), known as `model_id`."""
        folder = Path(params["model_dir"]) if params.get("model_dir") else None
        size = embedder.dimensions(folder) if folder is not None else DEFAULT_DIMENSIONS
        table = EpisodeTable(Path(params["path"]), size)
        found, moved = table.open()
        self._model = embedder.model_key(params["model_id"], size) if folder is not None else ""
        self._home, self._sorter = Path(params["path"]).parent, None
        self._table, self._vectors = table, VectorCache(table, self._model)
        self._load(folder)
        models = table.read(("model",))["model"].unique().to_pylist() if folder is not None else []
        return {
            "rows": table.count(),
            "pending": self._pending_count(table),
            "embedder": self._state,
            "rebuild": None if found == "whole" else found,
            "moved_to": moved,
            "model_changed": any(model not in ("", self._model) for model in models),
        }

    def wait(self, _params: Params, call: Call) -> Mapping[str, Any]:
        """Return the state of the embedding model once it is loaded or has failed. Yields when given up."""
        while not self._loaded.wait(0.05):
            call.check()
        return {"embedder": self._state}

    def add(self, params: Params, call: Call) -> Mapping[str, Any]:
        """Write `records`; with vectors when the model is ready."""
        table, vectors = self._opened()
        records = list({record.id: record for record in map(IndexRecord.from_message, params["records"])}.values())
        made = self._embed([record.text for record in records], call) if self._state == "ready" else None
        rows = [
            Row(
                record,
                " ".join(analysis.terms(record.lexical or record.text)),
                self._model if made is not None else "",
                made[place].tolist() if made is not None else None,
            )
            for place, record in enumerate(records)
        ]
        commit = table.write(rows)
        if made is not None:
            vectors.put([(record.id, record.kind, record.session) for record in records], made, commit)
        else:
            vectors.drop([record.id for record in records], commit)
        return {"pending": 0 if made is not None else len(rows)}

    def delete(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Take `ids` out of search."""
        table, vectors = self._opened()
        vectors.drop(params["ids"], table.delete(params["ids"]))
        return {}

    def erase(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Remove `ids` from the disk."""
        table, vectors = self._opened()
        vectors.drop(params["ids"], table.erase(params["ids"]))
        return {}

    def search(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Return the best `limit` by vector and the best `limit` by full text, as one list."""
        table, vectors = self._opened()
        limit: int = params["limit"]
        kinds, sessions = params.get("kinds") or (), params.get("sessions") or ()
        terms = analysis.query_terms(params.get("lexical") or params["query"])
        question = self._question(params["query"], params.get("vector"))
        if question is not None:
            vectors.sync()
        hits = self._both(table, vectors, terms, question, limit, kinds, sessions)
        if params.get("want_vectors") and question is not None:
            for key, hit in hits.items():
                hit["vector"] = _plain(vectors.vector_of(key))
        return {"hits": list(hits.values()), "degraded": question is None}

    def related(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Return, for each of `ids`, what is near that record: the second step of a question that needs two."""
        table, vectors = self._opened()
        limit: int = params["limit"]
        kinds, sessions = params.get("kinds") or (), params.get("sessions") or ()
        wanted: list[str] = params["ids"]
        stored = {row["id"]: row for row in table.rows(wanted, ("id", "text"))}
        vectors.sync()
        found: dict[str, list[dict[str, Any]]] = {}
        for key in wanted:
            if key in stored:
                terms = analysis.query_terms(stored[key]["text"])
                near = self._both(table, vectors, terms, vectors.vector_of(key), limit, kinds, sessions)
                near.pop(key, None)
                found[key] = list(near.values())
        return {"related": found}

    def similarity(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Return the cosine of each of `ids` to `query`, null where there is no vector."""
        _, vectors = self._opened()
        question = self._question(params["query"], params.get("vector"))
        if question is None:
            return {"cosines": [None] * len(params["ids"])}
        vectors.sync()
        found = [vectors.vector_of(key) for key in params["ids"]]
        return {"cosines": [None if vector is None else float(vector @ question) for vector in found]}

    def embed(self, params: Params, call: Call) -> Mapping[str, Any]:
        """Return centred unit vectors of `texts` as `role`."""
        if self._state != "ready":
            raise ModelError("index.embedder_not_ready")
        return {"vectors": [_plain(vector) for vector in self._embed(params["texts"], call, params["role"])]}

    def classify(self, params: Params, call: Call) -> Mapping[str, Any]:
        """Return, for each of `texts`, the probability of each of `sorts.SORTS`. Learns them first where need be."""
        if self._state != "ready" or self._embedder is None:
            raise ModelError("index.embedder_not_ready")
        if self._sorter is None:
            self._sorter = sorting.sorter_for(self._embedder, self._model, self._home, call.check)
        found = self._sorter.probabilities(self._embed(params["texts"], call, "query"))
        return {"sorts": [_plain(row) for row in found]}

    def backfill(self, _params: Params, call: Call) -> Mapping[str, Any]:
        """Embed records that have no vector of the model in use; sends `{"done", "left"}` on the way."""
        table, vectors = self._opened()
        if self._state != "ready":
            return {"done": 0, "left": self._pending_count(table)}
        done = 0
        while True:
            call.check()
            rows = table.read(("id", "kind", "session", "text"), self._unfilled(), FILL).to_pylist()
            if not rows:
                return {"done": done, "left": 0}
            made = self._embed([row["text"] for row in rows], call)
            wanted = {row["id"]: (row["text"], made[place].tolist()) for place, row in enumerate(rows)}
            filled, commit = table.fill(self._model, wanted)
            places = [place for place, row in enumerate(rows) if row["id"] in set(filled)]
            vectors.put([(rows[p]["id"], rows[p]["kind"], rows[p]["session"]) for p in places], made[places], commit)
            done += len(filled)
            call.emit({"done": done, "left": self._pending_count(table)})

    def compact(self, _params: Params, _call: Call) -> Mapping[str, Any]:
        """Merge small files."""
        table, vectors = self._opened()
        vectors.drop((), table.compact())
        return {}

    def reset(self, _params: Params, _call: Call) -> Mapping[str, Any]:
        """Make the table empty."""
        table, _ = self._opened()
        table.reset()
        self._vectors = VectorCache(table, self._model)
        return {}

    def count(self, _params: Params, _call: Call) -> Mapping[str, Any]:
        """Return the number of records and how many wait for a vector."""
        table, _ = self._opened()
        return {"rows": table.count(), "pending": self._pending_count(table)}

    def ids(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Return the ids of all records, or of one `kind`."""
        table, _ = self._opened()
        return {"ids": table.ids(params.get("kind"))}

    def _guarded(self, handler: Handler) -> Handler:
        def run(params: Params, call: Call) -> Mapping[str, Any] | None:
            try:
                return handler(params, call)
            except TableDamagedError as damage:
                table, _ = self._opened()
                moved = table.move_aside()
                self._vectors = VectorCache(table, self._model)
                self._notify({"index": "damaged", "moved_to": str(moved)})
                raise StorageError("index.damaged", path=moved, cause=str(damage)) from damage

        return run

    def _opened(self) -> tuple[EpisodeTable, VectorCache]:
        if self._table is None or self._vectors is None:
            raise StorageError("index.not_open")
        return self._table, self._vectors

    def _load(self, folder: Path | None) -> None:
        if folder is None:
            if self._state == "absent":
                self._loaded.set()  # nobody shall wait for what does not come
            return
        if folder == self._folder and self._state in ("loading", "ready"):
            return
        self._folder = folder
        self._state = "loading"
        self._loaded.clear()
        threading.Thread(target=self._load_embedder, args=(folder,), name="embedder", daemon=True).start()

    def _load_embedder(self, folder: Path) -> None:
        try:
            self._embedder = Embedder(folder)
            self._state = "ready"
        except DeskError as error:
            worker.log(f"embedding model failed to load: {error.cause}")
        except (ImportError, MemoryError, OSError, RuntimeError, ValueError, AttributeError, TypeError) as error:
            # torch or its libraries are broken; search by words goes on, and nobody waits for vectors for ever.
            worker.log(f"embedding model failed to load: {type(error).__name__}")
        finally:
            if self._state == "loading":
                self._state = "failed"
            self._loaded.set()
            self._notify({"embedder": self._state})

    def _both(
        self,
        table: EpisodeTable,
        vectors: VectorCache,
        terms: Sequence[str],
        vector: Vectors | None,
        limit: int,
        kinds: Sequence[str],
        sessions: Sequence[str],
    ) -> dict[str, dict[str, Any]]:
        hits: dict[str, dict[str, Any]] = {}
        for found in table.full_text(terms, limit, kinds, sessions):
            hits[found.id] = {"id": found.id, "kind": found.kind, "session": found.session, "bm25": found.score}
        if vector is not None:
            nearest, cosines = vectors.nearest(vector, limit, kinds, sessions)
            for key, kind, session, _ in nearest:
                hits.setdefault(key, {"id": key, "kind": kind, "session": session})
            for key, hit in hits.items():
                place = vectors.place_of(key)
                hit["cosine"] = None if place is None else float(cosines[place])
        return hits

    def _question(self, text: str, vector: Sequence[float] | None) -> Vectors | None:
        if self._state != "ready" or self._embedder is None:
            return None
        if vector is not None:
            return embedder.as_vector(vector)
        made: Vectors = self._embedder.encode([text], "query")[0]
        return made

    def _embed(self, texts: Sequence[str], call: Call, role: Role = "document") -> Vectors:
        assert self._embedder is not None
        return self._embedder.encode(texts, role, between=call.check)

    def _unfilled(self) -> str:
        return f"model != '{self._model.replace(chr(39), chr(39) * 2)}'"

    def _pending_count(self, table: EpisodeTable) -> int:
        return table.count(self._unfilled()) if self._model else 0


def _plain(vector: Vectors | None) -> list[float] | None:
    return None if vector is None else [round(float(value), DIGITS) for value in vector]


def main() -> int:
    """Run the index child until its parent goes."""
    return worker.serve(lambda notify: IndexChild(notify).handlers())
