"""Run benches: `python -m tests.bench [NAME ...] [--json]`. The exit code is 1 when a figure falls short."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.bench import Row


def benches() -> list[str]:
    """Return the names of the modules beside this one."""
    return sorted(
        module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]) if not module.name.startswith("_")
    )


def measure(name: str) -> Iterable[Row] | None:
    """Return the rows of one bench, or `None` for a script that prints figures of its own."""
    rows: Callable[[], Iterable[Row]] | None = getattr(importlib.import_module(f"tests.bench.{name}"), "rows", None)
    return None if rows is None else rows()


def main(arguments: list[str]) -> int:
    """Measure and print; return the exit code."""
    known = benches()
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of: {', '.join(known)}")
    parser.add_argument("--json", action="store_true", help="one JSON line a figure")
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names) - set(known)):
        parser.error(f"no bench {', '.join(unknown)}; there are {', '.join(known)}")
    short = 0
    for name in options.names or known:
        rows = measure(name)
        if rows is None:
            if options.names:
                print(f"{name} prints its own figures: python -m tests.bench.{name}", file=sys.stderr)
            continue
        for row in rows:
            short += not row.ok
            if options.json:
                print(json.dumps({"bench": name, **asdict(row)}, ensure_ascii=False), flush=True)
            else:
                mark = "ok" if row.ok else "SHORT"
                print(f"{name}  {row.name:<52} {row.value:>10.3f} {row.unit:<6} {row.target:<10} {mark}", flush=True)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
