"""The aptitude exam: who passes may help to remember, who does not is never asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from desk_assistant.assistant import exam
from desk_assistant.assistant.engine import Engine
from desk_assistant.assistant.model_card import exam_words
from desk_assistant.assistant.reader import Reader
from desk_assistant.models import InstalledModel, ModelStore, import_model
from desk_assistant.models.aptitude import Aptitude, Aptitudes, checksum
from desk_assistant.settings import Settings
from tests.models.gguf_builder import Plan
from tests.scripted import ScriptedLlm

NOTHING = '{"statements": []}'


class Good:
    """Does what it is told."""

    async def answer(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        probe = next(probe for probe in exam.probes() if probe.text == text)
        if probe.kind == "summary":
            return json.dumps({"summary": " ".join(probe.wanted)})
        if probe.kind == "ignore":
            return NOTHING
        return json.dumps({"statements": [{"kind": "fact", "quote": text.rstrip(".。")}]})


class Rambling:
    """Makes something up whatever it is asked."""

    async def answer(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        return json.dumps({"statements": [{"kind": "fact", "quote": "I live on the moon"}], "summary": "On day 99."})


class Silent:
    """Finds nothing in anything."""

    async def answer(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        return NOTHING


@pytest.fixture
def models(tmp_path: Path) -> ModelStore:
    return ModelStore([tmp_path / "models"], tmp_path / "models")


@pytest.fixture
def model(models: ModelStore, tmp_path: Path) -> InstalledModel:
    return import_model(models, Plan().write(tmp_path / "tiny.gguf"), name="tiny")


async def _result(model: InstalledModel, sitting: exam.Sitting) -> Aptitude:
    return exam.result(model, {probe.name: passed async for probe, passed, _ in exam.sit(sitting)})


def test_both_languages_are_asked_the_same() -> None:
    names = [probe.name.split(".", 1) for probe in exam.probes()]
    assert [rest for language, rest in names if language == "en"] == [rest for lang, rest in names if lang == "zh"]
    assert len(names) == 10


async def test_a_model_that_does_as_it_is_told_passes(model: InstalledModel) -> None:
    found = await _result(model, Good())
    assert found.reads == found.summarises == ("en", "zh")
    assert found.score == (10, 10)


@pytest.mark.parametrize("sitting", [Rambling(), Silent()])
async def test_a_model_that_makes_things_up_or_finds_nothing_is_kept_out(
    model: InstalledModel, sitting: exam.Sitting
) -> None:
    found = await _result(model, sitting)
    assert found.reads == found.summarises == ()
    assert "rules do that alone" in exam_words(found)


async def test_the_result_stays_with_the_file_that_sat_the_exam(models: ModelStore, model: InstalledModel) -> None:
    kept = Aptitudes(models, exam.VERSION)
    assert kept.of(model) is None
    kept.keep(model, await _result(model, Good()))
    assert kept.of(model) is not None
    assert Aptitudes(models, exam.VERSION + 1).of(model) is None
    kept.keep(model, Aptitude(exam.VERSION, "another file", {"en.ignore.1": True}))
    assert kept.of(model) is None


async def test_the_result_of_a_model_in_a_folder_that_cannot_be_written_is_kept_elsewhere(
    models: ModelStore, model: InstalledModel, tmp_path: Path
) -> None:
    blocked = tmp_path / "packaged"
    blocked.write_bytes(b"no folder, so nothing can be written into it")
    packaged = InstalledModel(blocked, model.manifest, None)
    kept = Aptitudes(models, exam.VERSION)
    kept.keep(packaged, await _result(packaged, Good()))
    assert kept.of(packaged) is not None


async def test_only_what_was_passed_is_asked_of_a_model(models: ModelStore, model: InstalledModel) -> None:
    llm = ScriptedLlm([NOTHING])
    engine = Engine(llm, models, Settings())
    await engine.load(model)
    assert not Reader(engine).able
    passed = {probe.name: probe.language == "en" and probe.kind != "summary" for probe in exam.probes()}
    Aptitudes(models, exam.VERSION).keep(model, Aptitude(exam.VERSION, checksum(model), passed))
    reader = Reader(engine)
    assert reader.able
    assert reader.summarises == ()
    assert await reader.complete("List.", "I keep bees in the old orchard.", {}) == NOTHING
    assert await reader.complete("列出。", "我在果园里养蜂。", {}) == ""
    assert len(llm.prompts) == 1


async def test_a_model_that_was_never_examined_sits_the_exam_when_idle_and_only_once(
    models: ModelStore, model: InstalledModel
) -> None:
    llm = ScriptedLlm([NOTHING])
    engine = Engine(llm, models, Settings())
    await engine.load(model)
    for _ in range(2):
        reader = Reader(engine)
        reader.examine_when_idle()
        assert reader._sitting is not None
        await reader._sitting
    assert len(llm.prompts) == 10
    assert Aptitudes(models, exam.VERSION).of(model) is not None
