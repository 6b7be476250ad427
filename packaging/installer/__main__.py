"""Build everything: `python3 -m installer [--work DIR] [--out DIR] [--only KIND ...]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from installer.plan import CHECKOUT, Plan, commit_time
from installer.tools import BuildError, within_tools


def main(arguments: list[str]) -> int:
    """Run the build; return the exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m installer", description=__doc__)
    parser.add_argument(
        "--work", type=Path, default=CHECKOUT / "build" / "package", help="folder for the steps between"
    )
    parser.add_argument("--out", type=Path, default=CHECKOUT / "dist", help="folder for the finished files")
    parser.add_argument("--only", nargs="*", choices=("stage", "deb", "run", "app", "setup"), help="some kinds only")
    parser.add_argument("--no-models", action="store_true", help="no files with the starter models inside")
    options = parser.parse_args(arguments)
    work, out = options.work.resolve(), options.out.resolve()
    for folder in (work, out):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        within_tools(work, ["--work", str(work), "--out", str(out), *_rest(options)])
        from installer import build

        build.everything(Plan(work, out, commit_time(CHECKOUT)), options.only, models=not options.no_models)
    except BuildError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


def _rest(options: argparse.Namespace) -> list[str]:
    rest = ["--no-models"] if options.no_models else []
    return rest + (["--only", *options.only] if options.only else [])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
