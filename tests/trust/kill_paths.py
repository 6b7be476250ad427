"""All the ways to write to a profile, each as a program that is killed and a check of what it left."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from desk_assistant.assistant import Answered, Assistant, Saved
from desk_assistant.assistant import Piece as Streamed
from desk_assistant.assistant.answering import Answer, Answering
from desk_assistant.assistant.conversation import Conversation
from desk_assistant.assistant.importer import Importer
from desk_assistant.errors import WorkerError
from desk_assistant.index.client import IndexClient, IndexSetup
from desk_assistant.llm.client import LlmClient
from desk_assistant.llm.types import ChatMessage, Event, Piece, Sampling
from desk_assistant.memory import backup
from desk_assistant.memory.service import Memory
from desk_assistant.memory.writing import NOTES_SESSION
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Message, MessageState, Store, new_id, now_iso
from desk_assistant.workers import WorkerClient
from tests.importers.exports import NOON, gpt_line, write
from tests.scripted import ScriptedLlm, WordIndex
from tests.trust.killing import KillPath, Run, Verdict

ANSWER: Final = " ".join(f"word{number}" for number in range(60))
RECORDS: Final = 120
"""How many things are there to be changed one after the other."""


class SlowLlm(ScriptedLlm):
    """Streams long enough for the answer to be checkpointed, and to be killed in the middle."""

    async def generate(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        *,
        background: bool = False,
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[Event, None]:
        async for event in super().generate(messages, sampling, background=background, schema=schema):
            if isinstance(event, Piece):
                await asyncio.sleep(0.01)
            yield event


@asynccontextmanager
async def opened(locations: Locations) -> AsyncIterator[Assistant]:
    """The whole app without a screen; its model and index do as they are told."""
    assistant = Assistant.open(locations, llm=SlowLlm([ANSWER]), index=WordIndex())
    await assistant.start()
    try:
        yield assistant
    finally:
        await assistant.close()


@contextlib.contextmanager
def database(run: Run) -> Any:
    """The database alone, as after a restart."""
    store = Store(run.locations.database, run.locations.backups)
    try:
        yield store
    finally:
        store.close()


def counted(found: Sequence[str], acknowledged: Sequence[str]) -> Verdict:
    """Compare what is there with what must be there."""
    counts = Counter(found)
    return Verdict(sum(not counts[one] for one in acknowledged), sum(count - 1 for count in counts.values()))


# --- messages and answers ---------------------------------------------------------------------------------------------


async def talk(run: Run) -> None:
    """Send messages; acknowledge each, each checkpoint of its answer, and the answer."""
    async with opened(run.locations) as assistant:
        conversation = assistant.conversation()
        checkpoint = Answering._write

        def noted(self: Answering, conversation: Conversation, answer: Answer, raw: str, state: MessageState) -> str:
            # Whole, with its transaction: what is inside of one is not acknowledged before all of it is.
            content = checkpoint(self, conversation, answer, raw, state)
            run.acknowledge(f"answer\t{answer.message.id}\t{content}")
            return content

        Answering._write = noted  # type: ignore[method-assign]
        for number in itertools.count():
            text = f"Message {run.number}-{number} about kilns."
            async for event in assistant.send(conversation, text):
                if isinstance(event, Saved):
                    run.acknowledge(f"message\t\t{text}")
                elif isinstance(event, Answered):
                    run.acknowledge(f"answer\t{event.message.id}\t{event.message.content}")


async def check_talk(run: Run, lines: Sequence[str]) -> Verdict:
    """Messages word by word, answers as far as they were kept; records of the turns exactly once."""
    async with opened(run.locations) as assistant:
        await assistant.memory.settle()
        messages = [m for batch in assistant.store.transcripts.walk() for m in batch]
        episodes = [e for batch in assistant.store.episodes.walk() for e in batch if e.kind == "turn"]
        waiting = sum(assistant.store.outbox.pending().values())
    said = [m.content for m in messages if m.role == "user"]
    answers = {m.id: m for m in messages if m.role == "assistant"}
    parts = [line.split("\t") for line in lines]
    verdict = counted(said, [text for kind, _, text in parts if kind == "message"])
    lost = sum(
        i not in answers or not answers[i].content.startswith(text) for kind, i, text in parts if kind == "answer"
    )
    lost += sum(m.state == "streaming" for m in answers.values()) + waiting
    per_message = Counter(e.messages[0] for e in episodes)
    lost += sum(not per_message[m.id] for m in messages if m.role == "user")
    return Verdict(verdict.lost + lost, verdict.doubled + sum(n - 1 for n in per_message.values()))


# --- single records ---------------------------------------------------------------------------------------------------


async def add_notes(run: Run) -> None:
    """Remember statements on the person's word."""
    async with opened(run.locations) as assistant:
        for number in itertools.count():
            text = f"The lantern {run.number}-{number} hangs in the hall."
            await assistant.memory.add(text)
            run.acknowledge(text)


