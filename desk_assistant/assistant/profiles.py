"""Profiles: separate lives in one data folder, each with a memory, settings, models in use and clients of its own.

A profile is a folder and nothing else, so that no query can reach from one into another. Which one is opened when none
is named stands in a small file beside them.
"""

from __future__ import annotations

from dataclasses import dataclass

from desk_assistant import atomic
from desk_assistant.assistant.purge import Purge
from desk_assistant.errors import InputError, NotFoundError, StorageError
from desk_assistant.paths import Locations
from desk_assistant.store.in_use import is_in_use


@dataclass(frozen=True)
class Profile:
    """One profile of a data folder.

    Attributes:
        name: Its name, which is that of its folder.
        chosen: Whether it is the one that is opened when none is named.
        size: Bytes of all its files.
    """

    name: str
    chosen: bool
    size: int


def profiles(locations: Locations) -> list[Profile]:
    """Return the profiles of the data folder by name."""
    folder = locations.root / "profiles"
    names = sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    chosen = Locations.find(locations.root).profile
    return [Profile(name, name == chosen, _size(Locations(locations.root, name))) for name in names]


def create(locations: Locations, name: str) -> Locations:
    """Make a profile and return where it is.

    Raises:
        InputError: The name cannot be used, or there is such a profile already.
        StorageError: The folder cannot be made.
    """
    made = Locations.find(locations.root, name)
    if made.home.exists():
        raise InputError("profiles.there_already", name=name)
    made.ensure()
    return made


def choose(locations: Locations, name: str) -> None:
    """Open a profile from now on when none is named.

    Raises:
        NotFoundError: There is no such profile.
        StorageError: The choice cannot be written.
    """
    wanted = _existing(locations, name)
    try:
        atomic.write_text(wanted.choice, f"{name}\n")
    except OSError as error:
        raise StorageError("common.data_folder_unwritable", path=wanted.root, reason=error.strerror or error) from error


def plan_deletion(locations: Locations, name: str) -> Purge:
    """Return what the deletion of a profile removes: its folder with all it holds. Models are shared and stay.

    Raises:
        NotFoundError: There is no such profile.
        StorageError: A program has it open.
    """
    doomed = _existing(locations, name)
    if is_in_use(doomed.database):
        raise StorageError("profiles.in_use", name=name)
    return Purge((doomed.home,), _size(doomed))


def forget_choice(locations: Locations, name: str) -> None:
    """Go back to the default profile, when the one that was deleted was chosen."""
    if locations.choice.is_file() and locations.choice.read_text(encoding="utf-8").strip() == name:
        locations.choice.unlink()


def _existing(locations: Locations, name: str) -> Locations:
    found = Locations.find(locations.root, name)
    if not found.home.is_dir():
        raise NotFoundError("profiles.none", name=name)
    return found


def _size(locations: Locations) -> int:
    files = (path for path in locations.home.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files)
