"""What an installed copy knows about itself: its files, its processor, its libraries, the models that came with it."""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

import pytest

from desk_assistant import paths
from desk_assistant.assistant.purge import plan
from desk_assistant.cli.installation import checks
from desk_assistant.installed import MANIFEST, MARK, Installation, installation
from desk_assistant.paths import Locations


@pytest.fixture
def copy(tmp_path: Path) -> Installation:
    root = tmp_path / "program"
    (root / "lib").mkdir(parents=True)
    (root / "lib" / "words.txt").write_text("as packed\n", encoding="utf-8")
    (root / "名字 with spaces.txt").write_text("too\n", encoding="utf-8")
    (root / MARK).write_text('processor = ["teleport"]\n', encoding="utf-8")
    _pack(root)
    return Installation(root)


def _pack(root: Path) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.name != MANIFEST)
    lines = (f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.relative_to(root).as_posix()}\n" for p in files)
    (root / MANIFEST).write_text("".join(lines), encoding="utf-8")


def _found(copy: Installation, *, quick: bool = False) -> dict[str, tuple[bool, str]]:
    return {name: (ok, detail) for name, ok, detail in checks(copy, quick=quick)}


def test_files_as_they_were_packed_are_said_to_be(copy: Installation) -> None:
    ok, detail = _found(copy)["files"]

    assert ok
    assert "3" in detail


def test_a_changed_file_and_a_missing_one_are_named(copy: Installation) -> None:
    (copy.root / "lib" / "words.txt").write_text("as hacked\n", encoding="utf-8")
    (copy.root / "名字 with spaces.txt").unlink()

    ok, detail = _found(copy)["files"]

    assert not ok
    assert "lib/words.txt" in detail
    assert "名字 with spaces.txt" in detail


def test_the_quick_check_only_looks_whether_files_are_there(copy: Installation) -> None:
    (copy.root / "lib" / "words.txt").write_text("as hacked\n", encoding="utf-8")
    assert _found(copy, quick=True)["files"][0]

    (copy.root / "lib" / "words.txt").unlink()
    assert not _found(copy, quick=True)["files"][0]


def test_a_missing_list_is_a_sentence(copy: Installation) -> None:
    (copy.root / MANIFEST).unlink()

    ok, detail = _found(copy)["files"]

    assert not ok
    assert str(copy.root) in detail


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="only Linux tells what the processor can do")
def test_what_the_processor_lacks_is_named(copy: Installation) -> None:
    ok, detail = _found(copy, quick=True)["processor"]

    assert not ok
    assert "teleport" in detail


@pytest.mark.skipif(sys.platform != "linux", reason="a library of Linux")
def test_a_library_that_cannot_be_opened_is_named(copy: Installation) -> None:
    import _ctypes

    shutil.copy(_ctypes.__file__, copy.root / "lib" / "good.so")
    _pack(copy.root)
    assert _found(copy)["libraries"][0]

    (copy.root / "lib" / "bad.so.1").write_bytes(b"no library")
    _pack(copy.root)
    ok, detail = _found(copy)["libraries"]

    assert not ok
    assert "bad.so.1" in detail
    assert "good.so" not in detail


def test_models_that_came_along_are_found_last_and_never_purged(
    copy: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    for folder in (shared, copy.models):
        folder.mkdir()
    monkeypatch.setenv(paths.MODELS_VARIABLE, str(shared))
    monkeypatch.setattr(paths, "installation", lambda: copy)
    locations = Locations.find(tmp_path / "data")

    assert locations.model_folders == (tmp_path / "data" / "models", shared, copy.models)
    assert plan(locations, models_only=True).folders == (shared,)


def test_a_checkout_is_no_installed_copy() -> None:
    assert installation() is None
