"""English ways of saying that need the whole clause: things of mine, instructions, changes, events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.guards import is_name, is_occupation, is_thing, not_asked
from desk_assistant.memory.extract.en.heads import REMEMBER, Head, lead_of
from desk_assistant.memory.extract.en.values import cut_value, list_values, tidy, to_third
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import ANY, Draft, Span


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _draft(clause: Span, predicate: str, pair: tuple[int, int], text: str, confidence: float, **more: object) -> Draft:
    return Draft(predicate, clause.start + pair[0], clause.start + pair[1], text, confidence, **more)  # type: ignore[arg-type]


# -- instructions ------------------------------------------------------------------------------------------------

_STANDING: Final = _re(
    r"\b(?:always|never|ever|from now on|going forward|from here on|from this point|in (?:the )?future|henceforth|whenever you|every time you|each time you|by default|as a rule|at all times|every (?:answer|reply|response|message|time)|all (?:your |my )?(?:answers|replies|responses|messages|conversations|chats)|any ?more|again|in general|for good|permanently)\b"
)
_LEADING_TIME: Final = _re(
    r"(?:(?:please|kindly|also|and|so|but|ok|okay|hey|now|then|oh|just)[, ]+|(?:from now on|going forward|from here on(?: out)?|from this point(?: on)?|in (?:the )?future|henceforth|by default|as a rule|in general|for all (?:future )?(?:answers|replies|responses|conversations|chats))[,: ]*"
    r"|(?:i (?:want|need|'d like|would like|'d prefer|prefer|expect|ask) (?:it if )?(?:that )?you (?:to )?)|(?:you (?:should|must|can|have to|need to|are to) )|(?:i (?:'d )?(?:want|like|prefer) (?=(?:all )?(?:your|my) (?:answers|replies|responses)))|(?:make sure (?:to |you |that you )?)|(?:be sure to )|(?:remember to )|(?:try to ))+"
)
_COMMAND: Final = _re(
    r"(?P<neg>never(?: ever)?|don't(?: ever| you ever)?|do not(?: ever)?|avoid|stop|no more|quit|not)?\s*(?P<always>always\s+)?(?P<o>(?P<v>answer|reply|respond|write|speak|talk|call|address|use|keep|give|be|say|add|include|put|start|begin|end|finish|suggest|recommend|mention|ask|explain|format|show|tell|send|make|translate|cite|quote|assume|refer|treat|stick|prefer|sign|greet|remind|wait|skip|leave|spell|round|convert|provide|list|return|read|check|offer|propose|name|summari[sz]e|apologi[sz]e|sugarcoat|lecture|interrupt|repeat|schedule|book|order|joke|swear|curse|mix|switch|"
    r"answering|replying|writing|calling|using|giving|saying|adding|including|starting|ending|suggesting|recommending|mentioning|asking|being|sending|making|apologi[sz]ing|repeating|explaining|emojis?|markdown|bullet points|tables|jargon|code comments)\b.*)"
)
_ABOUT_ANSWERS: Final = _re(
    r"\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|emojis?|markdown|bullet points|tables|jargon|paragraphs?|sentences|tone|units|metric|imperial|celsius|fahrenheit|examples|formal(?:ly)?|informal(?:ly)?|address me|call me|talk to me|speak to me|write to me|british|american|english|french|german|spanish|italian|chinese|japanese|concise|brief|verbose|exclamation marks?|comments|type hints|sources|conclusion|small talk|apologi[sz])\b"
)
_THIS: Final = _re(r"\b(?:this|that|these|those|it|above|below|following|attached)\b")
_CALL_ME: Final = _re(
    r"(?:please |you can |you may |just |everyone |everybody |people |they all |they |all |my (?:friends|colleagues|family|mates|coworkers|kids|students|team) |friends |colleagues |most people |folks )*(?:always )?(?:call|calls|called|nicknamed|know) me (?:by )?(?:as )?(?P<o>(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]+)?)"
)


def instruction(clause: Span, at: int) -> Iterator[Draft]:
    """Yield a standing instruction or prohibition given to the assistant, if the clause is one."""
    text = clause.text
    if (match := _CALL_ME.match(text, at)) and not re.search(r"\bdon't|never|not\b", text[: match.start("o")]):
        yield _draft(clause, "nickname", tidy(text, *match.span("o")), "Is called {o}", 0.9)
        return
    start = at
    standing = bool(_STANDING.search(text)) or bool(REMEMBER.search(text[:at]))
    if lead := _LEADING_TIME.match(text, start):
        start = lead.end()
    match = _COMMAND.match(text, start)
    if not match:
        return
    verb, negative = match["v"].casefold(), bool(match["neg"])
    if verb.endswith("ing") and not negative and verb not in {"being"}:
        return
    if not negative and verb in {
        "emojis",
        "emoji",
        "markdown",
        "tables",
        "jargon",
        "bullet points",
        "code comments",
        "joke",
    }:
        return
    about_answers = bool(_ABOUT_ANSWERS.search(text))
    if not standing:
        if not about_answers or _THIS.search(match["o"]):
            return
        if not negative and verb not in {
            "answer",
            "reply",
            "respond",
            "speak",
            "talk",
            "keep",
            "use",
            "address",
            "be",
            "write",
            "skip",
        }:
            return
        if verb == "write" and not re.search(r"\bto me\b|\byour\b", text):
            return
        confidence = 0.64 if negative or verb in {"keep", "address", "speak", "talk"} else 0.55
    else:
        confidence = 0.92
        if re.search(r"\bremind me\b", match["o"], re.IGNORECASE):
            confidence = 0.7
    pair = tidy(text, *match.span("o"), head=False)
    words_said = text[match.start() : pair[1]].strip()
    said = words_said[:1].upper() + words_said[1:]
    yield _draft(
        clause, "prohibition" if negative else "instruction", pair, said.replace("{", "(").replace("}", ")"), confidence
    )


# -- things of mine ----------------------------------------------------------------------------------------------

_MY_IS: Final = _re(
    r"(?:my|our) (?P<np>(?!own\b)[\w'&/+-]+(?: [\w'&/+.-]+){0,4}?)(?:'s| is| are| was| will be|:)(?P<not> not\b|n't\b| no longer\b)?(?: (?:now|still|actually|currently|also|always|usually|officially|definitely|probably|on|going to be|just))* (?P<o>.+)"
)
_MY_USE: Final = _re(
    r"(?:my|our|the) (?P<np>(?:[\w'-]+ ){0,3}?[\w'-]+) (?:mainly |mostly |currently |now |still |also |all )*(?:uses?|runs? on|is using|are using|relies on|depends on|is written in|are written in|is built (?:with|on|in)|is hosted on|are built with|run|runs) (?P<o>.+)"
)
_FAVOURITE: Final = _re(
    r"(?:(?:all-time |absolute )?favou?rite|go-to|preferred|usual|default|top|number one|comfort|signature) (?P<q>[\w' -]+)"
)
_IS_MY_FAVOURITE: Final = _re(
    r"(?P<o>(?!it\b|that\b|this\b|he\b|she\b|what\b|which\b)[\w'&+. -]+?) (?:is|are|has become|became) (?P<not>not |no longer )?(?:still |now |currently |also )*(?:my|our) (?:new |(?:all-time |absolute )?)?(?:favou?rite|go-to|preferred|usual|default) ?(?P<q>[\w' -]*)"
)
_FINE: Final = _re(
    r"(?P<o>(?!it\b|that\b|this\b|what\b|all\b|everything\b|i\b|you\b|which\b|sounds?\b)[\w'&+-]+(?: [\w'&+-]+){0,4}?)(?P<be> (?:is|are|was|were)(?:n't)?| (?:works?|sits?|goes|go)| (?:doesn't|does not|do not|don't|never) (?:work|sit|go|agree))(?P<not> not| never| no longer)?(?: (?:actually|totally|perfectly|absolutely|always|definitely|now|also|really|completely|quite))* "
    r"(?P<adj>fine|ok|okay|good|great|alright|all right|allowed|welcome|acceptable|off[- ]limits|forbidden|out|banned|a no-go|a no no|no good|bad|safe|well|a deal-?breaker|an option|with)\b(?P<rest>.*)"
)
_WORKS: Final = _re(
    r"(?P<o>(?!it\b|that\b|this\b|what\b|all\b|everything\b|i\b|you\b|which\b)[\w'&+-]+(?: [\w'&+-]+){0,3}?)"
    r"(?: (?:doesn't|does not|do not|don't|never|no longer)(?P<not>))? (?:works?|sits?|goes|agrees?)(?: (?:well|fine|great))? (?:for|with) (?:me|my)\b.*"
)
_FOR_ME: Final = _re(r"\b(?:me|my|mine|i|our|us)\b")
_NEGATIVE_ADJECTIVES: Final = frozenset(
    {
        "off-limits",
        "off limits",
        "forbidden",
        "out",
        "banned",
        "a no-go",
        "a no no",
        "no good",
        "bad",
        "a deal-breaker",
        "a dealbreaker",
    }
)
_PET_IS: Final = _re(
    rf"(?:my|our) (?P<o>(?:[\w'-]+ ){{0,2}}?(?P<q>{words.PETS})s?(?:'s name)?(?: is| are|,|'s)?(?: (?:called|named))? (?P<n>(?-i:[A-Z])[\w'-]+))\b"
)
_SIMPLE: Final = {
    "name": "name", "full name": "name", "first name": "name", "real name": "name", "nickname": "nickname", "birthday": "birthday",
    "date of birth": "birthday", "birth date": "birthday", "age": "age", "job": "job", "profession": "job", "occupation": "job", "day job": "job", "job title": "job",
    "hometown": "from", "home town": "from", "birthplace": "born_in", "employer": "employer", "company": "employer", "native language": "speaks", "mother tongue": "speaks",
    "first language": "speaks", "major": "studies", "home": "lives_in", "diet": "diet", "home city": "lives_in", "hobby": "likes", "hobbies": "likes", "passion": "likes", "hobbies": "likes",
}  # fmt: skip
_TECH_NOUN: Final = _re(
    r"(?:main |primary |favou?rite |default |current )?(?P<q>database|db|editor|ide|language|programming language|stack|tech stack|framework|os|operating system|browser|shell|terminal|message queue|cloud|backend|frontend|back end|front end|distro|hosting|vector database|vector store|ci|orm)"
)


def of_mine(clause: Span, at: int, context: Context) -> Iterator[Draft]:
    """Yield what is said of the person's things: "my go-to drink is …", "our backend runs on …"."""
    text = clause.text
    if match := _PET_IS.match(text, at):
        pair = match.span("o")
        yield _draft(clause, "pet", pair, "Has " + match["q"].casefold() + " called " + match["n"], 0.9)
        return
    if match := _MY_USE.match(text, at):
        mine = text[at:].casefold().startswith(("my", "our"))
        for pair in list_values(text, match.start("o"), cut_value(text, *match.span("o"), "phrase")):
            value = text[slice(*pair)]
            kind = category(value)
            if (mine and (kind or (value[:1].isupper() and len(value.split()) <= 4))) and not_asked(value):
                said = (
                    f"Uses {{o}} as {kind.replace('_', ' ')}"
                    if kind in {"database", "editor", "message_queue", "vector_database", "browser", "operating_system"}
                    else "Uses {o}"
                )
                yield _draft(clause, f"uses.{kind}" if kind else "uses", pair, said, 0.86)
        return
    if match := _IS_MY_FAVOURITE.match(text, at):
        noun = tidy_noun(match["q"]) or "thing"
        retract = "retract" if match["not"] else "assert"
        yield _draft(
            clause, f"favourite.{noun}", tidy(text, *match.span("o")), f"Favourite {noun}: {{o}}", 0.88, action=retract
        )
        return
    if match := _MY_IS.match(text, at):
        yield from _mine_is(clause, match)
        return
    if (match := _FINE.match(text, at)) and (_FOR_ME.search(match["rest"])):
        negative = bool(match["not"]) or "n't" in match["be"] or " not" in match["be"] or "never" in match["be"]
        if match["adj"].casefold() in _NEGATIVE_ADJECTIVES:
            negative = not negative
        if re.match(r"\s+(?:doesn't|does not|do not|don't|never)", match["be"]):
            negative = True
        said = tidy(text, at, len(text), head=False)
        phrase = re.sub(r"\b(?:my|our)\s+", "", text[slice(*said)], flags=re.IGNORECASE)
        yield _draft(
            clause,
            "avoids" if negative else "okay_with",
            tidy(text, *match.span("o")),
            phrase[:1].upper() + phrase[1:],
            0.82,
        )

    if match := _WORKS.match(text, at):
        negative = match["not"] is not None
        phrase = re.sub(
            r"\b(?:my|our)\s+", "", text[slice(*tidy(text, at, len(text), head=False))], flags=re.IGNORECASE
        )
        yield _draft(
            clause,
            "avoids" if negative else "okay_with",
            tidy(text, *match.span("o")),
            phrase[:1].upper() + phrase[1:],
            0.8,
        )


