from __future__ import annotations

from datetime import datetime
from pathlib import Path

from desk_assistant.importers import Reading, Talk
from tests.importers.exports import NOON, webui_message, webui_talk, write


def test_the_tree_of_a_chat_is_kept_without_thoughts(tmp_path: Path) -> None:
    thought = '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n> hm\n</details>\n'
    messages = [
        webui_message("u1", None, "user", "我养了两只猫。"),
        webui_message("a1", "u1", "assistant", f"{thought}真好。", at=NOON + 3),
        webui_message("a2", "u1", "assistant", "两只！", at=NOON + 9),
    ]
    path = write(tmp_path / "chat-export.json", [webui_talk("w", "猫", messages, "a1")])
    reading = Reading(path)
    (talk,) = [item for item in reading if isinstance(item, Talk)]

    assert reading.format == "openwebui"
    assert [(t.ref, t.parent, t.content) for t in talk.turns] == [
        ("u1", None, "我养了两只猫。"),
        ("a1", "u1", "真好。"),
        ("a2", "u1", "两只！"),
    ]
    assert talk.shown() == {"u1", "a1"}
    assert talk.started is not None
    assert datetime.fromisoformat(talk.started).timestamp() == NOON


def test_a_chat_that_has_only_its_shown_messages_is_read_in_their_order(tmp_path: Path) -> None:
    chat = webui_talk(
        "w", "Old", [webui_message("u1", None, "user", "Hello"), webui_message("a1", "u1", "assistant", "Hi")], "a1"
    )
    del chat["chat"]["history"]
    (talk,) = [item for item in Reading(write(tmp_path / "old.json", [chat])) if isinstance(item, Talk)]

    assert [(turn.content, turn.parent) for turn in talk.turns] == [("Hello", None), ("Hi", "u1")]
