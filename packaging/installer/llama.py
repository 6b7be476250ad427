"""llama.cpp for every processor: one library for each kind, chosen when the program runs."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from installer.plan import Plan
from installer.tools import BuildError, run, say

PORTABLE: Final = (
    "-DGGML_NATIVE=OFF",  # nothing of the machine that builds
    "-DGGML_BACKEND_DL=ON",
    "-DGGML_CPU_ALL_VARIANTS=ON",
    "-DGGML_OPENMP=ON",  # its own threads wait by spinning: on a busy machine they write a tenth as fast
    "-DLLAVA_BUILD=OFF",
    "-DCMAKE_INSTALL_BINDIR=llama_cpp/lib",
    "-DCMAKE_INSTALL_LIBDIR=llama_cpp/lib",
    "-DCMAKE_INSTALL_RPATH=$ORIGIN",
)
"""Options of llama.cpp's build, for processors of the x86-64 and AArch64 families."""

LEFT_OUT: Final = (
    "sse42",  # served by x64
    "ivybridge",
    "piledriver",  # both by sandybridge (AVX)
    "skylakex",
    "cannonlake",  # both by haswell (AVX2, FMA)
    "icelake",
    "cooperlake",
    "zen4",
    "sapphirerapids",  # all four by cascadelake (AVX-512 with VNNI)
)
"""Kinds of x86-64 processors without a library of their own: each runs that of another kind. All fourteen, with the
helpers below, cost 23 minutes of one core; x64, sandybridge, haswell, alderlake (AVX2 with VNNI) and cascadelake cost
six and a half."""

CHANGED: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    # Helpers for llama.cpp's own command lines; the Python binding switches them on and packs none of them.
    "CMakeLists.txt": (("set(LLAMA_BUILD_COMMON ON CACHE", "set(LLAMA_BUILD_COMMON OFF CACHE"),),
}
"""What is changed in build files, below the source: file → texts and what they become."""

KINDS: Final = "vendor/llama.cpp/ggml/src/CMakeLists.txt"
"""The file that lists a library for each kind of processor."""


def wheel(plan: Plan) -> Path:
    """Return the portable wheel, compiled on the first run (six and a half minutes of one processor core).

    The source and what is compiled stay in the build's folder, so a build that was interrupted goes on where it was.

    Raises:
        BuildError: The build failed, or the source is not as expected here.
    """
    folder = wheels(plan)
    for found in folder.glob("llama_cpp_python-*.whl"):
        return found
    source = _source(plan, folder / "source")
    say("Compiling llama.cpp for all kinds of processors; on four cores this takes some two minutes")
    # Without the cache: a wheel in it was made for the machine it was made on.
    command = ["python", "-m", "pip", "wheel", "--no-deps", "--no-cache-dir"]
    command += ["--config-settings", f"build-dir={folder / 'compiled'}"]
    run(
        [*command, "--wheel-dir", str(folder), str(source)],
        env={
            "CMAKE_ARGS": " ".join(PORTABLE),
            "CMAKE_BUILD_PARALLEL_LEVEL": os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1)),
        },
    )
    return next(folder.glob("llama_cpp_python-*.whl"))


def wheels(plan: Plan) -> Path:
    """Return the folder of the wheel. Another version or other options have another folder."""
    recipe = repr((_requirement(plan), PORTABLE, LEFT_OUT, sorted(CHANGED.items())))
    return plan.wheels / f"llama-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}"


def without_kinds(text: str) -> str:
    """Return the list of kinds of processors without those that are left out.

    Raises:
        BuildError: One of them is not listed.
    """
    for kind in LEFT_OUT:
        text, times = re.subn(rf"^ *ggml_add_cpu_backend_variant\({kind}\b[^)]*\)\n", "", text, flags=re.MULTILINE)
        if times != 1:
            raise BuildError(f"llama.cpp's build lists {times} kinds of processors called {kind}, not one.")
    return text


def _source(plan: Plan, folder: Path) -> Path:
    """Return the unpacked source with our changes; fetched, checked by pip, on the first run."""
    if folder.exists():
        return folder
    say("Fetching the source of llama.cpp")
    draft = folder.with_name("fetched")
    shutil.rmtree(draft, ignore_errors=True)
    command = ["python", "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--no-binary", "llama-cpp-python"]
    run([*command, "--quiet", "--dest", draft, _requirement(plan)])
    with tarfile.open(next(draft.glob("llama_cpp_python-*.tar.gz"))) as archive:
        archive.extractall(draft, filter="data")
    unpacked = next(path for path in draft.iterdir() if path.is_dir())
    for name, changes in CHANGED.items():
        file = unpacked / name
        text = file.read_text(encoding="utf-8")
        for old, new in changes:
            if old not in text:
                raise BuildError(f"llama.cpp's {name} has no “{old}”.")
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
    kinds = unpacked / KINDS
    kinds.write_text(without_kinds(kinds.read_text(encoding="utf-8")), encoding="utf-8")
    unpacked.rename(folder)
    shutil.rmtree(draft)
    return folder


def _requirement(plan: Plan) -> str:
    lines = (plan.root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return next(line.strip() for line in lines if line.startswith("llama-cpp-python=="))
