"""The index child: the table, the vectors in memory and the embedding model, behind the operations of `IndexClient`.

The table is opened first, so that full-text search works after a second or two; the embedding model loads behind it in
a thread of its own. Records written before it is there are stored without a vector and filled in later.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final

from desk_assistant.errors import DeskError, ModelError, StorageError
from desk_assistant.index import analysis, embedder, model_folder, sorting
from desk_assistant.index.asking import asked
from desk_assistant.index.embedder import Embedder
from desk_assistant.index.evidence import Evidence, Part
from desk_assistant.index.explore import Explorer
from desk_assistant.index.failures import TableDamagedError
from desk_assistant.index.mirror import Mirror, Probe
from desk_assistant.index.records import EmbedderState, IndexRecord, Role
from desk_assistant.index.rows import Row
from desk_assistant.index.table import EpisodeTable
from desk_assistant.index.vectors import Vectors
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
        self._mirror: Mirror | None = None
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
            "explore": self.explore,
            "warm": self.warm,
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
        size = model_folder.dimensions(folder) if folder is not None else DEFAULT_DIMENSIONS
        table = EpisodeTable(Path(params["path"]), size)
        found, moved = table.open()
        self._model = embedder.model_key(params["model_id"], size) if folder is not None else ""
        self._home, self._sorter = Path(params["path"]).parent, None
        self._table, self._mirror = table, Mirror(table, self._model)
        self._load(folder)
        models = table.read(("model",))["model"].unique().to_pylist() if folder is not None else []
        return {
            "rows": table.count(),
            "pending": self._pending_count(table),
            "embedder": self._state,
            "rebuild": None if found == "whole" else found,
            "moved_to": moved,
            "model_changed": table.emptied or any(model not in ("", self._model) for model in models),
        }

    def wait(self, _params: Params, call: Call) -> Mapping[str, Any]:
        """Return the state of the embedding model once it is loaded or has failed. Yields when given up."""
        while not self._loaded.wait(0.05):
            call.check()
        return {"embedder": self._state}

    def warm(self, _params: Params, call: Call) -> Mapping[str, Any]:
        """Read the table into memory, giving way to questions."""
        _, mirror = self._opened()
        mirror.sync(call.check)
        return {}

    def add(self, params: Params, call: Call) -> Mapping[str, Any]:
        """Write `records`; with vectors when the model is ready."""
        table, mirror = self._opened()
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
        mirror.put(rows, made, table.write(rows))
        return {"pending": 0 if made is not None else len(rows)}

    def delete(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Take `ids` out of search."""
        table, mirror = self._opened()
        mirror.drop(params["ids"], table.delete(params["ids"]))
        return {}

    def erase(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Remove `ids` from the disk."""
        table, mirror = self._opened()
        mirror.drop(params["ids"], table.erase(params["ids"]))
        return {}

    def explore(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Return everything that may answer the message `question`; see `index.explore`."""
        table, mirror = self._opened()
        kinds, sessions = params.get("kinds") or (), params.get("sessions") or ()
        limit: int = params["limit"]
        if self._state == "loading" and not mirror.current:
            # Nothing is in memory yet, and no vector can be made yet: the table's own full text answers at once.
            questions = asked(params["question"])
            texts = questions.parts or (params.get("lexical") or params["question"],)
            found = [table.full_text(analysis.query_terms(text), limit, kinds, sessions) for text in texts]
            parts = tuple(map(Part, questions.parts or (params["question"],), found))
            return Evidence(params["question"], parts, questions=questions.questions, degraded=True).to_message()
        mirror.sync()
        explorer = Explorer(mirror, self._questions, limit=limit, kinds=kinds, sessions=sessions)
        return explorer.explore(params["question"], params.get("lexical")).to_message()

    def search(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Return the best `limit` by vector and the best `limit` by full text, as one list."""
        _, mirror = self._opened()
        mirror.sync()
        vectors = self._questions([params["query"]])
        probe = Probe(analysis.query_terms(params["query"]), None if vectors is None else vectors[0])
        kinds, sessions = params.get("kinds") or (), params.get("sessions") or ()
        (hits,) = mirror.find([probe], params["limit"], kinds, sessions)
        return {"hits": [list(astuple(hit)) for hit in hits], "degraded": vectors is None}

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
        table, mirror = self._opened()
        if self._state != "ready":
            return {"done": 0, "left": self._pending_count(table)}
        done = 0
        while True:
            call.check()
            rows = table.read(("id", "text"), self._unfilled(), FILL).to_pylist()
            if not rows:
                return {"done": done, "left": 0}
            made = self._embed([row["text"] for row in rows], call)
            wanted = {row["id"]: (row["text"], made[place].tolist()) for place, row in enumerate(rows)}
            filled, commit = table.fill(self._model, wanted)
            places = [place for place, row in enumerate(rows) if row["id"] in set(filled)]
            mirror.fill([rows[place]["id"] for place in places], made[places], commit)
            done += len(filled)
            call.emit({"done": done, "left": self._pending_count(table)})

    def compact(self, _params: Params, _call: Call) -> Mapping[str, Any]:
        """Merge small files."""
        table, mirror = self._opened()
        mirror.follow(table.compact())
        return {}

    def reset(self, _params: Params, _call: Call) -> Mapping[str, Any]:
        """Make the table empty."""
        table, _ = self._opened()
        table.reset()
        self._mirror = Mirror(table, self._model)
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
                self._mirror = Mirror(table, self._model)
                self._notify({"index": "damaged", "moved_to": str(moved)})
                raise StorageError("index.damaged", path=moved, cause=str(damage)) from damage

        return run

    def _opened(self) -> tuple[EpisodeTable, Mirror]:
        if self._table is None or self._mirror is None:
            raise StorageError("index.not_open")
        return self._table, self._mirror

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

    def _questions(self, texts: Sequence[str]) -> Vectors | None:
        if self._state != "ready" or self._embedder is None:
            return None
        return self._embedder.encode(texts, "query")

    def _embed(self, texts: Sequence[str], call: Call, role: Role = "document") -> Vectors:
        assert self._embedder is not None
        return self._embedder.encode(texts, role, between=call.check)

    def _unfilled(self) -> str:
        return f"model != '{self._model.replace(chr(39), chr(39) * 2)}'"

    def _pending_count(self, table: EpisodeTable) -> int:
        return table.count(self._unfilled()) if self._model else 0


def _plain(vector: Vectors) -> list[float]:
    return [round(float(value), DIGITS) for value in vector]


def main() -> int:
    """Run the index child until its parent goes."""
    return worker.serve(lambda notify: IndexChild(notify).handlers())