def tidy_noun(noun: str) -> str:
    """Return the qualifier made of a noun phrase: small letters, no time words."""
    return re.sub(
        r"\b(?:now|these days|right now|at the moment|ever|of all time|too|currently|new|really)\b", "", noun.casefold()
    ).strip(" .,!'")


def _mine_is(clause: Span, match: re.Match[str]) -> Iterator[Draft]:
    text, noun = clause.text, match["np"].casefold().strip()
    start, end = match.start("o"), cut_value(text, *match.span("o"), "clause")
    negative = bool(match["not"])
    pair = tidy(text, start, end)
    value = text[slice(*pair)]
    if not value or "\ufffc" in value:
        return
    if favourite := _FAVOURITE.fullmatch(noun):
        q = tidy_noun(favourite["q"])
        shown = text[match.start("np") : match.end("np")]
        said = f"{shown[:1].upper()}{shown[1:]}: {{o}}"
        many = q.endswith("s") and not q.endswith("ss")
        for item in list_values(text, start, end) if many else [pair]:
            yield _draft(clause, f"favourite.{q}", item, said, 0.9, action="retract" if negative else "assert")
        return
    if noun in _SIMPLE:
        predicate = _SIMPLE[noun]
        if predicate == "name" and not is_name(value.split(",")[0]):
            if not value.islower() or len(value.split()) > 2:
                return
        if predicate == "lives_in":
            pair = tidy(text, start, cut_value(text, start, end, "phrase"))
            in_place = re.match(r"in (?P<o>.+)", text[start:end])
            if in_place:
                pair = tidy(text, start + 3, end)
        label = {
            "name": "Name",
            "nickname": "Nickname",
            "birthday": "Birthday",
            "age": "Age",
            "job": "Works as",
            "from": "From",
            "born_in": "Born in",
            "employer": "Works at",
            "speaks": "Speaks",
            "studies": "Studies",
            "lives_in": "Lives in",
            "diet": "Diet",
            "likes": "Likes",
        }[predicate]
        if predicate == "birthday":
            on = re.match(r"(?:on |the )+", text[start:end], re.IGNORECASE)
            pair = tidy(text, start + (on.end() if on else 0), end)
        joiner = ": " if predicate in {"name", "nickname", "birthday", "age", "diet"} else " "
        for item in list_values(text, start, end) if predicate in {"speaks", "likes"} else [pair]:
            yield _draft(clause, predicate, item, f"{label}{joiner}{{o}}", 0.92, polarity=not negative)
        return
    if tech := _TECH_NOUN.fullmatch(noun):
        for item in list_values(text, start, cut_value(text, start, end, "phrase")):
            thing = text[slice(*item)]
            if not (thing[:1].isupper() or category(thing) or any(c.isdigit() for c in thing)):
                return
            kind = category(thing) or tech["q"].casefold().replace(" ", "_")
            yield _draft(
                clause,
                f"uses.{kind}",
                item,
                f"Uses {{o}} as {tech['q'].casefold()}",
                0.88,
                action="retract" if negative else "assert",
            )
        return
    parts = noun.split()
    if parts[-1] in words.DETAIL_STOP or parts[0] in words.DETAIL_STOP or negative:
        return
    first = re.findall(r"[\w'-]+", value.casefold())
    if (
        not first
        or first[0] in words.STATES
        or first[0].endswith("ing")
        or len(first) > 8
        or re.match(r"(?:what|why|how|that|to)\b", text[start:end], re.IGNORECASE)
    ):
        return
    proper = value[:1].isupper() or any(c.isdigit() for c in value) or REMEMBER.search(text[: match.start()])
    confidence = 0.82 if proper else 0.68 if len(first) <= 4 else 0.55
    shown = text[match.start("np") : match.end("np")]
    yield _draft(clause, f"detail.{noun}", pair, f"{shown[:1].upper()}{shown[1:]}: {{o}}", confidence)


