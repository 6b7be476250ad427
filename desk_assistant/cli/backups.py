"""`backups list|delete`: the copies that still hold what was forgotten after they were made."""

from __future__ import annotations

from datetime import datetime

from desk_assistant.cli.arguments import Commands, Invocation, add_command, add_group
from desk_assistant.cli.console import pad
from desk_assistant.cli.memory_forget import agreed
from desk_assistant.cli.running import assistant
from desk_assistant.i18n import t


def register(commands: Commands) -> None:
    """Add the commands."""
    _, inner = add_group(commands, "backups")
    add_command(inner, "list", show, group="backups")
    parser = add_command(inner, "delete", delete, group="backups")
    parser.add_argument("name", nargs="*", metavar=t("cli.name"), help=t("cli.help_backups_name"))
    parser.add_argument("-y", "--yes", action="store_true", help=t("cli.help_yes"))


async def show(invocation: Invocation) -> int:
    """List the backups of the profile."""
    console = invocation.console
    async with assistant(invocation.locations) as running:
        for path in running.memory.backups():
            status = path.stat()
            made = datetime.fromtimestamp(status.st_mtime).astimezone().isoformat(timespec="seconds")
            if invocation.options.json:
                console.record({"name": path.name, "path": str(path), "bytes": status.st_size, "made_at": made})
            else:
                console.line(f"{pad(path.name, 44)}  {made[:16].replace('T', ' ')}  {status.st_size / 1e6:.1f} MB")
        if not running.memory.backups():
            console.note(t("cli.no_backups"))
    return 0


async def delete(invocation: Invocation) -> int:
    """Delete backups by name, or all, after asking."""
    options, console = invocation.options, invocation.console
    async with assistant(invocation.locations) as running:
        names = list(dict.fromkeys(options.name)) or [path.name for path in running.memory.backups()]
        if not names:
            console.note(t("cli.no_backups"))
            return 0
        if not options.yes and not agreed(console, t("cli.really_delete_backups", files=", ".join(names))):
            console.note(t("cli.nothing_deleted"))
            return 0
        for path in await running.memory.delete_backups(names):
            if options.json:
                console.record({"name": path.name, "deleted": True})
            else:
                console.line(t("cli.deleted", path=path))
    return 0
