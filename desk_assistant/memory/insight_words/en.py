"""English sentences of insights."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "repeated": "{what} (said in {count} conversations)",
    "theme": "{what}: {values} (over {count} conversations)",
    "change": "{what} has changed: {values}",
    "topic": "{what} comes up again and again ({count} conversations)",
}
AND: Final = ", "