# -- changes -----------------------------------------------------------------------------------------------------

_IT_IS_NOT: Final = _re(
    r"(?:it's|it is|it was|that's|i'm|i am|we're|that should be|it should be|i meant|i mean|make that|that was)\s+(?:actually |really |now )?(?P<o>[\w'&+#./ -]+?),?\s+(?:and )?not (?:an? |the )?(?P<f>[\w'&+#./ -]+)$"
)
_NOT_BUT: Final = _re(
    r"(?:it's |it is |that's |i'm |i am |it was )?not (?:an? |the )?(?P<f>[\w'&+#./ -]+?),?\s+(?:but|it's|it is|i'm|rather) (?:rather )?(?P<o>[\w'&+#./ -]+)$"
)
_SWITCH: Final = _re(
    r"(?:switched|moved|migrated|changed|gone|went|converted|graduated|upgraded|switching|moving|migrating)(?: over| my \w+| our [\w ]+?)?(?: away)? from (?P<f>[\w'&+#./ -]+?) (?:over )?(?:to|onto) (?P<o>.+)"
    r"|(?:switched|migrated|upgraded|converted|moved over|changed over)(?: over| across)? to (?P<o2>.+)"
    r"|(?:replaced|swapped(?: out)?|traded(?: in)?|exchanged|ditched|dropped|traded) (?:my |our |the )?(?P<f3>[\w'&+#./ -]+?) (?:with|for|by|in favou?r of) (?P<o3>.+)"
    r"|(?:changed|updated) my (?P<q4>[\w' -]{2,30}?)(?: from (?P<f4>[\w'&+#./ -]+?))? to (?P<o4>.+)"
    r"|(?:now )?(?P<v5>use|drink|eat|prefer|drive|play|like|love|take|wear|speak|read|write|ride)s? (?P<o5>[\w'&+#./ -]+?)(?: now)?,? (?:instead of|rather than|and not|not) (?P<f5>[\w'&+#./ -]+?)(?: now| any ?more)?$"
)
_ENDED: Final = _re(
    r"(?:(?:completely |finally |just |recently |already )*(?:given up|gave up|give up|giving up)(?: on)?|quit|(?:have )?stopped|done with|through with|dropped|ditched|got(?:ten)? rid of|sold|cancel(?:l)?ed|uninstalled|abandoned|finished with|broke up with|split up with|parted with|got over|gone off|went off|left|resigned from|unsubscribed from|no longer (?:have|own)|retired from|been laid off from|lost) "
    r"(?:my (?:job|position|role) (?:at|as|with) (?:an? )?|my |our |the |using |learning |drinking |eating |playing |doing |studying |working (?:at|for|as) (?:an? )?|going to |practi[sc]ing )*(?P<o>.+)"
)
_CLOSED: Final = _re(
    r"(?:(?:finally |just |already |now )*(?:done with|finished(?: with)?|completed|submitted|wrapped up|ticked off|crossed off|sorted(?: out)?|taken care of|took care of|handed in|sent off|paid|booked|filed|closed out|mailed|posted)) (?P<o>.+)"
)
_DONE: Final = _re(
    r"(?:the |my )?(?P<o>[\w' -]{3,60}?) (?:is|are|has been|have been) (?:now |finally |all |already )*(?:done|finished|completed|submitted|sorted|taken care of|handed in|paid|booked|sent)\b"
)


