"""What the scorer makes of the lines of somebody it was not fitted to."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.privacy.labelled import WRITERS


@pytest.fixture(scope="module")
def fitting() -> ModuleType:
    file = Path(__file__).parents[2] / "packaging" / "fit_hints.py"
    spec = importlib.util.spec_from_file_location("fit_hints", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("writer", [name for name in WRITERS if name != "own"])
def test_a_stranger_is_understood(fitting: ModuleType, writer: str) -> None:
    score = fitting.left_out(writer)

    assert score.recall() >= 0.95, score.misses
    assert 1 - score.wrong / score.masks >= 0.95
    assert score.touched / score.harmless <= 0.03
