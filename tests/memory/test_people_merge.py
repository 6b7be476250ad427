"""One person under two names, and two people under one."""

from __future__ import annotations

import pytest

from tests.memory.conftest import Profile


async def _tell(profile: Profile, *messages: str) -> None:
    for message in messages:
        profile.say(message)
        await profile.memory.settle()


async def _about(profile: Profile) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for fact in await profile.memory.facts(("active",)):
        if fact.subject != "user" and fact.predicate != "alias":
            found.setdefault(fact.subject, set()).add(fact.object)
    return found


async def test_somebody_known_by_relation_gets_their_name_later(profile: Profile) -> None:
    await _tell(profile, "My sister plays the harp.", "My sister Noor lives in Lyon.")
    assert await _about(profile) == {"Noor": {"harp", "Lyon"}}


async def test_with_two_sisters_known_a_bare_one_is_neither(profile: Profile) -> None:
    await _tell(profile, "My sister Noor lives in Lyon.", "My sister Ida lives in Graz.", "My sister plays the harp.")
    assert (await _about(profile))["Noor"] == {"Lyon"}
    assert (await _about(profile))["Ida"] == {"Graz"}


async def test_the_same_name_with_another_relation_is_another_person(profile: Profile) -> None:
    await _tell(profile, "Robin from work plays darts.", "My brother Robin moved to Ostend.")
    about = await _about(profile)
    assert len(about) == 2
    assert {"Ostend"} in about.values()


@pytest.mark.parametrize(
    ("messages", "subject"),
    [
        (("My sister Alexandra lives in Porto.", "We call her Lexi.", "Lexi is learning Dutch."), "Alexandra"),
        (("My sister Alexandra lives in Porto.", "Her nickname is Lexi.", "Lexi is learning Dutch."), "Alexandra"),
        (("My friend Konstantin is a baker.", "Everyone calls Konstantin Kosta.", "Kosta speaks Greek."), "Konstantin"),
        (("我妹妹林悦住在昆明。", "林悦小名叫豆豆。", "豆豆在学画画。"), "林悦"),
        (("我朋友王建国是木匠。", "大家都叫他老王。", "老王会说法语。"), "王建国"),
        (("我弟弟叫沈清。", "他外号叫阿飞。", "阿飞住在大连。"), "沈清"),
    ],
)
async def test_a_second_name_said_outright_is_the_same_person(
    profile: Profile, messages: tuple[str, ...], subject: str
) -> None:
    await _tell(profile, *messages)
    assert set(await _about(profile)) == {subject}
    aliases = [f for f in await profile.memory.facts(("active",)) if f.predicate == "alias"]
    assert len(aliases) == 1


async def test_two_names_can_be_split_again(profile: Profile) -> None:
    await _tell(profile, "My sister Noor lives in Lyon.", "My friend Nono lives in Graz.")
    await _tell(profile, "Noor's nickname is Nono.")
    assert set(await _about(profile)) == {"Noor"}

    alias = next(f for f in await profile.memory.facts(("active",)) if f.predicate == "alias")
    await profile.memory.split(alias.id)
    await profile.memory.settle()

    assert await _about(profile) == {"Noor": {"Lyon"}, "Nono": {"Graz"}}
