"""All commands, put together. What a command needs is imported when it runs, so that help stays quick."""

from __future__ import annotations

from typing import Any

from desk_assistant.cli import (
    ask,
    audit,
    backup,
    backups,
    completion,
    demo,
    doctor,
    export,
    importing,
    memory,
    memory_change,
    memory_derived,
    memory_forget,
    memory_more,
    memory_why,
    models,
    paths,
    privacy,
    profiles,
    purge,
    recall,
    serve,
    sessions,
)
from desk_assistant.cli.arguments import Parser, add_group, add_shared, add_version
from desk_assistant.i18n import t


def build() -> Parser:
    """Return the parser of the whole command line, in the interface language."""
    parser = Parser(
        prog="desk-assistant",
        description=t("cli.about"),
        epilog=t("cli.epilog"),
    )
    add_version(parser)
    add_shared(parser)
    commands: Any = parser.add_subparsers(title=t("cli.commands"), metavar=t("cli.command_name"), parser_class=Parser)
    ask.register(commands)
    recall.register(commands)
    _, inner = add_group(commands, "memory")
    memory.register(inner)
    memory_change.register(inner)
    memory_more.register(inner)
    memory_derived.register(inner)
    memory_why.register(inner)
    memory_forget.register(inner)
    sessions.register(commands)
    importing.register(commands)
    export.register(commands)
    privacy.register(commands)
    audit.register(commands)
    backup.register(commands)
    backups.register(commands)
    models.register(commands)
    paths.register(commands)
    serve.register(commands)
    profiles.register(commands)
    doctor.register(commands)
    demo.register(commands)
    purge.register(commands)
    completion.register(commands)
    return parser
