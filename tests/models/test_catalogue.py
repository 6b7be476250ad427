from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from desk_assistant.errors import ModelError, NotFoundError
from desk_assistant.models import Catalogue, HubSource, RegistrySource, Sampling
from desk_assistant.models.catalogue import CHECKOUT


def test_every_language_has_its_starters() -> None:
    catalogue = Catalogue.load()
    for language in ("en", "zh"):
        kinds = [entry.kind for entry in catalogue.starters(language)]
        assert set(kinds) == {"embedding", "llm"}
    assert len(catalogue.starters()) == 3


def test_every_conversational_entry_says_every_sampling_parameter() -> None:
    for table in tomllib.loads(CHECKOUT.read_text(encoding="utf-8"))["model"]:
        if table["kind"] == "llm":
            assert set(table["sampling"]) == {field.name for field in fields(Sampling)}, table["id"]


def test_every_entry_can_be_shown_and_fetched() -> None:
    for entry in Catalogue.load():
        assert entry.licence
        assert entry.languages
        assert entry.download_size > 0
        assert entry.memory_mb * 1e6 > (entry.size or 0)
        assert entry.describe("en") != entry.describe("zh")
        if isinstance(entry.source, RegistrySource):
            assert entry.sha256 is not None
            assert all(len(wheel.sha256) == 64 for wheel in entry.source.wheels)
        else:
            assert isinstance(entry.source, HubSource)
            assert entry.source.url("https://hub.invalid").endswith(".gguf")


def test_the_embedding_entry_says_how_to_ask() -> None:
    entry = Catalogue.load().get("multilingual-e5-small")
    assert (entry.query_prompt, entry.passage_prompt, entry.dimensions) == ("query: ", "passage: ", 384)


def test_templates_of_ours_keep_the_stable_part_in_front() -> None:
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    for entry in Catalogue.load():
        if entry.chat_template is None:
            continue
        template = environment.from_string(entry.chat_template)
        turns = [{"role": "system", "content": "FACTS"}, {"role": "user", "content": "ASKED"}]
        first = template.render(messages=turns, add_generation_prompt=True, bos_token="<bos>", eos_token="<eos>")
        turns += [{"role": "assistant", "content": "SAID"}, {"role": "user", "content": "NEXT"}]
        second = template.render(messages=turns, add_generation_prompt=True, bos_token="<bos>", eos_token="<eos>")
        assert first.startswith("<bos>")
        assert second.startswith(first)
        assert first.index("FACTS") < first.index("ASKED")
        assert any(second[len(first) :].startswith(f"SAID{stop}") for stop in entry.stop)


def test_an_unknown_id_names_the_known_ones() -> None:
    with pytest.raises(NotFoundError, match="smollm2-135m-instruct"):
        Catalogue.load().get("smollm")


@pytest.mark.parametrize(
    "text",
    [
        "model = 3",
        "[[model]]\nid = 'x'",
        "[[model]]\nid = 'x'\nname = 'x'\nkind = 'llm'\nlicence = 'x'\nchat_template = 'x'\n"
        "[model.hub]\nrepository = 'a/b'\nfile = 'c'",
        "\x00",
    ],
)
def test_a_damaged_catalogue_is_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "catalogue.toml"
    path.write_text(text)
    with pytest.raises(ModelError) as caught:
        Catalogue.load(path)
    assert caught.value.key == "models.catalogue_damaged"
