"""What can be checked of the macOS and Windows files without those systems."""

from __future__ import annotations

import plistlib
import re
from pathlib import Path

import pytest

from installer import macos, windows
from installer.plan import CHECKOUT, Plan


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    made = Plan(tmp_path / "work", tmp_path / "out", 1_700_000_000)
    for name in ("bin/desk-assistant", "python/bin/python3"):
        path = made.program / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    drawing = made.share / "icons/hicolor/256x256/apps/desk-assistant.png"
    drawing.parent.mkdir(parents=True)
    drawing.write_bytes((CHECKOUT / "packaging/installer/share/desk-assistant-256.png").read_bytes())
    (made.models / "tiny").mkdir(parents=True)
    (made.models / "tiny" / "model.gguf").write_bytes(b"GGUF")
    return made


def test_the_mac_application_starts_the_program_that_lies_in_it(plan: Plan, tmp_path: Path) -> None:
    application = macos.stage(plan, tmp_path / "Desk Assistant.app", "list\n", full=True)

    contents = application / "Contents"
    told = plistlib.loads((contents / "Info.plist").read_bytes())
    start = contents / "MacOS" / told["CFBundleExecutable"]
    assert start.stat().st_mode & 0o111
    relative = re.search(r'program="\$here/(\S+)"', start.read_text(encoding="utf-8"))
    assert relative is not None
    assert (start.parent / relative[1]).exists()
    assert (contents / "Resources/desk-assistant/models/tiny/model.gguf").exists()
    assert told["CFBundleShortVersionString"] == plan.version


def test_the_windows_script_is_given_every_name_it_uses(plan: Plan) -> None:
    script = windows.SCRIPT.read_text(encoding="utf-8")
    used = set(re.findall(r"\{#(\w+)\}", script))
    given = {
        word.removeprefix("/D").partition("=")[0]
        for word in windows.definitions(plan, plan.file(".exe", full=True), full=True)
    }

    assert used == given


def test_the_windows_icon_holds_the_drawing(plan: Plan) -> None:
    icon = windows._icon(plan).read_bytes()

    assert icon[:4] == b"\0\0\1\0"
    offset, size = int.from_bytes(icon[18:22], "little"), int.from_bytes(icon[14:18], "little")
    assert icon[offset : offset + 8] == b"\x89PNG\r\n\x1a\n"
    assert len(icon) == offset + size
