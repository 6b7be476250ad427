from __future__ import annotations

import pytest

from desk_assistant.index.embedder import BATCH, SLICE_SECONDS, batch_size


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.02, 0.05, 0.3, 9.0])
def test_work_that_may_be_given_up_is_looked_after_often(seconds: float) -> None:
    size = batch_size(seconds)
    assert 1 <= size <= BATCH
    assert size == 1 or size * seconds <= SLICE_SECONDS
