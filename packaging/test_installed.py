"""Tries the finished files in bare systems, as people will use them: `python3 test_installed.py [--out DIR]`.

Run by `make test-package`, as root. Each line of the output is something that held, or did not; the exit code is 1 when
anything did not. The two small systems and what is installed into them need some 6 GB while it runs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from installer.plan import CHECKOUT
from installer.tools import BuildError
from tried import deb_story, run_story, source_story
from tried.checks import Checks


def main(arguments: list[str]) -> int:
    """Run the stories; return the exit code."""
    parser = argparse.ArgumentParser(prog="python3 test_installed.py", description=__doc__)
    parser.add_argument("--out", type=Path, default=CHECKOUT / "dist", help="folder with the finished files")
    parser.add_argument("--work", type=Path, default=CHECKOUT / "build" / "package", help="folder of the build")
    parser.add_argument("--only", choices=("deb", "run", "source"), nargs="*", help="some stories only")
    options = parser.parse_args(arguments)
    if os.geteuid() != 0:
        print("The bare systems are made with debootstrap and chroot, which need root.", file=sys.stderr)
        return 2
    began = time.monotonic()
    checks = Checks()
    stories = {"source": source_story.tell, "deb": deb_story.tell, "run": run_story.tell}
    with tempfile.TemporaryDirectory(prefix="desk-assistant-tried-", dir=options.work) as folder:
        for name in _chosen(options.only, stories):
            print(f"\n{name}", flush=True)
            try:
                stories[name](checks, options.out.resolve(), Path(folder), options.work.resolve())
            except BuildError as error:
                checks.that(f"the story “{name}” can be told to its end", False, str(error))
    print(f"\n{checks.passed} passed, {checks.failed} failed", flush=True)
    print(f"in {(time.monotonic() - began) / 60:.0f} minutes")
    return 1 if checks.failed else 0


def _chosen(only: Iterable[str] | None, stories: Iterable[str]) -> list[str]:
    return [name for name in stories if only is None or name in only]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
