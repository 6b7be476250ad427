"""`memory add|edit|pin|unpin|confirm|forget`: correcting and erasing what is remembered."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from desk_assistant.cli import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.ask import card
from desk_assistant.cli.console import Console
from desk_assistant.cli.facts import print_fact
from desk_assistant.cli.running import assistant, started
from desk_assistant.errors import InputError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant
    from desk_assistant.memory.records import ForgetReport
    from desk_assistant.store import Episode, Fact, Message, Session

NOT_VERIFIED = 1
"""Exit code when something was erased and the check afterwards still found its words in a file."""


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
    parser = add_command(commands, "forget", forget, group="memory")
    parser.add_argument("id", nargs="+", metavar="ID")
    parser.add_argument("-y", "--yes", action="store_true", help=t("cli.help_yes"))


async def add(invocation: Invocation) -> int:
    """Remember a statement at the person's own word."""
    async with assistant(invocation.locations) as running:
        facts = await running.memory.add(" ".join(invocation.options.text))
        _report(invocation, running, facts)
        if not facts:
            invocation.console.note(t("cli.nothing_added"))
    return 0


async def edit(invocation: Invocation) -> int:
    """Replace the text of a fact."""
    async with assistant(invocation.locations) as running:
        fact = await running.memory.edit(invocation.options.id, " ".join(invocation.options.text))
        _report(invocation, running, [fact])
    return 0


async def mark(invocation: Invocation) -> int:
    """Pin, unpin or confirm facts."""
    name = invocation.options.mark
    async with assistant(invocation.locations) as running:
        memory = running.memory
        for fact_id in invocation.options.id:
            fact = await (memory.confirm(fact_id) if name == "confirm" else memory.pin(fact_id, name == "pin"))
            _report(invocation, running, [fact])
    return 0


async def forget(invocation: Invocation) -> int:
    """Erase facts, episodes, messages or whole conversations, after asking."""
    options, console = invocation.options, invocation.console
    async with assistant(invocation.locations, index=True) as running:
        records = [await running.memory.show(record_id) for record_id in dict.fromkeys(options.id)]
        if not options.yes and not _agreed(console, records):
            console.note(t("cli.nothing_forgotten"))
            return 0
        await started(running, console, "index")
        console.progress(t("cli.erasing"), step="erase")
        forgetting = await running.memory.forget([record.id for record in records], undo_seconds=0)
        report = await running.memory.erase_now(forgetting)
    if options.json:
        console.record(shapes.forgotten(report))
    else:
        _tell(console, report)
    return 0 if report.verified else NOT_VERIFIED


def _agreed(console: Console, records: Sequence[Fact | Episode | Message | Session]) -> bool:
    if not sys.stdin.isatty():
        raise InputError("cli.needs_yes")
    for record in records:
        console.warn(f"{record.id}  {card(_words(record))}")
    return console.ask(t("cli.really_forget", count=len(records))).casefold() in t("cli.yes_words").split()


def _words(record: Fact | Episode | Message | Session) -> str:
    from desk_assistant.store import Message, Session

    match record:
        case Message():
            return record.content
        case Session():
            return record.title or t("cli.untitled")
        case _:
            return record.text


def _tell(console: Console, report: ForgetReport) -> None:
    console.line(t("cli.forgotten", facts=report.facts, episodes=report.episodes, messages=report.messages))
    if report.verified:
        console.line(t("cli.verified"), "green")
    else:
        console.warn(t("cli.not_verified", files=", ".join(report.leftovers)))
    if report.mentions:
        console.note(t("cli.mentions", ids=" ".join(report.mentions)))
    if report.backups:
        console.warn(t("cli.in_backups", files=", ".join(report.backups)))


def _report(invocation: Invocation, running: Assistant, facts: Sequence[Fact]) -> None:
    if invocation.options.json:
        ids = shapes.public_ids(running.store, facts)
        for fact in facts:
            invocation.console.record(shapes.fact(fact, ids))
        return
    for fact in facts:
        print_fact(invocation.console, fact)