def special_verbs(clause: Span, core: int, negated: bool) -> Iterator[Draft]:
    """Yield changes ("switched from A to B"), endings ("given up on C") and finished tasks, said in the first person."""
    text = clause.text
    if negated:
        return
    if match := _SWITCH.match(text, core):
        yield from _switched(clause, match)
        return
    finished = _CLOSED.match(text, core)
    if finished:
        pair = tidy(text, finished.start("o"), cut_value(text, *finished.span("o"), "clause"))
        if not_asked(text[slice(*pair)]):
            yield _draft(clause, "task", pair, "Done: {o}", 0.8, action="close")
    if (match := _ENDED.match(text, core)) and not re.match(
        r"(?:lost|left) (?:\d|weight|time)", text[core:], re.IGNORECASE
    ):
        pair = tidy(text, match.start("o"), cut_value(text, *match.span("o"), "phrase"))
        value = text[slice(*pair)]
        if value and not_asked(value) and len(value.split()) <= 6:
            yield _draft(clause, ANY, pair, "No longer: {o}", 0.85, action="retract", past=True, slot="valid_to")
        if (
            text[core:]
            .casefold()
            .startswith(("quit", "stopped", "given", "gave", "left", "sold", "lost", "broke", "finally"))
            or finished
        ):
            yield from anything(clause, core, False, True, Who())
        return
    if finished:
        yield from anything(clause, core, False, True, Who())


