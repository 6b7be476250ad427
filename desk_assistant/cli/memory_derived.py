"""`memory insights|archived|tidy`: conclusions with their sources, what stepped aside, and putting aside by hand."""

from __future__ import annotations

from dataclasses import asdict

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.facts import report_facts
from desk_assistant.cli.running import assistant
from desk_assistant.i18n import t


def register(commands: Commands) -> None:
    """Add the commands."""
    add_command(commands, "insights", insights, group="memory")
    add_command(commands, "archived", archived, group="memory")
    add_command(commands, "tidy", tidy, group="memory")


async def insights(invocation: Invocation) -> int:
    """List what several conversations support together, each with the records it rests on."""
    console = invocation.console
    async with assistant(invocation.locations) as running:
        found = await running.memory.insights()
    for insight in found:
        if invocation.options.json:
            console.record({**asdict(insight), "sources": list(insight.sources)})
        else:
            console.line(f"{insight.id}  {insight.text}")
            console.line(f"    {t('cli.rests_on', ids=', '.join(insight.sources))}")
    if not found:
        console.note(t("cli.no_insights"))
    return 0


async def archived(invocation: Invocation) -> int:
    """List the facts and turns that stepped aside; `memory restore` brings them back."""
    console = invocation.console
    async with assistant(invocation.locations) as running:
        archive = await running.memory.archived()
        report_facts(invocation, running.store, archive.facts)
    for episode in archive.episodes:
        if invocation.options.json:
            console.record({"id": episode.id, "layer": "episodic", "text": episode.text, "created": episode.created_at})
        else:
            console.line(f"{episode.id}  {episode.created_at[:10]}  {' '.join(episode.text.split())[:100]}")
    if not archive.facts and not archive.episodes:
        console.note(t("cli.nothing_archived"))
    return 0


async def tidy(invocation: Invocation) -> int:
    """Put aside now what is long past, was never sure or is more than is to be kept."""
    console = invocation.console
    async with assistant(invocation.locations) as running:
        ids = await running.memory.clean_up(also_new=True)
        await running.memory.settle()
    for record_id in ids:
        if invocation.options.json:
            console.record({"archived": record_id})
        else:
            console.line(record_id)
    console.note(t("cli.tidied", count=len(ids)))
    return 0
