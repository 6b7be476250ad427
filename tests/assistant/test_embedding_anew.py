from __future__ import annotations

import asyncio

from desk_assistant.assistant import Assistant
from desk_assistant.paths import Locations
from desk_assistant.tui.widgets.status_line import memory_words
from tests.scripted import ScriptedLlm, WordIndex


async def test_embedding_everything_anew_is_told_with_its_progress(locations: Locations) -> None:
    index = WordIndex()
    assistant = Assistant.open(locations, llm=ScriptedLlm(), index=index)
    try:
        await assistant.start(llm=False)
        while assistant.status.index.state != "ready":
            await asyncio.sleep(0)
        assert index.on_backfill is not None
        index.on_backfill(30, 70)
        assert assistant.status.index.progress == 0.3
        assert "30" in memory_words(assistant.status)
        index.on_backfill(100, 0)
        assert memory_words(assistant.status) == ""
    finally:
        await assistant.close()
