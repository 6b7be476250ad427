from __future__ import annotations

import random
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from desk_assistant.index import pieces
from tests.index.tiny_model import LETTERS, SPECIAL, WORDS, write_tokenizer

TEXTS = (
    "the cat is called",
    "我的猫叫豆包，在成都",
    "",
    "   ",
    "☂☂☂the☂",
    "<s>a</s><unk>",
    "x\u200by\tz\n",
    "ﬁ Ａ  b",
    "zzz" * 40,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_tokenizer(tmp_path, [*SPECIAL, *LETTERS, *WORDS])
    return tmp_path


def library(folder: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.encode_special_tokens = True
    return tokenizer


def some_texts() -> list[str]:
    chance = random.Random(3)
    letters = LETTERS.replace("▁", " ") + "☂é  "
    return [*TEXTS, *("".join(chance.choices(letters, k=chance.randint(1, 80))) for _ in range(200))]


def test_ids_are_those_of_the_library(folder: Path) -> None:
    ours, theirs = pieces.load(folder), library(folder)
    assert ours is not None
    for text in some_texts():
        assert ours.encode(text, 10_000) == theirs.encode(text).ids, text


def test_a_long_text_is_cut_where_the_library_cuts_it(folder: Path) -> None:
    ours, theirs = pieces.load(folder), library(folder)
    assert ours is not None
    theirs.enable_truncation(12)
    for text in some_texts():
        assert ours.encode(text, 12) == theirs.encode(text).ids, text


def test_what_is_kept_beside_the_model_says_the_same(folder: Path) -> None:
    first = pieces.load(folder)
    assert list(folder.glob("pieces-*.npz"))
    second = pieces.load(folder)
    assert first is not None
    assert second is not None
    assert [first.encode(text, 64) for text in TEXTS] == [second.encode(text, 64) for text in TEXTS]


def test_another_vocabulary_in_the_same_folder_is_noticed(folder: Path) -> None:
    pieces.load(folder)
    write_tokenizer(folder, [*SPECIAL, *LETTERS[::-1], *WORDS])
    ours = pieces.load(folder)
    assert ours is not None
    assert ours.encode("the cat", 64) == library(folder).encode("the cat").ids


def test_damage_beside_the_model_costs_only_time(folder: Path) -> None:
    pieces.load(folder)
    (kept,) = folder.glob("pieces-*.npz")
    kept.write_bytes(kept.read_bytes()[:100])
    ours = pieces.load(folder)
    assert ours is not None
    assert ours.encode("the cat", 64) == library(folder).encode("the cat").ids
