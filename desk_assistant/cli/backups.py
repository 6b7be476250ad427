"""`backups list|delete`: the copies, exports among them, that still hold what was forgotten after they were made."""

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
    """List the backups of the profile, and the files that conversations were exported to."""
    console = invocation.console
    async with assistant(invocation.locations) as running:
        copies = [("backup", path) for path in running.memory.backups()]
        copies += [("export", path) for path in running.memory.exports()]
    for kind, path in copies:
        status = path.stat()
        made = datetime.fromtimestamp(status.st_mtime).astimezone().isoformat(timespec="seconds")
        if invocation.options.json:
            shape = {"name": path.name, "kind": kind, "path": str(path), "bytes": status.st_size, "made_at": made}
            console.record(shape)
        else:
            name = path.name if kind == "backup" else str(path)
            console.line(f"{pad(name, 44)}  {made[:16].replace('T', ' ')}  {status.st_size / 1e6:.1f} MB")
    if not copies:
        console.note(t("cli.no_backups"))
    return 0


async def delete(invocation: Invocation) -> int:
    """Delete backups by name, or all of them, and exports by their path, after asking."""
    options, console = invocation.options, invocation.console
    async with assistant(invocation.locations) as running:
        exports = [path for path in running.memory.exports() if str(path) in options.name]
        names = [name for name in dict.fromkeys(options.name) if name not in set(map(str, exports))]
        if not options.name:
            names = [path.name for path in running.memory.backups()]
        if not names and not exports:
            console.note(t("cli.no_backups"))
            return 0
        if not options.yes and not agreed(
            console, t("cli.really_delete_backups", files=", ".join([*names, *map(str, exports)]))
        ):
            console.note(t("cli.nothing_deleted"))
            return 0
        gone = await running.memory.delete_backups(names) if names else []
        await running.memory.delete_exports(exports)
        for path in [*gone, *exports]:
            if options.json:
                console.record({"name": path.name, "deleted": True})
            else:
                console.line(t("cli.deleted", path=path))
    return 0
