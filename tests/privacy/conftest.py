from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.fixture(scope="session")
def gate() -> PrivacyGate:
    return PrivacyGate()