async def check_notes(run: Run, lines: Sequence[str]) -> Verdict:
    """Each note once among the words and once among the facts."""
    with database(run) as store:
        said = [m.content for m in store.transcripts.all_messages(NOTES_SESSION)]
        cited = [s.quote for batch in store.facts.walk() for f in batch for s in f.sources]
    words, facts = counted(said, lines), {quote for quote in cited if any(quote in line for line in lines)}
    missing = sum(not any(quote in line for quote in facts) for line in lines)
    return Verdict(words.lost + missing, words.doubled)


async def many_facts(run: Run) -> None:
    """Tell what is changed later."""
    async with opened(run.locations) as assistant:
        for number in range(RECORDS):
            await assistant.memory.add(f"The parrot{number}x sings in the yard.")
        await assistant.memory.settle()


def facts_of(store: Store) -> list[Any]:
    """The facts in the order in which they were told."""
    found = [fact for batch in store.facts.walk() for fact in batch if "parrot" in fact.text]
    return sorted(found, key=lambda fact: (fact.created_at, fact.id))


async def edit(run: Run) -> None:
    """Word one fact anew, again and again."""
    async with opened(run.locations) as assistant:
        fact = facts_of(assistant.store)[0]
        for number in itertools.count(run.number * 10_000):
            await assistant.memory.edit(fact.id, f"The parrot says {number}")
            run.acknowledge(f"{fact.id}\t{number}")


async def check_edit(run: Run, lines: Sequence[str]) -> Verdict:
    """The last wording that was acknowledged, or the one after it."""
    fact_id, last = lines[-1].split("\t")
    with database(run) as store:
        now = int(store.facts.get(fact_id).text.split()[-1])
        history = [change.after for change in store.facts.history(fact_id) if change.action == "edited"]
    return Verdict(int(now not in (int(last), int(last) + 1)), len(history) - len(set(history)))


async def pin(run: Run) -> None:
    """Pin facts."""
    async with opened(run.locations) as assistant:
        for fact in [fact for fact in facts_of(assistant.store) if not fact.pinned]:
            await assistant.memory.pin(fact.id, True)
            run.acknowledge(fact.id)
        await asyncio.Event().wait()


async def check_pin(run: Run, lines: Sequence[str]) -> Verdict:
    """All of them pinned."""
    with database(run) as store:
        facts = store.facts.by_id(lines)
    return Verdict(sum(not (i in facts and facts[i].pinned) for i in lines))


async def forget(run: Run) -> None:
    """Erase facts for good."""
    async with opened(run.locations) as assistant:
        for fact in facts_of(assistant.store):
            await assistant.memory.erase_now(await assistant.memory.forget([fact.id], undo_seconds=0))
            run.acknowledge(f"{fact.id}\t{next(w for w in fact.text.split() if w.startswith('parrot'))}")
        await asyncio.Event().wait()


async def check_forget(run: Run, lines: Sequence[str]) -> Verdict:
    """Gone from the tables and from the bytes of every file; an erase that had begun is finished."""
    async with opened(run.locations) as assistant:
        await assistant.memory.settle()
        found = await assistant.memory.check_forgotten()
    files = b"".join(path.read_bytes() for path in run.locations.home.rglob("*") if path.is_file())
    left = sum(word.encode() in files for _, word in (line.split("\t") for line in lines))
    return Verdict(left + len(found.records) + len(found.waiting))