def _switched(clause: Span, match: re.Match[str]) -> Iterator[Draft]:
    text, groups = clause.text, match.groupdict()
    value_name = next(name for name in ("o", "o2", "o3", "o4", "o5") if groups.get(name))
    former = next((groups[name] for name in ("f", "f3", "f4", "f5") if groups.get(name)), None)
    start, end = match.span(value_name)
    pair = tidy(text, start, cut_value(text, start, end, "phrase"))
    value = text[slice(*pair)]
    if not value or not not_asked(value):
        return
    if former:
        former = former[tidy(former, 0, len(former))[0] : tidy(former, 0, len(former))[1]]
    kind = category(value)
    if noun := groups.get("q4"):
        favourite = _FAVOURITE.fullmatch(noun)
        predicate = f"favourite.{tidy_noun(favourite['q'])}" if favourite else f"detail.{noun.casefold()}"
        yield _draft(
            clause, predicate, pair, f"{noun[:1].upper()}{noun[1:]}: {{o}}", 0.85, action="correct", replaces=former
        )
        return
    said = f"Uses {{o}}{' as ' + kind.replace('_', ' ') if kind in {'database', 'editor', 'browser', 'operating_system'} else ''}"
    if kind or (value_name not in {"o5"} and former and category(former)):
        kind = kind or category(former or "")
        yield _draft(
            clause, f"uses.{kind}", pair, said, 0.9, action="correct", replaces=former, slot="valid_from", past=True
        )
    elif (
        value_name == "o"
        and value[:1].isupper()
        and (former or "")[:1].isupper()
        and re.match(r"moved", match[0], re.IGNORECASE)
    ):
        yield _draft(
            clause,
            "lives_in",
            pair,
            "Lives in {o}",
            0.9,
            action="correct",
            replaces=former,
            slot="valid_from",
            past=True,
        )
    elif former:
        verb = groups.get("v5")
        shown = to_third(verb) + " {o}" if verb else "Switched to {o}"
        predicate = {"like": "likes", "love": "likes", "prefer": "likes", "use": "uses"}.get(
            (verb or "").casefold(), ANY
        )
        yield _draft(
            clause, predicate, pair, shown, 0.85, action="correct", replaces=former, slot="valid_from", past=True
        )
    elif value[:1].isupper():
        yield _draft(clause, "uses", pair, "Uses {o}", 0.75, action="correct", slot="valid_from", past=True)
    else:
        yield _draft(clause, "did", pair, "Switched to {o}", 0.7, slot="valid_from", past=True)


