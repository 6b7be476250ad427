"""English messages that point back to an earlier one."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.language import Dialogue

_REL: Final = rf"{words.RELATION_EXTRA}{words.RELATIONS}"

DIALOGUE: Final = Dialogue(
    reattribute=re.compile(
        r"(?:(?:no|sorry|wait|actually|correction|hang on|oops)[,. ]+)*(?:(?:that|this|it)(?:'s| was| is|'s been)?(?:n't| not)(?: (?:about|for|really))? (?:me|mine|my\b[\w ]{0,20})|(?:i|that) (?:wasn't|was not|am not|'m not) (?:talking|speaking) about (?:me|myself)|(?:i'm|i am) not the one(?: (?:who|with)[\w ,]{0,40})?)"
        rf"[,.;:!\s-]*(?:but |rather |i meant |i was talking about |it's |it is |it was |that's |that is |that was |they're |he's |she's )*(?:about )?(?:my (?P<relation>{_REL})(?:'s)?)?,?\s*(?P<name>(?-i:[A-Z])[\w'-]+)?(?:'s)?(?:, my (?P<relation2>{_REL}))?"
        rf"|(?:(?:no|sorry|wait|actually|correction|oops)[,. ]+)*(?:that|this|it)(?:'s| was| is) (?:actually |really |about )*(?:my (?P<relation3>{_REL}),?\s*)?(?P<name2>(?-i:[A-Z])[\w'-]+)?(?:'s)?,? (?:and )?not (?:me|mine|about me)\b",
        re.IGNORECASE,
    ),
    reject=re.compile(
        r"^(?:(?:no|sorry|wait|actually|hey|please|nope)[,. ]+)*(?:(?:that|this|it)(?:'s| is| was)(?:n't| not) (?:true|right|correct|the case)(?: about me| of me| any ?more)(?: at all)?|that(?:'s| is) (?:wrong|false|untrue|incorrect|not right) about me|(?:please )?(?:forget|delete|don't remember|do not remember|don't save|don't store|scratch|strike) (?:that|what i just said|what i said|the last (?:thing|one|message)(?: i said)?|my last message)(?: last (?:bit|part|thing))?|i (?:was (?:just |only )?(?:joking|kidding)|take (?:that|it) back|didn't mean (?:that|it)))[\s.!]*(?:please)?[\s.!]*$",
        re.IGNORECASE,
    ),
    confirm=re.compile(
        r"^(?:(?:yes|yeah|yep|exactly|right|correct|ok|okay|sure|please|do)[,. ]+)*(?:please )?(?:remember|save|keep|store|note) (?:that|it|this)(?: (?:please|down|about me|for (?:later|next time)))?[\s.!]*$"
        r"|^(?:yes|yeah|yep|exactly|right|correct)[,. ]+(?:that's|that is|you've got it|you got it) (?:right|correct|true|it)(?: about me)?[\s.!]*$",
        re.IGNORECASE,
    ),
    meant=re.compile(
        r"^(?:(?:no|sorry|oops|wait|correction|actually)[,. ]+)*(?:i (?:meant|mean)(?: to say)?|make that|should (?:be|have been)|that should (?:be|have been)|typo[,:]?)(?: it's)? (?P<o>[\w'&+#. -]{1,60}?)(?:,? not (?P<f>[\w'&+#. -]{1,60}?))?[\s.!]*$",
        re.IGNORECASE,
    ),
)