# --- much at once -----------------------------------------------------------------------------------------------------


async def bring(run: Run) -> None:
    """Import an export of its own, batch by batch; one that is complete is followed by the next."""
    for number in itertools.count():
        path = run.folder / f"export-{run.number}-{number}.json"
        talks = [
            gpt_line(
                f"c{run.number}-{number}-{talk}",
                f"Talk {talk}",
                [("user", f"Kiln {run.number}-{number}-{talk}-{turn} is hot.") for turn in range(6)],
                at=NOON + talk,
            )
            for talk in range(150)
        ]
        write(path, talks)
        with database(run) as store:

            def told(_phase: str, _done: int, _total: int, store: Store = store) -> None:
                run.acknowledge(str(store.transcripts.count()[1]))

            Importer(store, PrivacyGate()).run(path, told)
            again = Importer(store, PrivacyGate()).run(path)
            assert again.messages == 0


async def check_bring(run: Run, lines: Sequence[str]) -> Verdict:
    """No fewer messages than there were, none twice; what was cut short goes on without doubling anything."""
    last = int(lines[-1])
    exports = sorted(run.folder.glob(f"export-{run.number}-*.json"))
    with database(run) as store:
        lost = max(0, last - store.transcripts.count()[1])
        with contextlib.suppress(ValueError):
            Importer(store, PrivacyGate()).run(exports[-1])
        refs = Counter((m.session_id, m.ref) for batch in store.transcripts.walk() for m in batch)
        jobs = store.outbox.refs("remember")
        lost += sum(m.id not in jobs for batch in store.transcripts.walk() for m in batch)
    return Verdict(lost, sum(count - 1 for count in refs.values()))


async def some_talk(run: Run) -> None:
    """A profile worth a backup, and two backups that differ."""
    with database(run) as store:
        store.transcripts.create_session("s1")
        for name in ("first", "second"):
            store.transcripts.append_all(
                Message(new_id("message"), "s1", "user", f"{name} {number} {'x' * 500}", now_iso())
                for number in range(600)
            )
            backup.write(run.locations, run.folder / f"{name}{backup.SUFFIX}")


async def back_up(run: Run) -> None:
    """Write backups."""
    for number in itertools.count():
        path = run.folder / f"copy-{run.number}-{number}{backup.SUFFIX}"
        backup.write(run.locations, path)
        run.acknowledge(path.name)


async def check_back_up(run: Run, lines: Sequence[str]) -> Verdict:
    """Whatever has the name of a backup is whole, and all that were acknowledged are there."""
    there = {path.name for path in run.folder.glob(f"copy-*{backup.SUFFIX}")}
    new = [name for name in there if name.startswith(f"copy-{run.number}-")]
    broken = 0
    for name in new:
        broken += backup.inspect(run.folder / name, run.locations.home).contents.messages != 1200
    return Verdict(broken + len(set(lines) - there))


async def restore(run: Run) -> None:
    """Restore one backup, then the other."""
    for number in itertools.count():
        name = ("first", "second")[number % 2]
        backup.restore(run.locations, run.folder / f"{name}{backup.SUFFIX}")
        run.acknowledge(name)
        for path in run.locations.backups.glob("before-restore*"):
            path.unlink()


async def check_restore(run: Run, lines: Sequence[str]) -> Verdict:
    """One of the two, whole."""
    with database(run) as store:
        count = store.transcripts.count()[1]
        sound = store._database.row("PRAGMA integrity_check(1)")
    return Verdict(int(count not in (600, 1200) or sound is None))


# --- conversations and settings ---------------------------------------------------------------------------------------


async def many_sessions(run: Run) -> None:
    """Conversations to be renamed, pinned and deleted."""
    with database(run) as store, store.transaction():
        for number in range(RECORDS * 10):
            store.transcripts.create_session(f"s{number:05}", title="as it was")


