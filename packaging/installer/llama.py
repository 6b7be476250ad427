"""llama.cpp for every processor: one library for each kind, chosen when the program runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from installer.plan import Plan
from installer.tools import run, say

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


def wheel(plan: Plan) -> Path:
    """Return the portable wheel, compiled on the first run (23 minutes of one processor core)."""
    folder = plan.wheels / "portable"
    requirement = _requirement(plan)
    wanted = requirement.partition("==")[2]
    for found in folder.glob("llama_cpp_python-*.whl"):
        if found.name.split("-")[1] == wanted:
            return found
    say("Compiling llama.cpp for all kinds of processors; on four cores this takes some six minutes")
    # Without the cache: a wheel in it was made for the machine it was made on.
    command = ["python", "-m", "pip", "wheel", "--no-deps", "--no-cache-dir", "--no-binary", "llama-cpp-python"]
    run(
        [*command, "--wheel-dir", str(folder), requirement],
        env={
            "CMAKE_ARGS": " ".join(PORTABLE),
            "CMAKE_BUILD_PARALLEL_LEVEL": os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1)),
        },
    )
    return next(folder.glob(f"llama_cpp_python-{wanted}-*.whl"))


def _requirement(plan: Plan) -> str:
    lines = (plan.root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return next(line.strip() for line in lines if line.startswith("llama-cpp-python=="))
