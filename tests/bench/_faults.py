"""Counts the faults that are survived and the bad inputs that are tried, by really going through the tests of them."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from tests.bench import Row, at_least, at_most, told

FAULTS: Final[Mapping[str, Sequence[str]]] = {
    "a damaged, foreign, emptied or cut database": ("tests/trust/test_damaged_database.py",),
    "an index lost, zeroed or cut": ("tests/trust/test_lost_index.py", "tests/index/test_damage.py"),
    "a full disk": ("tests/trust/test_full_disk.py", "tests/index/test_disk_full.py"),
    "power cuts": ("tests/trust/test_power_cut.py",),
    "clocks set back and other time zones": ("tests/trust/test_odd_clocks.py",),
    "restores and backups cut short or spoilt": (
        "tests/trust/test_restore_interrupted.py",
        "tests/trust/test_backup.py",
    ),
    "data of older and of newer programs": ("tests/trust/test_every_schema.py", "tests/store/test_migrating.py"),
    "children that die": ("tests/workers/test_death.py",),
    "broken model files": ("tests/models/test_gguf_header.py", "tests/assistant/test_broken_models.py"),
}
"""Kinds of faults and the tests that bring them about. A test with parameters counts once for each."""

INPUTS: Final[Mapping[str, Sequence[str]]] = {
    "exports, backups and commands": ("tests/trust/test_any_input.py",),
    "headers of model files": ("tests/models/test_gguf_header.py",),
    "messages to and from children": ("tests/workers/test_protocol.py",),
    "texts for the filter": ("tests/privacy/test_hostile_texts.py",),
    "chat templates and answers": ("tests/llm/test_template.py", "tests/llm/test_streaming.py"),
}
"""What is read from outside, and the tests that read anything at all there."""

LEAST_FAULTS: Final = 60
LEAST_INPUTS: Final = 1_000

_EXAMPLES: Final = re.compile(r"(\d+) passing, (\d+) failing,")


@dataclass(frozen=True)
class Outcome:
    """What came of some tests: how many passed and failed, and how many generated inputs did."""

    passed: int
    failed: int
    inputs: int
    bad_inputs: int


def run(files: Sequence[str]) -> Outcome:
    """Run tests in a program of their own and count."""
    root = Path(__file__).parents[2]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-m", "not real", "-p", "no:cacheprovider",
             "--hypothesis-show-statistics", f"--junit-xml={report}", *files],
            cwd=root, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if not report.exists():
            raise RuntimeError(f"the tests could not be run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        suite = next(ElementTree.parse(report).getroot().iter("testsuite"))
    total, skipped = int(suite.get("tests", 0)), int(suite.get("skipped", 0))
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    examples = [(int(good), int(bad)) for good, bad in _EXAMPLES.findall(done.stdout)]
    return Outcome(
        total - skipped - failed, failed, sum(sum(pair) for pair in examples), sum(bad for _, bad in examples)
    )


def rows() -> Iterable[Row]:
    """Yield all figures."""
    survived = 0
    for name, files in FAULTS.items():
        outcome = run(files)
        survived += outcome.passed
        yield told(f"faults survived: {name}", outcome.passed, "")
        yield at_most("  not survived", outcome.failed, "", 0)
    yield at_least("faults survived", survived, "", LEAST_FAULTS)
    tried = 0
    for name, files in INPUTS.items():
        outcome = run(files)
        tried += outcome.inputs
        yield told(f"bad inputs tried: {name}", outcome.inputs, "")
        yield at_most("  of these neither read nor refused in words", outcome.bad_inputs + outcome.failed, "", 0)
    yield at_least("bad inputs tried", tried, "", LEAST_INPUTS)