async def change_sessions(run: Run) -> None:
    """Rename one, pin the next, delete the third."""
    async with opened(run.locations) as assistant:
        names = sorted(s.id for s in assistant.store.transcripts.sessions(10_000) if s.title == "as it was")
        for number, name in enumerate(name for name in names if int(name[1:]) >= run.number * 60):
            match number % 3:
                case 0:
                    await assistant.rename_session(name, "As it is now")
                case 1:
                    await assistant.pin_session(name, True)
                case _:
                    await assistant.memory.erase_now(await assistant.forget([name], undo_seconds=0))
            run.acknowledge(f"{number % 3}\t{name}")


async def check_sessions(run: Run, lines: Sequence[str]) -> Verdict:
    """Each as it was left."""
    async with opened(run.locations) as assistant:
        await assistant.memory.settle()
        there = {session.id: session for session in assistant.store.transcripts.sessions(10_000)}
    lost = 0
    for what, name in (line.split("\t") for line in lines):
        session = there.get(name)
        kept = {
            "0": session is not None and session.title == "As it is now",
            "1": session is not None and session.pinned,
            "2": session is None,
        }
        lost += not kept[what]
    return Verdict(lost)


async def set_settings(run: Run) -> None:
    """Change a setting, again and again."""
    settings = Settings.load(run.locations.settings)
    for number in itertools.count(run.number * 100_000):
        settings.set("prompt.persona", f"persona {number}")
        run.acknowledge(str(number))


async def check_settings(run: Run, lines: Sequence[str]) -> Verdict:
    """The file can be read and says what was set last, or what was being set."""
    now = int(Settings.load(run.locations.settings).text("prompt.persona").split()[-1])
    return Verdict(int(now not in (int(lines[-1]), int(lines[-1]) + 1)))


# --- other processes --------------------------------------------------------------------------------------------------


async def command_line(run: Run) -> None:
    """Run `memory add` over and over; this program and the command at hand die together."""
    for number in itertools.count():
        text = f"The lantern {run.number}-{number} hangs in the hall."
        command = [sys.executable, "-m", "desk_assistant", "--data-dir", str(run.locations.root), "memory", "add", text]
        process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        Path(run.folder / "command.pid").write_text(str(process.pid), encoding="utf-8")
        if await process.wait() == 0:
            run.acknowledge(text)


async def check_command_line(run: Run, lines: Sequence[str]) -> Verdict:
    """As for notes, once the command is dead too."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):  # the kill may have emptied the file
        os.kill(int((run.folder / "command.pid").read_text(encoding="utf-8")), signal.SIGKILL)
    return await check_notes(run, lines)


async def server(run: Run) -> None:
    """Add statements as another program does through the service."""
    from desk_assistant.server.clients import Client
    from desk_assistant.server.operations import AddInput, Operations

    async with opened(run.locations) as assistant:
        add = Operations(assistant).all["add"]
        for number in itertools.count():
            text = f"The lantern {run.number}-{number} hangs in the hall."
            await add.run(Client("editor", True), AddInput(text=text))
            run.acknowledge(text)


async def check_server(run: Run, lines: Sequence[str]) -> Verdict:
    """Each statement once."""
    with database(run) as store:
        said = [m.content for batch in store.transcripts.walk() for m in batch if "lantern" in m.content]
    return counted(said, lines)


async def index_child(run: Run) -> None:
    """Kill the real index child while it takes in records, wait for its successor, and acknowledge what it holds."""
    store = Store(run.locations.database, run.locations.backups)
    index = IndexClient(IndexSetup(run.locations.index, None, ""), log=run.locations.logs / "index.log")
    memory = Memory(store, index, Settings.load(run.locations.settings), run.locations, PrivacyGate)
    store.transcripts.create_session("s1")
    await index.open()
    await memory.reconcile()
    for number in itertools.count():
        with store.transaction():
            for part in range(20):
                message = store.transcripts.append(
                    Message(new_id("message"), "s1", "user", f"Kiln {run.number}-{number}-{part} is hot.", now_iso())
                )
                store.outbox.put("remember", [message.id])
        settling = asyncio.ensure_future(memory.settle())
        await asyncio.sleep(0.02 * (number % 5))
        if number % 2 == 0 and index.worker.pid is not None:
            os.kill(index.worker.pid, signal.SIGKILL)
        with contextlib.suppress(WorkerError):
            await settling
        await memory.settle()
        (run.folder / "index.pid").write_text(str(index.worker.pid), encoding="utf-8")
        for record in await index.ids():
            run.acknowledge(record)


async def check_index_child(run: Run, lines: Sequence[str]) -> Verdict:
    """The index holds each record of the database once, and none that the database has not."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):
        os.kill(int((run.folder / "index.pid").read_text(encoding="utf-8")), signal.SIGKILL)
    store = Store(run.locations.database, run.locations.backups)
    index = IndexClient(IndexSetup(run.locations.index, None, ""), log=run.locations.logs / "index.log")
    memory = Memory(store, index, Settings.load(run.locations.settings), run.locations, PrivacyGate)
    try:
        await index.open()
        await memory.reconcile()
        await memory.settle()
        held = Counter(await index.ids())
        wanted = {e.id for batch in store.episodes.walk() for e in batch}
        messages = store.transcripts.count()[1]
    finally:
        await memory.stop()
        await index.close()
        store.close()
    lost = len((wanted | set(lines)) - set(held)) + len(set(held) - wanted) + (messages - len(wanted))
    return Verdict(lost, sum(count - 1 for count in held.values()))


