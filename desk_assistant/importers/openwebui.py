"""Conversations of an Open WebUI export: `chat.history` holds a tree of messages and the id of the one shown last."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from desk_assistant.importers.records import Talk, Turn
from desk_assistant.importers.threads import Node, unfold
from desk_assistant.importers.times import from_epoch

ROLES: Final = frozenset({"user", "assistant", "system"})
_DETAILS: Final = re.compile(r"<details type=\"(?:reasoning|tool_calls|code_interpreter)\".*?</details>", re.DOTALL)
"""Thoughts and the use of tools, which that program keeps inside the answer."""


def fits(data: Mapping[str, Any]) -> bool:
    """Tell whether an object is a conversation of this format."""
    chat = data.get("chat")
    return isinstance(chat, dict) and ("history" in chat or "messages" in chat)


def talk_of(data: Mapping[str, Any], number: int) -> Talk:
    """Return the conversation that an object holds."""
    chat: Mapping[str, Any] = data["chat"]
    history = chat.get("history")
    messages = history.get("messages") if isinstance(history, dict) else None
    shown = history.get("currentId") if isinstance(history, dict) else None
    nodes: list[Node] = []
    if isinstance(messages, dict):
        for ref, message in messages.items():
            if isinstance(message, dict):
                parent = message.get("parentId")
                nodes.append(Node(ref, parent if isinstance(parent, str) else None, _turn(ref, message)))
        nodes.sort(key=lambda node: node.turn.time if node.turn and node.turn.time else "")
    else:  # the oldest exports have the shown branch alone
        for place, message in enumerate(chat.get("messages") or (), start=1):
            if isinstance(message, dict):
                ref = str(message.get("id") or place)
                nodes.append(Node(ref, nodes[-1].ref if nodes else None, _turn(ref, message)))
    turns, head = unfold(nodes, shown if isinstance(shown, str) else None)
    name, title = data.get("id") or chat.get("id"), data.get("title") or chat.get("title")
    return Talk(
        id=name if isinstance(name, str) else "",
        title=title if isinstance(title, str) else "",
        started=from_epoch(data.get("created_at")) or from_epoch(chat.get("timestamp")),
        turns=turns,
        head=head,
        number=number,
    )


def _turn(ref: str, message: Mapping[str, Any]) -> Turn | None:
    role, content = message.get("role"), message.get("content")
    if isinstance(content, list):  # parts, as in the interface of language models
        content = "\n".join(
            str(p.get("text") or "") for p in content if isinstance(p, dict) and p.get("type") == "text"
        )
    if role not in ROLES or not isinstance(content, str):
        return None
    text = _DETAILS.sub("", content).strip()
    return Turn(ref, role, text, from_epoch(message.get("timestamp"))) if text else None
