"""A candidate of a detector, and how overlapping candidates are settled."""

from __future__ import annotations

from enum import IntEnum
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Rank(IntEnum):
    """How sure a finding is. The higher one gives a contested stretch its type."""

    GUESS = 5
    """A likely secret by its looks and the words around it."""
    LOOSE = 8
    """The shape of a paper's number, with the paper named somewhere near."""
    HINT = 10
    """A shape after a loose word ("call", "card")."""
    SHAPE = 20
    """A shape that is telling by itself: an e-mail address, a formatted phone number, an address."""
    CUE = 30
    """A shape announced by its own word ("passport no.", 验证码)."""
    CHECKED = 40
    """A shape that also passes its check digit, or an issuer's prefix."""
    NAMED = 45
    """A shape whose document was named: a driving licence may well carry the number of an identity card."""
    SECRET = 50
    """A credential by context. What opens a door is masked as that, whatever else it looks like."""
    FORMAT = 60
    """A credential by a published token format or a key block."""


class Finding(NamedTuple):
    """A stretch of the folded text that may be a value of `type`."""

    start: int
    end: int
    type: str
    rank: Rank


_START: Final = itemgetter(0)


def settle(findings: Iterable[Finding]) -> list[Finding]:
    """Return non-overlapping findings in text order.

    The stronger finding names a contested stretch; the stretch itself becomes the union of those that overlap it, for
    a character too many is harmless and the tail of a secret is not. Findings that merely touch stay apart.
    """
    groups: list[tuple[int, int, Finding]] = []
    for finding in sorted(findings, key=_START):
        if groups and finding.start < groups[-1][1]:
            start, end, best = groups[-1]
            stronger = max(best, finding, key=lambda item: (item.rank, item.end - item.start))
            groups[-1] = (start, max(end, finding.end), stronger)
        else:
            groups.append((finding.start, finding.end, finding))
    return [best._replace(start=start, end=end) if best[:2] != (start, end) else best for start, end, best in groups]
