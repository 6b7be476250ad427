"""What an erase reports, whoever has carried it out: the background pass, this call, or another program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from desk_assistant.errors import DeskError, StorageError
from desk_assistant.memory.records import ForgetReport
from tests.memory.conftest import Profile
from tests.memory.test_forget import fact_with


async def test_what_the_background_pass_erased_is_reported_in_full(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    forgetting = await profile.memory.forget([fact.id], undo_seconds=0)
    await profile.memory.settle()  # what the background pass does of its own accord
    report = await profile.memory.erase_now(forgetting)
    assert (report.facts, report.messages, report.verified, report.again) == (1, 1, True, 0)


async def test_what_another_program_erased_is_checked_here(open_profile: Callable[[], Profile]) -> None:
    first, second = open_profile(), open_profile()
    first.say("I'm allergic to walnuts.")
    await first.memory.settle()
    fact = await fact_with(first, "walnut")
    forgetting = await first.memory.forget([fact.id], undo_seconds=0)
    await second.memory.settle()
    note = first.locations.home / "note.txt"
    note.write_text("Allergic to walnuts")
    report = await first.memory.erase_now(forgetting)
    assert (report.verified, report.again) == (False, 1)
    assert report.leftovers == (str(note),)


async def test_an_erase_that_fails_is_not_reported_as_done(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    forgetting = await profile.memory.forget([fact.id], undo_seconds=0)
    profile.store.outbox.failed(profile.store.outbox.claim(["erase"], 1))  # as the background pass leaves it
    report = await profile.memory.erase_now(forgetting)
    assert report.facts == 1

    profile.say("I'm allergic to mustard.")
    await profile.memory.settle()
    fact = await fact_with(profile, "mustard")
    forgetting = await profile.memory.forget([fact.id], undo_seconds=0)

    async def refuse(ids: object) -> None:
        raise StorageError("index.erase_unverified")

    profile.index.erase = refuse  # type: ignore[method-assign]
    with pytest.raises(DeskError):
        await profile.memory.erase_now(forgetting)
    assert profile.store.outbox.refs("erase") == {fact.id}


def test_reports_of_several_batches_are_one() -> None:
    first = ForgetReport(facts=2, messages=1, mentions=("m_1",), backups=("b",))
    second = ForgetReport(facts=1, verified=False, leftovers=("x",), mentions=("m_1", "m_2"), backups=("b",))
    whole = ForgetReport.of([first, second, first])
    assert (whole.facts, whole.messages, whole.verified) == (3, 1, False)
    assert (whole.mentions, whole.backups, whole.leftovers) == (("m_1", "m_2"), ("b",), ("x",))


async def test_what_everybody_says_is_no_mention(profile: Profile) -> None:
    profile.say("We met zarbolune at the fair.")
    profile.say("Fine.", role="assistant")
    profile.say("The shed is painted.", session="s2")
    kept = profile.say("Fine.", role="assistant", session="s2")
    await profile.memory.settle()
    report = await profile.memory.erase_now(await profile.memory.forget(["s1"], undo_seconds=0))
    assert (report.verified, report.mentions) == (True, ())
    assert kept.content == profile.store.transcripts.message(kept.id).content
