from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.desk_shell import Desk


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder that does not exist yet."""
    return tmp_path / "data"


@pytest.fixture
def desk(data: Path) -> Desk:
    """The program, working on a data folder of the test's own."""
    return Desk(data)
