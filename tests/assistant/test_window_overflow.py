from __future__ import annotations

from desk_assistant.assistant import Reading
from desk_assistant.memory.working import WorkingMemory
from desk_assistant.store import Message
from tests.assistant.conftest import Opener, say
from tests.scripted import ScriptedLlm

LONG = "The ferry timetable changed and I wrote every departure down for Monday. " * 20


async def test_what_leaves_the_window_is_summed_up_before_the_model_is_asked(open_assistant: Opener) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    assistant.settings.set("model.context", 1024)
    conversation = assistant.conversation()
    await say(assistant, conversation, "The deposit for the boathouse is 4,350 euros, due on 3 May 2026.")
    while not conversation.left_out:
        assert not assistant.store.episodes.all("summary")
        assert len(llm.prompts) < 40
        async for event in assistant.send(conversation, LONG):
            if isinstance(event, Reading):
                assert bool(assistant.store.episodes.all("summary")) == bool(conversation.left_out)
    assert "4,350" in assistant.store.episodes.all("summary")[0].text
    assert conversation.parts is not None
    assert conversation.parts.left_out == conversation.left_out > 0


async def test_nothing_of_a_private_talk_is_summed_up(open_assistant: Opener) -> None:
    assistant = open_assistant()
    assistant.settings.set("model.context", 1024)
    conversation = assistant.conversation(private=True)
    while not conversation.left_out:
        await say(assistant, conversation, LONG)
    assert not assistant.store.episodes.all("summary")


def talk(count: int) -> list[Message]:
    return [
        Message(f"m{i}", "s", "user" if i % 2 == 0 else "assistant", f"words {i}", "2026-05-01T10:00:00", seq=i)
        for i in range(count)
    ]


def test_a_pinned_turn_outlasts_small_talk() -> None:
    window = WorkingMemory(60).window(talk(20), [10] * 20, 80, keep={"m2"})
    assert window.messages[0].id == "m2"
    assert window.messages[1].role == "user"
    assert window.tokens <= 80


def test_what_was_kept_stays_from_turn_to_turn() -> None:
    working = WorkingMemory(60)
    first = working.window(talk(20), [10] * 20, 100, keep={"m0", "m2"})
    again = working.window(talk(22), [10] * 22, 100, keep={"m0", "m2", "m4"})
    assert [m.id for m in first.messages[:2]] == ["m0", "m2"]
    assert again.messages[: len(first.messages)] == first.messages
    full = working.window(talk(26), [10] * 26, 100, keep={"m0", "m2", "m4"})
    assert [m.id for m in full.messages[:3]] == ["m0", "m2", "m4"]
