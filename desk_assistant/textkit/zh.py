"""Chinese function words."""

from __future__ import annotations

import re
from typing import Final

# One character says about as much as 0.6 of an English word (an average word is written with 1.5 to 1.7 characters).
CHARACTER_WEIGHT: Final = 0.6

# Single characters that carry grammar alone. A gram made only of these finds every sentence and tells nothing.
STOP_CHARACTERS: Final = frozenset("的了吗呢吧啊呀哦嘛么是在我你他她它们这那有和与及就都也还又很把被让给对从到个之其")

_WORDS: Final = (
    # talking about the talk
    "我们上次|咱们上次|上一次|上次|上回|之前|刚才|前面|刚刚|继续|接着|记得|聊到|聊过|聊的|聊|说到|说过|说的|说|提到|提过|谈到|谈过|"
    "讨论过|讨论的|讨论|告诉过|告诉|"
    # questions
    "什么时候|什么样|为什么|是什么|什么|怎么样|怎么办|怎么|哪一个|哪个|哪些|哪里|哪儿|哪了|哪|谁的|谁|多少|几个|是不是|有没有|能不能|"
    "如何|是否|来着|"
    # pronouns and grammar
    "我们|咱们|你们|他们|她们|它们|自己|这个|那个|这些|那些|这里|那里|一下|一个|可以|请问|请|"
    "以及|因为|所以|但是|不过|然后|还是|或者|如果|已经|正在|"
    "的|了|吗|呢|吧|啊|呀|哦|嘛|么|是|在|我|你|您|他|她|它|这|那|有|和|与|及|就|都|也|还|又|很|把|被|让|给|对|从|到|个"
)
FUNCTION: Final = re.compile(_WORDS)
