"""Measures search and recall: what the search itself costs as memory grows, and how well questions are judged.

The pairs in `recall_pairs.txt` are statements with a question each answers, in both languages. A question is asked of
stores of other people's statements, with its own statement among them and without. The thresholds were fitted on the
rows with even numbers; the figures are of the odd ones.
"""

from __future__ import annotations

import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from desk_assistant.index import analysis
from desk_assistant.index.embedder import Embedder
from desk_assistant.index.fusion import POLICY, Context, Evidence, Judge, rank
from desk_assistant.index.records import Hit, IndexRecord
from desk_assistant.index.rows import Row
from desk_assistant.index.table import EpisodeTable
from desk_assistant.index.vectors import VectorCache, Vectors
from desk_assistant.paths import Locations
from tests.bench import Row as Figure
from tests.bench import at_least, at_most

MODEL: Final = "multilingual-e5-small"
SIZES: Final = (1_000, 10_000, 100_000)
P95_LIMITS: Final = {10_000: 40.0, 100_000: 120.0}
QUERIES: Final = 40
CANDIDATES: Final = 100
STORE: Final = 20
WIDTH: Final = 384
WRITE: Final = 5_000


def rows() -> Iterable[Figure]:
    """Yield all figures."""
    yield from _growth()
    yield from _judgement()


