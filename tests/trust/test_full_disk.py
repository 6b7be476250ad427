"""The disk is full at the moment of a write: a sentence, what was there is kept, and it goes on once there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.desk_shell import SURROUNDINGS

SCRIPT = """
import resource, signal, sys
from pathlib import Path
from desk_assistant import i18n
from desk_assistant.errors import DeskError
from desk_assistant.memory import backup
from desk_assistant.paths import Locations
from desk_assistant.settings import Settings
from desk_assistant.store import Message, Store, new_id

i18n.set_language("en")
home = Path(sys.argv[1])
locations = Locations.find(home / "data")
locations.ensure()
store = Store(locations.database, locations.backups)
store.transcripts.create_session("s1")

def message(text):
    store.transcripts.append(Message(new_id("message"), "s1", "user", text, "2026-05-11T09:00:00"))

message("kept " * 2000)
Settings.load(locations.settings).set("prompt.persona", "kept")
backup.write(locations, home / "good.deskbackup")

def write_message():
    message("lost " * 20000)

def set_setting():
    Settings.load(locations.settings).set("prompt.persona", "lost " * 1000)

def write_backup():
    backup.write(locations, home / "new.deskbackup")

def restore():
    backup.restore(locations, home / "good.deskbackup")

tried = {"message": write_message, "setting": set_setting, "backup": write_backup, "restore": restore}[sys.argv[2]]
if tried is restore:
    store.close()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
whole = resource.RLIM_INFINITY
resource.setrlimit(resource.RLIMIT_FSIZE, (2048, whole))
try:
    tried()
    print("written")
except DeskError as error:
    print(" ".join(str(error).split()))
resource.setrlimit(resource.RLIMIT_FSIZE, (whole, whole))
store.close()
store = Store(locations.database, locations.backups)
sound = store._database.row("PRAGMA integrity_check(1)")[0]
print([m.content[:4] for m in store.transcripts.all_messages("s1")], sound)
print(Settings.load(locations.settings).text("prompt.persona"), sorted(p.name for p in home.glob("*.deskbackup")))
if tried is restore:
    store.close()
tried()
print("later")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
@pytest.mark.parametrize("path", ["message", "setting", "backup", "restore"])
def test_it_is_said_and_nothing_is_lost(path: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), path],
        env={**os.environ, **SURROUNDINGS},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr[-2000:]
    said, messages, rest, later = done.stdout.splitlines()
    assert said != "written"
    assert messages == "['kept'] ok"
    assert rest == "kept ['good.deskbackup']"
    assert later == "later"
