"""The assistant as front ends see it: conversations, turns, memory, status."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import logging.handlers
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Final, Literal

from desk_assistant import i18n
from desk_assistant.assistant import branches
from desk_assistant.assistant.conversation import Conversation, catch_up
from desk_assistant.assistant.engine import Engine, LlmService
from desk_assistant.assistant.events import TurnEvent
from desk_assistant.assistant.imports import Imports
from desk_assistant.assistant.model_choices import in_use
from desk_assistant.assistant.parts import Parts
from desk_assistant.assistant.reader import Reader
from desk_assistant.assistant.status import Status
from desk_assistant.assistant.turn import Turns
from desk_assistant.assistant.warming import Warmer
from desk_assistant.errors import DeskError, InputError, NotFoundError, StorageError
from desk_assistant.index.client import IndexClient, IndexSetup
from desk_assistant.llm.client import LlmClient
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.records import Forgetting
from desk_assistant.memory.service import Memory
from desk_assistant.memory.working import WorkingMemory
from desk_assistant.memory.writing import NOTES_SESSION
from desk_assistant.models import InstalledModel, ModelStore
from desk_assistant.models.fit import MemoryParts
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate, Span
from desk_assistant.privacy.aside import Masking
from desk_assistant.settings import Settings, Value
from desk_assistant.store import AuditEntry, Message, Session, Store

log = logging.getLogger(__name__)

MemoryMode = Literal["on", "paused", "off"]
LOG_BYTES: Final = 1 << 20

PREVIEW_PIECE: Final = 16_000
"""Characters looked through at once for private values before a text is sent."""


class Assistant:
    """One profile, open.

    `open` is quick and starts no process; `start` launches the language model and the memory search in the background.
    An assistant belongs to one event loop.

    Attributes:
        locations: Where its data lives.
        settings: The person's settings.
        store: The database, for reading.
        memory: The three layers of memory.
        models: The models on this machine.
        imports: Takes in conversations of other programs.
        reader: The model as a reader in the background, and its exam.
    """

    def __init__(
        self,
        locations: Locations,
        settings: Settings,
        store: Store,
        models: ModelStore,
        llm: LlmService,
        index: IndexService,
    ) -> None:
        self.locations = locations
        self.settings = settings
        self.store = store
        self.models = models
        self._engine = Engine(llm, models, settings)
        self.reader = Reader(self._engine)
        self.memory = Memory(store, index, settings, locations, lambda: self._gate, self.reader)
        self._gate = PrivacyGate(lambda: settings.words("privacy.allow"))
        self._llm = llm
        self._index = index
        self._warmer = Warmer(self._engine, lambda conversation: self._turns.beginning(conversation))
        self._turns = Turns(
            store,
            self.memory,
            self._engine,
            settings,
            Masking(locations.logs / "filter.log"),
            self._warmer.turn_begins,
            self._warmer.turn_ends,
        )
        self._parts = Parts(self._engine, index, self.memory, self._model_ready)
        self._examine = False
        self._open: list[Conversation] = []
        self.imports = Imports(store, self.memory, lambda: self._gate, lambda: self.memory_mode == "off")

    @classmethod
    def open(
        cls, locations: Locations, *, llm: LlmService | None = None, index: IndexService | None = None
    ) -> Assistant:
        """Open a profile; nothing is loaded and no process is started.

        Args:
            locations: Where its data lives.
            llm: The language model service; the child process by default.
            index: The index service; the child process by default.

        Raises:
            StorageError: The data folder cannot be written, or the database is damaged or newer than the program.
            InputError: The settings file has a mistake; the sentence names it.
        """
        locations.ensure()
        settings = Settings.load(locations.settings)
        i18n.set_language(settings.text("interface.language"))
        _start_log(locations.logs)
        store = Store(locations.database, locations.backups)
        try:
            store.transcripts.close_interrupted()
            models = ModelStore(locations.model_folders, locations.models)
            return cls(
                locations,
                settings,
                store,
                models,
                llm or LlmClient(locations.logs / "llm.log"),
                index or IndexClient(_index_setup(locations, models), log=locations.logs / "index.log"),
            )
        except BaseException:
            store.close()  # or a backup could not take the place of a damaged database
            raise

    # --- life -----------------------------------------------------------------------------------------------------

    async def start(self, *, llm: bool = True, index: bool = True, force: bool = False, examine: bool = False) -> None:
        """Launch the parts in the background and return at once; `on_status` tells how they come along.

        Args:
            llm: Launch the language model.
            index: Launch the memory search.
            force: Load models anyway from now on; see `load_model`.
            examine: Have a model that was never examined sit its exam once nothing else is to do.
        """
        self._engine.insist = force
        self._examine = examine
        self._parts.start(llm=llm, index=index)

    async def close(self) -> None:
        """Ask for the summaries of open conversations, stop the children and close the database.

        Work that is not done waits in the outbox for the next start.
        """
        self._llm.cancel()
        try:
            await self._warmer.close()
            await self.reader.close()
            await self._parts.end_starting()
            for conversation in list(self._open):
                await self.end_session(conversation)
            await self.memory.stop()
            await self._parts.close()
        finally:
            await asyncio.to_thread(self.store.close)

    def _model_ready(self) -> None:
        self._warmer.want()
        if self._examine:
            self.reader.examine_when_idle()

    # --- status ---------------------------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        """How the parts stand."""
        return self._parts.status

    @property
    def model_name(self) -> str:
        """Name of the model in use, or of the one that would be."""
        if self._engine.name:
            return self._engine.name
        with contextlib.suppress(DeskError):
            return self._engine.choose(i18n.language()).name
        return ""

    def on_status(self, listener: Callable[[Status], None]) -> Callable[[], None]:
        """Call `listener` on the event loop at every change; returns the function that ends it."""
        return self._parts.on_status(listener)

    # --- conversations --------------------------------------------------------------------------------------------

    def conversation(self, session_id: str | None = None, *, private: bool = False) -> Conversation:
        """Open a session, or begin a new conversation; its session is created with its first message.

        With memory off every new conversation is private: nothing of it is written. A saved one may be read then.

        Raises:
            NotFoundError: There is no such session.
            InputError: A private conversation was asked to continue a session.
        """
        private = private or (session_id is None and self.memory_mode == "off")
        working = WorkingMemory(self.settings.integer("working.max_messages"))
        if session_id is None:
            conversation = Conversation(self._gate.session(), working, private=private)
        elif private:
            raise InputError("assistant.private_session")
        else:
            session = self.store.transcripts.session(session_id)
            messages = self.store.transcripts.path(session.id)
            gate = self._gate.session()
            gate.resume([(message.role, message.content) for message in messages])
            conversation = Conversation(gate, working, session_id=session.id, title=session.title, messages=messages)
        self._open.append(conversation)
        self._warmer.want(conversation)
        return conversation

    def sessions(self) -> list[Session]:
        """Return the sessions, pinned ones first, then the most recently used; those being forgotten are left out."""
        hidden = self.store.outbox.refs("erase")
        return [s for s in self.store.transcripts.sessions() if s.id not in hidden and s.id != NOTES_SESSION]

    async def rename_session(self, session_id: str, title: str) -> None:
        """Give a session a title; private values in it are masked like everywhere."""
        masked = self._gate.mask(" ".join(title.split())[:200]).text

        def work() -> None:
            with self.store.transaction():
                self.store.transcripts.rename_session(session_id, masked)
                self.store.audit.write("person", "renamed", "transcript", [session_id])

        await asyncio.to_thread(work)
        for conversation in self._open:
            if conversation.session_id == session_id:
                conversation.title = masked

    async def pin_session(self, session_id: str, pinned: bool) -> None:
        """Pin a session to the top of the list, or unpin it."""
        await asyncio.to_thread(self.store.transcripts.pin_session, session_id, pinned)

    async def forget(self, record_ids: Sequence[str], *, undo_seconds: float | None = None) -> Forgetting:
        """Forget sessions or any other records; see `Memory.forget`."""
        return await self.memory.forget(record_ids, undo_seconds=undo_seconds)

    async def end_session(self, conversation: Conversation) -> None:
        """Leave a conversation: its summary is asked for, and its raw words are let go."""
        if conversation in self._open:
            self._open.remove(conversation)
        if conversation.session_id and not conversation.private and self.memory_mode == "on":
            await self.memory.end_session(conversation.session_id)

    async def refresh(self, conversation: Conversation) -> None:
        """Show the stored state of a conversation anew, after something in it was forgotten."""
        if conversation.session_id is None or conversation.busy:
            return
        await catch_up(self.store, conversation)

    # --- turns ----------------------------------------------------------------------------------------------------

    def _remembers(self, conversation: Conversation) -> bool:
        """Whether what is said now is to be remembered.

        Raises:
            InputError: Memory was switched off, perhaps by another program, and this conversation would be written.
        """
        mode = self.memory_mode
        if mode == "off" and not conversation.private:
            raise InputError("assistant.memory_off_here")
        return mode == "on"

    def send(self, conversation: Conversation, text: str) -> AsyncGenerator[TurnEvent, None]:
        """Answer a new message.

        Yields `Saved`, `Recalled`, perhaps `Waiting`, `Reading`s, `Piece`s and at the end `Answered`. Closing the
        iterator or `stop` ends the answer within 200 ms and keeps what had been streamed.

        Raises:
            InputError: The message is empty, an answer is still being written, or memory was switched off meanwhile.
            StorageError: The message could not be kept; it was not sent.
            ModelError: The model is missing or cannot be loaded; the message is kept.
            WorkerError: The model's process died; what had been streamed is kept.
        """
        return self._turns.send(conversation, text, remember=self._remembers(conversation))

    def edit(self, conversation: Conversation, message_id: str, text: str) -> AsyncGenerator[TurnEvent, None]:
        """Say an earlier message in other words and have that answered.

        The old message and all that followed it stay as another branch; see `siblings` and `switch`. Yields and raises
        like `send`.

        Raises:
            InputError: That message is not one of the person's in the branch that is shown.
        """
        return self._turns.edit(conversation, message_id, text, remember=self._remembers(conversation))

    def regenerate(self, conversation: Conversation) -> AsyncGenerator[TurnEvent, None]:
        """Answer the newest message again; the old answer stays as a sibling. Yields and raises like `send`."""
        return self._turns.regenerate(conversation, remember=self._remembers(conversation))

    def continue_answer(self, conversation: Conversation) -> AsyncGenerator[TurnEvent, None]:
        """Go on with the newest answer where it was stopped or cut; what comes is added to that message.

        Yields and raises like `send`; the first `Piece` is what was said before.

        Raises:
            InputError: The conversation does not end with an answer.
        """
        return self._turns.go_on(conversation, remember=self._remembers(conversation))

    def stop(self, conversation: Conversation) -> None:
        """Stop the turn of a conversation, whatever it is at; an answer ends with what it had."""
        if conversation.busy:
            conversation.stop_wanted.set()
            self._llm.cancel()

    async def siblings(self, conversation: Conversation, message_id: str) -> list[Message]:
        """Return a message of a conversation with its alternatives, oldest first: other wordings, other answers."""
        return branches.siblings(await self._tree(conversation), message_id)

    async def switch(self, conversation: Conversation, message_id: str) -> None:
        """Show the branch through a message, up to what was said last on it.

        Raises:
            InputError: An answer is being written.
            NotFoundError: The conversation has no such message.
        """
        if conversation.busy:
            raise InputError("assistant.busy")
        branch = branches.branch_through(await self._tree(conversation), message_id)
        if not branch:
            raise NotFoundError("store.no_record", id=message_id)
        if conversation.session_id is not None and not conversation.private:
            await asyncio.to_thread(self.store.transcripts.set_head, conversation.session_id, branch[-1].id)
        conversation.messages = branch
        self._warmer.want(conversation)

    async def _tree(self, conversation: Conversation) -> list[Message]:
        if conversation.private or conversation.session_id is None:
            return conversation.tree
        tree = await asyncio.to_thread(self.store.transcripts.all_messages, conversation.session_id)
        hidden = self.store.outbox.refs("erase")
        return [message for message in tree if message.id not in hidden]

    # --- models ---------------------------------------------------------------------------------------------------

    async def load_model(self, model_id: str, *, force: bool = False) -> InstalledModel:
        """Load a model of this machine and keep to it from now on.

        Args:
            model_id: Its id, or `auto` for the starter of the conversation's language.
            force: Load it anyway: although it seems too large for the memory, or its last load ended badly.

        Raises:
            NotFoundError: There is no such model here.
            ModelError: It cannot be loaded; the sentence says why. The choice and the model in use stay as they were.
            WorkerError: The model's process cannot be started.
        """
        if model_id == "auto":
            before = self.settings.text("model.name")
            self.settings.set("model.name", model_id)
            try:
                model = await self._engine.load(self._engine.choose(i18n.language()), force=force)
            except DeskError:
                self.settings.set("model.name", before)
                raise
        else:
            wanted = await asyncio.to_thread(self.models.find, model_id)
            if wanted.kind != "llm":
                raise InputError("assistant.not_a_language_model", model=model_id)
            model = await self._engine.load(wanted, force=force)
            await asyncio.to_thread(self.settings.set, "model.name", model_id)
        self._model_ready()
        return model

    def model_settings(self) -> tuple[str, dict[str, Value]] | None:
        """Return the id of the model in use and its settings as they are used, None when there is no model.

        Each can be set with `settings.set("models.<id>.<name>", value)`, and counts from the next answer on.
        """
        with contextlib.suppress(DeskError):
            model = self.models.find(self._engine.loaded or self._engine.choose(i18n.language()).id)
            return model.id, in_use(model, self.settings)
        return None

    def model_fit(self, model: InstalledModel) -> MemoryParts:
        """Return the memory a model needs, by part; raises `ModelError` when its file cannot be used."""
        return self._engine.fit(model)

    async def warmed(self) -> None:
        """Wait until the model has read ahead what it can, or gave it up for a turn."""
        await self._warmer.settled()

    def masked_preview(self, text: str, conversation: Conversation | None = None) -> tuple[Span, ...]:
        """Return the parts of a text that would be masked when it is written, as the next message of a conversation.

        A long text is looked through piece by piece, cut where lines end: a single search over a megabyte would hold
        up every other thread until it is done. What stands across such a cut is masked all the same when it is sent.
        """
        check = conversation.gate.check if conversation is not None else self._gate.check
        found: list[Span] = []
        start = 0
        while len(text) - start > PREVIEW_PIECE:
            end = text.rfind("\n", start, start + PREVIEW_PIECE) + 1 or start + PREVIEW_PIECE
            found += (Span(s.start + start, s.end + start, s.type) for s in check(text[start:end]))
            start, check = end, self._gate.check
        found += (Span(s.start + start, s.end + start, s.type) for s in check(text[start:]))
        return tuple(found)

    async def audit(self, limit: int = 500) -> list[AuditEntry]:
        """Return the newest entries of the trail: who wrote, recalled or erased which record when. No content."""
        return await asyncio.to_thread(self.store.audit.recent, limit)

    # --- memory ---------------------------------------------------------------------------------------------------

    @property
    def memory_mode(self) -> MemoryMode:
        """`on`; `paused` (talks are kept, nothing is remembered from them); `off` (nothing is written)."""
        if not self.settings.flag("memory.enabled"):
            return "off"
        return "paused" if self.settings.flag("memory.paused") else "on"

    def set_memory_mode(self, mode: MemoryMode) -> None:
        """Switch remembering on, pause it, or switch it off."""
        self.settings.set("memory.enabled", mode != "off")
        self.settings.set("memory.paused", mode == "paused")


def _index_setup(locations: Locations, models: ModelStore) -> IndexSetup:
    embeddings = models.list("embedding")
    model = embeddings[0] if embeddings else None
    return IndexSetup(locations.index, model.path if model else None, model.id if model else "")


def _start_log(folder: Path) -> None:
    """Send this program's own log, which never holds what the person wrote, to a rotating file."""
    root = logging.getLogger("desk_assistant")
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    try:
        handler = logging.handlers.RotatingFileHandler(
            folder / "app.log", maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8"
        )
    except OSError as error:
        raise StorageError("common.data_folder_unwritable", path=folder, reason=error.strerror or error) from error
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    root.propagate = False
