"""Exports of other programs, field by field as these programs write them; what they say is made up here."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

Object = dict[str, Any]
NOON: Final = 1_714_564_800.0
"""2024-05-01 12:00 UTC."""
CLAUDE_ROOT: Final = "00000000-0000-4000-8000-000000000000"


def gpt_node(
    ref: str,
    parent: str | None,
    role: str,
    text: str | None,
    *,
    at: float | None = NOON,
    kind: str = "text",
    parts: Sequence[Any] | None = None,
    recipient: str = "all",
    weight: float = 1.0,
    name: str | None = None,
    **metadata: Any,
) -> Object:
    """One node of a ChatGPT conversation; `text` None makes the empty root."""
    if text is None:
        return {"id": ref, "message": None, "parent": parent, "children": []}
    content: Object = {"content_type": kind, "parts": list(parts) if parts is not None else [text]}
    if kind == "code":
        content = {"content_type": "code", "language": "unknown", "response_format_name": None, "text": text}
    elif kind == "thoughts":
        content = {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": text}], "source_analysis": ""}
    return {
        "id": ref,
        "message": {
            "id": ref,
            "author": {"role": role, "name": name, "metadata": {}},
            "create_time": at,
            "update_time": None,
            "content": content,
            "status": "finished_successfully",
            "end_turn": role == "assistant" or None,
            "weight": weight,
            "metadata": {"timestamp_": "absolute", **metadata},
            "recipient": recipient,
            "channel": None,
        },
        "parent": parent,
        "children": [],
    }


def gpt_talk(name: str, title: str, nodes: Sequence[Object], shown: str, *, at: float = NOON) -> Object:
    """One conversation of `conversations.json`."""
    mapping: dict[str, Object] = {node["id"]: node for node in nodes}
    for node in nodes:
        if node["parent"] in mapping:
            mapping[node["parent"]]["children"].append(node["id"])
    return {
        "title": title,
        "create_time": at,
        "update_time": at + 60,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": shown,
        "plugin_ids": None,
        "conversation_id": name,
        "conversation_template_id": None,
        "gizmo_id": None,
        "gizmo_type": None,
        "is_archived": False,
        "is_starred": None,
        "safe_urls": [],
        "blocked_urls": [],
        "default_model_slug": "gpt-4o",
        "conversation_origin": None,
        "voice": None,
        "async_status": None,
        "disabled_tool_ids": [],
        "id": name,
    }


def gpt_line(name: str, title: str, said: Sequence[tuple[str, str]], *, at: float = NOON) -> Object:
    """A conversation without branches: pairs of role and text."""
    nodes = [gpt_node(f"{name}-root", None, "system", None)]
    nodes.append(gpt_node(f"{name}-sys", f"{name}-root", "system", "", at=None, weight=0.0))
    for number, (role, text) in enumerate(said, start=1):
        nodes.append(gpt_node(f"{name}-{number}", nodes[-1]["id"], role, text, at=at + 10 * number))
    return gpt_talk(name, title, nodes, nodes[-1]["id"], at=at)


def claude_message(ref: str, sender: str, text: str, *, at: float = NOON, parent: str | None = None) -> Object:
    """One entry of `chat_messages`; with `parent`, as newer exports write it."""
    moment = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    block = {"start_timestamp": moment, "stop_timestamp": moment, "type": "text", "text": text, "citations": []}
    message: Object = {
        "uuid": ref,
        "text": text,
        "content": [block],
        "sender": sender,
        "created_at": moment,
        "updated_at": moment,
        "attachments": [],
        "files": [],
    }
    if parent is not None:
        message["parent_message_uuid"] = parent
    return message


def claude_talk(name: str, title: str, messages: Sequence[Object], **more: Any) -> Object:
    """One conversation of a Claude export."""
    moment = "2024-05-01T12:00:00.000000Z"
    return {
        "uuid": name,
        "name": title,
        "summary": "",
        "created_at": moment,
        "updated_at": moment,
        "account": {"uuid": "5e0a4f6e-0000-4000-8000-00000000000a"},
        "chat_messages": list(messages),
        **more,
    }


def webui_talk(name: str, title: str, messages: Sequence[Object], shown: str) -> Object:
    """One chat of an Open WebUI export."""
    tree: dict[str, Object] = {message["id"]: dict(message, childrenIds=[]) for message in messages}
    for message in messages:
        if message["parentId"] in tree:
            tree[message["parentId"]]["childrenIds"].append(message["id"])
    return {
        "id": name,
        "user_id": "b3d1c0de-0000-4000-8000-00000000000b",
        "title": title,
        "chat": {
            "id": "",
            "title": title,
            "models": ["llama3.2:3b"],
            "params": {},
            "history": {"messages": tree, "currentId": shown},
            "messages": list(messages),
            "tags": [],
            "timestamp": int(NOON * 1000),
            "files": [],
        },
        "updated_at": int(NOON) + 60,
        "created_at": int(NOON),
        "share_id": None,
        "archived": False,
        "pinned": False,
        "meta": {"tags": ["general"]},
        "folder_id": None,
    }


def webui_message(ref: str, parent: str | None, role: str, content: str, *, at: float = NOON) -> Object:
    """One message of an Open WebUI chat."""
    message: Object = {"id": ref, "parentId": parent, "role": role, "content": content, "timestamp": int(at)}
    return message | (
        {"models": ["llama3.2:3b"]}
        if role == "user"
        else {"model": "llama3.2:3b", "modelName": "llama3.2:3b", "done": True}
    )


def write(path: Path, talks: Sequence[Object]) -> Path:
    """Write an array of conversations."""
    path.write_text(json.dumps(talks, ensure_ascii=False), encoding="utf-8")
    return path


def zipped(path: Path, files: Mapping[str, Any]) -> Path:
    """Write an archive; values that are not text are written as JSON."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, str) else json.dumps(content, ensure_ascii=False))
    return path
