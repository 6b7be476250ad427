"""The aptitude exam: may a model help to remember, or do the rules do better alone?

Ten short probes, half of them Chinese, put to the model exactly as real work would be: the same instructions, the same
schema, the same checks. What it is not good at it is never asked for afterwards.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, Literal, Protocol

from desk_assistant.memory.extract import sentences_of
from desk_assistant.memory.gist import INSTRUCTION as SUMMARISE
from desk_assistant.memory.gist import SCHEMA as GIST
from desk_assistant.memory.gist import sound_gist
from desk_assistant.memory.model_reading import INSTRUCTION as READ
from desk_assistant.memory.model_reading import SCHEMA, grounded
from desk_assistant.models import InstalledModel
from desk_assistant.models.aptitude import Aptitude, checksum

VERSION: Final = 1
"""Raised with every change of the probes or of what is asked: earlier results do not count then."""

LANGUAGES: Final = ("en", "zh")
Kind = Literal["extract", "ignore", "summary"]
KINDS: Final[tuple[Kind, ...]] = ("extract", "ignore", "summary")


@dataclass(frozen=True)
class Probe:
    """One question of the exam.

    Attributes:
        name: `<language>.<kind>.<number>`.
        kind: What it asks for.
        language: Of the text and the instruction.
        text: The message to work on.
        wanted: Words of which a statement has to quote one, or figures that a summary has to keep.
    """

    name: str
    kind: Kind
    language: str
    text: str
    wanted: tuple[str, ...]

    @property
    def instruction(self) -> str:
        """What the model is told to do."""
        return (SUMMARISE if self.kind == "summary" else READ)[self.language]

    @property
    def schema(self) -> Mapping[str, Any]:
        """What its answer has to follow."""
        return GIST if self.kind == "summary" else SCHEMA

    def passes(self, answer: str) -> bool:
        """Judge an answer."""
        if self.kind == "summary":
            gist = sound_gist(answer, self.text)
            figures = set(re.findall(r"\d+", gist))
            return all(figure in figures for figure in self.wanted)
        if self.kind == "ignore":
            return _says_nothing(answer)
        found = [statement.text for statement in grounded(answer, self.text, sentences_of(self.text))]
        return any(wanted in text for wanted in self.wanted for text in found)


class Sitting(Protocol):
    """A model that can be asked, as `reader.Reader` does it."""

    async def answer(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        """Return what the model writes."""


def probes() -> Iterator[Probe]:
    """Yield the probes."""
    for language in LANGUAGES:
        data = tomllib.loads(resources.files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8"))
        for kind in KINDS:
            for number, entry in enumerate(data[kind], 1):
                wanted = tuple(entry.get("find") or entry.get("figures") or ())
                yield Probe(f"{language}.{kind}.{number}", kind, language, entry["text"], wanted)


async def sit(model: Sitting) -> AsyncIterator[tuple[Probe, bool, str]]:
    """Put every probe to a model; yields each with whether it was passed, and the answer.

    Raises:
        WorkerCancelled: The person came first.
        DeskError: The model cannot be asked now.
    """
    for probe in probes():
        answer = await model.answer(probe.instruction, probe.text, probe.schema)
        yield probe, probe.passes(answer), answer


def result(model: InstalledModel, passed: Mapping[str, bool]) -> Aptitude:
    """Return the result of a whole exam."""
    return Aptitude(VERSION, checksum(model), dict(passed))


def _says_nothing(answer: str) -> bool:
    try:
        data = json.loads(answer)
    except ValueError:
        return False
    return isinstance(data, dict) and data.get("statements") == []
