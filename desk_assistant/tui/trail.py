"""The audit trail in words: when, who, did what, to what kind of record. No content, and the id to look it up by."""

from __future__ import annotations

from collections.abc import Iterable

from desk_assistant.i18n import has, t
from desk_assistant.store import AuditEntry
from desk_assistant.tui.cells import fit

WHEN_CELLS = 20
WHO_CELLS = 26
WHAT_CELLS = 22
LAYER_CELLS = 16


def trail_text(entries: Iterable[AuditEntry]) -> str:
    """Return the entries, one a line, in columns."""
    return "\n".join(
        fit(entry.at[:19].replace("T", " "), WHEN_CELLS)
        + fit(_word(entry.actor, "panel.actor", "tui.actor"), WHO_CELLS)
        + fit(_word(entry.action, "panel.did", "tui.action"), WHAT_CELLS)
        + fit(_word(entry.layer, "panel.trail"), LAYER_CELLS)
        + entry.record_id
        for entry in entries
    )


def _word(name: str, *areas: str) -> str:
    """Return what a name is called; a newer program's name as it stands."""
    plain = name.replace("-", "_")
    return next((t(f"{area}_{plain}") for area in areas if has(f"{area}_{plain}")), name)
