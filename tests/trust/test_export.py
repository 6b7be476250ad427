"""An export has everything, in files that people read and files that programs read."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

from desk_assistant.paths import Locations
from desk_assistant.store import Message, new_id
from tests.cli.desk_shell import Desk
from tests.memory.conftest import Profile


async def told(open_profile: Callable[[], Profile]) -> None:
    profile = open_profile()
    first = profile.say("My brother is called Fennimore.", session="s1")
    profile.say("I live in Porto.", session="s2")
    await profile.memory.settle()
    profile.store.transcripts.append(
        Message(new_id("message"), "s1", "user", "Another wording.", "2026-05-11T09:01:00", parent_id=None)
    )
    profile.store.transcripts.set_head("s1", first.id)
    profile.store.transcripts.rename_session("s2", "Moving / to: Porto?")
    profile.store.close()


async def test_everything_is_in_it_and_forgetting_knows_of_the_files(
    open_profile: Callable[[], Profile], desk: Desk, locations: Locations, tmp_path: Path
) -> None:
    await told(open_profile)
    folder = tmp_path / "mine"

    done = desk("export", str(folder), "--json")
    again = desk("export", str(folder))

    whole = json.loads((folder / "export.json").read_text(encoding="utf-8"))
    memory = (folder / "memory.md").read_text(encoding="utf-8")
    talks = {path.name: path.read_text(encoding="utf-8") for path in (folder / "conversations").iterdir()}
    transcripts = {session["id"]: session["transcript"] for session in whole["sessions"]}
    assert json.loads(done.stdout)["messages"] == 3
    assert [(m["content"][:7], m["shown"]) for m in transcripts["s1"]] == [("My brot", True), ("Another", False)]
    assert any("Fennimore" in q for fact in whole["facts"] for q in fact["source"]["quotes"])
    assert "Fennimore" in memory
    assert "Porto" in memory
    assert any("another wording" in text for text in talks.values())
    assert any(name.endswith("-Moving-to-Porto.md") for name in talks)
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.rglob("*.*"))
    assert (again.returncode, "Nothing was written" in again.stderr) == (2, True)
    assert str(folder / "memory.md") in desk("backups", "list").stdout


async def test_one_format_alone_can_be_chosen(
    open_profile: Callable[[], Profile], desk: Desk, locations: Locations, tmp_path: Path
) -> None:
    await told(open_profile)

    desk("export", str(tmp_path / "a"), "--format", "json")
    desk("export", str(tmp_path / "b"), "--format", "markdown")

    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["export.json"]
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == ["conversations", "memory.md"]
