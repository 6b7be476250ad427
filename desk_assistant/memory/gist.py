"""The gist of a conversation, put into a sentence or two by a language model that passed the exam for it.

It stands before the summary that was put together word for word, never in its place. A gist that names a figure the
summary does not have, or that is no shorter, is dropped: then the words themselves do alone.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

LONGEST: Final = 320
"""Characters of a gist."""

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"summary": {"type": "string", "maxLength": LONGEST}},
    "required": ["summary"],
    "additionalProperties": False,
}
INSTRUCTION: Final = {
    "en": (
        "Sum the text up in one or two short sentences. Keep every figure, date and name that matters, exactly as "
        "written. Add nothing that is not in the text."
    ),
    "zh": "用一两句短话总结这段文字。重要的数字、日期和名字要原样保留。不要加入文中没有的内容。",
}
_FIGURE: Final = re.compile(r"\d+(?:[.,:]\d+)*")


def sound_gist(answer: str, source: str) -> str:
    """Return the gist of a model's answer, or nothing when it cannot be trusted.

    Args:
        answer: What the model wrote, JSON by `SCHEMA`.
        source: The text it was to sum up.
    """
    try:
        data = json.loads(answer)
    except ValueError:
        return ""
    text = data.get("summary") if isinstance(data, dict) else None
    gist = " ".join(text.split()) if isinstance(text, str) else ""
    invented = set(_FIGURE.findall(gist)) - set(_FIGURE.findall(source))
    return "" if not gist or invented or len(gist) >= len(source) else gist
