"""Chinese sentences of insights."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "repeated": "{what}（在 {count} 次对话中说过）",
    "theme": "{what}：{values}（来自 {count} 次对话）",
    "change": "{what}有过变化：{values}",
    "topic": "经常提到{what}（{count} 次对话）",
}
AND: Final = "、"
