"""A backup is one file that holds everything, is checked before it is believed, and can be locked."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path

import pytest

from desk_assistant.errors import InputError, NotFoundError, StorageError
from desk_assistant.memory import backup
from desk_assistant.paths import Locations
from desk_assistant.settings import Settings
from desk_assistant.store import Message, Store, new_id
from tests.cli.desk_shell import Desk


def fill(locations: Locations, *texts: str) -> None:
    locations.ensure()
    store = Store(locations.database, locations.backups)
    store.transcripts.create_session("s1", title="Kilns")
    store.transcripts.append_all(
        Message(new_id("message"), "s1", "user", text, "2026-05-11T09:00:00") for text in texts
    )
    store.close()


def said(locations: Locations) -> list[str]:
    store = Store(locations.database, locations.backups)
    try:
        return [m.content for m in store.transcripts.all_messages("s1")]
    finally:
        store.close()


def test_it_comes_back_on_another_machine_with_the_settings(locations: Locations, tmp_path: Path) -> None:
    fill(locations, "My kiln came from Turku.")
    Settings.load(locations.settings).set("interface.language", "zh")
    target = tmp_path / "mine.deskbackup"
    made = backup.write(locations, target)
    elsewhere = Locations.find(tmp_path / "other machine", "work")

    done = backup.restore(elsewhere, target)

    assert made.contents == done.manifest.contents
    assert (made.contents.sessions, made.contents.messages) == (1, 1)
    assert said(elsewhere) == ["My kiln came from Turku."]
    assert Settings.load(elsewhere.settings).text("interface.language") == "zh"
    assert done.kept is None
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_database_in_use_is_backed_up_without_what_is_half_done(locations: Locations, tmp_path: Path) -> None:
    fill(locations, "whole")
    store = Store(locations.database, locations.backups)
    with store.transaction():
        store.transcripts.append(Message(new_id("message"), "s1", "user", "half", "2026-05-11T09:00:00"))
        backup.write(locations, tmp_path / "mine.deskbackup")
    store.close()
    elsewhere = Locations.find(tmp_path / "other")

    backup.restore(elsewhere, tmp_path / "mine.deskbackup")

    assert said(elsewhere) == ["whole"]


def test_a_locked_one_opens_with_its_passphrase_alone(locations: Locations, tmp_path: Path) -> None:
    fill(locations, *(f"The violin of Lima number {number}." for number in range(3000)))
    target = tmp_path / "mine.deskbackup"
    backup.write(locations, target, "three wooden spoons")

    assert b"violin" not in target.read_bytes()
    assert b"manifest" not in target.read_bytes()
    with pytest.raises(InputError, match="locked"):
        backup.inspect(target, locations.home)
    with pytest.raises(InputError, match="does not open"):
        backup.inspect(target, locations.home, "three wooden spoon")
    assert backup.inspect(target, locations.home, "three wooden spoons").contents.messages == 3000


@pytest.mark.parametrize("passphrase", [None, "three wooden spoons"])
def test_a_changed_or_cut_off_file_is_never_believed(
    locations: Locations, tmp_path: Path, passphrase: str | None
) -> None:
    fill(locations, *(f"{new_id('message')} lantern {number}" for number in range(3000)))
    target = tmp_path / "mine.deskbackup"
    backup.write(locations, target, passphrase)
    whole = target.read_bytes()
    before = (locations.database.read_bytes(), sorted(locations.home.rglob("*")))

    for place in (0, 40, len(whole) // 3, len(whole) // 2, len(whole) - 30):
        target.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        with pytest.raises((InputError, StorageError)):
            backup.restore(locations, target, passphrase)
        target.write_bytes(whole[:place])
        with pytest.raises((InputError, StorageError)):
            backup.restore(locations, target, passphrase)

    assert (locations.database.read_bytes(), sorted(locations.home.rglob("*"))) == before


def test_chunks_of_a_locked_file_cannot_be_dropped_or_exchanged(locations: Locations, tmp_path: Path) -> None:
    from desk_assistant.memory.backup.sealed import CHUNK, HEADER, TAG

    fill(locations, *(new_id("message") * 20 for _ in range(4000)))
    target = tmp_path / "mine.deskbackup"
    backup.write(locations, target, "spoon")
    whole, step = target.read_bytes(), CHUNK + TAG
    head, first, second = whole[: HEADER.size], whole[HEADER.size :][:step], whole[HEADER.size + step :][:step]
    rest = whole[HEADER.size + 2 * step :]
    assert len(rest) > step

    for changed in (head + second + first + rest, head + first + rest, whole[: HEADER.size + 2 * step]):
        target.write_bytes(changed)
        with pytest.raises((InputError, StorageError)):
            backup.inspect(target, locations.home, "spoon")


def test_a_file_cannot_write_outside_or_claim_to_be_small(locations: Locations, tmp_path: Path) -> None:
    fill(locations, "here")
    target = tmp_path / "mine.deskbackup"
    backup.write(locations, target)
    with zipfile.ZipFile(target) as archive:
        database, manifest = archive.read("assistant.db"), json.loads(archive.read("manifest.json"))

    def forged(names: dict[str, bytes], told: dict[str, object]) -> None:
        target.unlink()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in {**names, "manifest.json": json.dumps(told).encode()}.items():
                archive.writestr(name, content)

    part = manifest["parts"]["assistant.db"]
    outside = {**manifest, "parts": {"assistant.db": part, "../../loose.toml": part}}
    forged({"assistant.db": database, "../../loose.toml": database}, outside)
    with pytest.raises(StorageError, match="damaged"):
        backup.inspect(target, locations.home)
    forged({"assistant.db": database + bytes(50_000_000)}, manifest)
    with pytest.raises(StorageError, match="damaged"):
        backup.inspect(target, locations.home)
    forged({"assistant.db": database}, {**manifest, "format": 99})
    with pytest.raises(StorageError, match="newer version"):
        backup.inspect(target, locations.home)


def test_what_is_no_backup_or_not_there_is_said(locations: Locations, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann", encoding="utf-8")

    with pytest.raises(InputError, match="no backup"):
        backup.restore(locations, tmp_path / "letter.txt")
    with pytest.raises(NotFoundError, match="cannot be opened"):
        backup.restore(locations, tmp_path / "none.deskbackup")
    with pytest.raises(NotFoundError, match="nothing to back up"):
        backup.write(locations, tmp_path / "empty.deskbackup")


def test_a_damaged_database_is_not_passed_off_as_a_good_backup(locations: Locations, tmp_path: Path) -> None:
    fill(locations, *("x" * 2000 for _ in range(200)))
    content = bytearray(locations.database.read_bytes())
    content[8192:16384] = b"\xff" * 8192
    locations.database.write_bytes(content)

    with pytest.raises(StorageError, match="damaged"):
        backup.write(locations, tmp_path / "mine.deskbackup")
    assert list(tmp_path.glob("*mine*")) == []


def test_it_is_made_checked_and_restored_from_the_command_line(
    desk: Desk, locations: Locations, tmp_path: Path
) -> None:
    fill(locations, "first")
    (tmp_path / "phrase").write_text("three wooden spoons\n", encoding="utf-8")
    lock = ("--passphrase-file", str(tmp_path / "phrase"))
    target = str(tmp_path / "mine.deskbackup")
    made = desk("backup", target, *lock, "--json")
    again = desk("backup", target)
    fill(locations, "second")
    unasked = desk("restore", target, *lock)
    unlocked = desk("restore", target, "--check", "--json")
    checked = desk("restore", target, "--check", *lock)
    done = desk("restore", target, *lock, "--yes", "--json")

    assert (json.loads(made.stdout)["messages"], json.loads(made.stdout)["encrypted"]) == (1, True)
    assert (again.returncode, unasked.returncode, unlocked.returncode) == (2, 2, 2)
    assert json.loads(unlocked.stderr.splitlines()[-1])["error"] == "backup.needs_passphrase"
    assert "is whole: 1 conversation, 1 message, 0 facts" in checked.stdout
    kept = json.loads(done.stdout)["kept"]
    assert said(locations) == ["first"]
    back = desk("restore", Path(kept).name, "--yes")
    assert (back.returncode, said(locations)) == (0, ["first", "second"])
