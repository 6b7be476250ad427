"""`doctor`: checks this installation from the data folder to an answer, in a throw-away profile."""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from desk_assistant.cli import connections
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.installation import checks as checks_of_copy
from desk_assistant.cli.running import assistant, settled, started
from desk_assistant.errors import DeskError
from desk_assistant.i18n import counted, t
from desk_assistant.installed import installation

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant
    from desk_assistant.models.catalogue import Kind
    from desk_assistant.paths import Locations

LOW_DISK_BYTES: Final = 500_000_000
FAILED: Final = 1
"""Exit code when a check failed."""


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Attributes:
        check: Its name, as in the JSON.
        ok: Whether all is well.
        detail: A sentence for the person.
    """

    check: str
    ok: bool
    detail: str


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "doctor", run)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--quick", action="store_true", help=t("cli.help_doctor_quick"))
    which.add_argument("--forgotten", action="store_true", help=t("cli.help_doctor_forgotten"))


async def run(invocation: Invocation) -> int:
    """Run all checks, each said as soon as it is done."""
    console, failed, at = invocation.console, 0, time.monotonic()
    checks = _forgotten if invocation.options.forgotten else _checks
    async for finding in checks(invocation):
        now = time.monotonic()
        failed += not finding.ok
        if invocation.options.json:
            console.record(
                {"check": finding.check, "ok": finding.ok, "detail": finding.detail, "seconds": round(now - at, 2)}
            )
            console.flush()
        else:
            console.line(f"{'✓' if finding.ok else '✗'} {finding.detail}", "green" if finding.ok else "red")
        at = now
    console.note(t("cli.doctor_failed", count=failed) if failed else t("cli.doctor_well"))
    return FAILED if failed else 0


async def _checks(invocation: Invocation) -> AsyncIterator[Finding]:
    locations = invocation.locations
    if came_along := installation():
        for name, ok, detail in checks_of_copy(came_along, quick=invocation.options.quick):
            yield Finding(name, ok, detail)
    for check in (_data_folder, _settings, _database):
        yield check(locations)
    for finding in _models(locations):
        yield finding
    if invocation.options.quick:
        return
    from desk_assistant.cli.throwaway import throwaway
    from desk_assistant.settings import Settings

    try:
        chosen = Settings.load(locations.settings).text("model.name")
        with throwaway(locations, "doctor", {"model.name": chosen}) as profile:
            async for finding in _living(invocation, profile):
                yield finding
    except DeskError as error:
        yield Finding("children", False, str(error))


def _data_folder(locations: Locations) -> Finding:
    try:
        locations.ensure()
    except DeskError as error:
        return Finding("data_folder", False, str(error))
    free = shutil.disk_usage(locations.home).free
    key = "cli.check_disk_low" if free < LOW_DISK_BYTES else "cli.check_data_folder"
    return Finding("data_folder", free >= LOW_DISK_BYTES, t(key, path=locations.home, free=f"{free / 1e9:.1f} GB"))


def _settings(locations: Locations) -> Finding:
    from desk_assistant.settings import Settings

    try:
        Settings.load(locations.settings)
    except DeskError as error:
        return Finding("settings", False, str(error))
    return Finding("settings", True, t("cli.check_settings"))


def _database(locations: Locations) -> Finding:
    from desk_assistant.store import Store

    if not locations.database.exists():
        return Finding("database", True, t("cli.check_no_database"))
    try:
        store = Store(locations.database, locations.backups)
        try:
            sessions, messages = store.transcripts.count()
            facts = sum(store.facts.count().values())
            episodes = sum(store.episodes.count().values())
            waiting = sum(store.outbox.pending().values())
        finally:
            store.close()
    except DeskError as error:
        return Finding("database", False, str(error))
    detail = t(
        "cli.check_database",
        sessions=counted("conversation", sessions),
        messages=counted("message", messages),
        facts=counted("fact", facts),
        episodes=counted("episode", episodes),
        waiting=counted("job", waiting),
    )
    return Finding("database", True, detail)


def _models(locations: Locations) -> list[Finding]:
    from desk_assistant.models import ModelStore

    store = ModelStore(locations.model_folders, locations.models)
    found: list[Finding] = []
    for model in store.list():
        try:
            if model.kind == "llm":
                model.header()
            found.append(Finding(f"model {model.id}", True, t("cli.check_model", model=model.name, path=model.path)))
        except DeskError as error:
            found.append(Finding(f"model {model.id}", False, str(error)))
    kinds: tuple[Kind, ...] = ("llm", "embedding")
    return found + [
        Finding(f"model {kind}", False, t(f"cli.check_no_{kind}", path=locations.models))
        for kind in kinds
        if not store.list(kind)
    ]


async def _living(invocation: Invocation, profile: Locations) -> AsyncIterator[Finding]:
    """Check what needs the children: an answer, meaning, writing, finding and forgetting, and a quiet network."""
    console = invocation.console
    async with assistant(profile, llm=True, index=True) as running:
        await started(running, console, "llm", "index")
        for part in ("llm", "index"):
            status = getattr(running.status, part)
            ready = status.state == "ready"
            detail = t(f"cli.check_{part}") if ready else status.detail or t("cli.check_part_failed", part=part)
            yield Finding(part, ready, detail)
        for name, check in (("answer", _answers), ("remember", _remembers), ("forget", _forgets)):
            try:
                yield await check(invocation, running)
            except DeskError as error:
                yield Finding(name, False, str(error))
            except Exception as error:  # noqa: BLE001 - a mistake in one part must not hide what the others say
                from desk_assistant.cli import crash

                crash.record(error, invocation.locations)
                yield Finding(name, False, t("cli.check_broken", kind=type(error).__name__))
        yield _network()


async def _forgotten(invocation: Invocation) -> AsyncIterator[Finding]:
    """Look through the person's own profile for what they have forgotten."""
    async with assistant(invocation.locations, index=True) as running:
        await started(running, invocation.console, "index")
        found = await running.memory.check_forgotten()
    detail = t("cli.check_forgotten_marks", marks=found.marks, records=found.looked_at)
    if not found.clean:
        places = ", ".join([*found.records, *found.stray, *found.copies])
        detail = t("cli.check_forgotten_found", places=places)
    yield Finding("forgotten", found.clean, detail)
    if found.backups:
        invocation.console.warn(t("cli.in_backups", files=", ".join(found.backups)))


