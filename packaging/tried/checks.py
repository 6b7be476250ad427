"""What held and what did not."""

from __future__ import annotations

import time

from tried.bare import Done


class Checks:
    """Prints each check as it is made, and counts them."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self._at = time.monotonic()

    def that(self, what: str, held: object, told: str = "") -> bool:
        """Note whether something held; what was seen instead is printed when it did not."""
        now = time.monotonic()
        print(f"  {'✓' if held else '✗'} {what} ({now - self._at:.0f} s)", flush=True)
        self._at = now
        if held:
            self.passed += 1
        else:
            self.failed += 1
            for line in told.splitlines()[-30:]:
                print(f"      | {line}", flush=True)
        return bool(held)

    def ran(self, what: str, done: Done, *, code: int = 0, says: str = "", never: str = "") -> bool:
        """Note whether a command ended as it should.

        Args:
            what: What is tried.
            done: How it ended.
            code: Its exit code.
            says: A text that must be in what it printed.
            never: A text that must not be.
        """
        everything = done.out + done.err
        held = done.code == code and says in everything and not (never and never in everything)
        held = held and "Traceback" not in everything
        wanted = f"exit code {done.code}, expected {code} with “{says}”\n{everything}"
        return self.that(what, held, wanted)
