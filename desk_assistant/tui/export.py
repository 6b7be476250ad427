"""Writing a conversation to a file, as Markdown; what was masked stays masked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Final

from desk_assistant import atomic
from desk_assistant.errors import StorageError
from desk_assistant.i18n import t
from desk_assistant.store import Message, Session
from desk_assistant.tui.rows import speaker

_UNSAFE: Final = re.compile(r"[^\w.-]+")
NAME_CHARACTERS: Final = 60


def write_markdown(session: Session, messages: Sequence[Message], target: Path) -> Path:
    """Write a conversation to `target`; into a new file with the conversation's title when that is a folder.

    Returns:
        The file that was written. An existing file of that name is not touched; the new one gets a number.

    Raises:
        StorageError: The file cannot be written.
    """
    path = target / f"{_name(session)}.md" if target.is_dir() else target
    path = free_path(path)
    lines = [f"# {session.title or t('tui.untitled')}", "", session.created_at, ""]
    for message in messages:
        lines.extend([f"## {speaker(message)} · {message.created_at}", "", message.content, ""])
    text = "\n".join(lines).encode("utf-8", "replace").decode("utf-8")
    try:
        atomic.write_text(path, text)
    except OSError as error:
        raise StorageError("tui.export_failed", path=path, reason=error.strerror or error) from error
    return path


def new_folder(home: Path, today: date) -> Path:
    """Make a folder for several conversations, named by the day, beside those that are there already.

    Raises:
        StorageError: It cannot be made.
    """
    path = free_path(home / f"desk-assistant-{today.isoformat()}")
    try:
        path.mkdir(mode=0o700)
    except OSError as error:
        raise StorageError("tui.export_failed", path=path, reason=error.strerror or error) from error
    return path


def _name(session: Session) -> str:
    name = _UNSAFE.sub("-", session.title)[:NAME_CHARACTERS].strip("-.")
    return name or session.id


def free_path(path: Path) -> Path:
    """Return a path that does not exist: this one, or it with a number."""
    number = 1
    candidate = path
    while candidate.exists():
        number += 1
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return candidate
