"""What the self-extracting file does once it is unpacked, and the way back."""

from __future__ import annotations

import argparse
import importlib.util
import io
import shutil
import sys
import tarfile
import types
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from installer.plan import CHECKOUT

SETUP = CHECKOUT / "packaging" / "installer" / "linux" / "setup"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home of 安"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return folder


@pytest.fixture
def setup(home: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("desk_setup", SETUP / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    fresh = home.parent / "unpacked"
    _program(fresh, "1.2.0")
    monkeypatch.setattr(module, "OWN", fresh)
    return module


def _program(root: Path, version: str) -> None:
    for name in ("bin/desk-assistant", "share/man/man1/desk-assistant.1.gz", "MANIFEST.sha256"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    entry = root / "share" / "applications" / "desk-assistant.desktop"
    entry.parent.mkdir(parents=True, exist_ok=True)
    entry.write_text("[Desktop Entry]\nExec=desk-assistant\nTryExec=desk-assistant\n", encoding="utf-8")
    (root / "installation.toml").write_text(f'version = "{version}"\nprocessor = []\n', encoding="utf-8")


def _options(home: Path, **changed: object) -> argparse.Namespace:
    prefix = home / ".local" / "opt" / "desk-assistant"
    given = {"archive": home / "none", "offset": 0, "bytes": 1, "prefix": prefix, "yes": True, "older": False}
    return argparse.Namespace(**{**given, "purge": False, **changed})


@pytest.fixture
def installed(setup: ModuleType, home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    # What the archive would add: it is tried whole where the finished files are.
    monkeypatch.setattr(setup, "_unpack", lambda archive, offset, folder: None)

    def install(**changed: object) -> Path:
        options = _options(home, **changed)
        setup.install(options)
        prefix: Path = options.prefix
        return prefix

    return install


def test_it_puts_the_program_its_command_and_a_menu_entry_in_the_home(
    installed: Callable[..., Path], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = installed()

    assert (home / ".local/bin/desk-assistant").resolve() == root / "bin/desk-assistant"
    assert (home / ".local/share/man/man1/desk-assistant.1.gz").is_symlink()
    entry = (home / ".local/share/applications/desk-assistant.desktop").read_text(encoding="utf-8")
    assert f'\nExec="{root}/bin/desk-assistant"\n' in entry
    assert f"\nTryExec={root}/bin/desk-assistant\n" in entry
    assert str(root) in capsys.readouterr().out


def test_a_second_time_replaces_the_first(installed: Callable[..., Path]) -> None:
    root = installed()
    (root / "old-module.py").write_text("", encoding="utf-8")

    assert not (installed() / "old-module.py").exists()


def test_an_older_version_over_a_newer_one_is_refused_unless_it_is_wanted(
    installed: Callable[..., Path], setup: ModuleType
) -> None:
    root = installed()
    (root / "installation.toml").write_text('version = "1.10.0"\nprocessor = []\n', encoding="utf-8")

    with pytest.raises(setup.RefusedError, match=r"1\.10\.0"):
        installed()
    installed(older=True)
    assert '"1.2.0"' in (root / "installation.toml").read_text(encoding="utf-8")


def test_a_folder_of_somebody_else_is_left_alone(installed: Callable[..., Path], setup: ModuleType, home: Path) -> None:
    mine = home / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear", encoding="utf-8")

    with pytest.raises(setup.RefusedError, match="mine"):
        installed(prefix=mine)
    assert (mine / "letter.txt").read_text(encoding="utf-8") == "dear"


def test_too_little_room_is_said_before_anything_is_written(
    installed: Callable[..., Path], setup: ModuleType, home: Path
) -> None:
    with pytest.raises(setup.RefusedError, match="GB"):
        installed(bytes=10**18)
    assert list(home.iterdir()) == []


def test_a_damaged_file_changes_nothing(installed: Callable[..., Path], setup: ModuleType, home: Path) -> None:
    (setup.OWN / "MANIFEST.sha256").write_text(f"{'0' * 64}  bin/desk-assistant\n", encoding="utf-8")

    with pytest.raises(setup.RefusedError, match="bin/desk-assistant"):
        installed()
    assert not (home / ".local/opt/desk-assistant").exists()
    assert not (home / ".local/bin").exists()


def test_half_a_file_is_said_to_be_half_a_file(setup: ModuleType, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as tar:
        tar.add(setup.OWN / "installation.toml", "desk-assistant/installation.toml")
    archive = home / "half.run"
    archive.write_bytes(whole.getvalue()[:530])
    plain = types.SimpleNamespace(
        ZstdDecompressor=lambda: types.SimpleNamespace(stream_reader=lambda stream, **_: stream), ZstdError=EOFError
    )
    monkeypatch.setitem(sys.modules, "zstandard", plain)

    with pytest.raises(setup.RefusedError, match=r"half\.run"):
        setup._unpack(archive, 0, home)


def test_a_running_program_is_not_replaced(
    installed: Callable[..., Path], setup: ModuleType, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = installed()
    monkeypatch.setattr(setup.os, "getpid", lambda: 0)
    program = Path("/proc/self/exe").readlink()
    monkeypatch.setattr(setup, "OWN", setup.OWN)

    with pytest.raises(setup.RefusedError, match="running"):
        setup._check_closed(program.parent)
    setup._check_closed(root)


def test_uninstalling_takes_everything_of_its_own_and_leaves_the_data(
    installed: Callable[..., Path],
    setup: ModuleType,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = installed()
    data = home / ".local/share/desk-assistant/profiles"
    data.mkdir(parents=True)
    own = root / "share" / "setup"
    shutil.copytree(SETUP, own)
    monkeypatch.setattr(setup, "OWN", root)
    monkeypatch.setattr(setup, "HERE", own)
    monkeypatch.setattr(sys, "argv", ["uninstall", "uninstall", "--yes"])

    assert setup.main() == 0

    assert str(data.parent) in capsys.readouterr().out
    assert not root.exists()
    left = [path for path in (home / ".local").rglob("*") if path.is_file() or path.is_symlink()]
    assert left == []
    assert data.is_dir()


def test_what_a_package_manager_installed_is_not_uninstalled(setup: ModuleType, home: Path) -> None:
    with pytest.raises(setup.RefusedError, match="package manager"):
        setup.uninstall(_options(home))


def test_its_words_are_in_both_languages(setup: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    import tomllib

    en, zh = (tomllib.loads((SETUP / f"{name}.toml").read_text(encoding="utf-8")) for name in ("en", "zh"))
    assert en.keys() == zh.keys()
    for key in en:
        assert {f for f in ("{path}", "{version}", "{need}", "{free}", "{here}", "{fresh}") if f in en[key]} == {
            f for f in ("{path}", "{version}", "{need}", "{free}", "{here}", "{fresh}") if f in zh[key]
        }
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert setup.words("nothing_done") == zh["nothing_done"]
