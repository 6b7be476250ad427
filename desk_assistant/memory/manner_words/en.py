"""English signs of a manner."""

from __future__ import annotations

from typing import Final

SIGNS: Final = {
    "register": {
        "casual": (
            r"\b(?:lol|lmao|haha+|hey|yo|gonna|wanna|gotta|kinda|sorta|dunno|thx|btw|omg|nah|yep|yup|dude|mate|cheers|u|ur"
            r"|pls|plz|no worries|cool|awesome)\b|[\U0001F600-\U0001F64F]|(?<![\w:]):[-)(DPp]+(?!\w)"
        ),
        "formal": (
            r"\b(?:would you (?:kindly|please|be so kind)|could you (?:kindly|please)|kindly"
            r"|i would (?:appreciate|be grateful)|i should like|dear (?:sir|madam|assistant)"
            r"|(?:best|kind|warm) regards|sincerely|furthermore|henceforth"
            r"|thank you (?:very|so) much|much obliged|may i (?:ask|request)|pardon me)\b"
        ),
        "technical": (
            r"```|\b(?:stack ?trace|traceback|segfault|regex|api|endpoint|commit|merge|rebase|refactor|compiler?|linker"
            r"|mutex|thread|latency|throughput|schema|query plan|docker|kubernetes|kernel|backend|frontend|repo"
            r"|pull request|unit tests?|null pointer|async|runtime|deploy(?:ment)?|config(?:uration)?|json|yaml"
            r"|sql|ssh|cli)\b"
        ),
    },
    "length": {
        "short": (
            r"\b(?:shorter|more briefly|briefly|in (?:short|brief)|(?:be|more) concise|tl;?dr"
            r"|in (?:one|a) (?:line|sentence)|too long|just the (?:answer|gist)|keep it (?:short|brief)"
            r"|cut it down|less detail)\b"
        ),
        "long": (
            r"\b(?:(?:in )?more detail(?:s|ed)?|elaborate|go deeper|longer|in[- ]depth|step by step|expand on"
            r"|be thorough|tell me more|too short|full explanation|explain (?:it )?fully)\b"
        ),
    },
    "address": {"polite": r"(?!)"},
}
SENTENCES: Final = {
    "language": {
        "en": "Writes in English",
        "zh": "Writes in Chinese",
        "both": "Writes in English and Chinese",
    },
    "register": {
        "casual": "Prefers a casual tone",
        "formal": "Prefers a formal tone",
        "technical": "Prefers technical answers with exact terms",
    },
    "length": {"short": "Prefers short answers", "long": "Prefers detailed answers"},
    "address": {"polite": "Prefers to be addressed politely"},
}
TOPICS: Final = "Often talks about {topics}"
AND: Final = ", "