async def llm_child(run: Run) -> None:
    """Kill the real language model in the middle of every other answer; acknowledge messages and whole answers."""
    log = run.locations.logs / "llm.log"
    worker = WorkerClient("llm", log=log)
    assistant = Assistant.open(run.locations, llm=LlmClient(log, worker=worker), index=WordIndex())
    await assistant.start(index=False)
    conversation = assistant.conversation()
    for number in itertools.count():
        text = f"Message {run.number}-{number} about kilns."
        with contextlib.suppress(WorkerError):
            async for event in assistant.send(conversation, text):
                if isinstance(event, Saved):
                    run.acknowledge(f"message\t\t{text}")
                    (run.folder / "llm.pid").write_text(str(worker.pid), encoding="utf-8")
                elif isinstance(event, Streamed) and number % 2 == 0 and worker.pid is not None:
                    os.kill(worker.pid, signal.SIGKILL)
                elif isinstance(event, Answered):
                    run.acknowledge(f"answer\t{event.message.id}\t{' '.join(event.message.content.split())}")
                    await asyncio.sleep(0.01)


async def check_llm_child(run: Run, lines: Sequence[str]) -> Verdict:
    """Messages and whole answers as they were acknowledged."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):
        os.kill(int((run.folder / "llm.pid").read_text(encoding="utf-8")), signal.SIGKILL)
    with database(run) as store:
        store.transcripts.close_interrupted()
        messages = [m for batch in store.transcripts.walk() for m in batch]
    parts = [line.split("\t") for line in lines]
    said = counted([m.content for m in messages if m.role == "user"], [t for kind, _, t in parts if kind == "message"])
    answers = {m.id: " ".join(m.content.split()) for m in messages if m.role == "assistant"}
    return Verdict(said.lost + sum(answers.get(i) != t for kind, i, t in parts if kind == "answer"), said.doubled)


PATHS: Final = (
    KillPath("messages, answers and their checkpoints", talk, check_talk),
    KillPath("memory add in the app", add_notes, check_notes),
    KillPath("memory edit", edit, check_edit, many_facts),
    KillPath("memory pin", pin, check_pin, many_facts),
    KillPath("memory forget", forget, check_forget, many_facts),
    KillPath("import", bring, check_bring),
    KillPath("backup", back_up, check_back_up, some_talk),
    KillPath("restore", restore, check_restore, some_talk),
    KillPath("rename, pin and delete of conversations", change_sessions, check_sessions, many_sessions),
    KillPath("settings", set_settings, check_settings),
    KillPath("memory add on the command line", command_line, check_command_line),
    KillPath("add through the service", server, check_server),
    KillPath("the index child and its app", index_child, check_index_child),
)

REAL_PATHS: Final = (KillPath("the language model and its app", llm_child, check_llm_child),)
"""These need the starter models."""
