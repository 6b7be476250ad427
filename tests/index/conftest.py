from __future__ import annotations

import struct
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest

from desk_assistant.index import IndexClient, IndexRecord, IndexSetup
from desk_assistant.index.analysis import terms
from desk_assistant.index.rows import Row
from desk_assistant.index.table import EpisodeTable
from desk_assistant.paths import Locations

MODEL = "multilingual-e5-small"
TINY = 4


@pytest.fixture(scope="session")
def model_folder() -> Path:
    """The converted embedding model; its absence is a failure, as nothing else can stand in for it."""
    for folder in Locations.find().model_folders:
        if (folder / MODEL / "st" / "modules.json").exists():
            return folder / MODEL / "st"
    pytest.fail(f"{MODEL} is not installed: run `make models`")


@pytest.fixture
def table_path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "episodes.lance"


@pytest.fixture
def table(table_path: Path) -> EpisodeTable:
    table = EpisodeTable(table_path, TINY)
    table.open()
    return table


@pytest.fixture
def fill(table: EpisodeTable) -> Callable[..., None]:
    def write(*texts: str, first: int = 0, kind: str = "turn", session: str = "s") -> None:
        table.write([row(f"r{place}", text, kind, session) for place, text in enumerate(texts, first)])

    return write


def row(key: str, text: str, kind: str = "turn", session: str = "s", vector: Sequence[float] | None = None) -> Row:
    record = IndexRecord.from_message({"id": key, "kind": kind, "text": text, "session": session})
    return Row(record, " ".join(terms(record.text)), "m" if vector else "", vector)


@pytest.fixture
async def client(tmp_path: Path, table_path: Path) -> AsyncIterator[IndexClient]:
    """A client without an embedding model: full text alone."""
    client = IndexClient(IndexSetup(table_path, None, ""), log=tmp_path / "index.log")
    yield client
    await client.close()


PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "a", "b", "c", "▁a", "▁b", "ab", "query", ":", "<mask>"]
HIDDEN, FFN, POSITIONS = 32, 64, 16


@pytest.fixture
def tiny_e5(tmp_path: Path) -> Path:
    """A packed model with a real layout and two-digit dimensions."""
    path = tmp_path / "tiny.bin"
    path.write_bytes(pack_e5())
    return path


def pack_e5() -> bytes:
    head = struct.pack("<4sI7ifi", b"E5S1", 1, HIDDEN, 1, 2, FFN, len(PIECES), POSITIONS, 2, 1e-12, 32)
    blob = "".join(PIECES).encode()
    offsets = [0]
    for piece in PIECES:
        offsets.append(offsets[-1] + len(piece.encode()))
    vocabulary = struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, len(blob))
    vocabulary += struct.pack(f"<{len(offsets)}I", *offsets)
    vocabulary += struct.pack(f"<{len(PIECES)}f", *(-float(place) for place in range(len(PIECES)))) + blob
    changes = [(0x2162, "III"), (0xFF21, "a"), (0x200B, "")]
    normaliser = b"".join(struct.pack(f"<IB{len(to)}I", source, len(to), *map(ord, to)) for source, to in changes)
    normaliser = struct.pack("<iI", len(changes), len(normaliser)) + normaliser
    quantised = {"emb.word": len(PIECES) * HIDDEN}
    quantised |= {f"l0.{name}.w": HIDDEN * HIDDEN for name in ("q", "k", "v", "ao")}
    quantised |= {"l0.fi.w": FFN * HIDDEN, "l0.fo.w": HIDDEN * FFN}
    plain = {"emb.pos": POSITIONS * HIDDEN, "emb.type": 2 * HIDDEN, "emb.ln.w": HIDDEN, "emb.ln.b": HIDDEN}
    plain |= {f"l0.{name}.b": HIDDEN for name in ("q", "k", "v", "ao", "fo")} | {"l0.fi.b": FFN}
    plain |= {f"l0.{name}.{end}": HIDDEN for name in ("aln", "oln") for end in "wb"}
    tensors = [(name, 1, count, q4_0(count)) for name, count in quantised.items()]
    tensors += [(name, 0, count, struct.pack(f"<{count}f", *([0.5] * count))) for name, count in plain.items()]
    entry = sum(2 + len(name) + 21 for name, *_ in tensors)
    offset = len(head) + len(vocabulary) + len(normaliser) + 4 + entry
    directory, data = struct.pack("<i", len(tensors)), b""
    for name, kind, count, content in tensors:
        directory += struct.pack(f"<H{len(name)}sBIQQ", len(name), name.encode(), kind, count, offset, len(content))
        offset += len(content)
        data += content
    return head + vocabulary + normaliser + directory + data


def q4_0(count: int) -> bytes:
    blocks = []
    for number in range(count // 32):
        nibbles = bytes((place + number) % 16 | ((place + 3) % 16) << 4 for place in range(16))
        blocks.append(struct.pack("<e", 0.25) + nibbles)
    return b"".join(blocks)
