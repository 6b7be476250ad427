from __future__ import annotations

from tests.memory.conftest import Profile


async def test_an_earlier_question_is_not_put_beside_a_new_one(profile: Profile) -> None:
    profile.say("Which lighthouse did the storm damage?", session="s1")
    profile.say("The storm damaged the lighthouse at Cape Wolf.", session="s2")
    await profile.memory.settle()
    texts = [item.text for item in (await profile.memory.recall("Which lighthouse was damaged by the storm?")).items]
    assert any("Cape Wolf" in text for text in texts)
    assert not any(text.startswith("Which lighthouse") for text in texts)


async def test_neither_is_the_summary_of_a_talk_that_only_asked(profile: Profile) -> None:
    profile.say("灯塔是被风暴损坏的吗？")
    await profile.memory.settle()
    await profile.memory.end_session("s1")
    await profile.memory.settle()
    assert [e.kind for e in await profile.memory.episodes(kind="summary")] == ["summary"]
    assert (await profile.memory.recall("灯塔是什么时候被风暴损坏的？")).items == ()


async def test_the_assistants_own_words_stand_back_unless_they_are_asked_for(profile: Profile) -> None:
    profile.say("The storm damaged the lighthouse at Cape Wolf.", session="s1")
    profile.say("A lighthouse damaged by a storm needs a mason; I suggest Hagen.", session="s1", role="assistant")
    await profile.memory.settle()
    asked = await profile.memory.recall("Which lighthouse was damaged by the storm?")
    assert {item.role for item in asked.items} == {"user"}
    about_reply = await profile.memory.recall("Whom did you suggest for the lighthouse damaged by the storm?")
    assert "assistant" in {item.role for item in about_reply.items}


async def test_the_assistants_words_are_found_where_there_are_no_others(profile: Profile) -> None:
    profile.say("Tell me something.", session="s1")
    profile.say("The heron nests by the mill pond in spring.", session="s1", role="assistant")
    await profile.memory.settle()
    assert [i.role for i in (await profile.memory.recall("Where does the heron nest in spring?")).items] == [
        "assistant"
    ]
