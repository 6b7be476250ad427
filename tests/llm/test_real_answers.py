"""Answers of the real starter model: streamed whole, stopped by rule, bound to a form."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from desk_assistant.errors import ModelError
from desk_assistant.llm import ChatMessage, Finished, LlmClient, LoadSpec, Piece, Prefill
from tests.llm.talking import GREEDY, Talk

pytestmark = pytest.mark.real

ASK = [
    ChatMessage("system", "The user's projects use MySQL 8.0."),
    ChatMessage("user", "Which database do I use?"),
]


async def test_an_answer_names_the_fact_in_its_prompt(starter_llm: LlmClient, talk: Talk) -> None:
    finished = await talk.run(starter_llm, ASK)
    assert "MySQL" in finished.text


async def test_events_come_in_order_and_add_up(starter_llm: LlmClient, talk: Talk) -> None:
    finished = await talk.run(starter_llm, ASK)
    kinds = [type(event) for event in talk.events]
    assert kinds == sorted(kinds, key=[Prefill, Piece, Finished].index)
    assert "".join(event.text for event in talk.events if isinstance(event, Piece)) == finished.text
    assert talk.events[0] == Prefill(0, finished.prompt_tokens)
    assert finished.reused_tokens + finished.evaluated_tokens == finished.prompt_tokens
    assert finished.answer_tokens <= GREEDY.max_tokens


async def test_the_length_ends_an_answer(starter_llm: LlmClient, talk: Talk) -> None:
    finished = await talk.run(starter_llm, ASK, replace(GREEDY, max_tokens=3))
    assert (finished.reason, finished.answer_tokens) == ("length", 3)


async def test_a_stop_string_ends_an_answer_and_is_not_in_it(llm: LlmClient, starter_path: Path, talk: Talk) -> None:
    await llm.load(LoadSpec(starter_path, "starter", stop=("SQL",)))
    finished = await talk.run(llm, ASK)
    assert finished.reason == "stop"
    assert finished.text.endswith("My")


async def test_a_partial_answer_is_gone_on_with(starter_llm: LlmClient, talk: Talk) -> None:
    whole = await talk.run(starter_llm, ASK)
    first = await talk.run(starter_llm, ASK, replace(GREEDY, max_tokens=8))
    rest = await talk.run(starter_llm, [*ASK, ChatMessage("assistant", first.text)], replace(GREEDY, max_tokens=16))
    assert first.text + rest.text == whole.text
    assert rest.evaluated_tokens <= 2


async def test_a_seed_makes_an_answer_repeatable(starter_llm: LlmClient, talk: Talk) -> None:
    warm = replace(GREEDY, temperature=1.0, top_k=40, top_p=0.95, min_p=0.05, repeat_penalty=1.1)
    texts = [(await talk.run(starter_llm, ASK, replace(warm, seed=seed))).text for seed in (7, 7, 8)]
    assert texts[0] == texts[1] != texts[2]


async def test_an_answer_follows_a_schema(starter_llm: LlmClient) -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"enum": ["fact", "task"]}, "sure": {"type": "boolean"}},
        "required": ["kind", "sure"],
    }
    finished = None
    async for event in starter_llm.generate(ASK, replace(GREEDY, max_tokens=60), schema=schema):
        finished = event
    assert isinstance(finished, Finished)
    assert json.loads(finished.text)["kind"] in ("fact", "task")


async def test_a_schema_that_cannot_be_kept_is_refused(starter_llm: LlmClient) -> None:
    with pytest.raises(ModelError) as caught:
        async for _ in starter_llm.generate(ASK, GREEDY, schema={"$ref": "#/nowhere"}):
            pass
    assert caught.value.key == "llm.bad_schema"


async def test_a_prompt_that_does_not_fit_is_refused_with_its_numbers(
    llm: LlmClient, starter_path: Path, talk: Talk
) -> None:
    await llm.load(LoadSpec(starter_path, "starter", context=256))
    messages = [ChatMessage("user", "word " * 300)]
    tokens = await llm.count_chat(messages)
    with pytest.raises(ModelError) as caught:
        await talk.run(llm, messages)
    assert caught.value.key == "llm.too_long"
    assert caught.value.params["tokens"] == tokens
    assert caught.value.params["context"] == 256
    assert str(tokens) in str(caught.value)
    assert talk.events == []


async def test_an_answer_ends_where_the_context_does(llm: LlmClient, starter_path: Path, talk: Talk) -> None:
    await llm.load(LoadSpec(starter_path, "starter", context=256))
    finished = await talk.run(llm, [ChatMessage("user", "word " * 200)], replace(GREEDY, max_tokens=4000))
    assert finished.prompt_tokens + finished.answer_tokens <= 256


async def test_a_base_model_is_refused_unless_its_entry_brings_a_template(
    llm: LlmClient, base_path: Path, talk: Talk
) -> None:
    with pytest.raises(ModelError) as caught:
        await llm.load(LoadSpec(base_path, "base"))
    assert caught.value.key == "llm.no_template"
    assert llm.state == "empty"
    template = (
        "{{ bos_token }}以下是对话。\n"
        "{% for m in messages %}{% if m.role == 'system' %}资料：{{ m.content }}\n"
        "{% elif m.role == 'user' %}用户：{{ m.content }}\n{% else %}助手：{{ m.content }}\n{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}助手：{% endif %}"
    )
    await llm.load(LoadSpec(base_path, "base", chat_template=template, stop=("\n用户：", "\n")))
    ask = [ChatMessage("system", "用户主要用 Python 编程。"), ChatMessage("user", "我主要用什么编程语言？")]
    finished = await talk.run(llm, ask)
    assert "Python" in finished.text
    assert "用户" not in finished.text
