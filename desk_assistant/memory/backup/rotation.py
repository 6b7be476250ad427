"""Copies that are made by themselves: one a day, thinned out as they grow old."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from desk_assistant.errors import DeskError, StorageError
from desk_assistant.memory.backup import archive
from desk_assistant.memory.withdrawn import erases
from desk_assistant.paths import Locations
from desk_assistant.store import Store, copying

log = logging.getLogger(__name__)

DAY: Final = 86_400.0
DAILY: Final = 7
"""The newest copy of each of so many days is kept."""

WEEKLY: Final = 4
"""And the newest of each of so many calendar weeks."""

AUTOMATIC: Final = "auto-"
_STAMP: Final = "%Y%m%d-%H%M%S"
_NAME: Final = re.compile(rf"{AUTOMATIC}(\d{{8}}-\d{{6}}){re.escape(archive.SUFFIX)}")
_LAST: Final = "backup_at"


class Rotation:
    """Makes the automatic copies of a profile and deletes those that are too old.

    Args:
        store: The database; it remembers when the last copy was made, by any program.
        locations: The profile.
    """

    def __init__(self, store: Store, locations: Locations) -> None:
        self._store = store
        self._locations = locations

    def is_due(self, now: float | None = None) -> bool:
        """Tell whether the last copy is older than a day, or from the future: then the clock has gone backwards.

        A new profile has its first copy a day after it was opened first.
        """
        moment = time.time() if now is None else now
        last = self._store.meta.get(_LAST)
        if last is None:
            self._store.meta.setdefault(_LAST, str(moment))
            return False
        return not 0 <= moment - float(last) < DAY

    def run(self, now: float | None = None) -> Path | None:
        """Make a copy and thin out the older ones; None when there is none, which the log explains.

        A database that is damaged is not copied, and no older copy goes for it.
        """
        moment = time.time() if now is None else now
        self._store.meta.set(_LAST, str(moment))  # first, so that two programs do not both make one
        folder = self._locations.backups
        target = folder / f"{AUTOMATIC}{datetime.fromtimestamp(moment).strftime(_STAMP)}{archive.SUFFIX}"
        erased = erases(self._store)
        try:
            _make(folder)
            archive.write(self._locations, target)
            if erases(self._store) != erased:
                # The erase may have swept the copies before this one had its name, and it holds what was erased.
                target.unlink(missing_ok=True)
                self._store.meta.set(_LAST, "0")
                log.info("an automatic backup was dropped: something was erased while it was made")
                return None
        except OSError as error:
            log.warning("an automatic backup could not be dropped: %s", type(error).__name__)
            return None
        except DeskError as error:
            log.warning("no automatic backup was made: %s %s", error.key, error.cause)
            return None
        for path in outdated([path for path in automatic(folder) if path != target], target):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:  # the copy is made; the old one is tried again with the next
                log.warning("an automatic backup that is too old stays: %s", type(error).__name__)
        return target

    def renew(self) -> None:
        """Delete all automatic copies, as they hold what is forgotten now; the next one is made soon."""
        folder = self._locations.backups
        copies = [*automatic(folder), *folder.glob(f".{AUTOMATIC}*{copying.PART}")]
        for path in copies:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise StorageError("common.data_folder_unwritable", path=path, reason=error.strerror) from error
        if copies:
            self._store.meta.set(_LAST, "0")


def automatic(folder: Path) -> list[Path]:
    """Return the automatic copies in a folder, oldest first."""
    return sorted(path for path in folder.glob(f"{AUTOMATIC}*") if _NAME.fullmatch(path.name))


def outdated(copies: Iterable[Path], newest: Path) -> list[Path]:
    """Return which copies are too old to keep, beside the newest one, which always stays."""
    kept_days, kept_weeks = {_made(newest).date()}, {_made(newest).isocalendar()[:2]}
    gone: list[Path] = []
    for path in sorted(copies, reverse=True):
        made = _made(path)
        week = made.isocalendar()[:2]
        wanted = False
        if made.date() not in kept_days and len(kept_days) < DAILY:
            kept_days.add(made.date())
            wanted = True
        if week not in kept_weeks and len(kept_weeks) < WEEKLY:
            kept_weeks.add(week)
            wanted = True
        if not wanted:
            gone.append(path)
    return gone


def _made(path: Path) -> datetime:
    found = _NAME.fullmatch(path.name)
    return datetime.strptime(found[1], _STAMP) if found else datetime.min


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StorageError("common.data_folder_unwritable", path=folder, reason=error.strerror or error) from error
