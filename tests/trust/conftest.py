from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.desk_shell import Desk
from tests.memory.conftest import open_profile, profile

__all__ = ["open_profile", "profile"]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """The program, working on the data folder of the `locations` fixture."""
    return Desk(tmp_path / "data")
