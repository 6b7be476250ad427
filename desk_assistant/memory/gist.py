"""The gist of a conversation, put into a sentence or two by a language model that passed the exam for it.

It stands before the summary that was put together word for word, never in its place. A gist that names a figure the
summary does not have, or that is no shorter, is dropped: then the words themselves do alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any, Final

from desk_assistant.memory.episodic import summary_id
from desk_assistant.memory.ports import ReadingModel
from desk_assistant.store import Store

LONGEST: Final = 320
"""Characters of a gist."""

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"summary": {"type": "string", "maxLength": LONGEST}},
    "required": ["summary"],
    "additionalProperties": False,
}
INSTRUCTION: Final = {
    "en": (
        "Sum the text up in one or two short sentences. Keep every figure, date and name that matters, exactly as "
        "written. Add nothing that is not in the text."
    ),
    "zh": "用一两句短话总结这段文字。重要的数字、日期和名字要原样保留。不要加入文中没有的内容。",
}
LABELS: Final = {"en": "In short", "zh": "概要"}
_FIGURE: Final = re.compile(r"\d+(?:[.,:]\d+)*")


class Gists:
    """Puts the gist before the summary of a conversation.

    Args:
        store: The database.
        model: The language model; None where there is none in this process.
    """

    def __init__(self, store: Store, model: ReadingModel | None) -> None:
        self._store = store
        self._model = model

    async def add(self, session_id: str) -> None:
        """Sum a conversation up, if the model in use passed the exam for its language.

        Raises:
            WorkerCancelled: The person came first; the summary does without.
            DeskError: The model cannot be asked now.
        """
        episode_id = summary_id(session_id)
        episode = self._store.episodes.by_id([episode_id]).get(episode_id)
        if self._model is None or episode is None or episode.language not in self._model.summarises:
            return
        answer = await self._model.complete(INSTRUCTION[episode.language], episode.text, SCHEMA)
        gist = sound_gist(answer, episode.text)
        with self._store.transaction():
            now = self._store.episodes.by_id([episode_id]).get(episode_id)
            if not gist or now is None or now.text != episode.text:
                return  # nothing sound, or it was made anew or forgotten meanwhile
            self._store.episodes.put(replace(now, text=f"{LABELS[episode.language]}: {gist}\n{now.text}"))
            self._store.outbox.put("index", [episode_id])


def sound_gist(answer: str, source: str) -> str:
    """Return the gist of a model's answer, or nothing when it cannot be trusted.

    Args:
        answer: What the model wrote, JSON by `SCHEMA`.
        source: The text it was to sum up.
    """
    try:
        data = json.loads(answer)
    except ValueError:
        return ""
    text = data.get("summary") if isinstance(data, dict) else None
    gist = " ".join(text.split()) if isinstance(text, str) else ""
    invented = set(_FIGURE.findall(gist)) - set(_FIGURE.findall(source))
    return "" if not gist or invented or len(gist) >= len(source) else gist
