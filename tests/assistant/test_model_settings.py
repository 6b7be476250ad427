from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from desk_assistant.assistant import Piece
from desk_assistant.errors import InputError, ModelError, NotFoundError
from desk_assistant.models import InstalledModel
from desk_assistant.models import fit as model_fit
from desk_assistant.paths import Locations
from desk_assistant.settings import Settings
from tests.assistant.conftest import Opener, answer_of, say
from tests.scripted import ScriptedLlm


def the_model(assistant_models: tuple[InstalledModel, ...]) -> str:
    return assistant_models[0].id


async def test_what_is_set_for_one_model_goes_before_what_is_set_for_all(
    open_assistant: Opener, locations: Locations
) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    model = the_model(assistant.models.list("llm"))
    locations.settings.write_text(
        f'[model]\ntemperature = 0.9\ncontext = 2048\n\n[models."{model}"]\ntemperature = 0.1\nthreads = 1\n'
        "top_p = 0.5\nmax_tokens = 64\nthinking = true\n",
        encoding="utf-8",
    )
    await assistant.close()
    again = open_assistant(llm)
    await say(again, again.conversation(), "Hello there")
    sampling, spec = llm.samplings[-1], llm.spec
    assert (sampling.temperature, sampling.top_p, sampling.max_tokens) == (0.1, 0.5, 64)
    assert spec is not None
    assert (spec.context, spec.threads, spec.thinking) == (2048, 1, True)


async def test_a_changed_setting_of_a_model_is_used_for_the_next_answer(open_assistant: Opener) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    key = f"models.{the_model(assistant.models.list('llm'))}.context"
    conversation = assistant.conversation()
    await say(assistant, conversation, "Hello there")
    assistant.settings.set(key, 1024)
    await say(assistant, conversation, "Hello again")
    assert llm.spec is not None
    assert llm.spec.context == 1024
    assert conversation.parts is not None
    assert conversation.parts.context == 1024
    assistant.settings.unset(key)
    await say(assistant, conversation, "And again")
    assert llm.spec.context == 4096


def test_a_name_with_dots_and_the_comments_of_the_file_survive(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("# mine\n[model]\nthreads = 2  # for now\n", encoding="utf-8")
    settings = Settings.load(path)
    settings.set("models.llama-3.2-3b.top_k", "20")
    settings.set("models.other.context", 8192)
    settings.set("models.other.thinking", "yes")
    text = path.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "# for now" in text
    again = Settings.load(path)
    assert again.of_model("llama-3.2-3b") == {"top_k": 20}
    assert again.of_model("other") == {"context": 8192, "thinking": True}
    again.unset("models.other.context")
    assert Settings.load(path).of_model("other") == {"thinking": True}


@pytest.mark.parametrize(("key", "value"), [("models.a.top_p", 3), ("models.a.nonsense", 1), ("models.a", 1)])
def test_a_wrong_setting_of_a_model_is_refused(tmp_path: Path, key: str, value: object) -> None:
    with pytest.raises(InputError):
        Settings.load(tmp_path / "settings.toml").set(key, value)


async def test_what_the_model_thought_is_shown_and_never_kept(open_assistant: Opener, locations: Locations) -> None:
    llm = ScriptedLlm(["Bergen it is.", "Yes."])
    llm.thought = "The user loves zebras"
    assistant = open_assistant(llm)
    conversation = assistant.conversation()
    events = await say(assistant, conversation, "Where should I go?")
    assert [e.text for e in events if isinstance(e, Piece) and e.thinking] == ["The user loves zebras"]
    assert answer_of(events).message.content == "Bergen it is."
    await say(assistant, conversation, "Really?")
    assert not any("zebras" in m.content for m in llm.prompts[-1])
    await assistant.memory.settle()
    await assistant.close()
    for path in locations.home.rglob("*"):
        if path.is_file():
            assert b"zebras" not in path.read_bytes(), path


async def test_a_model_too_large_is_refused_with_the_sum_and_loads_anyway(
    open_assistant: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    model = the_model(assistant.models.list("llm"))
    monkeypatch.setattr("desk_assistant.assistant.engine.available_memory", lambda: 8 << 20)
    with pytest.raises(ModelError) as refused:
        await assistant.load_model(model)
    for part in ("weights", "0.01 GB are free", "load it anyway"):
        assert part in str(refused.value)
    assert llm.spec is None
    assert assistant.settings.text("model.name") == "auto"
    await assistant.load_model(model, force=True)
    assert llm.spec is not None
    assert assistant.settings.text("model.name") == model
    assert answer_of(await say(assistant, assistant.conversation(), "Are you there?")).message.content


async def test_a_start_that_insists_loads_it_too(open_assistant: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    monkeypatch.setattr("desk_assistant.assistant.engine.available_memory", lambda: 8 << 20)
    await assistant.start(index=False, force=True)
    assert answer_of(await say(assistant, assistant.conversation(), "Are you there?")).message.content


async def test_a_context_that_would_fit_is_named(open_assistant: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    assistant = open_assistant()
    model = assistant.models.list("llm")[0]
    assistant.settings.set(f"models.{model.id}.context", 1_000_000)
    need = model_fit.estimate(model.header(), 2048, available=0).total
    monkeypatch.setattr("desk_assistant.assistant.engine.available_memory", lambda: need)
    with pytest.raises(ModelError, match="With a context of"):
        await assistant.load_model(model.id)


async def test_a_model_that_fails_leaves_the_choice_as_it_was(open_assistant: Opener) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    llm.load_error = ModelError("llm.failed")
    with pytest.raises(ModelError):
        await assistant.load_model(the_model(assistant.models.list("llm")))
    with pytest.raises(NotFoundError):
        await assistant.load_model("no-such-model")
    assert assistant.settings.text("model.name") == "auto"
    llm.load_error = None
    await asyncio.wait_for(say(assistant, assistant.conversation(), "Hello there"), 5)
