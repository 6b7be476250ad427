from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import resource, signal, sys
from pathlib import Path
from desk_assistant.errors import StorageError
from desk_assistant.index.records import IndexRecord
from desk_assistant.index.rows import Row
from desk_assistant.index.table import EpisodeTable

def rows(start, stop):
    return [Row(IndexRecord(f"r{n}", "turn", f"text {n} " * 50), f"word{n}") for n in range(start, stop)]

table = EpisodeTable(Path(sys.argv[1]), 4)
table.open()
table.write(rows(0, 20))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
try:
    table.write(rows(20, 2000))
    print("written")
except StorageError as error:
    print(error)
print(table.count(), [hit.id for hit in table.full_text(["word3"], 3)])
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
table.write(rows(20, 30))
print(table.count())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
def test_a_full_disk_is_said_in_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "episodes.lance")], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    said, after, later = run.stdout.splitlines()
    assert "cannot be written" in said
    assert "is kept" in said
    assert after == "20 ['r3']"
    assert later == "30"
