"""What to do about a damaged database: the newest backup that is whole is named, or offered where somebody can answer.

Nothing here runs unless the database has just been found damaged.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from desk_assistant.cli.console import Console
from desk_assistant.i18n import t
from desk_assistant.paths import Locations

DAMAGED: Final = "store.damaged"
"""Key of the error after which this has something to say."""


def hint(console: Console, locations: Locations) -> None:
    """Name the backup to restore, and how."""
    path = _newest(console, locations)
    if path is not None:
        console.note(t("backup.rescue_hint", path=path, name=path.name, date=_date(path)))


def offer(console: Console, locations: Locations) -> bool:
    """Ask whether to restore the newest whole backup in place of a damaged database, and do it; whether it was done.

    Raises:
        DeskError: It could not be restored; the damaged file is still there.
    """
    from desk_assistant.memory import backup
    from desk_assistant.store import copying

    emptied = locations.database.is_file() and locations.database.stat().st_size == 0
    if not emptied and not copying.is_damaged(locations.database):
        return False
    path = _newest(console, locations)
    if path is None:
        return False
    answer = console.ask(t("backup.rescue_offer", path=path, date=_date(path)))
    if answer.casefold() not in t("cli.yes_words").split():
        console.note(t("backup.nothing_restored"))
        return False
    done = backup.restore(locations, path)
    if done.withheld:
        console.note(t("backup.withheld", count=done.withheld))
    if done.marks_lost:
        console.note(t("backup.marks_lost"))
    if done.kept is not None:
        console.note(t("backup.kept", path=done.kept))
    return True


def _newest(console: Console, locations: Locations) -> Path | None:
    from desk_assistant.memory import backup

    path = backup.newest_good(locations)
    if path is None:
        console.note(t("backup.rescue_none"))
    return path


def _date(path: Path) -> str:
    return f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
