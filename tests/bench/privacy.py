"""How much the privacy filter finds in our labelled lines, and what it costs a message."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Final

from desk_assistant.privacy import PrivacyGate
from tests.bench import Row, at_least, at_most
from tests.privacy import hostile, labelled

ROUNDS: Final = 5
CHECKED: Final = ("API_KEY", "CREDIT_CARD", "IBAN", "CN_ID", "CRYPTO", "EMAIL", "IP")


def rows() -> Iterable[Row]:
    """Measure quality first, then time; times are CPU time of this process."""
    gate = PrivacyGate()
    lines = labelled.read()
    yield from _quality(gate, lines)
    yield from _speed(gate, [line.text for line in lines])
    yield at_most("import in a fresh process", _import_seconds(), "s", 0.4)


def _quality(gate: PrivacyGate, lines: list[labelled.Line]) -> Iterator[Row]:
    score = labelled.score(gate, lines)
    yield at_least("recall", score.recall(), "share", 0.95)
    yield at_least("recall, English", score.recall("en"), "share", 0.93)
    yield at_least("recall, Chinese", score.recall("zh"), "share", 0.93)
    yield at_least("recall, checked and prefixed kinds, e-mail, IP", score.recall(*CHECKED), "share", 0.97)
    yield at_least("recall, PHONE", score.recall("PHONE"), "share", 0.95)
    for kind in ("PASSWORD", "OTP", "IM_ID"):
        yield at_least(f"recall, {kind}", score.recall(kind), "share", 0.90)
    yield at_least("recall, ADDRESS", score.recall("ADDRESS"), "share", 0.85)
    yield at_least("typed rightly", score.typed / score.total, "share", 0.92)
    yield at_least("precision of masks", 1 - score.wrong / score.masks, "share", 0.95)
    yield at_most("harmless lines touched", score.touched / score.harmless, "share", 0.03)


def _speed(gate: PrivacyGate, texts: list[str]) -> Iterator[Row]:
    flow = " ".join(texts)
    messages = [flow[start : start + 200] for start in range(0, len(flow) - 200, 200)]
    times = sorted(_milliseconds(gate, message) for message in messages)
    yield at_most("200 characters, p50", statistics.median(times), "ms", 1)
    yield at_most("200 characters, p95", times[int(len(times) * 0.95)], "ms", 3)
    yield at_most("10,000 characters", _milliseconds(gate, flow[:10_000]), "ms", 50)
    han = "".join(text for text in texts if not text.isascii())
    yield at_most("10,000 characters of Chinese", _milliseconds(gate, han[:10_000]), "ms", 50)
    worst = max((_milliseconds(gate, text, rounds=2), trigger) for trigger, text in hostile.texts().items())
    yield at_most(f"64 KiB hostile, worst ({worst[1]!r})", worst[0], "ms", 250)


def _milliseconds(gate: PrivacyGate, text: str, rounds: int = ROUNDS) -> float:
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        gate.check(text)
        best = min(best, time.process_time() - began)
    return best * 1000


def _import_seconds() -> float:
    code = "import time; b = time.process_time(); import desk_assistant.privacy; print(time.process_time() - b)"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3))
