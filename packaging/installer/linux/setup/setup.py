"""Sets up what the self-extracting file carries, and takes it away again; run by the interpreter that came with it.

Everything stays in the person's own home: the program folder, a link to it on the search path, an entry in the menu.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

NAME: Final = "desk-assistant"
HERE: Final = Path(__file__).resolve().parent
OWN: Final = HERE.parents[1]
"""The program folder that this file lies in: a temporary one while installing."""

MARK: Final = "installation.toml"
MANIFEST: Final = "MANIFEST.sha256"
LINKS: Final = "set-up.txt"
"""List of what was put outside the program folder."""

SHARED: Final = ("icons", "man", "bash-completion", "fish")
"""Folders of `share` whose files go to the person's own."""

SPARE: Final = 100_000_000


class RefusedError(Exception):
    """It cannot go on; the text says why and what to do."""


def words(key: str, **values: object) -> str:
    """Return a sentence in the language of the environment."""
    spoken = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    file = HERE / ("zh.toml" if spoken.startswith("zh") else "en.toml")
    return str(_sentences(file)[key].format(**values))


@cache
def _sentences(file: Path) -> dict[str, str]:
    # Read once: by the last sentence of an uninstallation the file is gone.
    return tomllib.loads(file.read_text(encoding="utf-8"))


def main() -> int:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(prog=NAME)
    commands = parser.add_subparsers(required=True)
    installing = commands.add_parser("install")
    installing.set_defaults(run=install)
    installing.add_argument("--archive", type=Path, required=True, help=argparse.SUPPRESS)
    installing.add_argument("--offset", type=int, required=True, help=argparse.SUPPRESS)
    installing.add_argument("--bytes", type=int, required=True, help=argparse.SUPPRESS)
    default = Path.home() / ".local" / "opt" / NAME
    installing.add_argument("--prefix", type=Path, default=default, help=words("help_prefix"))
    installing.add_argument("--older", action="store_true", help=words("help_older"))
    removing = commands.add_parser("uninstall")
    removing.set_defaults(run=uninstall)
    removing.add_argument("--purge", action="store_true", help=words("help_purge"))
    for each in (installing, removing):
        each.add_argument("--yes", action="store_true", help=words("help_yes"))
    options = parser.parse_args()
    try:
        options.run(options)
    except RefusedError as reason:
        print(reason, file=sys.stderr)
        return 1
    except OSError as error:
        print(words("failed", path=error.filename or "", reason=error.strerror or error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def install(options: argparse.Namespace) -> None:
    """Unpack beside the place, check every file, and only then put it where it belongs."""
    target: Path = options.prefix.expanduser().absolute()
    told = _check_system()
    _check_place(target, options)
    version = _information(OWN)["version"]
    if not options.yes and not _agreed(words("really_install", version=version, path=target)):
        raise RefusedError(words("nothing_done"))
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{NAME}-") as folder:
        fresh = Path(folder) / NAME
        print(words("unpacking", path=target), flush=True)
        shutil.copytree(OWN, fresh, symlinks=True)
        _unpack(options.archive, options.offset, Path(folder))
        _verify(fresh)
        if target.exists():
            _take_away_links(target)
            target.rename(Path(folder) / "old")
        fresh.rename(target)
    _set_up(target)
    print(words("installed", version=version, path=target, command=_bin() / NAME))
    if str(_bin()) not in os.environ.get("PATH", "").split(os.pathsep):
        print(words("not_on_path", path=_bin()))
    for sentence in told:
        print(sentence)


def uninstall(options: argparse.Namespace) -> None:
    """Take the program away; what the person said to it stays unless they say otherwise."""
    if not (OWN / LINKS).is_file():
        raise RefusedError(words("not_ours", path=OWN))
    _check_closed(OWN)
    if not options.yes and not _agreed(words("really_uninstall", path=OWN)):
        raise RefusedError(words("nothing_done"))
    if options.purge:
        asked = [str(OWN / "bin" / NAME), "purge", *(["--yes"] if options.yes else [])]
        if subprocess.call(asked) != 0:
            raise RefusedError(words("nothing_done"))
    _take_away_links(OWN)
    shutil.rmtree(OWN)
    print(words("uninstalled", path=OWN))
    if not options.purge:
        print(words("data_stays", path=_data() / NAME))


def _check_system() -> list[str]:
    """Return what the person should know; refuse when the program could not run at all."""
    try:
        ctypes.CDLL("libstdc++.so.6")
    except OSError as error:
        raise RefusedError(words("no_libstdcxx")) from error
    wanted = set(_information(OWN)["processor"])
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return []
    has = next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), wanted)
    lacking = sorted(wanted - has)
    return [words("processor_lacks", what=", ".join(lacking))] if lacking else []


