"""Names of software and hardware by category, read from `technology.toml`; the same in every language."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Final

_VERSION: Final = re.compile(r"[\s-]*v?\d[\w.]*$", re.IGNORECASE)


@cache
def _categories() -> dict[str, str]:
    raw = tomllib.loads(resources.files(__package__).joinpath("technology.toml").read_text(encoding="utf-8"))
    return {name.casefold(): category for category, names in raw.items() for name in names}


def category(thing: str) -> str:
    """Return the category of a technology ("MySQL 8.0" is a `database`), empty where it is not known."""
    name = thing.strip().casefold()
    known = _categories()
    return known.get(name) or known.get(_VERSION.sub("", name), "")
