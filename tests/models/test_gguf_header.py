from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desk_assistant import i18n
from desk_assistant.errors import ModelError
from desk_assistant.models.gguf import LongArray, check_conversational, read_header
from tests.models.gguf_builder import TINY, Plan, TensorPlan

GOOD = Plan().bytes()

BROKEN = {
    "empty": (b"", "models.empty"),
    "text": (b"This is not a model.\n" * 50, "models.not_gguf"),
    "magic": (Plan(magic=b"GGML").bytes(), "models.not_gguf"),
    "one byte": (b"G", "models.not_gguf"),
    "cut in the counts": (GOOD[:10], "models.truncated"),
    "cut in the keys": (GOOD[:200], "models.truncated"),
    "cut in the weights": (GOOD[:-40], "models.truncated"),
    "version 1": (Plan(version=1).bytes(), "models.unknown_version"),
    "big endian": (Plan(order=">").bytes(), "models.unknown_version"),
    "absurd key count": (Plan(key_count=2**60).bytes(), "models.damaged"),
    "absurd tensor count": (Plan(tensor_count=2**63).bytes(), "models.damaged"),
    "tensor past the end": (Plan(tensors=[TensorPlan(offset=2**40)]).bytes(), "models.truncated"),
    "tensor not aligned": (Plan(tensors=[TensorPlan(offset=3)]).bytes(), "models.damaged"),
    "tensor overflow": (Plan(tensors=[TensorPlan(shape=(2**40, 2**40))]).bytes(), "models.damaged"),
    "tensor with nine dimensions": (Plan(tensors=[TensorPlan(shape=(1,) * 9)]).bytes(), "models.damaged"),
    "tensor half a block": (Plan(tensors=[TensorPlan(shape=(33, 2), kind=2)]).bytes(), "models.damaged"),
    "tensor type": (Plan(tensors=[TensorPlan(kind=250)]).bytes(), "models.unknown_tensor_type"),
    "no architecture": (Plan(metadata={"general.name": "x"}).bytes(), "models.damaged"),
    "alignment": (Plan(metadata={**TINY, "general.alignment": 7}).bytes(), "models.damaged"),
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_a_broken_file_is_a_sentence(tmp_path: Path, case: str, language: str) -> None:
    content, key = BROKEN[case]
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    i18n.set_language(language)
    try:
        with pytest.raises(ModelError) as caught:
            read_header(path)
        assert caught.value.key == key
        assert str(path) in str(caught.value)
    finally:
        i18n.set_language("en")


def test_a_folder_and_a_missing_file_are_sentences(tmp_path: Path) -> None:
    for path, key in ((tmp_path, "models.is_folder"), (tmp_path / "none.gguf", "models.file_missing")):
        with pytest.raises(ModelError) as caught:
            read_header(path)
        assert caught.value.key == key


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_a_sentence(tiny: Path) -> None:
    tiny.chmod(0)
    with pytest.raises(ModelError) as caught:
        read_header(tiny)
    assert caught.value.key == "models.file_unreadable"


def test_a_good_header_tells_what_a_load_needs(tiny: Path) -> None:
    header = read_header(tiny)
    assert (header.architecture, header.name, header.context_length) == ("llama", "Tiny Test", 2048)
    assert (header.layers, header.heads, header.vocabulary, header.embedding_length) == (2, 4, 4, 64)
    assert header.weights_size == 64 * 4 * 4
    # Two layers, two shared heads of 16 each for keys and for values, two bytes a number.
    assert header.kv_bytes_per_token == 2 * 2 * (16 + 16) * 2
    check_conversational(header)


def test_figures_given_layer_by_layer_are_added_up(tmp_path: Path) -> None:
    metadata = {**TINY, "llama.attention.head_count": [4, 4], "llama.attention.head_count_kv": [4, 1]}
    header = read_header(Plan(metadata=metadata).write(tmp_path / "m.gguf"))
    assert header.kv_bytes_per_token == 2 * (16 + 16) * 5


def test_a_large_vocabulary_is_counted_and_not_kept(tmp_path: Path) -> None:
    metadata = {**TINY, "tokenizer.ggml.tokens": [f"t{i}" for i in range(70_000)]}
    header = read_header(Plan(metadata=metadata).write(tmp_path / "m.gguf"))
    assert header.metadata["tokenizer.ggml.tokens"] == LongArray(70_000)
    assert header.vocabulary == 70_000


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"tokenizer.chat_template": ""}, "models.no_template"),
        ({"split.count": 3}, "models.split"),
        ({"general.architecture": "clip"}, "models.not_conversational"),
        ({"llama.block_count": 0}, "models.incomplete"),
    ],
)
def test_a_file_that_cannot_converse_is_refused(tmp_path: Path, changes: dict[str, int | str], key: str) -> None:
    header = read_header(Plan(metadata={**TINY, **changes}).write(tmp_path / "m.gguf"))
    with pytest.raises(ModelError) as caught:
        check_conversational(header)
    assert caught.value.key == key


def test_a_known_template_stands_in_for_a_missing_one(tmp_path: Path) -> None:
    metadata = {key: value for key, value in TINY.items() if key != "tokenizer.chat_template"}
    check_conversational(read_header(Plan(metadata=metadata).write(tmp_path / "m.gguf")), "{{ messages }}")


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edits=st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=12), cut=st.integers(0, 400)
)
def test_any_damage_ends_in_a_header_or_a_sentence(tmp_path: Path, edits: list[tuple[int, int]], cut: int) -> None:
    content = bytearray(GOOD)
    for position, value in edits:
        content[position] = value
    _read_or_sentence(tmp_path / "edited.gguf", bytes(content[: len(content) - cut]))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_any_bytes_after_the_magic_end_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    _read_or_sentence(tmp_path / "random.gguf", b"GGUF\x03\x00\x00\x00" + content)


def _read_or_sentence(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    sentence = str(path)
    try:
        check_conversational(read_header(path))
    except ModelError as error:
        sentence = str(error)
    assert str(path) in sentence
