from __future__ import annotations

import json
from pathlib import Path

import pytest

from desk_assistant import i18n
from desk_assistant.importers import Problem, Reading, Talk
from desk_assistant.store import Message, Session
from desk_assistant.tui.export import write_markdown


def talks(path: Path) -> list[Talk]:
    return [item for item in Reading(path) if isinstance(item, Talk)]


def test_a_line_may_be_a_message_or_a_whole_conversation(tmp_path: Path) -> None:
    lines: list[object] = [
        {"session": "s", "id": "1", "role": "user", "content": "One", "time": "2024-05-01T09:00:00+09:00"},
        {"session": "s", "id": "2", "role": "assistant", "content": "Two"},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Parts"}]}], "id": 7, "title": "Log"},
        {"conversations": [{"from": "human", "value": "Old style"}, {"from": "gpt", "value": "Yes"}]},
        {"messages": []},
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = list(Reading(path))
    stretch, whole, old = [item for item in found if isinstance(item, Talk)]

    assert [turn.content for turn in stretch.turns] == ["One", "Two"]
    assert stretch.joins
    assert stretch.turns[0].time == "2024-05-01T09:00:00+09:00"
    assert (whole.id, whole.title, whole.turns[0].content) == ("7", "Log", "Parts")
    assert [turn.role for turn in old.turns] == ["user", "assistant"]
    assert [(p.number, p.unit) for p in found if isinstance(p, Problem)] == [(5, "line")]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_conversation_that_the_app_exported_comes_back_as_it_was(tmp_path: Path, language: str) -> None:
    i18n.set_language(language)
    moment = "2024-05-01T09:00:00+02:00"
    said = [
        Message("m_1", "s", "user", "# Not a speaker\n\nI sail.\n\n```\nUser: in code\n```", moment),
        Message("m_2", "s", "assistant", "Where to?", moment),
    ]
    path = write_markdown(Session("s", "Sailing", moment, moment), said, tmp_path)
    (talk,) = talks(path)

    assert talk.title == "Sailing"
    assert talk.started == moment
    assert [(turn.role, turn.content, turn.time) for turn in talk.turns] == [
        ("user", said[0].content, moment),
        ("assistant", "Where to?", moment),
    ]


def test_names_in_bold_or_before_a_colon_begin_a_speech(tmp_path: Path) -> None:
    text = "---\ntitle: Tea\ndate: 2024-05-01\n---\n**User:** I like oolong.\n\nMore.\n\n**ChatGPT**: Noted.\n"
    text += "\n我：再来一杯。\n"
    path = tmp_path / "tea.md"
    path.write_text(text, encoding="utf-8")
    (talk,) = talks(path)

    assert (talk.title, talk.started) == ("Tea", "2024-05-01T00:00:00")
    assert [(turn.role, turn.content) for turn in talk.turns] == [
        ("user", "I like oolong.\n\nMore."),
        ("assistant", "Noted."),
        ("user", "再来一杯。"),
    ]


def test_a_document_in_which_nobody_speaks_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\nBuy milk: two litres.\n", encoding="utf-8")
    (tmp_path / "talk.md").write_text("User: Hello\nAssistant: Hi\n", encoding="utf-8")
    found = list(Reading(tmp_path))

    assert [(p.file, p.unit) for p in found if isinstance(p, Problem)] == [("notes.md", "file")]
    assert [talk.title for talk in found if isinstance(talk, Talk)] == ["talk"]
