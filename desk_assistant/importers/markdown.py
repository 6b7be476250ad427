"""A conversation written as Markdown: a heading, a bold name or a plain name begins what each one says.

What is recognised is data: the names by which people and programs call the two sides, in English and Chinese. A
document without such names is no conversation and is left out, since nobody can tell whose words it holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from desk_assistant.importers.records import Role, Talk, Turn
from desk_assistant.importers.times import as_written

SPEAKERS: Final[Mapping[str, Role]] = {
    **dict.fromkeys(("you", "user", "human", "me", "prompt", "question", "你", "用户", "我", "提问", "问"), "user"),
    **dict.fromkeys(
        ("assistant", "chatgpt", "claude", "gpt", "ai", "bot", "response", "answer", "助手", "助理", "回答", "答"),
        "assistant",
    ),
    **dict.fromkeys(("system", "系统"), "system"),
}

_NAME: Final = r"(?P<name>[A-Za-z]{1,12}|[\u4e00-\u9fff]{1,4})"
_REST: Final = r"(?:\s*[·|(（,，—-]\s*(?P<time>\d{4}-\d{2}-\d{2}[^)）\n]*?)[)）]?)?"
_SPEECH: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^#{{1,6}}\s+{_NAME}(?:\s+said)?{_REST}\s*[:：]?\s*$",
        rf"^\*\*{_NAME}{_REST}\s*[:：]?\*\*{_REST.replace('time', 'after')}\s*[:：]?\s*(?P<text>.*)$",
        rf"^{_NAME}\s*[:：]\s*(?P<text>.*)$",
    )
)
_TITLE: Final = re.compile(r"^#\s+(?P<title>\S.*?)\s*#*$")
_MATTER: Final = re.compile(r"\A---\n(?P<body>.*?)\n---\n", re.DOTALL)
_ENTRY: Final = re.compile(
    r"^(?P<key>title|date|created|created_at|time)\s*:\s*[\"']?(?P<value>.*?)[\"']?\s*$", re.MULTILINE
)
_FENCE: Final = re.compile(r"^\s{0,3}(?P<fence>`{3,}|~{3,})")
_MOMENT: Final = re.compile(r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}\S*)?$")


def talk_of(text: str, name: str) -> Talk | None:
    """Return the conversation that a document holds, or None when nobody speaks in it.

    Args:
        text: The document.
        name: Name of its file without the ending; the title where the document has none.
    """
    text = text.replace("\r\n", "\n")
    title, started = "", None
    if matter := _MATTER.match(text):
        for entry in _ENTRY.finditer(matter["body"]):
            if entry["key"] == "title":
                title = entry["value"]
            else:
                started = started or as_written(entry["value"])
        text = text[matter.end() :]
    turns: list[Turn] = []
    said: list[str] = []
    speaker: tuple[Role, str | None] | None = None
    fence = ""
    for line in text.split("\n"):
        if mark := _FENCE.match(line):
            fence = "" if fence and mark["fence"].startswith(fence) else fence or mark["fence"]
        found = None if fence else _speech(line)
        if found is not None:
            _close(turns, speaker, said)
            speaker, said = found[0], [found[1]]
        elif speaker is not None:
            said.append(line)
        elif heading := _TITLE.match(line):
            title = title or heading["title"]
        elif _MOMENT.match(line.strip()):
            started = started or as_written(line)
    _close(turns, speaker, said)
    if not turns:
        return None
    return Talk(id="", title=title or name, started=started, turns=tuple(turns))


def _speech(line: str) -> tuple[tuple[Role, str | None], str] | None:
    """Return who begins to speak on a line, when, and what of it is said already."""
    for pattern in _SPEECH:
        match = pattern.match(line)
        role = SPEAKERS.get(match["name"].lower()) if match else None
        if match is not None and role is not None:
            parts = match.groupdict()
            return (role, as_written(parts.get("time") or parts.get("after"))), (parts.get("text") or "").strip()
    return None


def _close(turns: list[Turn], speaker: tuple[Role, str | None] | None, said: list[str]) -> None:
    text = "\n".join(said).strip()
    if speaker is not None and text:
        before = turns[-1].ref if turns else None
        turns.append(Turn(f"m{len(turns) + 1}", speaker[0], text, speaker[1], parent=before))
