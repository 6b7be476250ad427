from __future__ import annotations

from datetime import datetime
from pathlib import Path

from desk_assistant.importers import Reading, Talk
from tests.importers.exports import CLAUDE_ROOT, NOON, claude_message, claude_talk, write


def only_talk(path: Path, *objects: dict[str, object]) -> Talk:
    (talk,) = [item for item in Reading(write(path, objects)) if isinstance(item, Talk)]
    return talk


def test_an_export_without_links_is_one_line_of_messages(tmp_path: Path) -> None:
    said = [claude_message("m1", "human", "I keep bees."), claude_message("m2", "assistant", "Lovely.", at=NOON + 5)]
    talk = only_talk(tmp_path / "conversations.json", claude_talk("c", "Bees", said))

    assert [(t.ref, t.parent, t.role) for t in talk.turns] == [("m1", None, "user"), ("m2", "m1", "assistant")]
    assert talk.title == "Bees"
    assert talk.turns[1].time is not None
    assert datetime.fromisoformat(talk.turns[1].time).timestamp() == NOON + 5


def test_other_wordings_are_siblings_and_the_leaf_tells_which_is_shown(tmp_path: Path) -> None:
    said = [
        claude_message("q1", "human", "I have two hives.", parent=CLAUDE_ROOT),
        claude_message("a1", "assistant", "Two.", parent="q1"),
        claude_message("q2", "human", "I have three hives.", parent=CLAUDE_ROOT),
        claude_message("a2", "assistant", "Three.", parent="q2"),
    ]
    shown = only_talk(tmp_path / "a.json", claude_talk("c", "", said, current_leaf_message_uuid="a1"))
    newest = only_talk(tmp_path / "b.json", claude_talk("c", "", said))

    assert shown.shown() == {"q1", "a1"}
    assert newest.shown() == {"q2", "a2"}


def test_thoughts_and_tools_are_left_out_and_an_attached_text_is_fenced_off(tmp_path: Path) -> None:
    question = claude_message("m1", "human", "Please read this.")
    question["attachments"] = [
        {"file_name": "log.txt", "file_size": 9, "file_type": "txt", "extracted_content": "I hate ``` fences"}
    ]
    answer = claude_message("m2", "assistant", "Done.")
    answer["content"] = [
        {"type": "thinking", "thinking": "secret plan"},
        {"type": "tool_use", "name": "repl", "input": {}},
        {"type": "text", "text": "Done."},
    ]
    talk = only_talk(tmp_path / "c.json", claude_talk("c", "", [question, answer]))

    assert talk.turns[0].content == "Please read this.\n\n````log.txt\nI hate ``` fences\n````"
    assert talk.turns[1].content == "Done."
