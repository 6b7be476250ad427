"""A person may keep a kind of value, but nothing that opens a door."""

from __future__ import annotations

import pytest

from desk_assistant import i18n
from desk_assistant.privacy import KINDS, PrivacyGate


def test_an_allowed_kind_is_kept() -> None:
    assert PrivacyGate(allow=("EMAIL",)).mask("jo@example.org, pin 4829").text == "jo@example.org, pin [PASSWORD]"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("PASSWORD", "my pin is 4829"),
        ("OTP", "your verification code is 482913"),
        ("API_KEY", "sk-tjip1smufnvnbqtd6clkdmpuiesk4fpa"),
    ],
)
def test_what_opens_a_door_is_masked_all_the_same(kind: str, text: str) -> None:
    assert not KINDS[kind]
    assert [span.type for span in PrivacyGate(allow=(kind,)).check(text)] == [kind]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_kind_has_a_name_in_every_language(language: str) -> None:
    i18n.set_language(language)

    names = [i18n.t(f"privacy.kind_{kind}") for kind in KINDS]

    assert len(set(names)) == len(KINDS)
