"""llama.cpp itself, made ready for use: its log in ours, its processor variants found."""

from __future__ import annotations

import ctypes
import sys
from collections import deque
from pathlib import Path
from typing import Any, Final

import llama_cpp
from llama_cpp import llama_cpp as lib

WARN: Final = 3
ERROR: Final = 4
CONTINUED: Final = 5
"""Log levels of ggml; a continued line belongs to the one before."""

_LOADING: Final = "error loading model: "
"""Stands before the useful half of a complaint about a file."""

last_errors: deque[str] = deque(maxlen=8)
"""The library's latest complaints: a failed load returns nothing but a null pointer."""

_level = 0


def _log(level: int, text: bytes, _data: object) -> None:
    global _level
    _level = _level if level == CONTINUED else level
    if _level not in (WARN, ERROR) or not text:
        return
    line = text.decode("utf-8", "replace")
    if _level == ERROR and line.strip():
        last_errors.append(" ".join(line.split()))
    sys.stderr.write(line)


# The library keeps the bare pointer: this object has to live as long as the process.
_log_callback = llama_cpp.llama_log_callback(_log)


def prepare() -> Any:
    """Initialise the library once and return its bindings."""
    lib.llama_log_set(_log_callback, ctypes.c_void_p(0))
    _load_variants()
    lib.llama_backend_init()
    return lib


def _load_variants() -> None:
    # A portable build carries one CPU library for each kind of processor and does not look for them by itself. They
    # must be told to the ggml that llama.cpp itself has loaded, found through it: a wheel, which knows no links, brings
    # ggml under several names, and the bindings may have opened another copy. (Windows has one name and no such way.)
    from llama_cpp import _ggml

    ggml = lib._lib if hasattr(lib._lib, "ggml_backend_dev_count") else _ggml.libggml
    ggml.ggml_backend_dev_count.restype = ctypes.c_size_t
    if ggml.ggml_backend_dev_count() == 0:
        ggml.ggml_backend_load_all_from_path(str(Path(llama_cpp.__file__).parent / "lib").encode())


def reason() -> str:
    """Return what the library complained of first, in its own words: what follows only says that it gave up."""
    first = last_errors[0] if last_errors else ""
    return first.rpartition(_LOADING)[2] or "no reason given"
