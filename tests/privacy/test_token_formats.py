"""The vendored token formats work beside either language, and examples in documentation are no secrets."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate, formats


def test_every_vendored_rule_compiles() -> None:
    _, rules = formats._rules()

    assert len({rule for listed in rules.values() for rule in listed}) > 200
    assert all(rule.pattern.pattern for listed in rules.values() for rule in listed)


@pytest.mark.parametrize(
    "token",
    [
        "dapi0123456789abcdef0123456789abcde7",
        "rubygems_0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978",
        "PMAK-0f1e2d3c4b5a69788796a5b4-c3d2e1f00f1e2d3c4b5a69788796a5b4c3",
        "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",
    ],
)
def test_a_token_is_found_without_a_word_before_it(gate: PrivacyGate, token: str) -> None:
    assert gate.mask(f"here: {token} ok").text == "here: [API_KEY] ok"
    assert gate.mask(f"这是{token}，收好").text == "这是[API_KEY]，收好"


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE is the one in the manual",
        "sk-your-key-goes-here-please",
        "export TOKEN=${GITHUB_TOKEN}",
        "api_key = xxxxxxxxxxxxxxxxxxxx",
    ],
)
def test_an_example_is_left_alone(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()


def test_a_private_key_loses_its_body_and_keeps_its_frame(gate: PrivacyGate) -> None:
    text = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nabcd1234\n-----END PRIVATE KEY-----"

    assert gate.mask(text).text == "-----BEGIN PRIVATE KEY-----\n[API_KEY]\n-----END PRIVATE KEY-----"


def test_a_key_block_without_an_end_is_masked_to_the_end(gate: PrivacyGate) -> None:
    assert gate.mask("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04f").text.endswith(
        "\n[API_KEY]"
    )
