"""What a mask leaves behind can be read, can be masked again, and says when two values are the same."""

from __future__ import annotations

from desk_assistant.privacy import PrivacyGate
from tests.privacy import labelled


def test_a_sentence_stays_readable(gate: PrivacyGate) -> None:
    masked = gate.mask("mail jo@example.org, my pin is 4829")

    assert masked.text == "mail [EMAIL], my pin is [PASSWORD]"
    assert [span.type for span in masked.spans] == ["EMAIL", "PASSWORD"]


def test_masking_again_changes_nothing(gate: PrivacyGate) -> None:
    for line in labelled.read():
        once = gate.mask(line.text).text
        assert gate.mask(once).text == once


def test_masking_again_in_a_session_changes_nothing(gate: PrivacyGate) -> None:
    session = gate.session()
    for line in labelled.read():
        once = session.mask(line.text).text
        again = gate.session().mask(once)
        assert again.text == once


def test_the_same_value_keeps_its_number_in_a_session(gate: PrivacyGate) -> None:
    session = gate.session()

    assert session.mask("write to jo@example.org").text == "write to [EMAIL 1]"
    assert session.mask("or to al@example.org").text == "or to [EMAIL 2]"
    assert session.mask("JO@example.org answered").text == "[EMAIL 1] answered"
    assert session.mask("call 138 0013 8000").text == "call [PHONE 1]"
    assert session.mask("13800138000 again").text == "[PHONE 1] again"


def test_a_session_keeps_no_value(gate: PrivacyGate) -> None:
    session = gate.session()
    session.mask("my password is Plum-Otter-58")

    assert "otter" not in repr(vars(session)).lower()


def test_a_number_of_one_session_means_nothing_in_another(gate: PrivacyGate) -> None:
    first, second = gate.session(), gate.session()
    first.mask("jo@example.org")

    assert second.mask("al@example.org").text == "[EMAIL 1]"
