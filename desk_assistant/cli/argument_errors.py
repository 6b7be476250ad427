"""What argparse finds wrong with the arguments, in the interface language.

argparse words its complaints in English and offers no other hook than the finished sentence. Each kind of sentence is
recognised here by its fixed words, and said anew with the same values. One that a later Python may add goes through
as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from desk_assistant.i18n import t

KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.DOTALL)
    for name, pattern in {
        "named": r"argument (?P<argument>.+?): (?P<message>.+)",
        "unrecognized": r"unrecognized arguments: (?P<arguments>.+)",
        "required": r"the following arguments are required: (?P<arguments>.+)",
        "one_required": r"one of the arguments (?P<arguments>.+) is required",
        "not_with": r"not allowed with argument (?P<argument>.+)",
        "choice": r"invalid choice: (?P<value>.+?) \(choose from (?P<choices>.+)\)",
        "value": r"invalid (?P<type>\w+) value: (?P<value>.+)",
        "expects_one": r"expected one argument",
        "expects_at_least_one": r"expected at least one argument",
        "expects_at_most_one": r"expected at most one argument",
        "expects_many": r"expected (?P<number>\d+) arguments?",
        "takes_none": r"ignored explicit argument (?P<value>.+)",
        "ambiguous": r"ambiguous option: (?P<value>.+) could match (?P<choices>.+)",
    }.items()
}
"""The messages `cli.argument_<name>`, and how argparse says each; the groups are their placeholders."""

TYPES: Final = frozenset({"int", "float"})
"""Types whose names are worded in the catalogue, as `cli.type_<name>`."""


def worded(message: str) -> str:
    """Return one of argparse's complaints in the interface language."""
    for name, pattern in KINDS.items():
        found = pattern.fullmatch(message)
        if found is None:
            continue
        values = found.groupdict()
        if "message" in values:
            values["message"] = worded(values["message"])
        if values.get("type") in TYPES:
            values["type"] = t(f"cli.type_{values['type']}")
        return t(f"cli.argument_{name}", **values)
    return message
