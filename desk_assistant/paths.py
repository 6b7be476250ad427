"""Where everything lives on disk: one small property a path."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from desk_assistant.errors import InputError, StorageError
from desk_assistant.installed import installation

APP: Final = "desk-assistant"
DEFAULT_PROFILE: Final = "default"
PROFILE_NAME: Final = re.compile(r"^[\w][\w .-]{0,40}$")
MODELS_VARIABLE: Final = "DESK_ASSISTANT_MODELS"
DATA_VARIABLE: Final = "DESK_ASSISTANT_DATA"


@dataclass(frozen=True)
class Locations:
    """The files of one profile in one data folder.

    Attributes:
        root: The data folder (`--data-dir`, `DESK_ASSISTANT_DATA`, or the platform's user data folder).
        profile: Name of the profile; each is a folder of its own, so that two lives never mix.
    """

    root: Path
    profile: str = DEFAULT_PROFILE

    @classmethod
    def find(cls, data_dir: str | os.PathLike[str] | None = None, profile: str | None = None) -> Locations:
        """Resolve the data folder and profile from options, environment and the profile that was chosen.

        Nothing is written. A chosen profile whose folder is gone does not count.

        Raises:
            InputError: The profile name has characters a folder cannot carry safely.
        """
        chosen = data_dir or os.environ.get(DATA_VARIABLE) or platformdirs.user_data_path(APP, appauthor=False)
        root = Path(chosen).expanduser().absolute()
        if profile and (not PROFILE_NAME.match(profile) or ".." in profile):
            raise InputError("common.bad_profile", profile=profile)
        return cls(root, profile or _chosen(root))

    @property
    def choice(self) -> Path:
        """File with the name of the profile that is opened when none is named."""
        return self.root / "default-profile"

    @property
    def home(self) -> Path:
        """Folder of the profile."""
        return self.root / "profiles" / self.profile

    @property
    def database(self) -> Path:
        """SQLite file: transcripts, facts, outbox, audit, and enough to rebuild the index."""
        return self.home / "assistant.db"

    @property
    def index(self) -> Path:
        """LanceDB folder with the vectors and the full-text index."""
        return self.home / "episodes.lance"

    @property
    def settings(self) -> Path:
        """The settings file, TOML."""
        return self.home / "settings.toml"

    @property
    def logs(self) -> Path:
        """Folder of the rotating logs."""
        return self.home / "logs"

    @property
    def backups(self) -> Path:
        """Folder of copies made before migrations and clean-ups."""
        return self.home / "backups"

    @property
    def models(self) -> Path:
        """Folder that new models are installed into.

        It is shared by all profiles and does not follow `--data-dir`: weights are large, hold nothing private, and a
        second data folder should not need them again.
        """
        override = os.environ.get(MODELS_VARIABLE)
        return Path(override).expanduser() if override else shared_models()

    @property
    def model_folders(self) -> tuple[Path, ...]:
        """Folders searched for models, first match wins: beside the data, the shared folder, the installer's own."""
        came_along = installation()
        own = (self.root / "models", self.models)
        return tuple(dict.fromkeys((*own, came_along.models) if came_along else own))

    def ensure(self) -> None:
        """Create the folders of the profile, readable by their owner alone.

        Raises:
            StorageError: The data folder cannot be created or written.
        """
        try:
            # One by one: `parents=True` would make those in between readable for others.
            for folder in (self.root, self.home.parent, self.home, self.logs):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if sys.platform != "win32" and self.home.stat().st_mode & 0o077:
                self.home.chmod(0o700)  # copied here, or restored from an archive
            probe = self.home / ".write-test"
            probe.write_bytes(b"")
            probe.unlink(missing_ok=True)  # another program that starts now may have taken it along
        except OSError as error:
            raise StorageError(
                "common.data_folder_unwritable", path=self.home, reason=error.strerror or error, cause=repr(error)
            ) from error


def _chosen(root: Path) -> str:
    """Return the profile that is opened when none is named."""
    try:
        name = Locations(root).choice.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return DEFAULT_PROFILE
    known = PROFILE_NAME.match(name) and ".." not in name and Locations(root, name).home.is_dir()
    return name if known else DEFAULT_PROFILE


def shared_models() -> Path:
    """Return the models folder in the platform's user data folder."""
    return platformdirs.user_data_path(APP, appauthor=False) / "models"
