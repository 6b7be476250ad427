"""The Windows set-up, made with Inno Setup. UNVERIFIED: written without Windows, nobody has run it yet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from installer.manifest import MANIFEST
from installer.plan import NAME, Plan
from installer.tools import run, say

SCRIPT: Final = Path(__file__).with_name("windows") / "desk-assistant.iss"


def build(plan: Plan, lists: Mapping[bool, str], *, full: bool) -> Path:
    """Build one set-up program; it installs for one user and needs no administrator.

    Args:
        plan: The build.
        lists: The list of files, with models (True) and without.
        full: Put the starter models inside.

    Returns:
        The finished file.
    """
    (plan.program / MANIFEST).write_text(lists[full], encoding="utf-8")
    target = plan.file(".exe", full=full)
    say(f"Packing {target.name}")
    run(["iscc", "/Q", *definitions(plan, target, full=full), str(SCRIPT)])
    (plan.program / MANIFEST).unlink()
    return target


def definitions(plan: Plan, target: Path, *, full: bool) -> list[str]:
    """Return what the script of the set-up is told: version, folders, name of the finished file."""
    told = {
        "Version": plan.version,
        "Program": str(plan.program),
        "Icon": str(_icon(plan)),
        "OutDir": str(target.parent),
        "OutName": target.stem,
        **({"Models": str(plan.models)} if full else {}),
    }
    return [f"/D{name}={value}" for name, value in told.items()]


def _icon(plan: Plan) -> Path:
    """Write the icon file: since Windows Vista it may simply contain a PNG (header of 6 bytes, entry of 16)."""
    drawing = (plan.share / "icons" / "hicolor" / "256x256" / "apps" / f"{NAME}.png").read_bytes()
    header = (0).to_bytes(2, "little") + (1).to_bytes(2, "little") + (1).to_bytes(2, "little")
    entry = bytes(4) + (1).to_bytes(2, "little") + (32).to_bytes(2, "little")
    entry += len(drawing).to_bytes(4, "little") + (22).to_bytes(4, "little")
    target = plan.work / f"{NAME}.ico"
    target.write_bytes(header + entry + drawing)
    return target
