"""`recall`: what memory holds about a question, without asking the model."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from desk_assistant import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.jsonl import PARTLY_DONE, BadLine, read_lines
from desk_assistant.cli.running import assistant, started
from desk_assistant.errors import InputError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant
    from desk_assistant.memory.records import RecallResult


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "recall", run)
    parser.add_argument("query", nargs="*", metavar=t("cli.query"), help=t("cli.help_recall_query"))
    parser.add_argument("--queries", metavar=t("cli.file"), help=t("cli.help_recall_queries"))
    parser.add_argument("--limit", type=int, metavar="N", help=t("cli.help_recall_limit"))
    parser.add_argument("--session", metavar="ID", help=t("cli.help_recall_session"))


async def run(invocation: Invocation) -> int:
    """Answer one question, or every line of a file, best memories first."""
    options, console = invocation.options, invocation.console
    if bool(options.query) == bool(options.queries):
        raise InputError("cli.query_or_queries")
    if options.limit is not None and options.limit < 1:
        raise InputError("cli.bad_limit", limit=options.limit)
    async with assistant(invocation.locations, index=True) as running:
        if options.session is not None:
            running.store.transcripts.session(options.session)  # one that does not exist is said, not answered
        await started(running, console, "index")
        if options.queries:
            return await _answer_file(invocation, running)
        result = await running.memory.recall(" ".join(options.query), session=options.session, limit=options.limit)
        await running.memory.note_read("recalled", [item.id for item in result.items])
        if options.json:
            console.record({"id": None, **_items(result)})
            return 0
        _print(invocation, result)
    return 0


async def _answer_file(invocation: Invocation, running: Assistant) -> int:
    options, console = invocation.options, invocation.console
    bad = done = 0
    seen: dict[str, None] = {}
    for row in read_lines(options.queries, required=("query",)):
        problem = row if isinstance(row, BadLine) else _bad_time(*row)
        if problem is not None or isinstance(row, BadLine):
            console.warn(str(problem))
            bad += 1
            continue
        number, line = row
        result = await running.memory.recall(
            line["query"],
            session=line.get("session") or options.session,
            limit=options.limit,
            at=line.get("time") or None,
        )
        seen.update((item.id, None) for item in result.items)
        console.record({"id": line.get("id", number), **_items(result)})
        done += 1
        console.progress(t("cli.recalled_count", count=done), step="recall")
    await running.memory.note_read("recalled", list(seen))
    return PARTLY_DONE if bad else 0


def _items(result: RecallResult) -> dict[str, Any]:
    return {"items": [shapes.recalled(item) for item in result.items], "by_text_only": result.by_text_only}


def _print(invocation: Invocation, result: RecallResult) -> None:
    console = invocation.console
    for item in result.items:
        console.line(f"{item.score:.2f}  {item.text}", *(("bold",) if item.layer == "semantic" else ()))
        console.line(f"      {t(f'cli.recalled_{item.kind}', date=item.created_at[:10], id=item.id)}", "dim")
    if not result.items:
        console.note(t("cli.nothing_recalled"))
    if result.by_text_only:
        console.note(t("cli.by_text_only"))


def _bad_time(number: int, line: dict[str, Any]) -> BadLine | None:
    value = line.get("time")
    try:
        if value:
            datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return BadLine(number, t("cli.bad_time"))
    return None
