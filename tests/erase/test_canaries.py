"""A secret and an innocent canary by every way in; the innocent one is forgotten, and neither may be found anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk_assistant.paths import Locations
from tests.assistant.conftest import say
from tests.erase.conftest import Opener, erase, fact_about, import_lines
from tests.erase.search import everywhere, in_database, in_files
from tests.index.conftest import model_folder

__all__ = ["model_folder"]

SECRETS = ("Plum-Otter-58", "Fjord-Kettle-91", "Moss-Lantern-37", "Reed-Copper-64", "Teal-Anvil-29")
INNOCENT = ("zarbolune", "quovadrix", "fimblethorn", "drovenpike", "glastonvex", "wembrolith", "yarnoquist")


async def write_everything(open_real: Opener, folder: Path, rows: int, model: Path | None = None) -> None:
    """Every way in: chat, answer, note, edit, import, and the summaries made of them."""
    chat, said, answered, noted, edited, imported, learnt = INNOCENT
    assistant = open_real(f"The {answered} is on the shelf. Your password is {SECRETS[1]}.", "Fine.", model=model)
    await assistant.start(llm=False)
    memory = assistant.memory
    filler = [f"Line {number}: the ferry left at dawn and came back with {number} crates." for number in range(rows)]
    await import_lines(assistant, folder, "filler", filler)
    conversation = assistant.conversation()
    await say(assistant, conversation, f"The brass {chat} hangs by the door. My password is {SECRETS[0]}.")
    await say(assistant, conversation, f"I'm allergic to {said}.")
    await say(assistant, conversation, "I decided to paint the shed on 3 May 2026.")
    (note,) = await memory.add(f"I restore {noted} clocks")
    (other,) = await memory.add("I collect stamps")
    await memory.edit(other.id, f"Collects {edited} coins, password: {SECRETS[3]}")
    imports = [f"We met {imported} at the fair. The password is {SECRETS[4]}.", f"My favourite tea is {learnt}."]
    await import_lines(assistant, folder, "talk", imports)
    await assistant.end_session(conversation)
    await memory.settle()
    # Without this the test would prove nothing: all of them are there.
    assert all(in_database(assistant.locations.database, word) for word in INNOCENT)
    assert chat in " ".join(e.text for e in await memory.episodes(kind="summary"))
    assert in_files(assistant.locations.index, chat)

    turns = {message.content.split()[2]: message.id for message in conversation.messages if message.role == "user"}
    answer = next(message for message in conversation.messages if answered in message.content)
    ids = [turns[chat], answer.id, (await fact_about(assistant, said)).id, note.id, other.id, "talk"]
    await erase(assistant, *ids)
    kept = [e.text for e in await memory.episodes(kind="summary")]
    assert any("shed" in text for text in kept)
    assert (await memory.check_forgotten()).clean
    await assistant.close()


@pytest.mark.parametrize("rows", [1, 300])
async def test_neither_canary_is_anywhere(open_real: Opener, locations: Locations, tmp_path: Path, rows: int) -> None:
    await write_everything(open_real, tmp_path, rows)
    found = {word: everywhere(locations, word) for word in (*INNOCENT, *SECRETS)}
    assert {word: places for word, places in found.items() if places} == {}


@pytest.mark.real
async def test_neither_is_with_a_vector_index(
    open_real: Opener, locations: Locations, tmp_path: Path, model_folder: Path
) -> None:
    await write_everything(open_real, tmp_path, 40, model_folder)
    found = {word: everywhere(locations, word) for word in (*INNOCENT, *SECRETS)}
    assert {word: places for word, places in found.items() if places} == {}
