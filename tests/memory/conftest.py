from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from desk_assistant.memory.service import Memory
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Message, Role, Store, new_id
from tests.scripted import WordIndex


@dataclass
class Profile:
    """An open profile with real SQLite and an in-memory word index."""

    store: Store
    memory: Memory
    index: WordIndex
    settings: Settings
    locations: Locations

    def say(
        self,
        text: str,
        *,
        session: str = "s1",
        role: Role = "user",
        at: str = "2026-05-11T09:00:00",
        ref: str | None = None,
    ) -> Message:
        """Append a message with its job, as a turn does."""
        transcripts = self.store.transcripts
        with self.store.transaction():
            head = transcripts.create_session(session, title=text[:30], at=at).head_id
            message = transcripts.append(Message(new_id("message"), session, role, text, at, parent_id=head, ref=ref))
            self.store.outbox.put("remember", [message.id])
        return message

    async def texts(self, subject: str | None = None) -> list[str]:
        """The active facts' texts."""
        facts = await self.memory.facts(("active",))
        return [f.text for f in facts if subject is None or f.subject == subject]


@pytest.fixture
async def open_profile(locations: Locations) -> AsyncIterator[Callable[[], Profile]]:
    """Returns a function that opens the same profile (again), as another program would."""
    opened: list[Profile] = []
    index = WordIndex()

    def open_one() -> Profile:
        store = Store(locations.database, locations.backups)
        settings = Settings.load(locations.settings)
        memory = Memory(store, index, settings, locations, PrivacyGate)
        opened.append(Profile(store, memory, index, settings, locations))
        return opened[-1]

    yield open_one
    for profile in opened:
        await profile.memory.stop()
        profile.store.close()


@pytest.fixture
def profile(open_profile: Callable[[], Profile]) -> Profile:
    return open_profile()
