from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk_assistant.errors import DeskError, ModelError, WorkerError
from desk_assistant.workers import protocol
from desk_assistant.workers.protocol import Decoder, ProtocolError, WorkerCancelled

any_text = st.text(alphabet=st.characters(exclude_categories=()))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=20,
)
messages = st.dictionaries(any_text, json_values, max_size=5)


@given(st.lists(messages, max_size=4), st.integers(1, 50))
def test_messages_survive_any_cutting_lone_surrogates_included(sent: list[protocol.Message], size: int) -> None:
    stream = b"".join(protocol.encode(message) for message in sent)
    decoder = Decoder()
    received = [m for at in range(0, len(stream), size) for m in decoder.feed(stream[at : at + size])]
    assert received == sent


@given(st.binary(max_size=200))
def test_noise_is_refused_or_waited_for_and_nothing_else(noise: bytes) -> None:
    try:
        for message in Decoder().feed(noise):
            assert isinstance(message, dict)
    except ProtocolError:
        return


@pytest.mark.parametrize(
    "body",
    [b"[1]", b"null", b'"text"', b"{", b'{"a": NaN}', b"\xff\xfe{}", b"[" * 100_000, b'{"a":' * 50_000, b"{}{}"],
    ids=["list", "null", "string", "cut", "nan", "not-ascii", "deep-list", "deep-object", "two"],
)
def test_a_body_that_is_no_message_is_refused(body: bytes) -> None:
    with pytest.raises(ProtocolError):
        list(Decoder().feed(protocol.HEADER.pack(len(body)) + body))


@pytest.mark.parametrize("length", [0, 1, protocol.MAX_FRAME + 1, 0xFFFFFFFF])
def test_an_absurd_length_is_refused_before_anything_is_collected(length: int) -> None:
    with pytest.raises(ProtocolError):
        list(Decoder().feed(protocol.HEADER.pack(length)))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), b"bytes"])
def test_a_value_json_cannot_carry_is_refused_on_writing(value: object) -> None:
    with pytest.raises(ProtocolError):
        protocol.encode({"value": value})


@pytest.mark.parametrize(
    "error",
    [
        ModelError("models.truncated", path=Path("/a/b.gguf"), size=12, cause="short"),
        WorkerError("workers.failed", op="x"),
        WorkerCancelled(),
        DeskError("workers.garbled"),
    ],
)
def test_an_error_arrives_as_the_same_kind(error: DeskError) -> None:
    frame = protocol.encode({"error": protocol.describe_error(error)})
    (message,) = Decoder().feed(frame)
    restored = protocol.restore_error(message["error"])
    assert type(restored) is type(error)
    assert restored.key == error.key
    assert restored.cause == error.cause
    assert {k: str(v) for k, v in restored.params.items()} == {k: str(v) for k, v in error.params.items()}


@given(json_values)
def test_an_error_that_makes_no_sense_is_still_an_error(value: object) -> None:
    assert isinstance(protocol.restore_error(value), DeskError)


@pytest.mark.parametrize("kind", ["SystemExit", "i18n", "__name__", "annotations", 7, None])
def test_only_the_error_family_can_be_named(kind: object) -> None:
    restored = protocol.restore_error({"kind": kind, "key": "workers.failed", "params": {"op": "x", "cause": "y"}})
    assert type(restored) is WorkerError
