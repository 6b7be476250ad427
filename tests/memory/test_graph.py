"""The graph that facts give: neighbours, ways between two, and what forgetting takes away."""

from __future__ import annotations

from tests.memory.conftest import Profile


async def _tell(profile: Profile, *messages: str) -> None:
    for message in messages:
        profile.say(message)
    await profile.memory.settle()


async def _names(profile: Profile, entity: str, depth: int = 1) -> set[str]:
    return {e.name for e in (await profile.memory.graph(entity, depth)).entities}


async def test_neighbours_are_found_to_a_depth(profile: Profile) -> None:
    await _tell(profile, "My sister Noor lives in Lyon.", "I live in Bergen.")

    assert await _names(profile, "user") == {"user", "Noor", "Bergen"}
    assert {"Noor", "Lyon"} <= await _names(profile, "user", 2)
    kinds = {e.name: e.kind for e in await profile.memory.entities()}
    assert kinds["Noor"] == "person"
    assert kinds["Lyon"] == "place"


async def test_two_people_hang_together_by_a_place_they_share(profile: Profile) -> None:
    await _tell(profile, "My sister Noor lives in Lyon.", "My friend Emil lives in Lyon.")

    way = await profile.memory.path("Noor", "Emil")

    assert [(r.source.name, r.target.name) for r in way] == [("Noor", "Lyon"), ("Emil", "Lyon")]
    assert await profile.memory.path("Noor", "Atlantis") == ()


async def test_a_fact_that_names_somebody_known_is_an_edge_to_them(profile: Profile) -> None:
    await _tell(profile, "我妹妹林悦住在昆明。", "我下周要去昆明看壁画。")

    assert any("壁画" in name for name in await _names(profile, "昆明"))


async def test_forgetting_takes_edges_and_lonely_entities_along(profile: Profile) -> None:
    await _tell(profile, "My sister Noor lives in Lyon.", "I live in Bergen.")
    await profile.memory.entities()
    fact = next(f for f in await profile.memory.facts() if f.object == "Lyon")

    await profile.memory.erase_now(await profile.memory.forget([fact.id]))

    assert {e.name for e in profile.store.graph.entities()} == {"user", "Noor", "Bergen"}
    assert profile.store.graph.relations()


async def test_what_waits_to_be_erased_is_in_no_answer(profile: Profile) -> None:
    await _tell(profile, "My sister Noor lives in Lyon.")
    fact = next(f for f in await profile.memory.facts() if f.object == "Lyon")
    await profile.memory.forget([fact.id], undo_seconds=100)

    assert await _names(profile, "Noor") == {"Noor", "user"}


async def test_a_changed_fact_changes_the_graph(profile: Profile) -> None:
    await _tell(profile, "I live in Bergen.")
    assert "Bergen" in await _names(profile, "user")
    await _tell(profile, "I've moved to Voss.")

    names = await _names(profile, "user")
    assert "Voss" in names
    assert "Bergen" not in names
