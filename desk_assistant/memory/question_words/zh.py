"""Chinese words by which a question asks about the past."""

from __future__ import annotations

from typing import Final

PAST: Final = r"以前|之前|从前|过去|原来|原先|曾经|当初|早先|起初|那时|换之前|历史"

SAID: Final = r"我们?[^,，。？?]{0,10}?(?:说过?|讲过?|提到|提过|聊到|聊过|聊了|谈到|谈过|讨论|告诉|问过)"