_CHANGED_MIND: Final = _re(
    r"(?:please )?(?:forget|delete|erase|drop|disregard) (?:that|the fact that|what i said about|about|my) (?P<o>.+)"
)


def whole_clause(clause: Span, head: Head, context: Context) -> Iterator[Draft]:
    """Yield what only the whole clause tells: instructions, "it's B, not A", finished tasks, reminders."""
    text, at = clause.text, head.at
    lead_at = lead_of(text)
    if match := re.compile(
        r"(?:please )?(?:remind me to|don't let me forget to|todo:?|to-do:?|to do:|task:|note to self:?|add to my (?:todo|to-do|list):?|i mustn't forget to|i must not forget to|remember to) (?P<o>\w.+)",
        re.IGNORECASE,
    ).search(text):
        before = text[: match.start()]
        if (
            len(before) < 30
            and not re.search(r"\b(?:you|always|never|it)\b", before, re.IGNORECASE)
            and not (
                match[0].casefold().startswith("remember to")
                and (_STANDING.search(text) or _ABOUT_ANSWERS.search(text))
            )
        ):
            pair = tidy(text, *match.span("o"), head=False)
            yield _draft(clause, "task", pair, "To do: {o}", 0.9, slot="due")
            return
    if match := _CHANGED_MIND.match(text, lead_at if not REMEMBER.search(text[:lead_at]) else 0):
        inner = re.sub(
            r"^(?:i|my|that|the fact that)\s+(?:(?:live in|am|like|love|use|work at|have|own|'m|drink|eat)\s+(?:an? )?)?",
            "",
            match["o"],
            flags=re.IGNORECASE,
        )
        start = match.end("o") - len(inner)
        pair = tidy(text, start, len(text))
        if len(text[slice(*pair)].split()) <= 6:
            yield _draft(clause, ANY, pair, "Forget: {o}", 0.85, action="retract")
        return
    for pattern in (_IT_IS_NOT, _NOT_BUT):
        match = pattern.match(text, lead_at)
        if match and not_asked(match["o"]) and len(match["o"].split()) <= 5 and len(match["f"].split()) <= 4:
            pair = tidy(text, *match.span("o"))
            first_person = re.match(r"(?:i'm|i am)\b", text[lead_at:], re.IGNORECASE)
            value = text[slice(*pair)]
            predicate, said = (ANY, "{o}")
            if first_person:
                predicate, said = (
                    ("job", "Works as {o}")
                    if is_occupation(value)
                    else (("name", "Name: {o}") if is_name(value) else ("is", "Is {o}"))
                )
                if value.casefold() in words.NATIONALITIES:
                    predicate, said = "from", "Is {o}"
            yield _draft(clause, predicate, pair, said, 0.8, action="correct", replaces=match["f"].strip())
            return
    if (match := _DONE.match(text, lead_at)) and not re.match(r"(?:i|it|that|this|what)\b", match["o"], re.IGNORECASE):
        yield _draft(clause, "task", tidy(text, *match.span("o")), "Done: {o}", 0.8, action="close")
        return
    if (
        head.who is None
        or (
            head.who.is_user
            and re.match(
                r"(?:i|we)\s*(?:want|need|'d like|would like|'d prefer|prefer|expect)\b.{0,12}\b(?:you|your)\b",
                text[lead_at:],
                re.IGNORECASE,
            )
        )
        or _CALL_ME.match(text, lead_at)
    ):
        yield from instruction(clause, lead_at)


