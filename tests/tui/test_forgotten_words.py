"""Words that were blacked out are explained where they stood, and no more of an answer goes than says them."""

from __future__ import annotations

from tests.scripted import ScriptedLlm
from tests.tui.conftest import Desk, StartDesk

ANSWER = "You use MySQL 8.0, and a backup every night is wise. Ask me for a schedule."


def _flowing(d: Desk) -> str:
    return " ".join(d.text_of(".answer-turn").split())


async def test_an_old_answer_says_that_something_was_forgotten_and_keeps_the_rest(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["Noted.", ANSWER])) as d:
        await d.say("My projects use MySQL 8.0.")
        await d.settled()
        await d.say("which database do I use?")
        d.assistant.settings.set("forget.undo_seconds", 0)
        fact = next(fact for fact in await d.assistant.memory.facts() if "MySQL" in fact.text)
        d.app.attempt(d.app.forgetting.forget((fact.id,)))
        await d.until(lambda: "Erased" in d.notices)
        await d.until(lambda: "▒ forgotten ▒, and a backup every night is wise." in _flowing(d))
        assert "stands where words you have forgotten were said" in _flowing(d)
        assert "▒ forgotten ▒" in d.text_of(".user-turn")
        assert "█" not in d.text_of("#transcript")
        assert "MySQL" not in d.text_of("#transcript")
