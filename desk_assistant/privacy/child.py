"""The filter child: looks through one long text, in a process of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from desk_assistant.privacy.accept import Link
from desk_assistant.privacy.gate import Look, PrivacyGate
from desk_assistant.privacy.spans import Span
from desk_assistant.workers import child as worker
from desk_assistant.workers.child import Call, Params


def look(params: Params, _call: Call) -> Mapping[str, Any]:
    """Return what a gate that allows `allowed` sees in `text`, which comes after a message that ended `left_open`."""
    session = PrivacyGate(params["allowed"]).session()
    before = params["left_open"]
    session.left_open = (before[0], Link(before[1])) if before is not None else None
    return look_to_message(session.look(params["text"]))


def look_to_message(found: Look) -> dict[str, Any]:
    """Return a look as JSON values."""
    return {"spans": [astuple(span) for span in found.spans], "left_open": found.left_open}


def look_from_message(message: Mapping[str, Any]) -> Look:
    """Return the look that a message holds."""
    end = message["left_open"]
    spans = tuple(Span(*span) for span in message["spans"])
    return Look(spans, (str(end[0]), Link(end[1])) if end is not None else None)


def main() -> int:
    """Run the filter child until its parent goes."""
    return worker.serve(lambda _notify: {"look": look})
