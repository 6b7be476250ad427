"""What is done to the files of the program folder: pruned, linked, listed, dated."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import desk_assistant
from desk_assistant.installed import MARK, Installation
from installer import libraries, manifest
from installer.plan import CHECKOUT, Plan


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    made = Plan(tmp_path / "work", tmp_path / "out", 1_700_000_000)
    made.site_packages.mkdir(parents=True)
    return made


def _put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")


def test_the_version_is_the_program_s_own(plan: Plan) -> None:
    assert plan.version == desk_assistant.__version__


@pytest.mark.skipif(sys.platform != "linux", reason="stripping is for Linux")
def test_pruning_takes_tests_and_headers_and_leaves_what_is_imported(plan: Plan) -> None:
    gone = ("numpy/core/tests/test_a.py", "torch/include/a.h", "torch/bin/protoc", "some/_a.pyi", "bin/tool")
    stays = ("numpy/testing/__init__.py", "torch/testing/_internal.py", "torch/bin/torch_shm_manager", "some/tests.py")
    _put(plan.site_packages, *gone, *stays)

    saved = libraries.prune(plan)

    assert saved == sum(map(len, gone))
    assert all((plan.site_packages / name).exists() for name in stays)
    assert not any((plan.site_packages / name).exists() for name in gone)


@pytest.mark.skipif(sys.platform != "linux", reason="links are made on Linux")
def test_copies_of_a_library_become_links_again(plan: Plan) -> None:
    folder = plan.site_packages / "x"
    folder.mkdir()
    for name in ("libx.so", "libx.so.1", "libx.so.1.2.3"):
        (folder / name).write_bytes(b"the same")
    (folder / "liby.so.1").write_bytes(b"another")

    libraries._link_copies(plan.site_packages)

    assert (folder / "libx.so").readlink() == Path("libx.so.1.2.3")
    assert (folder / "libx.so.1").read_bytes() == b"the same"
    assert not (folder / "libx.so.1.2.3").is_symlink()
    assert not (folder / "liby.so.1").is_symlink()


def test_the_list_of_files_is_what_the_program_reads(plan: Plan, tmp_path: Path) -> None:
    _put(plan.program, "bin/a", "share/b c.txt")
    _put(tmp_path / "models", "tiny/model.gguf")
    manifest.mark(plan, (2, 35), (3, 4, 29))
    listed = manifest.write(plan.program, also=tmp_path / "models")
    (plan.program / manifest.MANIFEST).write_text(listed, encoding="utf-8")
    copy = Installation(plan.program)

    found = {path.relative_to(plan.program).as_posix(): digest for path, digest in copy.files()}

    assert found["share/b c.txt"] == hashlib.sha256(b"share/b c.txt").hexdigest()
    assert set(found) == {"bin/a", "share/b c.txt", MARK, "models/tiny/model.gguf"}
    assert manifest.write(plan.program, also=tmp_path / "models") == listed
    assert copy.processor == frozenset(manifest.EXPECTED.get(plan.machine, ()))


@pytest.mark.skipif(os.name == "nt", reason="rights of POSIX")
def test_dates_and_rights_do_not_depend_on_who_builds(plan: Plan) -> None:
    _put(plan.program, "bin/a", "b")
    (plan.program / "bin/a").chmod(0o700)
    (plan.program / "b").chmod(0o600)

    manifest.tidy(plan.program, plan.epoch)

    assert (plan.program / "bin/a").stat().st_mode & 0o777 == 0o755
    assert (plan.program / "b").stat().st_mode & 0o777 == 0o644
    assert (plan.program / "b").stat().st_mtime == plan.epoch


def test_every_rule_of_pruning_says_why() -> None:
    rules = tomllib.loads(libraries.RULES.read_text(encoding="utf-8"))

    assert all(part["why"] and part["drop"] for part in rules["part"])


@pytest.mark.skipif(os.name == "nt", reason="scripts of POSIX")
def test_every_script_can_be_read_by_sh() -> None:
    scripts = list((CHECKOUT / "packaging" / "installer").rglob("*.sh"))

    assert len(scripts) >= 6
    for script in scripts:
        assert subprocess.run(["sh", "-n", script], capture_output=True, check=False).returncode == 0, script
