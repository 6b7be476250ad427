"""A damaged database: said, kept, read as far as possible, and replaced by the newest backup that is whole."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant import cli, tui
from desk_assistant.cli.console import Console
from desk_assistant.errors import StorageError
from desk_assistant.memory import backup
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from desk_assistant.store.salvage import salvage
from tests.cli.desk_shell import Desk
from tests.trust.test_backup import fill, said


def spoil_header(content: bytes) -> bytes:
    return b"\x00" * 100 + content[100:]


def spoil_middle(content: bytes) -> bytes:
    middle = len(content) // 2 // 4096 * 4096
    return content[:middle] + b"\xff" * 8192 + content[middle + 8192 :]


def cut_off(content: bytes) -> bytes:
    return content[: len(content) * 2 // 3]


def zero(content: bytes) -> bytes:
    return bytes(len(content))


def empty(content: bytes) -> bytes:
    return b""


def foreign(content: bytes) -> bytes:
    return b"Dear Ann, this letter was saved under the wrong name. " * 400


HARM = (spoil_header, spoil_middle, cut_off, zero, empty, foreign)


def harmed(locations: Locations, harm: Callable[[bytes], bytes]) -> bytes:
    fill(locations, *(f"Line {number} of the old talk {'x' * 300}" for number in range(400)))
    spoilt = harm(locations.database.read_bytes())
    locations.database.write_bytes(spoilt)
    return spoilt


@pytest.fixture
def backed_up(locations: Locations) -> Locations:
    """A profile with two backups, the newer one of them cut off."""
    fill(locations, "kept in the backup")
    locations.backups.mkdir()
    good = backup.SUFFIX
    backup.write(locations, locations.backups / f"old{good}")
    bad = locations.backups / f"new{good}"
    bad.write_bytes((locations.backups / f"old{good}").read_bytes()[:-200])
    now = time.time()
    os.utime(locations.backups / f"old{good}", (now - 100, now - 100))
    return locations


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
def test_the_newest_whole_backup_takes_its_place_and_the_damaged_file_is_kept(
    backed_up: Locations, harm: Callable[[bytes], bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    spoilt = harmed(backed_up, harm)

    code = cli.main(["--data-dir", str(backed_up.root), "memory", "search", "talk"])
    told = capsys.readouterr().err
    found = backup.newest_good(backed_up)
    code_of_restore = cli.main(["--data-dir", str(backed_up.root), "restore", f"old{backup.SUFFIX}", "--yes"])

    assert code == StorageError.exit_code
    assert "damaged" in told
    assert "restore old.deskbackup" in told
    assert found == backed_up.backups / f"old{backup.SUFFIX}"
    assert code_of_restore == 0
    assert said(backed_up) == ["kept in the backup"]
    if spoilt:
        assert [p.read_bytes() for p in backed_up.backups.glob("damaged-*.db")] == [spoilt]


def test_without_any_backup_reading_what_is_left_is_named(
    locations: Locations, capsys: pytest.CaptureFixture[str]
) -> None:
    harmed(locations, zero)

    assert cli.main(["--data-dir", str(locations.root), "memory", "list"]) == StorageError.exit_code
    assert "export --salvage" in capsys.readouterr().err


def test_what_can_be_read_of_it_is_written_down(desk: Desk, locations: Locations, tmp_path: Path) -> None:
    spoilt = harmed(locations, spoil_middle)
    everything = {f"Line {number} of the old talk {'x' * 300}" for number in range(400)}

    found = salvage(locations.database)
    done = desk("export", str(tmp_path / "rescued"), "--salvage", "--json")

    read = {message.content for message in found.messages["s1"]}
    assert read < everything
    assert len(read) > 350
    assert found.gaps >= 1
    assert json.loads(done.stdout)["messages"] == len(read)
    assert "Line 399" in next((tmp_path / "rescued" / "conversations").glob("*.md")).read_text(encoding="utf-8")
    assert locations.database.read_bytes() == spoilt


def test_what_is_no_database_is_not_salvaged(locations: Locations) -> None:
    locations.database.write_bytes(b"Dear Ann" * 1000)
    with pytest.raises(StorageError, match="Nothing can be read"):
        salvage(locations.database)


def test_the_app_offers_the_backup_and_opens_with_it(backed_up: Locations, monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = foreign(b"")
    backed_up.database.write_bytes(spoilt)
    asked: list[str] = []

    def open_app(locations: Locations) -> int:
        """Ends as the app does: with the sentence's exit code, or after the person has quit."""
        try:
            return 0 if said(locations) == ["kept in the backup"] else 1
        except StorageError as error:
            return error.exit_code

    def answer(_console: Console, question: str) -> str:
        asked.append(question)
        return "y"

    monkeypatch.setattr(tui, "run", open_app)
    monkeypatch.setattr(cli, "interactive", lambda: True)
    monkeypatch.setattr(Console, "ask", answer)

    assert cli.main(["--data-dir", str(backed_up.root)]) == 0
    assert len(asked) == 1
    assert "old.deskbackup" in asked[0]
    assert [p.read_bytes() for p in backed_up.backups.glob("damaged-*.db")] == [spoilt]


def test_an_emptied_file_without_backups_is_a_new_profile(locations: Locations) -> None:
    locations.database.write_bytes(b"")
    store = Store(locations.database, locations.backups)
    assert store.transcripts.count() == (0, 0)
    store.close()
