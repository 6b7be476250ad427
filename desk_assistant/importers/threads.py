"""Turning the message tree of an export into turns: parents first, what is not kept left out, answers in one piece."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from desk_assistant.importers.records import Turn


@dataclass(frozen=True)
class Node:
    """One node of an export's tree.

    Attributes:
        ref: Its id.
        parent: Id of the node it follows; one that is not in the tree begins the conversation.
        turn: What it says; None for one that is not kept, such as a tool's output. What follows it follows the node
            before it.
    """

    ref: str
    parent: str | None
    turn: Turn | None


def unfold(nodes: Iterable[Node], shown: str | None) -> tuple[tuple[Turn, ...], str | None]:
    """Return the turns of a tree, each after the one it follows, and the ref of the one that was shown last.

    Several answers in a row, with nothing else between them, are one answer that a tool interrupted: they become one
    turn. Links that make a circle are cut.

    Args:
        nodes: The nodes in the order of the export, alternatives oldest first.
        shown: Id of the node that was shown last; None where the export does not tell, and then it is the last one.
    """
    known = {node.ref: node for node in nodes}
    children: dict[str | None, list[Node]] = {}
    for node in known.values():
        children.setdefault(node.parent if node.parent in known else None, []).append(node)
    turns: dict[str, Turn] = {}
    stands_for: dict[str, str | None] = {}
    unbranched: dict[str, bool] = {}  # whether nothing branched off since the last turn before a node
    waiting = children.get(None, [])[::-1]
    rest = iter(known.values())
    while True:
        if not waiting:  # only nodes of a circle are left: cut it at the first of them
            left = next((node for node in rest if node.ref not in stands_for), None)
            if left is None:
                break
            waiting = [replace(left, parent=None)]
        node = waiting.pop()
        if node.ref in stands_for:
            continue
        before = known.get(node.parent) if node.parent else None
        unbranched[node.ref] = before is not None and len(children[before.ref]) == 1
        if before is not None and before.turn is None:
            unbranched[node.ref] &= unbranched.get(before.ref, False)
        follows = stands_for.get(before.ref) if before is not None else None
        stands_for[node.ref] = _place(node, follows, turns, joined=unbranched[node.ref])
        waiting += children.get(node.ref, [])[::-1]
    head = stands_for.get(shown) if shown is not None else None
    return tuple(turns.values()), head or next(reversed(turns), None)


def _place(node: Node, follows: str | None, turns: dict[str, Turn], *, joined: bool) -> str | None:
    """Put a node's turn where it belongs; return the ref that stands for it from now on."""
    if node.turn is None:
        return follows
    before = turns.get(follows) if follows is not None else None
    if joined and before is not None and before.role == node.turn.role == "assistant":
        turns[before.ref] = replace(before, content=f"{before.content}\n\n{node.turn.content}")
        return before.ref
    turns[node.ref] = replace(node.turn, parent=follows)
    return node.ref
