"""Fit the weights of the privacy filter's scorer to the labelled lines of the tests.

Run by a maintainer, never by the program: `python packaging/fit_hints.py`. Reads `tests/privacy/*.toml`, writes
`desk_assistant/privacy/rules/hints.json`. The same lines always give the same weights.

`--leave-out` writes nothing: it fits to the lines of all writers but one, measures the whole filter on the lines of
that one, and does so for each. That tells more about the lines of strangers than the fit to lines it has seen. It is
still kind to the rules beside the scorer, which were written by people who had seen all of them.

Every line with a secret is also read with other invented secrets in its place, so that the weights rest on what stands
around a value and not on the few values somebody thought of.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

ROOT: Final = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from desk_assistant.privacy import PrivacyGate, Span, candidates, hints  # noqa: E402
from desk_assistant.privacy.clues import Clues  # noqa: E402
from desk_assistant.privacy.fold import fold  # noqa: E402
from desk_assistant.privacy.hints import KINDS  # noqa: E402
from tests.privacy.labelled import WRITERS, Line, Score, read, score  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TARGET: Final = ROOT / "desk_assistant" / "privacy" / "rules" / "hints.json"
OUTCOMES: Final = ("harmless", *KINDS)
COPIES: Final = 2
"""Readings of a line with other values, beside its own."""
STRENGTH: Final = 3.0
"""Of the L2 penalty. From 1 to 8 nothing changed by more than one line in a hundred on lines left out."""
LEAST_SEEN: Final = 3
"""Times a feature must be seen to get a weight."""
LEAST_WEIGHT: Final = 0.03

SEED: Final = 7
_random: Final = random.Random(SEED)
_WORDS: Final = (
    *("lamp", "river", "otter", "moon", "tulip", "grape", "stone", "cloud", "tiger", "maple", "fox", "bean", "piano"),
    *("winter", "salt", "amber", "lotus", "panda", "coral", "berry", "north", "velvet", "cactus", "orbit", "ribbon"),
    *("noodle", "xiaomao", "haohao", "xiong", "laowang", "ayi", "chenmo", "lixin", "bear", "sunny"),
)


def _word() -> str:
    return _random.choice(_WORDS)


def _digits(count: int) -> str:
    return "".join(_random.choice("0123456789") for _ in range(count))


def _jumble(alphabet: str, count: int) -> str:
    return "".join(_random.choice(alphabet) for _ in range(count))


_MIXED: Final[tuple[Callable[[], str], ...]] = (
    lambda: _word() + _digits(_random.choice((2, 3, 4))),
    lambda: _word().title() + _digits(_random.choice((2, 4))),
    lambda: _word().title() + _word().title() + _digits(2),
    lambda: f"{_word().title()}-{_word().title()}-{_digits(2)}",
    lambda: f"{_word()}_{_digits(4)}",
    lambda: _word() + _random.choice("!@#$&*") + _word().title() + _digits(1),
    lambda: _word().title() + _random.choice("!@#$%&*") + _digits(4),
    lambda: f"{_word()}-{_word()}",
    lambda: f"{_word()}{_word()}{_digits(2)}!",
    lambda: _jumble("abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRS23456789", 8),
    lambda: _word()[0].upper() + _digits(1) + _word() + _random.choice("!#$") + _digits(2),
    lambda: _word()[:2] + _digits(6),
    lambda: f"{_word()}&{_word().title()}",
    lambda: _digits(2) + _word() + _word(),
)
_PIN: Final[tuple[Callable[[], str], ...]] = (
    *(lambda: _digits(4), lambda: _digits(4), lambda: _digits(6), lambda: _digits(6)),
    *(lambda: _digits(5), lambda: _digits(8), lambda: _digits(4) + "#"),
)
_ONE_TIME: Final[tuple[Callable[[], str], ...]] = (
    *(lambda: _digits(6), lambda: _digits(6), lambda: _digits(6), lambda: _digits(4), lambda: _digits(5)),
    *(lambda: _digits(8), lambda: f"{_digits(3)} {_digits(3)}", lambda: f"{_digits(3)}-{_digits(3)}"),
    *(lambda: f"{_digits(2)} {_digits(2)} {_digits(2)}", lambda: " ".join(_digits(6))),
    lambda: _jumble("ABCDEFGHJKMNPQRTUVWXY346789", 4) + _digits(2),
)
_HANDLE: Final[tuple[Callable[[], str], ...]] = (
    *(lambda: f"{_word()}_{_word()}{_digits(2)}", lambda: _word() + _digits(2), lambda: f"{_word()}.{_word()}"),
    *(lambda: f"@{_word()}_{_word()}", lambda: _word() + _word() + _digits(3), lambda: f"{_word()}_{_word()}"),
    *(lambda: f"{_word()}-{_word()}{_digits(2)}", lambda: f"{_word().title()}_{_word()}{_digits(1)}"),
)


def other(kind: str, value: str) -> str:
    """Return another value that could stand where `value` of `kind` stands, or `value` where that is not plain."""
    letters = any(char.isalpha() for char in value)
    if kind == "PASSWORD" and value.isdigit() and len(value) in (4, 5, 6, 8):
        return _random.choice(_PIN)()
    if kind == "PASSWORD" and value.isascii() and letters and len(value) > 5 and " " not in value:
        return _random.choice(_MIXED)() if any(char.isdigit() for char in value) else value
    if kind == "OTP" and value.isascii():
        return _random.choice(_ONE_TIME)()
    return _random.choice(_HANDLE)() if kind == "IM_ID" and letters else value


def reworded(line: Line) -> Line:
    """Return `line` with other secrets in it."""
    text, position, spans = "", 0, []
    for span in line.spans:
        text += line.text[position : span.start]
        value = other(span.type, line.text[span.start : span.end])
        spans.append(Span(len(text), len(text) + len(value), span.type))
        text += value
        position = span.end
    return Line(line.language, text + line.text[position:], tuple(spans))


def examples(lines: list[Line]) -> Iterator[tuple[list[str], int]]:
    """Yield the features of every candidate in `lines`, with its outcome. Values of other kinds teach nothing here."""
    for line in lines:
        shadow = fold(line.text)
        clues = Clues(shadow)
        for candidate in candidates.find(shadow):
            start, end = shadow.original(candidate.start, candidate.end)
            kind = next((span.type for span in line.spans if span.start < end and start < span.end), OUTCOMES[0])
            if kind in OUTCOMES:
                yield list(dict.fromkeys(clues.around(candidate))), OUTCOMES.index(kind)


def fit(lines: list[Line]) -> tuple[list[float], dict[str, list[float]]]:
    """Return the bias and feature -> weight of each kind, against harmless, of a multinomial logistic regression."""
    read_as = list(lines)
    for line in lines:
        if any(span.type in KINDS for span in line.spans):
            read_as += [reworded(line) for _ in range(COPIES)]
    rows = list(examples(read_as))
    seen = Counter(feature for features, _ in rows for feature in features)
    names = sorted(feature for feature, count in seen.items() if count >= LEAST_SEEN)
    column = {name: index for index, name in enumerate(names)}
    places = [(row, column[name]) for row, (features, _) in enumerate(rows) for name in features if name in column]
    matrix = csr_matrix((np.ones(len(places)), tuple(zip(*places, strict=True))), shape=(len(rows), len(names)))
    wanted = np.eye(len(OUTCOMES))[[outcome for _, outcome in rows]]
    size = len(names) * len(OUTCOMES)

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights, bias = flat[:size].reshape(len(names), -1), flat[size:]
        scores = matrix @ weights + bias
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        shares = odds / odds.sum(axis=1, keepdims=True)
        value = -(wanted * np.log(shares + 1e-12)).sum() + STRENGTH / 2 * (weights**2).sum()
        error = shares - wanted
        return value, np.concatenate([(matrix.T @ error + STRENGTH * weights).ravel(), error.sum(axis=0)])

    start = np.zeros(size + len(OUTCOMES))
    flat = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 250}).x
    weights, bias = flat[:size].reshape(len(names), -1), flat[size:]
    against = (weights[:, 1:] - weights[:, :1]).round(2)
    kept = {name: row.tolist() for name, row in zip(names, against, strict=True) if abs(row).max() >= LEAST_WEIGHT}
    return (bias[1:] - bias[0]).round(2).tolist(), kept


def left_out(writer: str) -> Score:
    """Return what the filter makes of the lines of `writer`, with weights that were fitted to those of all others."""
    others = [file for name, files in WRITERS.items() if name != writer for file in files]
    _random.seed(SEED)
    bias, weights = fit(read(*others))
    model = (tuple(bias), {name: tuple(row) for name, row in weights.items()})
    with patch.object(hints, "_model", lambda: model):
        return score(PrivacyGate(), read(*WRITERS[writer]))


def main() -> None:
    """Write the file, one feature a line so that a change can be read; or say how well writers left out are read."""
    parser = argparse.ArgumentParser(description="Fit the weights of the privacy filter's scorer.")
    parser.add_argument("--leave-out", action="store_true", help="measure on each writer left out, write nothing")
    if parser.parse_args().leave_out:
        print(f"{'writer':10} recall    en    zh {' '.join(f'{kind:>8}' for kind in KINDS)} precision harmless touched")
        for writer in WRITERS:
            one = left_out(writer)
            kinds = " ".join(f"{one.recall(kind):8.3f}" for kind in KINDS)
            print(
                f"{writer:10} {one.recall():6.3f} {one.recall('en'):.3f} {one.recall('zh'):.3f} {kinds}"
                f" {1 - one.wrong / one.masks:9.3f} {one.touched:5} of {one.harmless}"
            )
        return
    _random.seed(SEED)
    bias, weights = fit(read())
    body = ",\n".join(f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(row)}" for name, row in weights.items())
    head = f'"kinds": {json.dumps(KINDS)},\n"bias": {json.dumps(bias)},\n"weights": {{\n'
    TARGET.write_text(f"{{{head}{body}\n}}}}\n", encoding="utf-8")
    print(f"{len(weights)} features written to {TARGET}")


if __name__ == "__main__":
    main()
