"""`sessions`: the conversations there are, for continuing one with `ask --session`."""

from __future__ import annotations

from desk_assistant import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import pad
from desk_assistant.cli.running import assistant
from desk_assistant.i18n import t


def register(commands: Commands) -> None:
    """Add the command."""
    add_command(commands, "sessions", run)


async def run(invocation: Invocation) -> int:
    """Print all conversations, pinned ones first, then the most recently used."""
    console = invocation.console
    async with assistant(invocation.locations) as running:
        found = running.sessions()
        for session in found:
            if invocation.options.json:
                console.record(shapes.session(session))
                continue
            title = session.title or t("cli.untitled")
            count = t("cli.message_count", count=session.message_count)
            console.line(f"{pad(session.id, 12)}  {session.updated_at[:16].replace('T', ' ')}  {title}  ({count})")
        if not found:
            console.note(t("cli.no_sessions"))
    return 0
