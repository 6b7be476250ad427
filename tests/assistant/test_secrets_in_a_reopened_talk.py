"""A saved conversation that is opened again still sees a secret announced before, and numbers on."""

from __future__ import annotations

import json
from pathlib import Path

from tests.assistant.conftest import Opener, say
from tests.scripted import ScriptedLlm


async def test_the_second_half_of_a_secret_is_masked_by_another_program(open_assistant: Opener) -> None:
    first = open_assistant(ScriptedLlm(["Written down.", "I see."]))
    conversation = first.conversation()
    await say(first, conversation, "Write to jo@example.org today.")
    await say(first, conversation, "And my wifi password is")
    await first.close()

    second = open_assistant(ScriptedLlm(["Good.", "Good."]))
    again = second.conversation(conversation.session_id)
    assert [span.type for span in second.masked_preview("sunflower", again)] == ["PASSWORD"]
    await say(second, again, "sunflower")
    await say(second, again, "cc mo@example.org")

    kept = [m.content for m in second.store.transcripts.all_messages(again.session_id or "") if m.role == "user"]
    assert kept == [
        "Write to [EMAIL 1] today.",
        "And my wifi password is",
        "[PASSWORD 1]",
        "cc [EMAIL 2]",
    ]


async def test_an_imported_talk_is_masked_across_its_messages(open_assistant: Opener, tmp_path: Path) -> None:
    turns = [
        ("user", "the safe code is"),
        ("assistant", "I am listening."),
        ("user", "hang on, let me look"),
        ("user", "77-12-40"),
        ("assistant", "What is the PIN of the card?"),
        ("user", "4829"),
        ("user", "保险柜密码是"),
        ("user", "稍等"),
        ("user", "xiaohe2031"),
    ]
    lines = [
        {"session": "talk", "id": str(number), "role": role, "content": content}
        for number, (role, content) in enumerate(turns)
    ]
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assistant = open_assistant()
    await assistant.imports.run(file)

    (session,) = assistant.sessions()
    kept = [message.content for message in assistant.store.transcripts.all_messages(session.id)]
    assert [kept[3], kept[5], kept[8]] == ["[PASSWORD 1]", "[PASSWORD 2]", "[PASSWORD 3]"]
