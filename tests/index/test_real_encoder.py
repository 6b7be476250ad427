from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desk_assistant.index.encoders import LibraryEncoder, light_encoder

pytestmark = pytest.mark.real

TEXTS = (
    "Which database do I use?",
    "我是做量化策略的，主要用 Python，最近在选向量数据库",
    "",
    "The boiler was serviced in January, ①②③ Ａｂｃ ～ ﬁ \u200b🙂 ኢትዮጵያ </s> and nothing else.",
    "A long evening by the river, and more of it. " * 90,
    "长江边的傍晚，" * 300,
)


def test_the_starter_makes_the_same_vectors_without_torch(model_folder: Path) -> None:
    light, library = light_encoder(model_folder), LibraryEncoder(model_folder)
    assert light is not None
    for role in ("query", "document"):
        same = np.einsum("ij,ij->i", light.encode(TEXTS, role), library.encode(TEXTS, role))
        assert same.min() >= 0.9999
