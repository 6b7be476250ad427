"""Many literal words as one regular expression that reads a text once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_MANY: Final = 6
"""First characters from which on one look at the set of them is quicker than a look at each."""
_Node = dict[str, "_Node"]


def trie_pattern(words: Iterable[str]) -> str:
    """Return a pattern that matches the longest of `words` at a position.

    Words that share a beginning share its branch, so the cost at a position follows the length of the match and not
    the number of words. A plain alternation of several hundred words is tried one by one at every character; so are
    the first characters of several hundred branches, hence the set of all of them before.
    """
    root: _Node = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    if len(root) < _MANY or "" in root:
        return _render(root)
    return f"(?=[{''.join(map(re.escape, sorted(root)))}]){_render(root)}"


def _render(node: _Node) -> str:
    branches: list[str] = []
    leaves: list[str] = []
    for char, child in sorted(node.items()):
        if char:
            rest = _render(child)
            if rest:
                branches.append(re.escape(char) + rest)
            else:
                leaves.append(re.escape(char))
    if leaves:
        branches.insert(0, leaves[0] if len(leaves) == 1 else f"[{''.join(leaves)}]")
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and "" not in node else f"(?:{'|'.join(branches)})"
    return f"{body}?" if "" in node else body
