"""`memory add|edit|pin|unpin|confirm`: correcting what is remembered."""

from __future__ import annotations

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.facts import report_facts
from desk_assistant.cli.running import assistant
from desk_assistant.i18n import t


def register(commands: Commands) -> None:
    """Add the commands."""
    add_command(commands, "add", add, group="memory").add_argument("text", nargs="+", metavar=t("cli.text"))
    edit_parser = add_command(commands, "edit", edit, group="memory")
    edit_parser.add_argument("id", metavar="ID")
    edit_parser.add_argument("text", nargs="+", metavar=t("cli.text"))
    for name in ("pin", "unpin", "confirm"):
        parser = add_command(commands, name, mark, group="memory")
        parser.add_argument("id", nargs="+", metavar="ID")
        parser.set_defaults(mark=name)


async def add(invocation: Invocation) -> int:
    """Remember a statement at the person's own word."""
    async with assistant(invocation.locations) as running:
        facts = await running.memory.add(" ".join(invocation.options.text))
        report_facts(invocation, running.store, facts)
        if not facts:
            invocation.console.note(t("cli.nothing_added"))
    return 0


async def edit(invocation: Invocation) -> int:
    """Replace the text of a fact."""
    async with assistant(invocation.locations) as running:
        fact = await running.memory.edit(invocation.options.id, " ".join(invocation.options.text))
        report_facts(invocation, running.store, [fact])
    return 0


async def mark(invocation: Invocation) -> int:
    """Pin, unpin or confirm facts."""
    name = invocation.options.mark
    async with assistant(invocation.locations) as running:
        memory = running.memory
        for fact_id in invocation.options.id:
            fact = await (memory.confirm(fact_id) if name == "confirm" else memory.pin(fact_id, name == "pin"))
            report_facts(invocation, running.store, [fact])
    return 0
