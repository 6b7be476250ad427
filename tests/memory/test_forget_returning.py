"""An import or another program cannot bring back what was forgotten by saying it in more words; the person can."""

from __future__ import annotations

import pytest

from desk_assistant.errors import InputError
from desk_assistant.memory.guests import Guests
from desk_assistant.privacy import PrivacyGate
from desk_assistant.store import Message, new_id
from tests.memory.conftest import Profile
from tests.memory.test_forget import fact_with, forget


@pytest.fixture
async def without(profile: Profile) -> Profile:
    """A profile in which it was forgotten that the person uses Thrumbase."""
    profile.say("I use Thrumbase.")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "Thrumbase")).id)
    return profile


def bring_in(profile: Profile, text: str) -> Message:
    with profile.store.transaction():
        session = profile.store.transcripts.create_session("old", title=text[:30], origin="import")
        message = profile.store.transcripts.append(
            Message(new_id("message"), session.id, "user", text, "2026-01-11T09:00:00", ref="1")
        )
        profile.store.outbox.put("remember", [message.id], "import")
    return message


@pytest.mark.parametrize(
    "text", ["I use Thrumbase.", "I'm using Thrumbase daily at the office!", "We use Thrumbase 3 on every machine."]
)
async def test_an_import_cannot(without: Profile, text: str) -> None:
    message = bring_in(without, text)
    await without.memory.settle()
    assert "Thrumbase" not in without.store.transcripts.message(message.id).content
    assert [fact for fact in await without.memory.facts(None) if "Thrumbase" in fact.text] == []


@pytest.mark.parametrize("text", ["I use PostgreSQL daily.", "My sister Noor likes Thrumbase."])
async def test_other_things_come_in(without: Profile, text: str) -> None:
    message = bring_in(without, text)
    await without.memory.settle()
    assert without.store.transcripts.message(message.id).content == text


async def test_another_program_cannot(without: Profile) -> None:
    guests = Guests(without.store, without.settings, PrivacyGate)
    with pytest.raises(InputError):
        guests.add("probe", "I'm using Thrumbase daily at the office.")


async def test_the_person_can(without: Profile) -> None:
    without.say("I'm using Thrumbase daily at the office!")
    await without.memory.settle()
    assert [fact.status for fact in await without.memory.facts(None) if "Thrumbase" in fact.text] == ["active"]
