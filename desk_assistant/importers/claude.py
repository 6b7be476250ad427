"""Conversations of a Claude data export (`conversations.json`): `chat_messages` with sender, content blocks and times.

Newer exports name the message that each one follows, so that other wordings are siblings; older ones are one line of
messages. Kept are the blocks of text and the text of attached files; thoughts and the use of tools are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desk_assistant import textkit
from desk_assistant.importers.records import Role, Talk, Turn
from desk_assistant.importers.threads import Node, unfold
from desk_assistant.importers.times import from_iso

ROLES: Final[Mapping[str, Role]] = {"human": "user", "assistant": "assistant"}


def fits(data: Mapping[str, Any]) -> bool:
    """Tell whether an object is a conversation of this format."""
    return isinstance(data.get("chat_messages"), list)


def talk_of(data: Mapping[str, Any], number: int) -> Talk:
    """Return the conversation that an object holds."""
    nodes: list[Node] = []
    messages = [m for m in data["chat_messages"] if isinstance(m, dict) and isinstance(m.get("uuid"), str)]
    linked = any("parent_message_uuid" in message for message in messages)
    for message in messages:
        before = message.get("parent_message_uuid") if linked else (nodes[-1].ref if nodes else None)
        nodes.append(Node(message["uuid"], before if isinstance(before, str) else None, _turn(message)))
    shown = data.get("current_leaf_message_uuid")
    turns, head = unfold(nodes, shown if isinstance(shown, str) else (nodes[-1].ref if nodes else None))
    name = data.get("uuid")
    return Talk(
        id=name if isinstance(name, str) else "",
        title=data["name"] if isinstance(data.get("name"), str) else "",
        started=from_iso(data.get("created_at")),
        turns=turns,
        head=head,
        number=number,
    )


def _turn(message: Mapping[str, Any]) -> Turn | None:
    role = ROLES.get(str(message.get("sender")))
    if role is None:
        return None
    text = "\n\n".join(filter(None, [_said(message), *_attached(message)]))
    return Turn(message["uuid"], role, text, from_iso(message.get("created_at"))) if text else None


def _said(message: Mapping[str, Any]) -> str:
    blocks = message.get("content")
    texts = [
        block["text"].strip()
        for block in (blocks if isinstance(blocks, list) else ())
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    plain = message.get("text")
    return "\n\n".join(filter(None, texts)) or (plain.strip() if isinstance(plain, str) else "")


def _attached(message: Mapping[str, Any]) -> list[str]:
    """Return attached texts as fenced blocks: they came with the message, and are not the person's own words."""
    found: list[str] = []
    attachments = message.get("attachments")
    for item in attachments if isinstance(attachments, list) else ():
        text = item.get("extracted_content") if isinstance(item, dict) else None
        if isinstance(text, str) and text.strip():
            found.append(textkit.fenced(text, str(item.get("file_name") or "")))
    return found
