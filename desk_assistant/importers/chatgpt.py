"""Conversations of a ChatGPT data export (`conversations.json`, or `conversations-000.json` and its followers).

Each conversation is a tree: `mapping` from node id to message, parent and children, with `current_node` as the leaf
that was shown. Kept is what the person and the assistant said. Left out is what that program does not show either:
empty and hidden nodes, tool calls and their output, thoughts, and the custom instructions that come with each one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desk_assistant.importers.records import Talk, Turn
from desk_assistant.importers.threads import Node, unfold
from desk_assistant.importers.times import from_epoch

SPOKEN: Final = frozenset({"text", "multimodal_text"})
"""Content types of what is said; the others are code for a tool, its output, thoughts and settings."""

TEXT_PARTS: Final = frozenset({"audio_transcription"})
PICTURE: Final = "[image]"
"""What stands for a picture in a message, in either language."""


def fits(data: Mapping[str, Any]) -> bool:
    """Tell whether an object is a conversation of this format."""
    return isinstance(data.get("mapping"), dict)


def talk_of(data: Mapping[str, Any], number: int) -> Talk:
    """Return the conversation that an object holds."""
    mapping: Mapping[str, Any] = data["mapping"]
    nodes = [_node(ref, value) for ref, value in mapping.items() if isinstance(value, dict)]
    shown = data.get("current_node")
    turns, head = unfold(_in_order(nodes, mapping), shown if isinstance(shown, str) else None)
    name = data.get("conversation_id") or data.get("id")
    return Talk(
        id=name if isinstance(name, str) else "",
        title=data["title"] if isinstance(data.get("title"), str) else "",
        started=from_epoch(data.get("create_time")),
        turns=turns,
        head=head,
        number=number,
    )


def _in_order(nodes: list[Node], mapping: Mapping[str, Any]) -> list[Node]:
    """Return the nodes with alternatives in the order in which their parent lists them."""
    place: dict[str, int] = {}
    for value in mapping.values():
        children = value.get("children") if isinstance(value, dict) else None
        listed = enumerate(children if isinstance(children, list) else ())
        place.update((child, number) for number, child in listed if isinstance(child, str))
    return sorted(nodes, key=lambda node: place.get(node.ref, 0))


def _node(ref: str, value: Mapping[str, Any]) -> Node:
    parent = value.get("parent")
    message = value.get("message")
    turn = _turn(ref, message) if isinstance(message, dict) else None
    return Node(ref, parent if isinstance(parent, str) else None, turn)


def _turn(ref: str, message: Mapping[str, Any]) -> Turn | None:
    author, content, metadata = (_table(message.get(name)) for name in ("author", "content", "metadata"))
    role = author.get("role")
    if role not in ("user", "assistant") or content.get("content_type") not in SPOKEN:
        return None
    hidden = metadata.get("is_visually_hidden_from_conversation") or metadata.get("is_user_system_message")
    if hidden or message.get("weight") == 0 or message.get("recipient") not in (None, "all"):
        return None
    text = _text(content.get("parts"))
    return Turn(ref, role, text, from_epoch(message.get("create_time"))) if text else None


def _text(parts: Any) -> str:
    found: list[str] = []
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, dict) and part.get("content_type") in TEXT_PARTS:
            found.append(str(part.get("text") or ""))
        elif isinstance(part, dict) and part.get("content_type") == "image_asset_pointer":
            found.append(PICTURE)
    return "\n".join(text for text in found if text.strip()).strip()


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
