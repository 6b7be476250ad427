"""Chinese word lists that the rules refer to, read from `words.toml` beside this file."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any, Final

from desk_assistant.memory.extract.rules import joined

_RAW: Final[dict[str, Any]] = tomllib.loads(
    resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
)


def _longest_first(alternation: str) -> str:
    """Order the alternatives of `(?:…|…)` so that 妹夫 is found before 妹."""
    words = alternation.removeprefix("(?:").removesuffix(")").split("|")
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


RELATIONS: Final[str] = _longest_first(joined(_RAW["relations"]))
JOB_ENDINGS: Final[str] = joined(_RAW["job_endings"])
LANGUAGES: Final[str] = joined(_RAW["languages"])
PETS: Final[str] = joined(_RAW["pets"])
CONDITIONS: Final[str] = joined(_RAW["conditions"])
SURNAMES: Final[str] = joined(_RAW["surnames"])
GIVEN_PREFIX: Final[str] = joined(_RAW["given_prefix"])
TRANSLITERATING: Final[str] = _RAW["transliterating"]
NAME: Final[str] = joined(_RAW["name"])

FAMILIES: Final[dict[str, str]] = {
    word.replace("_", " "): name for name, row in _RAW["families"].items() for word in row.split()
}
"""The family of a relation, under a name that both languages share."""

LISTS: Final = {
    "CONDITIONS": CONDITIONS,
    "GIVEN_PREFIX": GIVEN_PREFIX,
    "JOB_ENDINGS": JOB_ENDINGS,
    "LANGUAGES": LANGUAGES,
    "NAME": NAME,
    "NAME_SHORT": NAME.replace("{1,2}", "{1,2}?"),
    "PETS": PETS,
    "RELATIONS": RELATIONS,
    "SURNAMES": SURNAMES,
    "TRANSLITERATING": TRANSLITERATING,
}
"""Lists by the names that the TOML files put in angle brackets."""