def _growth() -> Iterator[Figure]:
    words = [
        f"{a}{b}{c}" for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("l", "m", "n", "r", "s", "x", "nd", "st")
    ]
    # Every word as rare as words are: the n-th comes up 1/n as often as the first.
    weights = [1 / (place + 1) for place in range(len(words))]
    random_of = random.Random(7)
    numbers = np.random.default_rng(7)
    with tempfile.TemporaryDirectory() as folder:
        table = EpisodeTable(Path(folder) / "episodes.lance", WIDTH)
        table.open()
        cache = VectorCache(table, "m")
        typical: dict[int, float] = {}
        stored = 0
        for size in SIZES:
            began = time.perf_counter()
            while stored < size:
                stop = min(stored + WRITE, size)
                vectors = _units(numbers.standard_normal((stop - stored, WIDTH)))
                table.write(
                    [
                        Row(
                            IndexRecord(f"r{number}", "turn", "", session=f"s{number // 20}"),
                            " ".join(random_of.choices(words, weights, k=24)),
                            "m",
                            vectors[number - stored].tolist(),
                        )
                        for number in range(stored, stop)
                    ]
                )
                stored = stop
            table.compact()
            filled = time.perf_counter() - began
            cache.sync()
            times = [
                _search(
                    table, cache, random_of.choices(words, weights, k=8), _units(numbers.standard_normal((1, WIDTH)))[0]
                )
                for _ in range(QUERIES)
            ]
            p95 = statistics.quantiles(times, n=20)[18]
            typical[size] = statistics.median(times)
            name = f"search and ranking p95 at {size:,} records, embedding excluded"
            limit = P95_LIMITS.get(size)
            yield at_most(name, p95, "ms", limit) if limit else Figure(name, p95, "ms", "", True)
            yield Figure(f"writing up to {size:,} records", filled, "s", "", True)
        yield Figure(
            f"median search at {SIZES[-1]:,} over {SIZES[0]:,}", typical[SIZES[-1]] / typical[SIZES[0]], "x", "", True
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        yield Figure("peak memory of all of this", peak, "MB", "", True)


def _search(table: EpisodeTable, cache: VectorCache, terms: list[str], question: Vectors) -> float:
    began = time.perf_counter()
    cache.sync()
    hits: dict[str, Hit] = {}
    nearest, cosines = cache.nearest(question, CANDIDATES)
    for found in table.full_text(terms, CANDIDATES):
        place = cache.place_of(found.id)
        hits[found.id] = Hit(found.id, found.kind, found.session, float(cosines[place or 0]), found.score)
    for key, kind, session, cosine in nearest:
        hits.setdefault(key, Hit(key, kind, session, cosine, None))
    question_text = " ".join(terms)
    contexts = {key: Context(question_text, "a", hit.session, int(key[1:])) for key, hit in hits.items()}
    rank(Evidence(question_text, tuple(hits.values())), contexts)
    return (time.perf_counter() - began) * 1000


@dataclass(frozen=True)
class _Side:
    """Statements and questions of one language, with the cosine of each question to each statement."""

    name: str
    statements: list[str]
    questions: list[str]
    cosines: Vectors


def _judgement() -> Iterator[Figure]:
    lines = [
        line.split("|")
        for line in Path(__file__).with_name("recall_pairs.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    held_out = lines[1::2]
    embedder = Embedder(_model())
    texts = {"en": [row[0] for row in held_out], "zh": [row[2] for row in held_out]}
    asked = {"en": [row[1] for row in held_out], "zh": [row[3] for row in held_out]}
    statements = {language: embedder.encode(found, "document") for language, found in texts.items()}
    questions = {language: embedder.encode(found, "query") for language, found in asked.items()}
    for name, ask, tell, least_kept, least_silent in (
        ("English", "en", "en", 0.75, 0.9),
        ("Chinese", "zh", "zh", 0.85, 0.8),
        ("English about Chinese", "en", "zh", 0.6, 0.85),
        ("Chinese about English", "zh", "en", 0.6, 0.85),
    ):
        side = _Side(name, texts[tell], asked[ask], questions[ask] @ statements[tell].T)
        yield from _judge(side, least_kept, least_silent)


def _judge(side: _Side, least_kept: float, least_silent: float) -> Iterator[Figure]:
    chooser = random.Random(11)
    kept = first = silent = asked = wrongly = 0
    count = len(side.questions)
    for own in range(count):
        others = chooser.sample([place for place in range(count) if place != own], STORE)
        asked += 1
        silent += not _ask(side, own, others)
        answer = _ask(side, own, [*others, own])
        kept += own in answer
        first += answer[:1] == [own]
        wrongly += sum(_fits(side, own, other) for other in others)
    yield at_least(f"{side.name}: answer kept among {STORE} other statements", kept / asked, "share", least_kept)
    yield Figure(f"{side.name}: answer first", first / asked, "share", "", True)
    yield at_least(f"{side.name}: silent when there is no answer", silent / asked, "share", least_silent)
    yield Figure(f"{side.name}: precision of single judgements", _precision(kept, wrongly), "share", "", True)


def _ask(side: _Side, question: int, store: list[int]) -> list[int]:
    text = side.questions[question]
    terms = analysis.query_terms(text)
    hits = []
    for place in store:
        present = set(analysis.terms(side.statements[place]))
        common = float(sum(term in present for term in terms))
        hits.append(Hit(str(place), "turn", "", float(side.cosines[question, place]), common or None))
    contexts = {str(place): Context(side.statements[place]) for place in store}
    ranking = rank(Evidence(text, tuple(hits)), contexts)
    return [int(item.hit.id) for item in ranking.items] if ranking.answered else []


def _fits(side: _Side, question: int, statement: int) -> bool:
    hit = Hit("x", "turn", "", float(side.cosines[question, statement]), None)
    return Judge(side.questions[question]).fit(hit, side.statements[statement]) >= POLICY.answered


def _precision(right: int, wrong: int) -> float:
    return right / max(1, right + wrong)


def _model() -> Path:
    for folder in Locations.find().model_folders:
        if (folder / MODEL / "st" / "modules.json").exists():
            return folder / MODEL / "st"
    raise SystemExit(f"{MODEL} is not installed: run `make models`")


def _units(values: np.ndarray) -> Vectors:
    unit: Vectors = (values / np.linalg.norm(values, axis=1, keepdims=True)).astype(np.float32)
    return unit
