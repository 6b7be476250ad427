"""How many of ten memory questions each starter answers, in each language, always taking the likeliest words.

First from facts that lie in its prompt in their best wording, which is what the model can do; then through the whole
program but for the search index: told in sentences, learnt, worded and laid before the model as ever. The model that is
used unless the person chooses one must be the better of the starters.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from desk_assistant import i18n
from desk_assistant.assistant import Answered, Assistant
from desk_assistant.assistant.model_choices import load_spec, sampling_for
from desk_assistant.llm import ChatMessage, Finished, LlmClient
from desk_assistant.models import InstalledModel
from desk_assistant.paths import Locations
from tests.bench import Row, at_least, told
from tests.models.test_starter_answers import CHINESE, ENGLISH
from tests.scripted import WordIndex

Asked = Sequence[tuple[str, str, str]]
"""For each question: itself, a word of the right answer, the fact; or the sentence told, the question, the word."""

ENOUGH: Final = 8
ANSWER: Final = 48
FACTS: Final[Mapping[str, Asked]] = {"en": ENGLISH, "zh": CHINESE}
TOLD: Final[Mapping[str, Asked]] = {
    "en": (
        ("I use MySQL 8.0 as my database.", "Which database do I use?", "mysql"),
        ("I live in Rotterdam.", "Where do I live?", "rotterdam"),
        ("I am allergic to peanuts.", "What am I allergic to?", "peanut"),
        ("I work as a backend developer.", "What is my job?", "backend"),
        ("My birthday is 14 March.", "When is my birthday?", "14"),
        ("My favourite editor is Vim.", "Which editor do I like?", "vim"),
        ("My sister is called Maren.", "What is my sister's name?", "maren"),
        ("I prefer tea.", "What do I prefer to drink?", "tea"),
        ("I play the cello.", "Which instrument do I play?", "cello"),
        ("I drive a red van.", "What do I drive?", "van"),
    ),
    "zh": (
        ("我主要用 Python。", "我主要用什么编程语言？", "python"),
        ("我妹妹叫小雨。", "我妹妹叫什么名字？", "小雨"),
        ("我喜欢喝乌龙茶。", "我喜欢喝什么？", "乌龙"),
        ("我的生日是3月14日。", "我的生日是哪天？", "14"),
        ("我用 Redis 做缓存。", "我用什么做缓存？", "redis"),
        ("我在星河科技上班。", "我在哪家公司上班？", "星河"),
        ("我喜欢打羽毛球。", "我喜欢什么运动？", "羽毛球"),
        ("我住在成都。", "我住在哪个城市？", "成都"),
        ("我是做量化策略的。", "我是做什么的？", "量化"),
        ("我对花生过敏。", "我对什么过敏？", "花生"),
    ),
}


async def _measured() -> AsyncIterator[Row]:
    for language, questions in TOLD.items():
        with tempfile.TemporaryDirectory() as folder:
            assistant = Assistant.open(Locations.find(Path(folder)), index=WordIndex())
            try:
                starters = [m for m in assistant.models.list("llm") if m.entry is not None and m.entry.starter_for]
                known = {m.id: await _from_facts(assistant, m, language) for m in starters}
                for said, _, _ in questions:
                    await assistant.memory.add(said)
                learnt = {m.id: await _from_memory(assistant, m, questions) for m in starters}
                chosen = max(starters, key=lambda m: m == assistant.models.preferred(language))
            finally:
                await assistant.close()
        for starter in starters:
            yield told(f"{language}, facts in the prompt: {starter.id}", known[starter.id], "of 10")
            yield told(f"{language}, told and learnt: {starter.id}", learnt[starter.id], "of 10")
        yield at_least(f"{language}, facts in the prompt: the better one", max(known.values()), "of 10", ENOUGH)
        for what, right in (("facts in the prompt", known), ("told and learnt", learnt)):
            yield at_least(f"{language}, {what}: the one in use", right[chosen.id], "of 10", max(right.values()))


async def _from_facts(assistant: Assistant, model: InstalledModel, language: str) -> int:
    """Return how many questions a model answers from five facts, the right one among them."""
    questions = FACTS[language]
    persona = model.persona or "\n".join(i18n.t_in(language, f"prompt.{part}") for part in ("persona", "profile_title"))
    sampling = replace(sampling_for(model, assistant.settings, ANSWER), temperature=0.0)
    right = 0
    with tempfile.TemporaryDirectory() as folder:
        llm = LlmClient(Path(folder) / "llm.log")
        try:
            await llm.load(load_spec(model, assistant.settings))
            for number, (question, expected, fact) in enumerate(questions):
                others = [questions[(number + step) % len(questions)][2] for step in (3, 5, 8)]
                lines = [f"- {line}" for line in (*others[:2], fact, *others[2:])]
                messages = [ChatMessage("system", "\n".join([persona, *lines])), ChatMessage("user", question)]
                async for event in llm.generate(messages, sampling):
                    if isinstance(event, Finished):
                        right += expected in event.text.lower()
        finally:
            await llm.stop()
    return right


async def _from_memory(assistant: Assistant, model: InstalledModel, questions: Asked) -> int:
    """Return how many questions a model answers from what the program has learnt."""
    assistant.settings.set("model.name", model.id)
    assistant.settings.set("model.temperature", 0.0)
    right = 0
    try:
        for _, question, expected in questions:
            # Private, so that no question is remembered and found with the next one.
            conversation = assistant.conversation(private=True)
            async for event in assistant.send(conversation, question):
                if isinstance(event, Answered):
                    right += expected in event.message.content.lower()
    finally:
        assistant.settings.set("model.name", "auto")
    return right


def rows() -> Iterator[Row]:
    """Yield all figures."""
    with asyncio.Runner() as runner:
        measured = _measured()
        while (row := runner.run(_next(measured))) is not None:
            yield row


async def _next(measured: AsyncIterator[Row]) -> Row | None:
    return await anext(measured, None)
