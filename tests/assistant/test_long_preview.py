from __future__ import annotations

import pytest

from desk_assistant.assistant import service
from desk_assistant.privacy import PrivacyGate
from tests.assistant.conftest import Opener


async def test_a_long_text_is_looked_through_in_pieces_and_nothing_is_missed(
    open_assistant: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = [f"Write to anna.berg{number}@example.org today.\n" for number in range(4)]
    filler = "The river runs to the sea, past the mill and the orchard.\n" * 400
    text = filler.join(secrets)
    check, sizes = PrivacyGate.check, []

    def noted(self: PrivacyGate, part: str) -> object:
        sizes.append(len(part))
        return check(self, part)

    monkeypatch.setattr(PrivacyGate, "check", noted)
    found = open_assistant().masked_preview(text)

    assert [text[span.start : span.end] for span in found] == [f"anna.berg{n}@example.org" for n in range(4)]
    assert max(sizes) <= service.PREVIEW_PIECE < len(text)