# -- wishes, plans, events and the rest --------------------------------------------------------------------------


def wishes(clause: Span, core: int, modal: str, who: Who) -> Iterator[Draft]:
    """Yield preferences put politely: "I'd rather have short answers", "I should renew my passport by Friday"."""
    text = clause.text
    if match := _re(r"(?:rather|prefer)(?: to)?(?: have| get)? (?P<o>.+)").match(text, core):
        pair = tidy(text, match.start("o"), cut_value(text, *match.span("o"), "clause"))
        if not_asked(text[slice(*pair)]):
            yield _draft(
                clause, "likes", pair, "Prefers {o}", 0.62, subject=who.subject, name=who.name, relation=who.relation
            )
    elif (
        modal == "should"
        and who.is_user
        and (
            match := _re(
                r"(?:really |also |probably )*(?P<o>(?!be\b|have\b|know\b|say\b|note\b|mention\b|i\b)\w.+)"
            ).match(text, core)
        )
    ):
        yield _draft(clause, "task", tidy(text, *match.span("o"), head=False), "To do: {o}", 0.5, slot="due")


def future(clause: Span, core: int, who: Who) -> Iterator[Draft]:
    """Yield a plan said with "will", kept only when the engine finds a date in it."""
    text = clause.text
    if re.match(
        r"(?:try|let|ask|say|take a look|check|see|be back|do that|think|use this|go with that|get back|need)\b",
        text[core:],
        re.IGNORECASE,
    ):
        return
    pair = tidy(text, core, cut_value(text, core, len(text), "clause"), head=False)
    if len(text[slice(*pair)].split()) >= 2:
        yield _draft(
            clause,
            "plan",
            pair,
            "Plans: {o}",
            0.5,
            subject=who.subject,
            name=who.name,
            relation=who.relation,
            slot="due",
        )


