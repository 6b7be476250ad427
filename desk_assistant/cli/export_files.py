"""The files of an export: one Markdown file a conversation, one for the memory, and all of it once more as JSON."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from desk_assistant import shapes
from desk_assistant.errors import InputError, StorageError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.store import Fact, Insight, Message, Session

FORMAT: Final = 1
NAME_CHARACTERS: Final = 60
TALKS: Final = "conversations"
ENDED: Final = ("superseded", "retracted", "closed", "archived")
_UNSAFE: Final = re.compile(r"[^\w.-]+")


@dataclass(frozen=True)
class Material:
    """What is exported.

    Attributes:
        sessions: The conversations.
        messages: Gives the messages of one, all branches, in the order in which they were stored.
        branch: Gives the ids of those that are shown.
        facts: All facts, ended ones too.
        insights: Conclusions drawn from several conversations.
        public: The ids that people know messages by, where these differ.
    """

    sessions: Sequence[Session]
    messages: Callable[[str], Sequence[Message]]
    branch: Callable[[str], set[str]]
    facts: Sequence[Fact]
    insights: Sequence[Insight] = ()
    public: dict[str, str] = field(default_factory=dict)


def write(folder: Path, material: Material, *, markdown: bool = True, as_json: bool = True) -> list[Path]:
    """Write an export into a new or empty folder, readable by its owner alone; returns the files.

    Raises:
        InputError: Something is in the folder.
        StorageError: It cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("cli.export_not_empty", path=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        written: list[Path] = []
        if markdown:
            (folder / TALKS).mkdir(mode=0o700)
            written += _talks(folder / TALKS, material)
            written.append(_memory(folder / "memory.md", material))
        if as_json:
            written.append(_json(folder / "export.json", material))
    except OSError as error:
        raise StorageError("cli.export_failed", path=folder, reason=error.strerror or error) from error
    return written


def _talks(folder: Path, material: Material) -> Iterator[Path]:
    taken: set[str] = set()
    for session in material.sessions:
        title = _UNSAFE.sub("-", session.title)[:NAME_CHARACTERS].strip("-.") or _UNSAFE.sub("-", session.id)
        name = free = f"{session.created_at[:10]}-{title}"
        number = 1
        while free.casefold() in taken:
            number += 1
            free = f"{name}-{number}"
        taken.add(free.casefold())
        path, shown = folder / f"{free}.md", material.branch(session.id)
        with _new(path) as file:
            file.write(f"# {session.title or t('cli.untitled')}\n\n{session.created_at} · {session.id}\n")
            for message in material.messages(session.id):
                who = message.name or t(f"cli.role_{message.role}")
                aside = "" if message.id in shown else f" · {t('cli.export_other_wording')}"
                file.write(f"\n## {who} · {message.created_at}{aside}\n\n{message.content}\n")
        yield path


def _memory(path: Path, material: Material) -> Path:
    present = [fact for fact in material.facts if fact.status not in ENDED]
    ended = [fact for fact in material.facts if fact.status in ENDED]
    with _new(path) as file:
        file.write(f"# {t('cli.export_memory')}\n")
        for kind, facts in groupby(sorted(present, key=lambda fact: fact.kind), key=lambda fact: fact.kind):
            file.write(f"\n## {kind}\n\n")
            file.writelines(_fact(fact) for fact in facts)
        if material.insights:
            file.write(f"\n## {t('cli.export_insights')}\n\n")
            file.writelines(f"- {insight.text}\n" for insight in material.insights)
        if ended:
            file.write(f"\n## {t('cli.export_ended')}\n\n")
            file.writelines(_fact(fact) for fact in ended)
    return path


def _fact(fact: Fact) -> str:
    notes: list[str] = [fact.status] if fact.status != "active" else []
    notes += [t("cli.export_pinned")] if fact.pinned else []
    notes += [t("cli.export_due", date=fact.due)] if fact.due else []
    line = f"- {fact.text} ({', '.join(notes)})\n" if notes else f"- {fact.text}\n"
    for source in fact.sources:
        line += f"  - “{' '.join(source.quote.split())}” · {source.session_id}\n"
    return line


def _json(path: Path, material: Material) -> Path:
    """Write one JSON object, piece by piece: a long history need not fit into memory twice."""
    with _new(path) as file:
        file.write(f'{{"format": {FORMAT},\n"sessions": [')
        _items(file, (_talk(session, material) for session in material.sessions))
        file.write('],\n"facts": [')
        _items(file, (shapes.fact(fact, material.public) for fact in material.facts))
        file.write('],\n"insights": [')
        _items(file, ({"id": i.id, "kind": i.kind, "text": i.text, "sources": i.sources} for i in material.insights))
        file.write("]}\n")
    return path


def _talk(session: Session, material: Material) -> dict[str, Any]:
    shown = material.branch(session.id)
    said = material.messages(session.id)
    names = {message.id: message.public_id for message in said}
    messages = [
        {**shapes.message(m), "parent": names.get(m.parent_id or "", m.parent_id), "shown": m.id in shown} for m in said
    ]
    return {**shapes.session(session), "transcript": messages}


def _items(file: TextIO, items: Iterable[dict[str, Any]]) -> None:
    for number, item in enumerate(items):
        file.write((",\n" if number else "\n") + json.dumps(item, ensure_ascii=False))


@contextmanager
def _new(path: Path) -> Iterator[TextIO]:
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    # Lone surrogates cannot be written as UTF-8; nothing else is changed.
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="\n") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())
