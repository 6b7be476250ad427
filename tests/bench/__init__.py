"""Benches: `python -m tests.bench NAME [--json]` prints what `NAME.rows()` measured, beside its target."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured figure.

    Attributes:
        name: What was measured.
        value: The figure.
        unit: `"ms"`, `"s"`, `"MB"`, `"share"`, …
        target: What it has to reach, for people (`"<= 3"`); empty when it is only told.
        ok: Whether it does.
    """

    name: str
    value: float
    unit: str
    target: str
    ok: bool


def at_most(name: str, value: float, unit: str, limit: float) -> Row:
    """A figure that must not exceed `limit`."""
    return Row(name, value, unit, f"<= {limit:g}", value <= limit)


def at_least(name: str, value: float, unit: str, limit: float) -> Row:
    """A figure that must reach `limit`."""
    return Row(name, value, unit, f">= {limit:g}", value >= limit)


def told(name: str, value: float, unit: str) -> Row:
    """A figure without a target."""
    return Row(name, value, unit, "", True)
