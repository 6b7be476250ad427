"""Removing what the program has put on this machine: everything, or the models alone."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from desk_assistant.errors import StorageError
from desk_assistant.paths import Locations


@dataclass(frozen=True)
class Purge:
    """Folders that will be deleted with all they hold.

    Attributes:
        folders: Those that exist, none inside another.
        size: Bytes in them.
    """

    folders: tuple[Path, ...]
    size: int

    def run(self) -> None:
        """Delete them.

        Raises:
            StorageError: One cannot be deleted; what was deleted before it is gone.
        """
        for folder in self.folders:
            try:
                shutil.rmtree(folder)
                if folder.name == "profiles":  # with the name of the one that was chosen
                    (folder.parent / "default-profile").unlink(missing_ok=True)
            except OSError as error:
                raise StorageError(
                    "assistant.purge_failed", path=error.filename or folder, reason=error.strerror or error
                ) from error
            root = folder.parent
            if root.is_dir() and not any(root.iterdir()):
                root.rmdir()


def plan(locations: Locations, *, models_only: bool) -> Purge:
    """Return what a purge deletes.

    Everything is the profiles of the data folder with their conversations, memory, settings, logs and backups, and the
    models in it. Models that several data folders share are only deleted with `models_only`, or with the data folder
    they lie in.

    Args:
        locations: The data folder.
        models_only: Leave the profiles.
    """
    own = (locations.root / "profiles", locations.root / "models")
    wanted = (locations.root / "models", locations.models) if models_only else own
    folders = tuple(folder for folder in dict.fromkeys(wanted) if folder.is_dir())
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return Purge(folders, sum(path.stat().st_size for path in files))
