"""A saved conversation that is opened again still sees a secret announced before, and numbers on."""

from __future__ import annotations

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
