"""`audit`: who wrote, recalled or erased which record when. The trail holds no content."""

from __future__ import annotations

from dataclasses import asdict

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import pad
from desk_assistant.cli.running import assistant
from desk_assistant.errors import InputError
from desk_assistant.i18n import t


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "audit", run)
    parser.add_argument("--limit", type=int, default=100, metavar="N", help=t("cli.help_audit_limit"))


async def run(invocation: Invocation) -> int:
    """Print the newest entries, newest first."""
    options, console = invocation.options, invocation.console
    if options.limit < 1:
        raise InputError("cli.bad_limit", limit=options.limit)
    async with assistant(invocation.locations) as running:
        entries = await running.audit(options.limit)
    for entry in entries:
        if options.json:
            console.record(asdict(entry))
            continue
        moment = entry.at[:19].replace("T", " ")
        console.line(
            f"{moment}  {pad(entry.actor, 10)}  {pad(entry.action, 13)}  {pad(entry.layer, 10)}  {entry.record_id}"
        )
    if not entries:
        console.note(t("cli.no_audit"))
    return 0
