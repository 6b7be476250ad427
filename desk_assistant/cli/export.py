"""`export`: everything that was said and is remembered, as files that people and other programs can read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from desk_assistant import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.export_files import Material, write
from desk_assistant.cli.running import assistant
from desk_assistant.i18n import counted, t

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant

FORMATS = ("both", "markdown", "json")


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "export", run)
    parser.add_argument("folder", metavar=t("cli.dir"), help=t("cli.help_export_folder"))
    parser.add_argument("--format", choices=FORMATS, default="both", help=t("cli.help_export_format"))
    parser.add_argument("--salvage", action="store_true", help=t("cli.help_export_salvage"))


async def run(invocation: Invocation) -> int:
    """Write the files."""
    folder = Path(invocation.options.folder).expanduser().absolute()
    if invocation.options.salvage:
        return _salvage(invocation, folder)
    async with assistant(invocation.locations) as running:
        material = await _material(running)
        files = await asyncio.to_thread(_write, invocation, folder, material)
        await asyncio.to_thread(_note, running, material, files)
    _tell(invocation, folder, material, files)
    return 0


def _note(running: Assistant, material: Material, files: list[Path]) -> None:
    """Let forgetting know of the files, and the trail of what was handed out."""
    from desk_assistant.memory.exports import Exports

    with running.store.transaction():
        Exports(running.store).add(*files)
        running.store.audit.write("person", "exported", "all", [session.id for session in material.sessions])


async def _material(running: Assistant) -> Material:
    store = running.store
    hidden = store.outbox.refs("erase")
    facts = await running.memory.facts(None)
    return Material(
        sessions=[session for session in store.transcripts.sessions(1_000_000) if session.id not in hidden],
        messages=lambda name: [m for m in store.transcripts.all_messages(name) if m.id not in hidden],
        branch=lambda name: {message.id for message in store.transcripts.path(name)},
        facts=facts,
        insights=await running.memory.insights(),
        public=shapes.public_ids(store, facts),
    )


def _salvage(invocation: Invocation, folder: Path) -> int:
    """Write what can still be read of a damaged database, which is only read."""
    from desk_assistant.store.salvage import salvage

    found = salvage(invocation.locations.database)
    material = Material(
        sessions=found.sessions,
        messages=lambda name: found.messages.get(name, []),
        branch=lambda name: {message.id for message in found.messages.get(name, [])},
        facts=found.facts,
    )
    files = _write(invocation, folder, material)
    _tell(invocation, folder, material, files, gaps=found.gaps)
    invocation.console.note(t("cli.salvaged", count=found.gaps) if found.gaps else t("cli.salvaged_all"))
    return 0


def _write(invocation: Invocation, folder: Path, material: Material) -> list[Path]:
    chosen = invocation.options.format
    return write(folder, material, markdown=chosen != "json", as_json=chosen != "markdown")


def _tell(invocation: Invocation, folder: Path, material: Material, files: list[Path], gaps: int | None = None) -> None:
    messages = sum(session.message_count for session in material.sessions)
    shape: dict[str, object] = {
        "path": str(folder),
        "files": len(files),
        "sessions": len(material.sessions),
        "messages": messages,
        "facts": len(material.facts),
    }
    invocation.tell(
        shape if gaps is None else {**shape, "gaps": gaps},
        t(
            "cli.exported",
            path=folder,
            conversations=counted("conversation", len(material.sessions)),
            messages=counted("message", messages),
            facts=counted("fact", len(material.facts)),
        ),
    )
