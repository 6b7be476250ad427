"""Masked parts as they are shown: the placeholder of a stored text marked, and its kind in words."""

from __future__ import annotations

import re
from typing import Final

from textual.content import Content

from desk_assistant.i18n import t
from desk_assistant.privacy import KINDS
from desk_assistant.tui import blackout
from desk_assistant.tui.cells import clean

PLACEHOLDER: Final = re.compile(rf"\[({'|'.join(KINDS)})(?: [1-9][0-9]{{0,5}})?\]")
"""What the privacy filter leaves in place of a private part."""


def kind_name(kind: str) -> str:
    """Return the name of a kind of private data, in the interface language."""
    try:
        return t(f"privacy.kind_{kind}")
    except (KeyError, FileNotFoundError):
        return kind


def marked(text: str) -> Content:
    """Return a stored text with its placeholders marked, and a mark where forgotten words stood."""
    content = Content(blackout.shown(clean(text)))
    for match in PLACEHOLDER.finditer(content.plain):
        content = content.stylize("reverse", match.start(), match.end())
    return content


def kinds_in(text: str) -> tuple[str, ...]:
    """Return the kinds whose placeholders a stored text holds, each once."""
    return tuple(dict.fromkeys(match.group(1) for match in PLACEHOLDER.finditer(text)))
