from __future__ import annotations

from tests.memory.conftest import Profile


async def test_a_session_shows_its_lines_whatever_was_said_since(profile: Profile) -> None:
    profile.say("I live in Aldby, near the mill.", session="old", at="2026-03-01T09:00:00")
    profile.say("I moved to Tarnow; I live there now.", session="new", at="2026-05-01T09:00:00")
    await profile.memory.settle()

    within = await profile.memory.recall("Where do I live?", session="old", limit=5)
    anywhere = await profile.memory.recall("Where do I live?", limit=5)

    assert any("Aldby" in item.text and item.kind == "turn" for item in within.items)
    assert not any("Aldby" in item.text and item.kind == "turn" for item in anywhere.items)


async def test_a_session_is_looked_through_line_by_line_not_by_its_summary(profile: Profile) -> None:
    for line in ("The boiler is a Vaillant.", "The boiler is in the cellar.", "The boiler was fixed in May."):
        profile.say(line, session="s1")
    await profile.memory.settle()
    await profile.memory.end_session("s1")
    await profile.memory.settle()

    items = (await profile.memory.recall("What about the boiler?", session="s1", limit=5)).items

    assert items
    assert "summary" not in {item.kind for item in items}


async def test_what_shares_little_still_fills_the_list_of_a_session(profile: Profile) -> None:
    profile.say("The tenor sang the aria about the moon over the harbour twice.", session="s1")
    for word in ("moon", "lantern", "harbour"):
        profile.say(f"A {word} poem.", session="s1")
    await profile.memory.settle()

    items = (await profile.memory.recall("the aria about the moon over the harbour", session="s1", limit=5)).items

    assert {"A moon poem.", "A harbour poem."} <= {item.text for item in items}
