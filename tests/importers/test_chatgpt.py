from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from desk_assistant.importers import Problem, Reading, Talk
from tests.importers.exports import NOON, gpt_line, gpt_node, gpt_talk, write, zipped


def talks(path: Path) -> list[Talk]:
    return [item for item in Reading(path) if isinstance(item, Talk)]


def test_an_edited_question_and_an_answer_written_anew_stand_beside_the_old_ones(tmp_path: Path) -> None:
    nodes = [
        gpt_node("root", None, "system", None),
        gpt_node("q1", "root", "user", "I live in Bergen."),
        gpt_node("q2", "root", "user", "I live in Tromsø.", at=NOON + 30),
        gpt_node("a1", "q1", "assistant", "Bergen it is."),
        gpt_node("a2", "q2", "assistant", "Far north!", at=NOON + 40),
        gpt_node("a3", "q2", "assistant", "Tromsø, then.", at=NOON + 50),
    ]
    (talk,) = talks(write(tmp_path / "conversations.json", [gpt_talk("c", "Home", nodes, "a3")]))

    assert [(turn.ref, turn.parent) for turn in talk.turns] == [
        ("q1", None),
        ("a1", "q1"),
        ("q2", None),
        ("a2", "q2"),
        ("a3", "q2"),
    ]
    assert talk.shown() == {"q2", "a3"}
    assert (talk.id, talk.title) == ("c", "Home")


def test_what_that_program_hides_is_left_out_and_an_answer_that_tools_cut_in_two_is_one(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x", "size_bytes": 9}
    spoken = {"content_type": "audio_transcription", "text": "And this one?", "direction": "in"}
    nodes = [
        gpt_node("root", None, "system", None),
        gpt_node("sys", "root", "system", "", weight=0.0),
        gpt_node("ctx", "sys", "user", "profile", kind="user_editable_context", is_user_system_message=True),
        gpt_node("q", "ctx", "user", "What is this?", kind="multimodal_text", parts=[picture, "What is this?", spoken]),
        gpt_node("hid", "q", "system", "policy", is_visually_hidden_from_conversation=True),
        gpt_node("th", "hid", "assistant", "hmm", kind="thoughts"),
        gpt_node("a1", "th", "assistant", "Let me look."),
        gpt_node("call", "a1", "assistant", "search('x')", kind="code", recipient="browser"),
        gpt_node("out", "call", "tool", "result page", name="browser"),
        gpt_node("a2", "out", "assistant", "It is a puffin."),
    ]
    (talk,) = talks(write(tmp_path / "conversations.json", [gpt_talk("c", "", nodes, "a2")]))

    assert [(turn.role, turn.content) for turn in talk.turns] == [
        ("user", "[image]\nWhat is this?\nAnd this one?"),
        ("assistant", "Let me look.\n\nIt is a puffin."),
    ]
    assert talk.head == "a1"


def test_times_are_the_moments_of_the_export(tmp_path: Path) -> None:
    (talk,) = talks(write(tmp_path / "c.json", [gpt_line("c", "T", [("user", "Hello"), ("assistant", "Hi")])]))

    assert talk.started is not None
    assert datetime.fromisoformat(talk.started).timestamp() == NOON
    assert [datetime.fromisoformat(t.time).timestamp() for t in talk.turns if t.time] == [NOON + 10, NOON + 20]


def test_an_archive_of_split_files_is_read_whole_and_nothing_else_of_it(tmp_path: Path) -> None:
    first, second = (gpt_line(name, name, [("user", f"I am {name}.")]) for name in ("one", "two"))
    path = zipped(
        tmp_path / "export.zip",
        {
            "2024/conversations-001.json": [second],
            "2024/conversations-000.json": [first],
            "2024/user.json": {"email": "x"},
            "2024/chat.html": "<html>",
            "__MACOSX/2024/._conversations-000.json": "junk",
        },
    )
    reading = Reading(path)

    assert [item.id for item in reading if isinstance(item, Talk)] == ["one", "two"]
    assert reading.format == "chatgpt"
    assert reading.position == reading.size


def test_links_that_make_a_circle_lose_no_message(tmp_path: Path) -> None:
    nodes = [gpt_node("a", "b", "user", "One"), gpt_node("b", "a", "user", "Two")]
    (talk,) = talks(write(tmp_path / "c.json", [gpt_talk("c", "", nodes, "b")]))

    assert sorted(turn.content for turn in talk.turns) == ["One", "Two"]


def test_one_bad_conversation_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    good = gpt_line("good", "Good", [("user", "Hello")])
    objects: list[Any] = [{"mapping": {}}, "text", {"other": 1}, good]
    path = write(tmp_path / "conversations.json", objects)
    found = list(Reading(path))

    assert [(p.number, p.unit) for p in found if isinstance(p, Problem)] == [(1, "talk"), (2, "talk"), (3, "talk")]
    assert [talk.id for talk in found if isinstance(talk, Talk)] == ["good"]
