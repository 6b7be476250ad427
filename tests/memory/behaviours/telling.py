"""Tells a profile the conversations of the tables and checks what is believed at their end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desk_assistant import textkit
from desk_assistant.privacy import PrivacyGate
from desk_assistant.store import Fact
from tests.memory.conftest import Profile

HERE = Path(__file__).parent
MONDAY = "2026-05-11T09:00:00"
_MESSAGE = re.compile(r"(?:\[(?P<at>[^\]]+)\]\s*)?(?P<reply>A:\s*)?(?P<text>.*)", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """One conversation: its name, its messages, and the checks on what it leaves behind."""

    name: str
    messages: tuple[str, ...]
    checks: tuple[str, ...]


def cases(*names: str) -> Iterator[Case]:
    """Read the cases of the named tables."""
    for name in names:
        language = name.rpartition("_")[2].removesuffix(".tsv")
        for line in (HERE / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                number, messages, checks = line.split("\t")
                yield Case(
                    f"{number}-{language}",
                    tuple(m.strip().replace("\\ud83d", "\ud83d") for m in messages.split("||")),
                    tuple(checks.split(" ;; ")),
                )


async def tell(profile: Profile, messages: tuple[str, ...]) -> None:
    """Say the messages one after the other, masked and remembered as a turn does."""
    gate = PrivacyGate()
    for message in messages:
        match = _MESSAGE.fullmatch(message)
        assert match is not None
        text = gate.mask(textkit.clean(match["text"])).text
        profile.say(text, role="assistant" if match["reply"] else "user", at=match["at"] or MONDAY)
        await profile.memory.settle()


def line(fact: Fact) -> str:
    """Return a fact on one line, as the checks read it."""
    return f"{fact.subject} {fact.predicate} {fact.object} | {fact.text}"


async def failed(profile: Profile, checks: tuple[str, ...]) -> list[str]:
    """Return the checks that do not hold."""
    facts = await profile.memory.facts(None)
    return [check for check in checks if not _holds(check, facts, profile)]


def _holds(check: str, facts: list[Fact], profile: Profile) -> bool:
    verb, _, pattern = check.partition(":")
    pattern = "." if pattern == "-" else pattern
    active = [fact for fact in facts if fact.status == "active"]

    def among(pool: list[Fact]) -> list[Fact]:
        return [fact for fact in pool if re.search(pattern, line(fact))]

    mine = among([fact for fact in active if fact.subject == "user"])
    match verb.partition("="):
        case ("has", _, _):
            return bool(mine)
        case ("lacks", _, _):
            return not mine
        case ("any", _, _):
            return bool(among(active))
        case ("none", _, _):
            return not among(active)
        case ("unsure", _, _):
            return bool(among([fact for fact in facts if fact.status == "pending"]))
        case ("ended", _, _):
            return bool(among([f for f in facts if f.status in ("superseded", "retracted") and f.valid_to]))
        case ("count", _, number):
            return len(mine) == int(number)
        case ("support", _, number):
            return [fact.support for fact in mine] == [int(number)]
        case ("subjects", _, number):
            spoken_of = {f.subject for f in among(active) if f.subject != "user"}
            return len(spoken_of) == int(number)
        case ("date", _, _):
            dates = [date for fact in active for date in (fact.valid_from, fact.due) if date]
            return any(date.startswith(pattern) for date in dates)
        case ("undated", _, _):
            return not any(fact.valid_from or fact.valid_to or fact.due for fact in active)
        case ("anywhere-lacks", _, _):
            return not profile.memory.files_with(pattern)
    subject = verb.removeprefix("about ")
    assert subject != verb, f"no such check: {check}"
    return bool(among([fact for fact in active if fact.subject.startswith(subject)]))
