"""What a model file can do wrong: a sentence each time, the child alive or replaced, the former model still there."""

from __future__ import annotations

import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant.errors import ModelError
from desk_assistant.llm import ChatMessage, LlmClient, LoadSpec
from tests.llm.talking import Talk

pytestmark = pytest.mark.real

HEADER = 6_000_000
"""Bytes that surely hold the header of the starter model."""

BLOCKS = b"llama.block_count" + struct.pack("<II", 4, 30)


def crashing(starter: Path, to: Path) -> Path:
    """A file whose header asks for two thousand million layers: llama.cpp aborts the process on it."""
    head = starter.read_bytes()[:HEADER]
    assert BLOCKS in head
    to.write_bytes(head.replace(BLOCKS, b"llama.block_count" + struct.pack("<II", 4, 0x7FFFFFFF)))
    with to.open("r+b") as file:
        file.truncate(starter.stat().st_size)
    return to


CASES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _head: b"",
    "text": lambda _head: b"This is no model.\n" * 100,
    "magic only": lambda head: head[:4],
    "cut in the header": lambda head: head[:20],
    "cut in the metadata": lambda head: head[:1000],
    "cut in the tensors": lambda head: head,
    "unknown version": lambda head: head[:4] + struct.pack("<I", 99) + head[8:],
    "absurd counts": lambda head: head[:8] + struct.pack("<QQ", 2**62, 2**62) + head[24:],
    "absurd string": lambda head: head[:24] + struct.pack("<Q", 2**61) + head[32:],
    "unknown architecture": lambda head: head.replace(b"llama", b"lxxma", 1),
}


@pytest.mark.parametrize("case", CASES)
async def test_a_broken_file_is_a_sentence_and_the_child_lives(
    llm: LlmClient, starter_path: Path, tmp_path: Path, case: str
) -> None:
    with starter_path.open("rb") as file:
        head = file.read(HEADER)
    path = tmp_path / "broken.gguf"
    path.write_bytes(CASES[case](head))
    with pytest.raises(ModelError) as caught:
        await llm.load(LoadSpec(path, "broken"))
    assert caught.value.key in ("llm.not_gguf", "llm.not_loadable")
    assert "broken" in str(caught.value)
    assert llm.state == "empty"


@pytest.mark.parametrize("case", ["missing", "directory", "no permission"])
async def test_a_path_that_cannot_be_read_is_a_sentence(llm: LlmClient, tmp_path: Path, case: str) -> None:
    path = tmp_path / "model.gguf"
    if case == "directory":
        path.mkdir()
    if case == "no permission":
        path.write_bytes(b"GGUF")
        path.chmod(0)
        try:
            path.read_bytes()
            pytest.skip("this user may read everything")
        except PermissionError:
            pass
    with pytest.raises(ModelError) as caught:
        await llm.load(LoadSpec(path, "model"))
    assert caught.value.key in ("llm.missing", "llm.unreadable")


async def test_a_failed_change_leaves_the_former_model_in_use(
    starter_llm: LlmClient, starter_path: Path, tmp_path: Path, talk: Talk
) -> None:
    (tmp_path / "cut.gguf").write_bytes(starter_path.read_bytes()[:HEADER])
    with pytest.raises(ModelError):
        await starter_llm.load(LoadSpec(tmp_path / "cut.gguf", "cut"))
    finished = await talk.run(starter_llm, [ChatMessage("user", "Hello")])
    assert finished.answer_tokens > 0
    assert starter_llm.info is not None
    assert starter_llm.info.name == "starter"


@pytest.mark.skipif(sys.platform == "win32", reason="relies on sparse files")
async def test_a_file_that_takes_the_child_down_does_so_once(
    starter_llm: LlmClient, starter_path: Path, tmp_path: Path, talk: Talk
) -> None:
    spec = LoadSpec(crashing(starter_path, tmp_path / "crash.gguf"), "crash")
    with pytest.raises(ModelError) as caught:
        await starter_llm.load(spec)
    assert caught.value.key == "llm.crashed"
    assert "SIGABRT" in str(caught.value)
    # A later start of the program, with the same folder of logs.
    later = LlmClient(tmp_path / "logs" / "llm.log")
    try:
        with pytest.raises(ModelError) as caught:
            await later.load(spec)
        assert caught.value.key == "llm.crashed_last_time"
        assert later.state == "stopped"
        with pytest.raises(ModelError) as caught:
            await later.load(spec, force=True)
        assert caught.value.key == "llm.crashed"
        # Once the file is a good one, loading it anyway clears the note.
        shutil.copyfile(starter_path, spec.path)
        await later.load(spec, force=True)
        await later.load(spec)
    finally:
        await later.stop()
    finished = await talk.run(starter_llm, [ChatMessage("user", "Hello")])
    assert finished.answer_tokens > 0
