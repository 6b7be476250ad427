"""`paths`: where everything lives, without touching any of it."""

from __future__ import annotations

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import pad, width
from desk_assistant.i18n import t


def register(commands: Commands) -> None:
    """Add the command."""
    add_command(commands, "paths", run)


def run(invocation: Invocation) -> int:
    """Print the files and folders of the profile."""
    locations, console = invocation.locations, invocation.console
    found = {
        "data": locations.root,
        "profile": locations.home,
        "database": locations.database,
        "index": locations.index,
        "settings": locations.settings,
        "logs": locations.logs,
        "backups": locations.backups,
        "models": locations.models,
    }
    if invocation.options.json:
        console.record({name: str(path) for name, path in found.items()})
        return 0
    labels = {name: t(f"cli.path_{name}") for name in found}
    cells = max(map(width, labels.values()))
    for name, path in found.items():
        console.line(f"{pad(labels[name], cells)}  {path}")
    return 0