async def _answers(invocation: Invocation, running: Assistant) -> Finding:
    from desk_assistant.assistant import Answered

    conversation = running.conversation()
    async for event in running.send(conversation, t("cli.check_said")):
        if isinstance(event, Answered):
            invocation.console.note(f"  {running.model_name}: {event.message.content.strip()}", "dim")
            speed = f"{event.usage.tokens_per_second:.0f}"
            return Finding(
                "answer",
                bool(event.message.content.strip()),
                t("cli.check_answer", model=running.model_name, speed=speed),
            )
    return Finding("answer", False, t("cli.check_no_answer"))


async def _remembers(invocation: Invocation, running: Assistant) -> Finding:
    await settled(running, invocation.console)
    result = await running.memory.recall(t("cli.check_question"))
    found = any(t("cli.check_word") in item.text for item in result.items)
    if found and result.by_text_only:
        return Finding("remember", False, t("cli.check_text_only"))
    return Finding("remember", found, t("cli.check_found" if found else "cli.check_not_found"))


async def _forgets(invocation: Invocation, running: Assistant) -> Finding:
    hits = await running.memory.search(t("cli.check_word"))
    forgetting = await running.memory.forget([hit.id for hit in hits], undo_seconds=0)
    report = await running.memory.erase_now(forgetting)
    await settled(running, invocation.console)
    result = await running.memory.recall(t("cli.check_question"))
    gone = bool(hits) and report.verified and not any(t("cli.check_word") in item.text for item in result.items)
    return Finding("forget", gone, t("cli.check_forgotten" if gone else "cli.check_not_forgotten"))


def _network() -> Finding:
    from desk_assistant.workers.launch import QUIET, environment

    surroundings = environment()
    missing = [name for name, value in QUIET.items() if surroundings.get(name) != value]
    held = connections.held()
    if missing or held:
        return Finding("network", False, t("cli.check_network_used", what=", ".join([*missing, *(held or [])])))
    return Finding("network", True, t("cli.check_network" if held is not None else "cli.check_network_switches"))
