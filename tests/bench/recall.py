"""Measures how well questions are judged and answered, with the real embedding model.

The pairs in `recall_pairs.txt` are statements with a question each answers, in both languages. A question is asked of
stores of other people's statements, with its own statement among them and without. The thresholds were fitted on the
rows with even numbers; the figures are of the odd ones.

The little worlds in `two_steps.toml` hold questions that need two statements together: one ties a person or thing to
what the question describes, the other ties it to what is asked.
"""

from __future__ import annotations

import random
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desk_assistant.index import analysis
from desk_assistant.index.embedder import Embedder
from desk_assistant.index.evidence import Evidence, Part
from desk_assistant.index.explore import Explorer
from desk_assistant.index.fusion import Context, rank
from desk_assistant.index.judge import Judge
from desk_assistant.index.mirror import Mirror
from desk_assistant.index.policy import POLICY
from desk_assistant.index.records import Hit, IndexRecord
from desk_assistant.index.rows import Row as TableRow
from desk_assistant.index.table import EpisodeTable
from desk_assistant.index.vectors import Vectors
from desk_assistant.paths import Locations
from tests.bench import Row, at_least, told

MODEL: Final = "multilingual-e5-small"
STORE: Final = 20
WIDTH: Final = 384
FIRST: Final = 3
"""A question that needs two statements has to bring both among so many."""


def rows() -> Iterable[Row]:
    """Yield all figures."""
    embedder = Embedder(_model())
    yield from _judgement(embedder)
    yield from _two_steps(embedder)


@dataclass(frozen=True)
class World:
    """Statements of one person, and questions that two of them answer together.

    Attributes:
        lines: The statements.
        questions: Each with the places of its two statements.
    """

    language: str
    lines: tuple[str, ...]
    questions: tuple[tuple[str, tuple[int, ...]], ...]


def worlds() -> list[World]:
    """Return the little worlds of `two_steps.toml`."""
    data = tomllib.loads(Path(__file__).with_name("two_steps.toml").read_text(encoding="utf-8"))
    return [
        World(
            world["language"],
            tuple(world["lines"]),
            tuple((str(question), (int(first), int(second))) for question, first, second in world["questions"]),
        )
        for world in data["world"]
    ]


def answer(world: World, number: int, question: str, mirror: Mirror, embedder: Embedder) -> list[int]:
    """Return the places of the statements that a world answers a question with, best first."""
    explorer = Explorer(mirror, lambda texts: embedder.encode(texts, "query"), sessions=[f"w{number}"])
    contexts = {f"w{number}.{place}": Context(line) for place, line in enumerate(world.lines)}
    ranking = rank(explorer.explore(question), contexts)
    return [int(item.hit.id.partition(".")[2]) for item in ranking.items]


def filled(folder: Path, embedder: Embedder) -> Mirror:
    """Return a table in memory that holds all the little worlds, each as a session."""
    table = EpisodeTable(folder / "episodes.lance", WIDTH)
    table.open()
    for number, world in enumerate(worlds()):
        vectors = embedder.encode(world.lines, "document")
        table.write(
            [
                TableRow(
                    IndexRecord(f"w{number}.{place}", "turn", line, session=f"w{number}"),
                    " ".join(analysis.terms(line)),
                    "m",
                    vectors[place].tolist(),
                )
                for place, line in enumerate(world.lines)
            ]
        )
    mirror = Mirror(table, "m")
    mirror.sync()
    return mirror


def _two_steps(embedder: Embedder) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        mirror = filled(Path(folder), embedder)
        for language, name in (("en", "English"), ("zh", "Chinese")):
            shares: list[float] = []
            asked = both = 0
            for number, world in enumerate(worlds()):
                if world.language != language:
                    continue
                for question, needed in world.questions:
                    first = answer(world, number, question, mirror, embedder)[:FIRST]
                    shares.append(sum(place in first for place in needed) / len(needed))
                    asked += 1
                    both += shares[-1] == 1.0
            yield told(f"{name}: questions that need two statements", asked, "")
            yield at_least(f"{name}: needed statements among the first {FIRST}", sum(shares) / asked, "share", 0.85)
            yield told(f"{name}: both among the first {FIRST}", both / asked, "share")


@dataclass(frozen=True)
class _Side:
    """Statements and questions of one language, with the cosine of each question to each statement."""

    name: str
    statements: list[str]
    questions: list[str]
    cosines: Vectors


def _judgement(embedder: Embedder) -> Iterator[Row]:
    lines = [
        line.split("|")
        for line in Path(__file__).with_name("recall_pairs.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    held_out = lines[1::2]
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


def _judge(side: _Side, least_kept: float, least_silent: float) -> Iterator[Row]:
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
    yield told(f"{side.name}: answer first", first / asked, "share")
    yield at_least(f"{side.name}: silent when there is no answer", silent / asked, "share", least_silent)
    yield told(f"{side.name}: precision of single judgements", _precision(kept, wrongly), "share")


def _ask(side: _Side, question: int, store: list[int]) -> list[int]:
    text = side.questions[question]
    terms = analysis.query_terms(text)
    hits = []
    for place in store:
        present = set(analysis.terms(side.statements[place]))
        common = float(sum(term in present for term in terms))
        hits.append(Hit(str(place), "turn", "", float(side.cosines[question, place]), common or None))
    contexts = {str(place): Context(side.statements[place]) for place in store}
    ranking = rank(Evidence(text, (Part(text, tuple(hits)),)), contexts)
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
