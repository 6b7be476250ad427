"""`memory tasks|close|review|restore|graph|path`: what is to do, what grew old, and how things hang together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.facts import report_facts
from desk_assistant.cli.running import assistant
from desk_assistant.errors import InputError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant
    from desk_assistant.cli.console import Console
    from desk_assistant.store import Fact
    from desk_assistant.store.graph import Relation

MOST_STEPS = 5


def register(commands: Commands) -> None:
    """Add the commands."""
    add_command(commands, "tasks", tasks, group="memory")
    add_command(commands, "close", close, group="memory").add_argument("id", nargs="+", metavar="ID")
    add_command(commands, "review", review, group="memory")
    add_command(commands, "restore", restore, group="memory").add_argument("id", nargs="+", metavar="ID")
    graph_parser = add_command(commands, "graph", graph, group="memory")
    graph_parser.add_argument("name", nargs="?", default="user", metavar=t("cli.name"))
    graph_parser.add_argument("--depth", type=int, default=1, metavar="N", help=t("cli.help_graph_depth"))
    path_parser = add_command(commands, "path", path, group="memory")
    path_parser.add_argument("start", metavar=t("cli.name"))
    path_parser.add_argument("end", metavar=t("cli.name"))


async def tasks(invocation: Invocation) -> int:
    """List what is to do, with due dates."""
    async with assistant(invocation.locations) as running:
        return _list(invocation, running, await running.memory.tasks(), "cli.no_tasks")


async def review(invocation: Invocation) -> int:
    """List facts that were neither confirmed nor recalled for long."""
    async with assistant(invocation.locations) as running:
        return _list(invocation, running, await running.memory.stale(), "cli.nothing_stale")


async def close(invocation: Invocation) -> int:
    """Mark tasks as done."""
    async with assistant(invocation.locations) as running:
        for fact_id in invocation.options.id:
            report_facts(invocation, running.store, [await running.memory.close_task(fact_id)])
    return 0


async def restore(invocation: Invocation) -> int:
    """Bring facts and turns back that were archived."""
    async with assistant(invocation.locations) as running:
        from desk_assistant.store.records import PREFIXES

        ids = invocation.options.id
        turns = [record_id for record_id in ids if record_id.startswith(f"{PREFIXES['episode']}_")]
        for record_id in ids:
            if record_id not in turns:
                report_facts(invocation, running.store, [await running.memory.restore(record_id)])
        if turns:
            for episode in await running.memory.restore_episodes(turns):
                invocation.console.note(t("cli.restored", id=episode.id))
            await running.memory.settle()
    return 0


def _list(invocation: Invocation, running: Assistant, facts: Sequence[Fact], none: str) -> int:
    report_facts(invocation, running.store, facts)
    if not facts:
        invocation.console.note(t(none))
    return 0


async def graph(invocation: Invocation) -> int:
    """Show what hangs together with somebody or something."""
    options = invocation.options
    if not 1 <= options.depth <= MOST_STEPS:
        raise InputError("cli.bad_depth", depth=options.depth, most=MOST_STEPS)
    async with assistant(invocation.locations) as running:
        _report(invocation, (await running.memory.graph(options.name, options.depth)).relations)
    return 0


async def path(invocation: Invocation) -> int:
    """Show how two things hang together."""
    async with assistant(invocation.locations) as running:
        _report(invocation, await running.memory.path(invocation.options.start, invocation.options.end))
    return 0


def _report(invocation: Invocation, relations: Sequence[Relation]) -> None:
    console: Console = invocation.console
    for relation in relations:
        if invocation.options.json:
            console.record(
                {
                    "fact": relation.fact_id,
                    "source": {"name": relation.source.name, "kind": relation.source.kind},
                    "predicate": relation.predicate,
                    "target": {"name": relation.target.name, "kind": relation.target.kind},
                }
            )
        else:
            from desk_assistant.memory.extract import predicates

            source = t("cli.you") if relation.source.name == "user" else relation.source.name
            console.line(f"{source} — {predicates.label(relation.predicate)} → {relation.target.name}")
    if not relations:
        console.note(t("cli.no_relations"))
