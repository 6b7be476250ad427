from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant.errors import ModelError, NotFoundError
from desk_assistant.models import CatalogueEntry, HubSource, ModelStore, Sampling, import_model
from desk_assistant.models.manifest import sha256_file
from tests.models.gguf_builder import Plan

Stores = Callable[..., ModelStore]


def known(model_id: str, digest: str, **fields: object) -> CatalogueEntry:
    values: dict[str, object] = {"id": model_id, "name": model_id, "kind": "llm", "licence": "MIT", "sha256": digest}
    return CatalogueEntry(source=HubSource("a/b", "c"), **{**values, **fields})  # type: ignore[arg-type]


def test_nothing_is_here_before_anything_is_installed(make_store: Stores) -> None:
    store = make_store(known("tiny", "0" * 64))
    assert store.list() == ()
    assert store.preferred("en") is None
    with pytest.raises(NotFoundError) as caught:
        store.find("tiny")
    assert caught.value.key == "models.not_installed"
    with pytest.raises(NotFoundError) as caught:
        store.find("../tiny")
    assert caught.value.key == "models.not_here"


def test_a_model_beside_the_data_comes_first(tmp_path: Path, tiny: Path, make_store: Stores) -> None:
    store = make_store()
    import_model(store, tiny, name="mine")
    shutil.copytree(tmp_path / "models" / "mine", tmp_path / "beside" / "mine")
    assert [model.folder for model in store.list("llm")] == [tmp_path / "beside" / "mine"]
    assert store.list("embedding") == ()


def test_a_changed_file_is_found_by_verify(tiny: Path, make_store: Stores) -> None:
    store = make_store()
    model = import_model(store, tiny, name="mine")
    assert store.verify("mine") == model
    model.path.write_bytes(model.path.read_bytes()[:-1] + b"!")
    with pytest.raises(ModelError) as caught:
        store.verify("mine")
    assert caught.value.key == "models.changed"


def test_a_file_that_is_gone_is_said(tiny: Path, make_store: Stores) -> None:
    store = make_store()
    import_model(store, tiny, "leave", name="mine")
    tiny.unlink()
    with pytest.raises(ModelError) as caught:
        store.find("mine")
    assert caught.value.key == "models.file_missing"
    assert not store.has("mine")


def test_a_damaged_manifest_hides_only_its_own_model(tiny: Path, make_store: Stores) -> None:
    store = make_store()
    import_model(store, tiny, name="good")
    bad = import_model(store, tiny, name="bad")
    (bad.folder / "manifest.toml").write_text("id = [")
    assert [model.id for model in store.list()] == ["good"]
    with pytest.raises(ModelError) as caught:
        store.find("bad")
    assert caught.value.key == "models.manifest_damaged"


def test_remove_gives_back_the_bytes_and_keeps_a_file_left_elsewhere(tiny: Path, make_store: Stores) -> None:
    store = make_store()
    import_model(store, tiny, name="copied")
    import_model(store, tiny, "leave", name="left")
    assert store.remove("copied") == tiny.stat().st_size
    assert store.remove("left") == 0
    assert tiny.is_file()
    assert store.list() == ()


def test_a_model_in_a_folder_of_others_is_not_removed(tmp_path: Path, tiny: Path, make_store: Stores) -> None:
    store = make_store()
    import_model(store, tiny, name="mine")
    shutil.move(tmp_path / "models" / "mine", tmp_path / "beside" / "mine")
    with pytest.raises(ModelError) as caught:
        store.remove("mine")
    assert caught.value.key == "models.not_ours"
    assert store.has("mine")


def test_a_template_belongs_to_exactly_one_file(tmp_path: Path, tiny: Path, make_store: Stores) -> None:
    entry = known(
        "tiny", sha256_file(tiny), chat_template="{{ messages }}", stop=("\n问：",), sampling=Sampling(top_k=7)
    )
    store = make_store(entry)
    other = Plan(metadata={**Plan().metadata, "general.name": "Other"}).write(tmp_path / "other.gguf")
    known_file, unknown_file = import_model(store, tiny, name="a"), import_model(store, other, name="b")
    assert (known_file.chat_template, known_file.stop, known_file.sampling.top_k) == ("{{ messages }}", ("\n问：",), 7)
    assert (unknown_file.chat_template, unknown_file.stop, unknown_file.sampling) == (None, (), Sampling())


def test_the_best_model_for_a_language_is_preferred(tmp_path: Path, make_store: Stores) -> None:
    files = {name: Plan(metadata={**Plan().metadata, "general.name": name}) for name in ("en", "zh", "large", "other")}
    paths = {name: plan.write(tmp_path / f"{name}.gguf") for name, plan in files.items()}
    store = make_store(
        known("en", sha256_file(paths["en"]), languages=("en",), starter_for=("en",)),
        known("zh", sha256_file(paths["zh"]), languages=("zh", "en"), starter_for=("zh",)),
        known("large", sha256_file(paths["large"]), languages=("zh", "en")),
    )

    def best(language: str) -> str | None:
        model = store.preferred(language)
        return model.id if model else None

    for name, expected in (("other", "other"), ("en", "en"), ("zh", "en"), ("large", "large")):
        import_model(store, paths[name], name=name)
        assert best("en") == expected
    store.remove("large")
    assert best("zh") == "zh"


def test_the_header_is_checked_before_a_load(tiny: Path, make_store: Stores) -> None:
    model = import_model(make_store(), tiny, name="mine")
    assert model.header().architecture == "llama"
    model.path.write_bytes(model.path.read_bytes()[:-100])
    with pytest.raises(ModelError) as caught:
        model.header()
    assert caught.value.key == "models.truncated"