def _check_place(target: Path, options: argparse.Namespace) -> None:
    existing = target
    while not existing.exists():
        existing = existing.parent
    free = shutil.disk_usage(existing).free
    if free < options.bytes + SPARE:
        need = f"{(options.bytes + SPARE) / 1e9:.1f}"
        raise RefusedError(words("no_room", path=existing, need=need, free=f"{free / 1e9:.1f}"))
    if not target.exists():
        return
    if not (target / LINKS).is_file():
        raise RefusedError(words("in_the_way", path=target))
    _check_closed(target)
    here, fresh = _information(target)["version"], _information(OWN)["version"]
    if _number(here) > _number(fresh) and not options.older:
        raise RefusedError(words("older", here=here, fresh=fresh))


def _check_closed(root: Path) -> None:
    """Refuse while the program runs from the folder: what it has not loaded yet would be gone."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            program = (process / "exe").readlink()
        except OSError:
            continue
        if program.is_relative_to(root) and int(process.name) != os.getpid():
            raise RefusedError(words("running", process=process.name))


def _unpack(archive: Path, offset: int, folder: Path) -> None:
    import zstandard

    try:
        with archive.open("rb") as stream:
            stream.seek(offset)
            reader = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
            with tarfile.open(fileobj=reader, mode="r|") as tar:
                tar.extractall(folder, filter="tar")
    except (tarfile.TarError, zstandard.ZstdError, EOFError) as error:
        raise RefusedError(words("incomplete", path=archive)) from error


def _verify(root: Path) -> None:
    if not (root / MANIFEST).is_file():  # it is the last file of the archive
        raise RefusedError(words("damaged", file=MANIFEST))
    for line in (root / MANIFEST).read_text(encoding="utf-8").splitlines():
        expected, _, name = line.partition("  ")
        path = root / name
        with path.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != expected:
                raise RefusedError(words("damaged", file=name))


def _set_up(root: Path) -> None:
    made = [_link(root / "bin" / NAME, _bin() / NAME)]
    for folder in SHARED:
        for path in sorted((root / "share" / folder).rglob("*")):
            place = _data() / path.relative_to(root / "share")
            made += [_link(path, place)] if path.is_file() else []
    entry = _data() / "applications" / f"{NAME}.desktop"
    entry.parent.mkdir(parents=True, exist_ok=True)
    text = (root / "share" / "applications" / f"{NAME}.desktop").read_text(encoding="utf-8")
    command = f"{root}/bin/{NAME}"
    quoted = (
        '"' + "".join(f"\\{c}" if c in '"`$\\' else c for c in command).replace("\\", "\\\\").replace("%", "%%") + '"'
    )
    text = text.replace(f"\nExec={NAME}\n", f"\nExec={quoted}\n").replace(f"TryExec={NAME}\n", f"TryExec={command}\n")
    entry.write_text(text, encoding="utf-8")
    made.append(entry)
    (root / LINKS).write_text("".join(f"{path}\n" for path in made), encoding="utf-8")


def _link(path: Path, place: Path) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink() or place.exists():
        place.unlink()
    place.symlink_to(path)
    return place


def _take_away_links(root: Path) -> None:
    """Delete what lies outside the program folder, as far as it is still this program's."""
    for line in (root / LINKS).read_text(encoding="utf-8").splitlines():
        place = Path(line)
        ours = place.is_symlink() and place.readlink().is_relative_to(root)
        if ours or (place.suffix == ".desktop" and place.is_file()):
            place.unlink()
            for folder in _empty_above(place):
                folder.rmdir()


def _empty_above(place: Path) -> Iterator[Path]:
    """Yield the folders above a deleted file that hold nothing any more, up to the person's shared folders."""
    for folder in place.parents:
        if folder in (_data(), _bin(), Path.home()) or any(folder.iterdir()):
            return
        yield folder


def _agreed(question: str) -> bool:
    try:
        return input(f"{question} ").strip().lower() in ("y", "yes", "是", "好")
    except EOFError:
        return False


def _information(root: Path) -> dict[str, Any]:
    with (root / MARK).open("rb") as stream:
        return tomllib.load(stream)


def _number(version: object) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in str(version).split("."))


def _bin() -> Path:
    return Path.home() / ".local" / "bin"


def _data() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


if __name__ == "__main__":
    sys.exit(main())