_OBJECT_STOP: Final = _re(
    r"(?:it|that|this|them|these|those|you|your|him|her|so|an? (?:error|question|problem|bug|lot|bit)|the (?:code|error|same|following|above|answer|file|function|script|output|problem|issue|docs|documentation|point|bug))\b"
)
_IRREGULAR_PAST: Final = words.EVENTS


def anything(clause: Span, core: int, negated: bool, past: bool, who: Who, modal: str = "") -> Iterator[Draft]:
    """Yield the catch-all: something lasting ("keep bees"), owned ("have a loom") or done ("planted a pear tree")."""
    text = clause.text
    end = cut_value(text, core, len(text), "clause")
    pair = tidy(text, core, end, head=False)
    phrase = text[slice(*pair)]
    parts = re.findall(r"[\w'-]+", phrase)
    if not parts or "\ufffc" in phrase or modal == "can't":
        return
    verb, rest = parts[0].casefold(), phrase[len(parts[0]) :].strip()
    people = {"subject": who.subject, "name": who.name, "relation": who.relation}
    if len(parts) > 24 or _OBJECT_STOP.match(rest):
        return
    if verb in {"have", "has", "'ve"} and not past:
        thing = re.match(r"(?:'ve |have |has )?(?:got )?(?P<o>.+)", phrase, re.IGNORECASE)
        if thing and _owned(thing["o"]):
            start = pair[0] + thing.start("o")
            if negated:
                yield _draft(
                    clause, "owns", tidy(text, start, pair[1]), "Does not have {o}", 0.7, polarity=False, **people
                )
            else:
                yield _draft(clause, "owns", tidy(text, start, pair[1]), "Has {o}", 0.68, **people)
        return
    if negated:
        if (
            who.is_user
            and len(parts) >= 2
            and verb not in words.ABOUT_STOP
            and verb not in {"work", "compile", "matter", "help"}
        ):
            yield _draft(clause, "about", pair, "Does not {o}", 0.64, polarity=False)
        return
    is_event = (
        past
        or verb in words.EVENTS
        or (verb.endswith("ed") and verb not in {"need", "feed", "embed", "weed", "speed", "breed"})
    )
    if is_event and not (
        verb in {"read", "put", "set", "cut", "run"}
        and not past
        and not re.search(r"\byesterday|last|ago\b", text, re.IGNORECASE)
    ):
        if len(parts) < 2 and verb not in {"married", "divorced", "graduated", "retired", "resigned"}:
            return
        if verb in words.ABOUT_STOP and verb not in {"got", "did", "had"}:
            return
        strong = verb in words.EVENTS and (
            verb not in words.WEAK_EVENTS
            or re.search(r"\b(?:my|our)\b", phrase, re.IGNORECASE)
            or re.match(
                r"got (?:married|engaged|divorced|promoted|fired|hired|certified|laid off|into)", phrase, re.IGNORECASE
            )
        )
        yield _draft(clause, "did", pair, "{T}", 0.68 if strong else 0.45, slot="valid_from", past=True, **people)
        return
    if verb in words.ABOUT_STOP or len(parts) < 2 or (who.is_user and verb.endswith("s") and not verb.endswith("ss")):
        return
    if verb == "keep" and re.match(words.KEPT_VERBS["keep"], phrase, re.IGNORECASE):
        return
    if not verb.isascii() or not verb.isalpha() or verb.endswith("ing"):
        return
    yield _draft(clause, "about", pair, "{T}", 0.66, **people)


def _owned(thing: str) -> bool:

    return (
        is_thing(thing)
        and len(thing.split()) <= 7
        and not re.match(r"(?:to|been|no|the|any|never|not|seen|had)\b", thing, re.IGNORECASE)
    )
