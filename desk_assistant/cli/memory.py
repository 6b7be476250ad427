"""`memory list|show|search|history|pause|resume|off`: reading what is remembered, and the switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from desk_assistant import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import Console, pad
from desk_assistant.cli.facts import report_facts, tags
from desk_assistant.cli.running import assistant
from desk_assistant.errors import InputError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant
    from desk_assistant.store import Episode, Fact, Message, Session
    from desk_assistant.store.records import FactStatus

EVERY_STATUS: Final[tuple[FactStatus, ...]] = ("active", "pending", "superseded", "retracted", "closed", "archived")
MODES: Final[dict[str, Literal["on", "paused", "off"]]] = {"pause": "paused", "resume": "on", "off": "off"}


def register(commands: Commands) -> None:
    """Add the commands."""
    listing = add_command(commands, "list", list_facts, group="memory")
    which = listing.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help=t("cli.help_memory_all"))
    which.add_argument("--pending", action="store_true", help=t("cli.help_memory_pending"))
    add_command(commands, "show", show, group="memory").add_argument("id", metavar="ID")
    search = add_command(commands, "search", search_everything, group="memory")
    search.add_argument("query", nargs="+", metavar=t("cli.query"))
    search.add_argument("--limit", type=int, default=50, metavar="N", help=t("cli.help_search_limit"))
    add_command(commands, "history", history, group="memory").add_argument("id", metavar="ID")
    for name in MODES:
        add_command(commands, name, switch, group="memory").set_defaults(mode=name)


async def list_facts(invocation: Invocation) -> int:
    """List facts: the active ones, those that wait to be confirmed, or all."""
    options, console = invocation.options, invocation.console
    statuses = EVERY_STATUS if options.all else ("pending",) if options.pending else ("active",)
    async with assistant(invocation.locations) as running:
        facts = await running.memory.facts(statuses)
        await running.memory.note_read("listed", [fact.id for fact in facts])
        report_facts(invocation, running.store, facts)
        if options.json:
            return 0
        if not facts:
            console.note(t("cli.nothing_pending" if options.pending else "cli.nothing_remembered"))
        if not options.all and not options.pending:
            waiting = len(await running.memory.facts(("pending",)))
            if waiting:
                console.note(t("cli.pending_count", count=waiting))
    return 0


async def search_everything(invocation: Invocation) -> int:
    """Find facts, episodes and messages that contain the words."""
    options, console = invocation.options, invocation.console
    if options.limit < 1:
        raise InputError("cli.bad_limit", limit=options.limit)
    async with assistant(invocation.locations) as running:
        hits = await running.memory.search(" ".join(options.query), limit=options.limit)
        await running.memory.note_read("searched", [hit.id for hit in hits])
        for hit in hits:
            if options.json:
                console.record(shapes.hit(hit))
                continue
            status = "" if hit.status == "active" else f"  [{t(f'cli.status_{hit.status}')}]"
            text = " ".join(hit.text.split())
            console.line(f"{pad(hit.id, 12)}  {pad(t(f'cli.layer_{hit.layer}'), 7)}  {text}{status}")
        if not hits:
            console.note(t("cli.nothing_found"))
    return 0


async def show(invocation: Invocation) -> int:
    """Show one record, with the words it rests on."""
    from desk_assistant.store import Episode, Fact, Message, Session

    record_id, console = invocation.options.id, invocation.console
    async with assistant(invocation.locations) as running:
        record = await running.memory.show(record_id)
        await running.memory.note_read("shown", [record.id])
        if invocation.options.json:
            console.record(await _shape(running, record))
            return 0
        match record:
            case Fact():
                _show_fact(console, record)
            case Episode():
                console.line(record.text, "bold")
                console.line(t(f"cli.recalled_{record.kind}", date=record.created_at[:10], id=record.id), "dim")
            case Message():
                console.line(record.content)
                console.line(t("cli.message_of", role=t(f"cli.role_{record.role}"), date=record.created_at[:16]), "dim")
            case Session():
                await _show_session(running, console, record)
        if isinstance(record, Fact | Episode):
            await _show_sources(running, console, record)
    return 0


async def history(invocation: Invocation) -> int:
    """Show what happened to a fact, oldest first."""
    console = invocation.console
    async with assistant(invocation.locations) as running:
        await running.memory.show(invocation.options.id)  # an unknown id is said, not an empty history
        for change in await running.memory.history(invocation.options.id):
            if invocation.options.json:
                console.record(shapes.change(change))
                continue
            moved = change.after or ""
            if change.before is not None and change.before != change.after:
                moved = f"{change.before} → {change.after or ''}"
            console.line(f"{change.at[:16].replace('T', ' ')}  {change.action}  {moved}  ({change.actor})")
    return 0


async def switch(invocation: Invocation) -> int:
    """Pause, resume or switch off remembering."""
    mode = MODES[invocation.options.mode]
    async with assistant(invocation.locations) as running:
        running.set_memory_mode(mode)
    if invocation.options.json:
        invocation.console.record({"memory": mode})
    else:
        invocation.console.note(t(f"cli.mode_{mode}"))
    return 0


async def _shape(running: Assistant, record: Fact | Episode | Message | Session) -> shapes.Shape:
    from desk_assistant.store import Episode, Fact, Message, Session

    match record:
        case Fact():
            ids = shapes.public_ids(running.store, [record])
            shape = {"layer": "semantic", **shapes.fact(record, ids)}
        case Episode():
            known = running.store.transcripts.messages_by_id(record.messages)
            shape = shapes.episode(record, {key: message.public_id for key, message in known.items()})
        case Message():
            return {"layer": "message", **shapes.message(record)}
        case Session():
            messages = running.conversation(record.id).messages
            return {"layer": "session", **shapes.session(record), "transcript": [shapes.message(m) for m in messages]}
    sources = await running.memory.sources(record.id)
    shape["sources"] = [
        {**shapes.message(message), "start": span[0] if span else None, "end": span[1] if span else None}
        for message, span in sources
    ]
    return shape


def _show_fact(console: Console, fact: Fact) -> None:
    console.line(fact.text, "bold")
    rows = {
        "id": fact.id,
        "subject": t("cli.you") if fact.subject == "user" else fact.subject,
        "status": ", ".join(tags(fact)),
        "confidence": f"{fact.confidence:.0%}",
        "support": str(fact.support),
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "due": fact.due,
        "created_at": fact.created_at[:16].replace("T", " "),
        "last_seen": fact.last_seen[:16].replace("T", " "),
    }
    for name, value in rows.items():
        if value:
            console.line(f"  {pad(t(f'cli.field_{name}'), 12)} {value}")


async def _show_session(running: Assistant, console: Console, session: Session) -> None:
    console.line(session.title or t("cli.untitled"), "bold")
    for message in running.conversation(session.id).messages:
        console.line()
        console.line(
            f"{t(f'cli.role_{message.role}')}  {message.created_at[:16].replace('T', ' ')}  {message.id}", "dim"
        )
        console.line(message.content)


async def _show_sources(running: Assistant, console: Console, record: Fact | Episode) -> None:
    for message, span in await running.memory.sources(record.id):
        console.line()
        console.line(
            t("cli.said_in", date=message.created_at[:16].replace("T", " "), session=message.session_id), "dim"
        )
        content = message.content
        if span is None:
            console.line(f"  {content}")
        else:
            start, end = span
            console.line(f"  {content[:start]}»{content[start:end]}«{content[end:]}")
