"""Files for any Linux, without root: one archive, and the same behind a small script that unpacks and sets it up.

The archive is one zstd stream of several frames: first the interpreter (the script must unpack that with what every
system has, so there it is gzip), then the program, then the models. Every frame is compressed once.
"""

from __future__ import annotations

import gzip
import io
import shutil
import tarfile
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import zstandard

from installer.libraries import weight
from installer.manifest import MANIFEST, MARK, tidy
from installer.plan import NAME, Plan
from installer.tools import say

HEADER: Final = Path(__file__).with_name("linux") / "selfextract.sh"
LEVEL: Final = 15
THREADS: Final = -1
"""As many as there are cores."""

FIRST: Final = ("bin", "share/setup", "installation.toml")
"""Unpacked first besides the interpreter: what the set-up itself needs."""

_BLOCK: Final = 512
_SKIP: Final = "@SKIP@"
_WIDTH: Final = 12
"""Characters kept free for the length of the script, which counts itself."""


def build(plan: Plan, lists: Mapping[bool, str], *, full: bool) -> list[Path]:
    """Build the archive and the self-extracting file of the small kind, and the latter of the full one.

    Args:
        plan: The build.
        lists: The list of files, with models (True) and without.
        full: Build the file with the starter models too.

    Returns:
        The finished files.
    """
    tidy(plan.program, plan.epoch)
    first, rest = _split(plan)
    start = _tar(plan, first)
    (plan.work / "rest.tar.zst").unlink(missing_ok=True)
    say("Compressing the program folder")
    body = _compressed(plan, rest, plan.work / "rest.tar.zst")
    made = [_archive(plan, start, body, lists[False]), _script(plan, start, [body], lists[False], full=False)]
    if full:
        tidy(plan.models, plan.epoch)
        say("Compressing the models")
        models = [(path, f"models/{path.relative_to(plan.models).as_posix()}") for path in _walk(plan.models)]
        extra = _compressed(plan, models, plan.work / "models.tar.zst")
        made.append(_script(plan, start, [body, extra], lists[True], full=True))
    return made


def _split(plan: Plan) -> tuple[list[tuple[Path, str]], list[tuple[Path, str]]]:
    """Return what is unpacked first and what then, each as file and name."""
    first: list[tuple[Path, str]] = []
    rest: list[tuple[Path, str]] = []
    unpacker = plan.site_packages / "zstandard"
    for path in _walk(plan.program):
        name = path.relative_to(plan.program).as_posix()
        if name == MANIFEST:
            continue
        own = path.is_relative_to(plan.python_home) and not path.is_relative_to(plan.site_packages)
        early = own or path.is_relative_to(unpacker) or name.startswith(FIRST)
        (first if early else rest).append((path, name))
    return first, rest


def _walk(folder: Path) -> Iterable[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() or path.is_symlink())


def _tar(plan: Plan, files: Iterable[tuple[Path, str]]) -> bytes:
    """Return files as a tar without the blocks that end one, so that more can follow."""
    buffer = io.BytesIO()
    _add(plan, files, buffer)
    return buffer.getvalue()


def _add(plan: Plan, files: Iterable[tuple[Path, str]], target: io.BufferedIOBase | io.BytesIO) -> None:
    for path, name in files:
        entry = tarfile.TarInfo(f"{NAME}/{name}")
        entry.mtime = plan.epoch
        entry.mode = path.lstat().st_mode & 0o777
        if path.is_symlink():
            entry.type, entry.linkname = tarfile.SYMTYPE, str(path.readlink())
            target.write(entry.tobuf(tarfile.GNU_FORMAT))
            continue
        entry.size = path.stat().st_size
        target.write(entry.tobuf(tarfile.GNU_FORMAT))
        with path.open("rb") as stream:
            shutil.copyfileobj(stream, target, 1 << 20)
        target.write(bytes(-entry.size % _BLOCK))


def _compressed(plan: Plan, files: Iterable[tuple[Path, str]], target: Path) -> Path:
    with target.open("wb") as out, _compressor().stream_writer(out, closefd=False) as stream:
        _add(plan, files, stream)
    return target


def _compressor() -> zstandard.ZstdCompressor:
    return zstandard.ZstdCompressor(level=LEVEL, threads=THREADS)


def _ending(plan: Plan, listed: str) -> bytes:
    """Return the list of files and the two empty blocks that end a tar."""
    data = listed.encode()
    entry = tarfile.TarInfo(f"{NAME}/{MANIFEST}")
    entry.size, entry.mtime, entry.mode = len(data), plan.epoch, 0o644
    return entry.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % _BLOCK) + bytes(2 * _BLOCK)


def _archive(plan: Plan, start: bytes, body: Path, listed: str) -> Path:
    target = plan.file(".tar.zst")
    with target.open("wb") as out:
        out.write(_compressor().compress(start))
        with body.open("rb") as stream:
            shutil.copyfileobj(stream, out, 1 << 20)
        out.write(_compressor().compress(_ending(plan, listed)))
    return target


def _script(plan: Plan, start: bytes, bodies: Iterable[Path], listed: str, *, full: bool) -> Path:
    """Write the self-extracting file: script, interpreter as tar.gz, everything else as tar.zst."""
    target = plan.file(".run", full=full)
    say(f"Packing {target.name}")
    packed = gzip.compress(start + bytes(2 * _BLOCK), compresslevel=9, mtime=0)
    information = tomllib.loads((plan.program / MARK).read_text(encoding="utf-8"))
    header = HEADER.read_text(encoding="utf-8")
    for mark, value in {
        "@VERSION@": plan.version,
        "@MACHINE@": plan.machine,
        "@PYTHON@": plan.python.name,
        "@GLIBC@": information["glibc"],
        "@SIZE@": str(len(packed)),
        "@BYTES@": str(weight(plan.program) + (weight(plan.models) if full else 0)),
    }.items():
        header = header.replace(mark, value)
    data = header.replace(_SKIP, f"{len(header) - len(_SKIP) + _WIDTH:<{_WIDTH}}").encode("ascii")
    with target.open("wb") as out:
        out.write(data)
        out.write(packed)
        for body in bodies:
            with body.open("rb") as stream:
                shutil.copyfileobj(stream, out, 1 << 20)
        out.write(_compressor().compress(_ending(plan, listed)))
    target.chmod(0o755)
    return target
