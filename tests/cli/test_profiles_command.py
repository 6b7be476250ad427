from __future__ import annotations

import json
from pathlib import Path

from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.cli.desk_shell import Desk


def talk(data: Path, profile: str, title: str) -> None:
    locations = Locations.find(data, profile)
    store = Store(locations.database, locations.backups)
    store.transcripts.create_session(title=title)
    store.close()


def names(desk: Desk) -> dict[str, bool]:
    rows = map(json.loads, desk("profiles", "list", "--json").stdout.splitlines())
    return {row["name"]: row["chosen"] for row in rows}


def test_profiles_are_made_chosen_and_deleted_and_never_mix(desk: Desk, data: Path) -> None:
    assert desk("profiles", "create", "work").returncode == 0
    again = desk("profiles", "create", "work")
    talk(data, "work", "Selling kilns")
    talk(data, "default", "Collecting stamps")
    home = desk("sessions", "--json").stdout
    desk("profiles", "use", "work")
    chosen = names(desk)
    work = desk("sessions", "--json").stdout
    planned = desk("profiles", "delete", "work", "--dry-run", "--json")
    unasked = desk("profiles", "delete", "work")
    gone = desk("profiles", "delete", "work", "--yes", "--json")

    assert again.returncode == 2
    assert ("stamps" in home, "kilns" in home) == (True, False)
    assert chosen == {"default": False, "work": True}
    assert ("stamps" in work, "kilns" in work) == (False, True)
    assert json.loads(planned.stdout)["deleted"] is False
    assert unasked.returncode == 2
    assert json.loads(gone.stdout)["deleted"] is True
    assert names(desk) == {"default": True}
    assert not any(b"kilns" in path.read_bytes() for path in data.rglob("*") if path.is_file())


def test_a_profile_that_is_open_or_missing_is_not_deleted(desk: Desk, data: Path) -> None:
    locations = Locations.find(data, "work")
    store = Store(locations.database, locations.backups)
    try:
        refused = desk("profiles", "delete", "work", "--yes")
    finally:
        store.close()

    assert (refused.returncode, "open in a program" in refused.stderr) == (5, True)
    assert locations.database.exists()
    assert desk("profiles", "delete", "nobody", "--yes").returncode == 3
    assert desk("profiles", "use", "nobody").returncode == 3
    assert desk("profiles", "delete", "work", "--yes").returncode == 0


def test_a_chosen_profile_whose_folder_is_gone_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "default-profile").write_text("../elsewhere\n", encoding="utf-8")
    outside = Locations.find(tmp_path).profile
    (tmp_path / "default-profile").write_text("work\n", encoding="utf-8")
    missing = Locations.find(tmp_path).profile
    (tmp_path / "profiles" / "work").mkdir(parents=True)

    assert (outside, missing, Locations.find(tmp_path).profile) == ("default", "default", "work")
