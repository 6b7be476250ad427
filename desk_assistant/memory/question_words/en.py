"""English words by which a question asks about the past."""

from __future__ import annotations

from typing import Final

PAST: Final = (
    r"\b(?:used to|before|previous(?:ly)?|formerly|former|earlier|in the past|back then|at first|originally|no longer"
    r"|history|did i (?:use|drink|live|work|like|say|tell)|was my|were my|old (?:job|address|city|favou?rite))\b"
)

SAID: Final = (
    r"\b(?:did (?:i|we) (?:say|tell|mention|talk|discuss|chat|ask|write)"
    r"|(?:i|we) (?:said|told|mentioned|talked|discussed|asked)"
    r"|(?:have|had) (?:i|we) (?:said|told|mentioned|talked|discussed))\b"
)

REPLY: Final = (
    r"\b(?:you|assistant) (?:said|told|suggest\w*|recommend\w*|propos\w*|answer\w*|mention\w*|wrote|gave)\b"
    r"|\b(?:did|have|had) you (?:say|said|tell|told|suggest\w*|recommend\w*|propos\w*|answer\w*|mention\w*)\b"
    r"|\byour (?:answer|suggestion|recommendation|advice|idea|proposal|list|plan|draft)\b"
)
"""Asks about what the assistant said."""
