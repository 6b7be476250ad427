"""A model that passed the exam for it puts a sentence before the summary; one that invents figures does not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from desk_assistant.memory.episodic import summary_id
from desk_assistant.memory.service import Memory
from desk_assistant.privacy import PrivacyGate
from tests.memory.conftest import Profile

SAID = "We decided to move the fair to 21 May. 32 stands are booked and I have to order the tables."


class Summing:
    """A model that sums up with the words it is given."""

    able = False

    def __init__(self, gist: str, *languages: str) -> None:
        self.summarises = languages
        self._gist = gist

    async def complete(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        return json.dumps({"summary": self._gist})


async def _summary(profile: Profile, model: Summing) -> str:
    memory = Memory(profile.store, profile.index, profile.settings, profile.locations, PrivacyGate, reader=model)
    profile.say(SAID)
    await memory.end_session("s1")
    await memory.settle()
    return profile.store.episodes.get(summary_id("s1")).text


async def test_a_sound_gist_stands_before_the_words(profile: Profile) -> None:
    text = await _summary(profile, Summing("The fair moves to 21 May.", "en"))
    assert text.startswith("In short: The fair moves to 21 May.")
    assert "32 stands" in text


@pytest.mark.parametrize(
    "model", [Summing("The fair moves to 28 May.", "en"), Summing("", "en"), Summing("The fair moves.", "zh")]
)
async def test_without_a_sound_gist_the_words_do_alone(profile: Profile, model: Summing) -> None:
    text = await _summary(profile, model)
    assert "In short" not in text
    assert "21 May" in text
