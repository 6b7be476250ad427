"""`memory forget`: erasing records, a conversation, a person, a topic, a time span or everything; shown first."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from desk_assistant import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.ask import card
from desk_assistant.cli.console import Console, pad
from desk_assistant.cli.running import assistant, started
from desk_assistant.errors import InputError
from desk_assistant.i18n import counted, t

if TYPE_CHECKING:
    import argparse

    from desk_assistant.assistant import Assistant
    from desk_assistant.memory.records import ForgetReport, SearchHit

NOT_VERIFIED: Final = 1
"""Exit code when something was erased and the check afterwards still found its words in a file."""

SHOWN: Final = 40
"""Records that are shown before the question; the rest is counted."""


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "forget", forget, group="memory")
    parser.add_argument("id", nargs="*", metavar="ID", help=t("cli.help_forget_id"))
    parser.add_argument("--session", action="append", default=[], metavar="ID", help=t("cli.help_forget_session"))
    parser.add_argument("--person", metavar=t("cli.name"), help=t("cli.help_forget_person"))
    parser.add_argument("--about", metavar=t("cli.words"), help=t("cli.help_forget_about"))
    parser.add_argument("--since", metavar=t("cli.date"), help=t("cli.help_forget_since"))
    parser.add_argument("--until", metavar=t("cli.date"), help=t("cli.help_forget_until"))
    parser.add_argument("--everything", action="store_true", help=t("cli.help_forget_everything"))
    parser.add_argument("--backups", action="store_true", help=t("cli.help_forget_backups"))
    parser.add_argument("-n", "--dry-run", action="store_true", help=t("cli.help_forget_dry_run"))
    parser.add_argument("-y", "--yes", action="store_true", help=t("cli.help_yes"))


async def forget(invocation: Invocation) -> int:
    """Show what would be erased, ask, erase it and check that it is gone."""
    options, console = invocation.options, invocation.console
    _one_way(options)
    async with assistant(invocation.locations, index=True) as running:
        if options.about:
            await started(running, console, "index")
        hits = await _chosen(running, options)
        backups = [path.name for path in running.memory.backups()] if options.backups else []
        if not hits and not backups:
            console.note(t("cli.nothing_found"))
            return 0
        if options.dry_run or not options.yes:
            _show(console, hits, as_json=options.json and options.dry_run)
        if options.dry_run:
            return 0
        if not options.yes and not agreed(console, t("cli.really_forget", count=len(hits) + len(backups))):
            console.note(t("cli.nothing_forgotten"))
            return 0
        await started(running, console, "index")
        console.progress(t("cli.erasing"), step="erase")
        if backups:
            await running.memory.delete_backups(backups)
        forgetting = await running.memory.forget([hit.id for hit in hits], undo_seconds=0)
        report = await running.memory.erase_now(forgetting)
    if options.json:
        console.record(shapes.forgotten(report))
    else:
        _tell(console, report)
    return 0 if report.verified else NOT_VERIFIED


def agreed(console: Console, question: str) -> bool:
    """Ask before something that cannot be taken back.

    Raises:
        InputError: There is no terminal to ask at.
    """
    if not sys.stdin.isatty():
        raise InputError("cli.needs_yes")
    return console.ask(question).casefold() in t("cli.yes_words").split()


def _one_way(options: argparse.Namespace) -> None:
    ways = [options.id, options.session, options.person, options.about, options.since or options.until]
    if sum(map(bool, ways)) + options.everything != 1 and not (options.backups and not any(ways)):
        raise InputError("cli.forget_one_way")


async def _chosen(running: Assistant, options: argparse.Namespace) -> list[SearchHit]:
    choose = running.memory.choose
    if options.everything:
        return list((await choose.everything()).hits)
    if options.person:
        return list((await choose.person(options.person)).hits)
    if options.about:
        return list((await choose.about(options.about)).hits)
    if options.since or options.until:
        since, until = _moment(options.since), _moment(options.until, end=True)
        if since and until and until < since:
            raise InputError("cli.dates_reversed", since=options.since, until=options.until)
        return list((await choose.between(since, until)).hits)
    found: list[SearchHit] = []
    for session_id in options.session:
        found += (await choose.session(session_id)).hits
    for record_id in dict.fromkeys(options.id):
        found.append(await running.memory.as_hit(record_id))
    return found


def _moment(text: str | None, *, end: bool = False) -> datetime | None:
    """Return a local date or time; a day that ends something ends with its last moment."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError("cli.bad_date", date=text) from error
    if end and len(text) <= len("2026-05-11"):
        moment += timedelta(days=1)
    return moment


def _show(console: Console, hits: Sequence[SearchHit], *, as_json: bool) -> None:
    if as_json:
        for hit in hits:
            console.record(shapes.hit(hit))
        return
    for hit in hits[:SHOWN]:
        text = card(hit.text) if hit.text.strip() else t("cli.untitled")
        console.warn(f"{pad(hit.id, 12)}  {pad(t(f'cli.layer_{hit.layer}'), 7)}  {text}")
    if len(hits) > SHOWN:
        console.warn(t("cli.and_more", count=len(hits) - SHOWN))


def _tell(console: Console, report: ForgetReport) -> None:
    facts, episodes = counted("fact", report.facts), counted("episode", report.episodes)
    console.line(t("cli.forgotten", facts=facts, episodes=episodes, messages=counted("message", report.messages)))
    if report.verified:
        console.line(t("cli.verified"), "green")
    else:
        console.warn(t("cli.not_verified", files=", ".join(report.leftovers)))
    if report.mentions:
        console.note(t("cli.mentions", ids=" ".join(report.mentions)))
    if report.backups:
        console.warn(t("cli.in_backups", files=", ".join(report.backups)))
    if report.exports:
        console.warn(t("cli.in_exports", files=", ".join(report.exports)))
