"""`purge`: deleting everything the program has put on this machine, or its models alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.memory_forget import agreed
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant.purge import Purge


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "purge", run)
    parser.add_argument("--models", action="store_true", help=t("cli.help_purge_models"))
    parser.add_argument("-n", "--dry-run", action="store_true", help=t("cli.help_purge_dry_run"))
    parser.add_argument("-y", "--yes", action="store_true", help=t("cli.help_yes"))


def run(invocation: Invocation) -> int:
    """Show what would be deleted, ask, and delete it."""
    from desk_assistant.assistant.purge import plan

    purge = plan(invocation.locations, models_only=invocation.options.models)
    if not purge.folders:
        invocation.console.note(t("cli.nothing_to_purge"))
        return 0
    folders = ", ".join(map(str, purge.folders))
    carry_out(invocation, purge, t("cli.really_purge", folders=folders, size=size_of(purge)))
    return 0


def size_of(purge: Purge) -> str:
    """Return how much a deletion frees, for people."""
    return f"{purge.size / 1e6:.1f} MB"


def carry_out(invocation: Invocation, purge: Purge, question: str) -> bool:
    """Ask, delete, and name every folder; whether anything was deleted."""
    options, console = invocation.options, invocation.console
    deleted = not options.dry_run
    if deleted and not options.yes and not agreed(console, question):
        console.note(t("cli.nothing_deleted"))
        return False
    if deleted:
        purge.run()
    for folder in purge.folders:
        if options.json:
            console.record({"path": str(folder), "deleted": deleted})
        else:
            console.line(t("cli.deleted" if deleted else "cli.would_delete", path=folder))
    return bool(deleted)
