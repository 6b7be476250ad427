"""A profile for the length of one command, in the same data folder as the person's own, so that it proves something."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from typing import Final

from desk_assistant import i18n
from desk_assistant.paths import Locations
from desk_assistant.settings import Settings

LEFT_BEHIND_SECONDS: Final = 86_400.0
"""A throw-away profile older than this belongs to a program that was killed."""


@contextlib.contextmanager
def throwaway(locations: Locations, purpose: str, values: Mapping[str, object] | None = None) -> Iterator[Locations]:
    """Yield the locations of a new empty profile; it is deleted at the end, whatever happens.

    Its name begins with a dot, which no profile of a person's can. It speaks the interface language in use.

    Args:
        locations: The data folder it is made in.
        purpose: Part of its name.
        values: Settings of its own.

    Raises:
        StorageError: The data folder cannot be written.
    """
    _sweep(locations)
    made = Locations(locations.root, f".{purpose}-{secrets.token_hex(4)}")
    try:
        made.ensure()
        settings = Settings(made.settings)
        settings.set("interface.language", i18n.language())
        for key, value in (values or {}).items():
            settings.set(key, value)
        yield made
    finally:
        shutil.rmtree(made.home, ignore_errors=True)


def _sweep(locations: Locations) -> None:
    """Delete what programs that were killed have left."""
    oldest = time.time() - LEFT_BEHIND_SECONDS
    for folder in (locations.root / "profiles").glob(".*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
