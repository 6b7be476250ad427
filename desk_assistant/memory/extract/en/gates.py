"""English gates: what keeps a sentence or a whole message out of memory."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.rules import Gates


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


GATES: Final = Gates(
    question=_re(
        r"\?\s*$|^(?:and |but |so |ok(?:ay)?,? |hey,? |hi,? |then |also )*(?:what|when|where|who|whom|whose|why|how|which|do|does|did|is|are"
        r"|am|was|were|can|could|would|will|shall|should|may|might|have|has|had|isn't|aren't|don't (?:i|you|we|they)|doesn't|didn't|can't (?:i|you|we)"
        r"|any idea|anyone know)\b(?! (?:i|we) (?:like|love|hate|do is|prefer|need is)\b.* (?:is|are)\b)"
        r"|\b(?:i(?:'m| am| was|'ve been)? (?:just )?(?:wonder(?:ing|ed)?|curious|want(?:ed)? to (?:know|ask)|'d like to (?:know|ask)|would like to (?:know|ask)"
        r"|don't know|do not know|forgot|can't remember)\b.{0,40}?\b(?:if|whether|what|how|why|when|where|who|which|about)\b)"
        r"|\b(?:do|can|could|would|will) you\b|\b(?:tell me|remind me) (?:what|when|where|who|why|how|which|whether|if)\b"
    ),
    hypothetical=_re(
        r"\b(?:suppos(?:e|ing)|imagine|let's say|let us say|say (?:i|we) (?:were|had|was)|pretend(?:ing)?|assum(?:e|ing)(?: that)?|hypothetically|what if|in theory"
        r"|as if (?:i|we)|if (?:only )?(?:i|we|my|our|he|she|they|someone|somebody|you)\b|if it (?:were|was)|(?:i|we) wish|were i\b|had i\b|in case i"
        r"|unless (?:i|we)|whether (?:i|we)|(?:i|we)(?:'d| would| could| might| may) (?:be|have|live|move|own|use|say|never|not|love to|like to|rather|go|need|want|become|buy|get|take|probably|hate to|consider|do)"
        r"|in (?:another|a past|a previous|my next) life|one day i'll|in an? (?:ideal|perfect|parallel) world|for (?:the sake of )?(?:example|argument)|(?:e\.g\.|for instance),? i\b)"
    ),
    fiction=_re(
        r"\b(?:write|draft|compose|make up|invent|create|tell|continue|generate|give) (?:me |us )?(?:up )?(?:a|an|another|the|some|my|his|her)?\s?(?:[\w-]+ ){0,4}?"
        r"(?:story|stories|poem|novel|tale|diary|dialogue|dialog|script|scene|song|lyrics|screenplay|monologue|fanfic|haiku|limerick|chapter|backstory|persona|letter|bio|speech|sketch|fable|rap|sonnet|plot|character)\b"
        r"|\b(?:in|for) (?:this|my|the|our|a) (?:short |new |fantasy |sci-fi |little )?(?:story|novel|tale|game|campaign|play|scenario|fiction|book|fanfic|simulation|role-?play|rp|screenplay|d&d game|dnd game|comic|sketch|script|dream)\b"
        r"|\b(?:role-?play|roleplaying|play(?:ing)? (?:the (?:role|part) of|a character)|act as|acting as|let's play|pretend (?:that |to |you|i)|you are (?:now )?(?:a|an|the) [\w ]{2,30} and i|my (?:[\w&']+ )?(?:character|avatar|protagonist|hero|heroine|persona|narrator|npc)(?:'s)?\b"
        r"|once upon a time|in character|dungeon master|from the (?:perspective|point of view|viewpoint) of|i am playing|i'm playing (?:a|an|the) (?:[\w-]+ )?(?:character|role|part|wizard|knight|rogue|elf|villain|paladin|bard|thief|warlock))\b"
    ),
    role_play_on=_re(
        r"\b(?:role-?play|let's play (?:a|pretend|out)|you are (?:now )?(?:a|an|the) [\w ]{2,30} and i|pretend (?:that |to be|you|i)|act as (?:a|an|my))"
    ),
    role_play_off=_re(
        r"\b(?:stop|end|quit|exit|enough of) (?:the |this |our )?(?:role-?play|game|story|pretending)|out of character|back to (?:reality|normal)|new topic\b"
    ),
    one_off=_re(
        r"\b(?:just this once|this once|this time|only (?:this )?(?:once|now)|(?:just )?for (?:now|today|once|this (?:one|answer|reply|question|message|chat|task|response|time))"
        r"|just (?:for )?(?:today|now)|(?:in|for) (?:your|the) next (?:answer|reply|response|message)|(?:your|the) next (?:answer|reply|response)|temporarily|for the moment|for the time being|right now|in this (?:answer|reply|chat|case|conversation|response)|here only|today only|one more time|tonight only)\b"
    ),
    request=_re(
        r"^(?:and |but |so |then |now |ok(?:ay)?,? |hey,? |please,? |kindly |just |also )*(?:write|draft|compose|give|show|tell|explain|list|find|make|create|generate|translate|summari[sz]e|rewrite|rephrase|fix|check|review|debug|refactor|convert|calculate|compute"
        r"|compare|describe|help|look|search|continue|go on|try|suggest|recommend|proofread|correct|improve|shorten|expand|extract|sort|count|solve|plan|send|open|run|print|read|consider|think|let|pick|choose|outline|analyse|analyze|classify|simplify|turn|put|add|remove|change|say|repeat|answer this|wait|stop it|stop that|hold on|come on|imagine|explain|see|note how|play|name|guess|rate|rank|set|build|teach|walk|do it|do that|do this|take|define)\b"
    ),
    small_talk=_re(
        r"^(?:hi+|hello|hey+|yo|ok(?:ay)?|k|kk|thanks?(?: you)?(?: (?:so|very) much| a lot)?|thx|ty|cheers|lol|haha+|hehe|lmao|cool|nice|great|awesome|perfect|sure|yes|yeah|yep|yup|no|nope|right|got it|i see|bye|goodbye|see you|good (?:morning|evening|night|afternoon)"
        r"|you're welcome|no problem|np|sorry|oops|hmm+|uh+|um+|wow|ugh|ah|oh|please|congrats|welcome|interesting|fair enough|makes sense|good point|never ?mind|all good|there)(?:[\s,.!:;)(]+(?:hi|hello|hey|there|ok|okay|thanks?|you|lol|haha+|cool|nice|great|so much|a lot|man|mate|buddy|all|again|everyone|then))*[\s,.!:;)(]*$"
    ),
    reported=_re(
        r"\b(?:he|she|they|it|someone|somebody|people|everyone|everybody|(?:my|the|his|her|your) [\w-]+(?: [\w-]+)?|you)(?:'s|'ve|'d)? (?:just )?(?:said|says|say|told me|tells me|tell me|thinks?|thought|claims?|claimed|believes?|believed|wrote|writes|assumes?|assumed|suggest(?:s|ed)|asked|insists?|insisted|joke[sd]?|heard|guess(?:ed|es)?)(?: that)? (?:i|i'm|i've|we|my|if|whether|me)\b"
        r"|\baccording to\b.{0,40}\bi\b|\bthe (?:article|book|post|email|letter|note|text|author|character|narrator|song|quote) (?:says|said|reads|goes|claims)\b|\bby mistake\b|\bi (?:said|claimed|told you|wrote|mentioned) (?:that )?(?:by mistake|wrongly)"
    ),
    hedge=_re(
        r"\b(?:maybe|perhaps|probably|possibly|i think|i guess|i suppose|i believe|not sure (?:if|whether|but)|might|may be|i'm not certain|apparently|i feel like|kind of|sort of|more or less|i assume)\b"
    ),
    material=_re(
        r"\b(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|correct|fix|edit|review|explain|analy[sz]e|classify|improve|polish|shorten|expand|reply to|respond to|answer|extract|convert|check|parse|grade|complete|continue|format|simplify|look at|read|debug|comment on|critique|tl;?dr|what does|turn|sum up)\b"
        r"[^\n.!?:]{0,120}(?::|\n)|\b(?:here(?:'s| is| are)|this is|below is|the following is|consider) (?:the |a |an |my |this |what )?[^\n.!?:]{0,60}(?:text|email|e-mail|message|note|letter|article|paragraph|log|logs|code|snippet|passage|transcript|post|review|statement|sentence|essay|story|excerpt|dialogue|wrote|said)[^\n.!?:]{0,30}(?::|\n)"
        r"|\b(?:email|letter|note|message|article|text|paragraph|transcript|excerpt|quote|sentence|example|passage|subject|he wrote|she wrote|it says|it said|it reads)(?: (?:below|as follows))?\s*:"
    ),
    material_before=_re(
        r"\b(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|correct|polish|improve|fix) (?:the )?(?:above|previous (?:text|paragraph|sentence)|text above|sentence above|paragraph above)\b"
    ),
)
