"""The tree of a conversation: alternatives of a message, and the branch that leads through one.

Nothing is ever overwritten: an edited question and an answer written anew stand beside the old one, as children of the
same message.
"""

from __future__ import annotations

from collections.abc import Sequence

from desk_assistant.store import Message


def siblings(tree: Sequence[Message], message_id: str) -> list[Message]:
    """Return a message with its alternatives, oldest first; empty when it is not in the tree.

    Args:
        tree: All messages of the conversation in the order they were written.
        message_id: One of them.
    """
    message = next((m for m in tree if m.id == message_id), None)
    if message is None:
        return []
    return [m for m in tree if m.parent_id == message.parent_id and m.role == message.role]


def branch_through(tree: Sequence[Message], message_id: str) -> list[Message]:
    """Return the branch through a message: all that leads to it, then what was said last after it.

    Args:
        tree: All messages of the conversation in the order they were written.
        message_id: One of them.
    """
    by_id = {message.id: message for message in tree}
    last_child = {message.parent_id: message for message in tree if message.parent_id is not None}
    branch: list[Message] = []
    seen: set[str] = set()  # so that damaged links cannot make a circle
    current = by_id.get(message_id)
    while current is not None and current.id not in seen:
        seen.add(current.id)
        branch.insert(0, current)
        current = by_id.get(current.parent_id) if current.parent_id else None
    following = last_child.get(message_id) if branch else None
    while following is not None and following.id not in seen:
        seen.add(following.id)
        branch.append(following)
        following = last_child.get(following.id)
    return branch
