"""Chinese words by which a question asks about the past."""

from __future__ import annotations

from typing import Final

PAST: Final = r"以前|之前|从前|过去|原来|原先|曾经|当初|早先|起初|那时|换之前|历史"

SAID: Final = r"我们?[^,，。？?]{0,10}?(?:说过?|讲过?|提到|提过|聊到|聊过|聊了|谈到|谈过|讨论|告诉|问过)"

REPLY: Final = (
    r"你(?:上次|之前|刚才|当时|曾经?|给我|帮我|都)*(?:说|讲|建议|推荐|提到|提过|提议|回答|告诉|写|列|给)"
    r"|你的(?:建议|回答|推荐|方案|计划)"
)
"""Asks about what the assistant said."""
