from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant.errors import InputError, ModelError
from desk_assistant.models import ImportMode, ModelStore, import_model
from desk_assistant.models.importing import id_from
from tests.models.gguf_builder import TINY, Plan

Stores = Callable[..., ModelStore]


@pytest.mark.parametrize("mode", ["copy", "link", "leave"])
def test_a_file_is_taken_in(tiny: Path, make_store: Stores, mode: ImportMode) -> None:
    model = import_model(make_store(), tiny, mode)
    assert model.id == "tiny-chat.q4"
    assert model.name == "Tiny Test"
    assert model.path.read_bytes() == tiny.read_bytes()
    assert (model.path == tiny) == (mode == "leave")
    assert model.manifest.origin == "import"


def test_a_copy_survives_the_original(tiny: Path, make_store: Stores) -> None:
    store = make_store()
    import_model(store, tiny)
    tiny.unlink()
    assert store.verify("tiny-chat.q4").size > 0


def test_the_same_file_again_changes_nothing(tiny: Path, make_store: Stores) -> None:
    store = make_store()
    assert import_model(store, tiny) == import_model(store, tiny)


def test_another_file_under_a_taken_name_is_refused(tmp_path: Path, tiny: Path, make_store: Stores) -> None:
    store = make_store()
    import_model(store, tiny, name="mine")
    other = Plan(metadata={**TINY, "general.name": "Other"}).write(tmp_path / "other.gguf")
    with pytest.raises(InputError) as caught:
        import_model(store, other, name="mine")
    assert caught.value.key == "models.name_taken"
    assert store.find("mine").name == "Tiny Test"


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\x00b", "\ud800", "-x", "x" * 200])
def test_a_name_that_no_folder_can_carry_is_refused(tiny: Path, make_store: Stores, name: str) -> None:
    with pytest.raises(InputError) as caught:
        import_model(make_store(), tiny, name=name or " ")
    assert caught.value.key == "models.bad_name"


def test_a_file_that_cannot_be_talked_to_leaves_nothing_behind(tmp_path: Path, make_store: Stores) -> None:
    base = Plan(metadata={**TINY, "tokenizer.chat_template": ""}).write(tmp_path / "base.gguf")
    store = make_store()
    with pytest.raises(ModelError) as caught:
        import_model(store, base)
    assert caught.value.key == "models.no_template"
    assert store.list() == ()


def test_an_id_is_made_of_any_file_name() -> None:
    assert id_from(Path("Qwen3 1.7B (Q8_0).gguf")) == "qwen3-1.7b-q8_0"
    assert id_from(Path("模型.gguf")) == "model"
    assert len(id_from(Path("x" * 300 + ".gguf"))) == 60
