"""Chinese words that make a sentence worth keeping in a session summary."""

from __future__ import annotations

from typing import Final

LABELS: Final = {"goal": "起因", "decision": "决定", "task": "待办", "data": "提到", "state": "最后"}
DECISION: Final = r"决定|选定|就用|敲定|确定用|改用|商量好"
TASK: Final = r"待办|提醒我|我要记得|别忘|截止|得在"
FIRST_PERSON: Final = r"我"
FILLER: Final = r"你好|您好|谢谢|好的?|嗯+|哈+|再见|是的?|在吗"
FIGURE: Final = r"[零一二两三四五六七八九十百千万亿]+(?:点|号|月|年|天|周|岁|元|块|个|次|%)"
NAME: Final = r"《[^》]+》|“[^”]+”"
