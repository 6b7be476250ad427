"""`import`: conversations from a file, through the whole write path."""

from __future__ import annotations

from pathlib import Path

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.jsonl import PARTLY_DONE, BadLine
from desk_assistant.cli.running import assistant, progress_of, started
from desk_assistant.errors import NotFoundError
from desk_assistant.i18n import counted, t

FORMATS = ("jsonl",)


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "import", run)
    parser.add_argument("file", metavar=t("cli.file"), help=t("cli.help_import_file"))
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help=t("cli.help_import_format"))


async def run(invocation: Invocation) -> int:
    """Import a file and return when everything in it is extracted and searchable."""
    console = invocation.console
    path = Path(invocation.options.file).expanduser()
    if not path.exists():
        raise NotFoundError("cli.no_file", path=path)

    async with assistant(invocation.locations, index=True) as running:
        await started(running, console, "index")
        before = len(await running.memory.facts(None))
        report = await running.import_jsonl(path, progress_of(console))
        facts = len(await running.memory.facts(None)) - before
    for number, reason in report.bad_lines:
        console.warn(str(BadLine(number, reason)))
    if invocation.options.json:
        console.record(
            {
                "sessions": report.sessions,
                "messages": report.messages,
                "skipped": report.skipped,
                "facts": facts,
                "masked": report.masked,
                "bad_lines": [{"line": number, "reason": reason} for number, reason in report.bad_lines],
            }
        )
    else:
        console.line(
            t(
                "cli.imported",
                messages=counted("message", report.messages),
                sessions=counted("conversation", report.sessions),
                skipped=report.skipped,
                facts=counted("fact", facts),
            )
        )
    return PARTLY_DONE if report.bad_lines else 0
