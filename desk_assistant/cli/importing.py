"""`import`: conversations from other programs, through the whole write path."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import Console, fit, pad
from desk_assistant.cli.jsonl import PARTLY_DONE
from desk_assistant.cli.running import assistant, progress_of, started
from desk_assistant.errors import InputError, NotFoundError
from desk_assistant.i18n import counted, t

if TYPE_CHECKING:
    import argparse

    from desk_assistant.assistant import ImportPreview, ImportReport
    from desk_assistant.importers import Problem, Selection

FORMATS = ("auto", "chatgpt", "claude", "openwebui", "jsonl", "markdown")
LISTED = 20
"""Conversations that a preview names on the screen; the JSON names more."""

TITLE_CELLS = 60


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "import", run)
    parser.add_argument("file", metavar=t("cli.file"), help=t("cli.help_import_file"))
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help=t("cli.help_import_format"))
    parser.add_argument("--since", metavar=t("cli.date"), help=t("cli.help_import_since"))
    parser.add_argument("--until", metavar=t("cli.date"), help=t("cli.help_import_until"))
    parser.add_argument("--title", metavar=t("cli.words"), default="", help=t("cli.help_import_title"))
    parser.add_argument("-n", "--preview", action="store_true", help=t("cli.help_import_preview"))


async def run(invocation: Invocation) -> int:
    """Import and return when everything is extracted and searchable, or show what would come in."""
    options, console = invocation.options, invocation.console
    path = Path(options.file).expanduser()
    if not path.exists():
        raise NotFoundError("cli.no_file", path=path)
    selection = _selection(options)
    if options.preview:
        async with assistant(invocation.locations) as running:
            preview = await running.imports.preview(
                path, source=options.format, selection=selection, progress=progress_of(console)
            )
        _show(console, preview, as_json=options.json)
        return PARTLY_DONE if _complain(console, preview.problems) else 0
    async with assistant(invocation.locations, index=True) as running:
        await started(running, console, "index")
        before = len(await running.memory.facts(None))
        report = await running.imports.run(path, progress_of(console), source=options.format, selection=selection)
        facts = len(await running.memory.facts(None)) - before
    _complain(console, report.problems)
    _tell(console, report, facts, as_json=options.json)
    return PARTLY_DONE if report.bad_lines else 0


def _selection(options: argparse.Namespace) -> Selection:
    from desk_assistant.importers import Selection

    since, until = _day(options.since), _day(options.until)
    if since is not None and until is not None and since > until:
        raise InputError("importers.dates_reversed", since=options.since, until=options.until)
    return Selection(since, until, options.title)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text is not None else None
    except ValueError as error:
        raise InputError("cli.bad_date", date=text) from error


def _complain(console: Console, problems: tuple[Problem, ...]) -> bool:
    """Name what was left out on standard error; return whether there was anything."""
    from desk_assistant.assistant.import_words import problem_line

    for problem in problems:
        console.warn(problem_line(problem))
    return bool(problems)


def _problems(problems: tuple[Problem, ...]) -> list[dict[str, object]]:
    return [{"line": p.number, "reason": p.reason, "unit": p.unit, "file": p.file or None} for p in problems]


def _tell(console: Console, report: ImportReport, facts: int, *, as_json: bool) -> None:
    if as_json:
        console.record(
            {
                "sessions": report.sessions,
                "messages": report.messages,
                "skipped": report.skipped,
                "facts": facts,
                "masked": report.masked,
                "left_out": report.left_out,
                "format": report.format,
                "bad_lines": _problems(report.problems),
            }
        )
        return
    console.line(
        t(
            "cli.imported",
            messages=counted("message", report.messages),
            sessions=counted("conversation", report.sessions),
            skipped=report.skipped,
            facts=counted("fact", facts),
        )
    )
    if report.left_out:
        console.note(t("importers.left_out", count=report.left_out), "dim")


def _show(console: Console, preview: ImportPreview, *, as_json: bool) -> None:
    if as_json:
        console.record(
            {
                "format": preview.format,
                "conversations": preview.talks,
                "messages": preview.messages,
                "known": preview.known,
                "beside": preview.beside,
                "first": preview.first,
                "last": preview.last,
                "masked": dict(preview.masked),
                "left_out": preview.left_out,
                "listed": [
                    {"id": talk.id, "title": talk.title, "date": talk.date, "messages": talk.messages}
                    for talk in preview.listed
                ],
                "bad_lines": _problems(preview.problems),
            }
        )
        return
    from desk_assistant.assistant.import_words import preview_lines

    for line in preview_lines(preview):
        console.line(line)
    for talk in preview.listed[:LISTED]:
        console.line(
            f"  {(talk.date or '')[:10]:10}  {pad(fit(talk.title, TITLE_CELLS), TITLE_CELLS)}  {talk.messages}"
        )
    if preview.talks > LISTED:
        console.line(t("cli.and_more", count=preview.talks - LISTED), "dim")
