"""Lines of JSON: a message on each line, or a whole conversation on each line.

A line that is a message is `{"session", "id", "role", "content", "name"?, "time"?}`. A line that is a conversation is
`{"messages": [{"role", "content"}, …]}`, as programs that train or log language models write it, with an `id`, `title`
and `time` where they are known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any, Final

from desk_assistant import textkit
from desk_assistant.i18n import t
from desk_assistant.importers.records import Item, Problem, Role, Talk, Turn
from desk_assistant.importers.times import as_written, from_either

ROLES: Final[Mapping[str, Role]] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "system": "system",
}
MESSAGE_ROLES: Final = ("user", "assistant", "system")
STRETCH: Final = 200
"""Lines of one conversation that are handed on together."""


def fits(data: Mapping[str, Any]) -> bool:
    """Tell whether an object is a line of this format."""
    return _turns_of(data) is not None or ("role" in data and "content" in data)


def read(file: IO[bytes], told: Callable[[int], None]) -> Iterator[Item]:
    """Yield the conversations of a file of lines, and the lines that cannot be used.

    Args:
        file: UTF-8.
        told: Called with the number of bytes as they are read.
    """
    stretch: list[Turn] = []
    session, began = "", 0
    for number, raw in enumerate(file, start=1):
        told(len(raw))
        if not raw.strip():
            continue
        found = _line(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw, number)
        if isinstance(found, tuple) and found[0] == session and len(stretch) < STRETCH:
            stretch.append(found[1])
            continue
        if stretch:
            yield _stretch(session, stretch, began)
            stretch = []
        if isinstance(found, tuple):
            session, began = found[0], number
            stretch.append(found[1])
        else:
            yield found
    if stretch:
        yield _stretch(session, stretch, began)


def _stretch(session: str, turns: list[Turn], number: int) -> Talk:
    return Talk(id=session, title="", started=None, turns=tuple(turns), joins=True, number=number)


def _line(raw: bytes, number: int) -> tuple[str, Turn] | Talk | Problem:
    """Return the message of a line with its session, or the conversation of a line, or what is wrong with it."""
    try:
        data: Any = json.loads(raw.decode("utf-8", errors="surrogateescape"))
    except (ValueError, RecursionError):
        return Problem(number, t("assistant.import_bad_json"))
    if not isinstance(data, dict):
        return Problem(number, t("assistant.import_not_object"))
    turns = _turns_of(data)
    return _message(data, number) if turns is None else _conversation(data, turns, number)


def _message(data: Mapping[str, Any], number: int) -> tuple[str, Turn] | Problem:
    for field in ("session", "id", "role", "content"):
        if not isinstance(data.get(field), str) or (field != "content" and not data[field].strip()):
            return Problem(number, t("assistant.import_missing", field=field))
    if data["role"] not in MESSAGE_ROLES:
        return Problem(number, t("assistant.import_bad_role", role=textkit.clean(data["role"])[:40]))
    time, name = data.get("time"), data.get("name")
    if time is not None:
        said, time = time, as_written(time)
        if time is None:
            return Problem(number, t("assistant.import_bad_time", time=textkit.clean(str(said))[:40]))
    turn = Turn(
        ref=textkit.clean(data["id"]),
        role=data["role"],
        content=data["content"],
        time=time,
        name=name if isinstance(name, str) and name.strip() else None,
    )
    return textkit.clean(data["session"]), turn


def _turns_of(data: Mapping[str, Any]) -> list[Any] | None:
    for field in ("messages", "conversations", "conversation"):
        if isinstance(data.get(field), list):
            found: list[Any] = data[field]
            return found
    return None


def _conversation(data: Mapping[str, Any], rows: list[Any], number: int) -> Talk | Problem:
    turns: list[Turn] = []
    for place, row in enumerate(rows, start=1):
        said = _said(row, place, turns[-1].ref if turns else None) if isinstance(row, dict) else None
        if said is not None:
            turns.append(said)
    if not turns:
        return Problem(number, t("importers.no_messages"))
    name = data.get("id") or data.get("conversation_id")
    title = data.get("title")
    return Talk(
        id=textkit.clean(str(name)).strip() if isinstance(name, str | int) else "",
        title=title if isinstance(title, str) else "",
        started=next(filter(None, (from_either(data.get(f)) for f in ("time", "created_at", "create_time"))), None),
        turns=tuple(turns),
        number=number,
    )


def _said(row: Mapping[str, Any], place: int, before: str | None) -> Turn | None:
    role = ROLES.get(str(row.get("role") or row.get("from")))
    content = row.get("content", row.get("value"))
    if isinstance(content, list):
        content = "\n".join(
            str(p.get("text") or "") for p in content if isinstance(p, dict) and p.get("type") == "text"
        )
    if role is None or not isinstance(content, str) or not content.strip():
        return None
    time = next(filter(None, (from_either(row.get(f)) for f in ("time", "timestamp", "created_at"))), None)
    return Turn(f"m{place}", role, content, time, parent=before)
