"""Whatever a file from elsewhere holds: it is read, or refused with a sentence; nothing else is raised.

The pipe protocol, the GGUF header and the filter are tried like this beside their own tests. All of them try much more
with `HYPOTHESIS_PROFILE=long`.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk_assistant.errors import DeskError
from desk_assistant.importers import Problem, Reading
from desk_assistant.memory import backup
from desk_assistant.tui import slash

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(("id", "mapping", "message", "messages", "content", "parts", "author", "role", "create_time",
                         "chat_messages", "sender", "text", "chat", "history", "title", "parent", "children")),
        inner,
        max_size=5,
    ),
    max_leaves=25,
)  # fmt: skip


def read(name: str, content: bytes) -> None:
    """Read a file to its end."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        with contextlib.suppress(DeskError):
            for item in Reading(path):
                assert item.reason if isinstance(item, Problem) else item.turns is not None


@given(st.binary(max_size=400), st.sampled_from(("a.json", "a.jsonl", "a.md", "a.zip", "a.txt")))
def test_any_bytes_as_an_export(content: bytes, name: str) -> None:
    read(name, content)


@given(JSON, st.sampled_from(("conversations.json", "a.jsonl")))
def test_any_json_as_an_export(content: object, name: str) -> None:
    read(name, json.dumps(content).encode())


@given(st.binary(max_size=300), st.sampled_from((b"", b"PK\x03\x04", b"DESKLCK1\x01", b"SQLite format 3\x00")))
def test_any_bytes_as_a_backup(content: bytes, beginning: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{backup.SUFFIX}"
        path.write_bytes(beginning + content)
        with pytest.raises(DeskError):
            backup.inspect(path, Path(folder), "passphrase")


@given(st.text(max_size=60) | st.text("/ \n\u3000\u200bahelp", max_size=20))
def test_any_text_as_a_command(text: str) -> None:
    parsed = slash.parse(text)

    assert parsed is None or parsed[0] in slash.COMMANDS
    # What is a command is not unknown, and what is unknown begins the text.
    assert not (parsed and slash.unknown(text))
    assert text.strip().startswith(slash.unknown(text))
    assert all(f"/{command.name}".startswith(text.lower()) for command in slash.matching(text))
