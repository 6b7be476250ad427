from __future__ import annotations

from desk_assistant.memory.working import WorkingMemory
from desk_assistant.store import Message, Role


def talk(*roles: Role) -> list[Message]:
    return [Message(f"m{i}", "s", role, f"words {i}", "2026-05-01T10:00:00", seq=i) for i, role in enumerate(roles)]


def turns(count: int) -> list[Message]:
    return talk(*(("user", "assistant") * count))


def test_a_conversation_that_fits_is_kept_whole() -> None:
    messages = turns(3)
    window = WorkingMemory(60).window(messages, [10] * 6, 100)
    assert (window.messages, window.left_out, window.tokens) == (tuple(messages), 0, 60)


def test_the_oldest_turns_leave_first_and_an_answer_never_stands_without_its_question() -> None:
    messages = turns(5)
    window = WorkingMemory(60).window(messages, [10] * 10, 75)
    assert window.messages[0].role == "user"
    assert window.messages[-1] == messages[-1]
    assert window.tokens <= 75
    assert window.left_out == 10 - len(window.messages)


def test_the_beginning_of_the_window_stays_while_the_next_turns_fit() -> None:
    working = WorkingMemory(60)
    messages = turns(20)
    first = working.window(messages[:20], [10] * 20, 150).messages[0]
    again = working.window(messages[:22], [10] * 22, 150).messages[0]
    assert first.id == again.id


def test_the_window_is_bounded_by_messages_too() -> None:
    assert len(WorkingMemory(8).window(turns(30), [1] * 60, 10_000).messages) <= 8


def test_system_messages_outlast_small_talk() -> None:
    messages = [*talk("system"), *turns(10)]
    messages = [Message(f"n{i}", "s", m.role, m.content, m.created_at) for i, m in enumerate(messages)]
    window = WorkingMemory(60).window(messages, [10] * len(messages), 80)
    assert window.messages[0].role == "system"
    assert window.tokens <= 80


def test_nothing_fits_into_no_room() -> None:
    assert WorkingMemory(60).window(turns(2), [10] * 4, 0).messages == ()
