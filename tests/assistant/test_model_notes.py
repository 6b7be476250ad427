from __future__ import annotations

from desk_assistant.assistant.events import Usage
from desk_assistant.assistant.model_notes import ModelNotes
from desk_assistant.models import Catalogue
from desk_assistant.paths import Locations
from desk_assistant.store import Store


def notes(locations: Locations) -> ModelNotes:
    return ModelNotes(Store(locations.database, locations.backups).meta)


def test_the_speed_follows_what_is_seen_and_short_answers_say_nothing(locations: Locations) -> None:
    kept = notes(locations)
    assert kept.speed("tiny") is None
    kept.saw("tiny", Usage(answer_tokens=3, answer_seconds=0.01))
    assert kept.speed("tiny") is None
    kept.saw("tiny", Usage(answer_tokens=100, answer_seconds=10.0))
    kept.saw("tiny", Usage(answer_tokens=100, answer_seconds=5.0))
    assert kept.speed("tiny") == 13.0
    assert kept.speed("another") is None


def test_terms_are_accepted_once_for_all_models_under_them(locations: Locations) -> None:
    catalogue, kept = Catalogue.load(), notes(locations)
    base, instruct = catalogue.get("gemma3-270m-base"), catalogue.get("gemma-3-4b-it")
    assert kept.accepted(catalogue.get("smollm2-135m-instruct"))
    assert kept.accepted(None)
    assert not kept.accepted(base)
    kept.accept(base)
    assert kept.accepted(instruct)
    assert not kept.accepted(catalogue.get("llama-3.2-3b-instruct"))
