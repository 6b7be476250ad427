"""English rules: what a verb phrase or complement says of its subject."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.rules import Rule


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def is_occupation(value: str) -> bool:
    """Tell whether a noun phrase names a line of work ("Java backend developer"), by its head noun."""
    head = re.split(r"\s+(?:in|at|for|of|from|who|that|with|by|specialis|specializ)", value.casefold())[0].split()
    if not head or len(head) > 5:
        return False
    noun = head[-1].rstrip(".,")
    if noun in words.NOT_OCCUPATIONS:
        return False
    return noun in words.OCCUPATIONS or (len(noun) > 5 and noun.endswith(words.OCCUPATION_SUFFIXES))


def is_name(value: str) -> bool:
    """Tell whether a value is written like somebody's name: one to four capitalised words that are no common ones."""
    parts = value.split()
    if not 1 <= len(parts) <= 4:
        return False
    if any(part.casefold() in words.ADJECTIVES or part.casefold() in words.NATIONALITIES for part in parts):
        return False
    particles = {"de", "van", "von", "der", "da", "del", "la", "bin", "al", "di", "ten", "le"}
    return (
        all(
            part in particles
            or (part[0].isupper() and part.replace("-", "").replace("'", "").replace(".", "").isalpha())
            for part in parts
        )
        and parts[0][0].isupper()
    )


def is_trait(value: str) -> bool:
    """Tell whether "a …" after "I'm" is something lasting."""
    return value.split()[-1].casefold() not in {
        "bit",
        "little",
        "lot",
        "moment",
        "way",
        "hurry",
        "loss",
        "rush",
        "fan",
        "mess",
        "idiot",
        "fool",
        "genius",
    }


def not_asked(value: str) -> bool:
    """Refuse what one likes or uses only as a manner of speaking ("I like it", "I love that")."""
    first = value.split()[0].casefold() if value.split() else ""
    return first not in {
        "it",
        "that",
        "this",
        "them",
        "these",
        "those",
        "how",
        "you",
        "your",
        "what",
        "him",
        "her",
        "where",
        "the idea",
        "when",
        "there",
    }


def is_thing(value: str) -> bool:
    """Refuse what one has only for the moment ("a question", "an idea")."""
    parts = re.findall(r"[\w'-]+", value.casefold())
    return (
        bool(parts) and not_asked(value) and not (set(parts[:4]) & words.OWN_STOP) and parts[0] not in words.ABOUT_STOP
    )


def is_place(value: str) -> bool:
    """Refuse "here", "there" and states ("in a hurry") as places."""
    return value.split()[0].casefold() not in {
        "here",
        "there",
        "a",
        "this",
        "it",
        "that",
        "trouble",
        "charge",
        "love",
        "fear",
        "hope",
        "my",
        "general",
        "fact",
        "need",
        "case",
        "peace",
        "hell",
        "constant",
        "your",
    } or bool(
        re.match(
            r"(?:a|this) (?:small |little |quiet |big |tiny )?(?:flat|village|town|house|suburb|farm|city|cabin|boat|van|houseboat|cottage|studio|apartment|island|bungalow|caravan|camper)",
            value,
            re.IGNORECASE,
        )
    )


def is_short(value: str) -> bool:
    """Accept values of a few words only."""
    return len(value.split()) <= 6


def is_tool(value: str) -> bool:
    """Accept what somebody uses as a tool: a name, a product, or a thing of theirs."""
    return (
        not_asked(value)
        and is_short(value)
        and value.split()[0].casefold() not in {"a", "an", "my", "to", "some"}
        or bool(re.match(r"(?:an? )?[A-Z0-9]", value))
    )


def is_language(value: str) -> bool:
    """Accept a language's name: a capitalised word, or one of the known ones written small."""
    parts = value.split()
    return (
        bool(parts)
        and len(parts) <= 3
        and (
            parts[0][0].isupper()
            or parts[-1].casefold() in words.NATIONALITIES
            or parts[-1].casefold()
            in {"latin", "esperanto", "mandarin", "cantonese", "arabic", "hindi", "farsi", "hebrew", "sign", "language"}
        )
    )


_ADV = r"(?:(?:really|truly|absolutely|totally|simply|just|also|always|still|particularly|especially|quite|very much|genuinely|deeply|do|kind of|sort of|mostly|mainly|primarily|usually|generally|often|sometimes|currently|now|actually|both|only|personally|definitely|pretty much|all|recently|happily|already|never|regularly|normally|typically|exclusively|officially) )*"

COMPLEMENTS: Final[tuple[Rule, ...]] = (
    # after "I'm", "she is", …
    Rule(
        "age",
        _re(r"(?P<o>\d{1,3})(?: years? old| years? of age| yo)?(?= *(?:$|[,.!]|and\b|now\b|today\b|this\b))"),
        "{o} years old",
        confidence=0.9,
        cut="none",
        guard=lambda v: 2 < int(v) < 120,
    ),
    Rule(
        "allergic_to",
        _re(r"(?:\w+ly )?allergic to (?P<o>.+)"),
        "Allergic to {o}",
        negated_text="Not allergic to {o}",
        confidence=0.95,
        many=True,
    ),
    Rule("diet", _re(rf"(?P<o>{words.DIETS})\b"), "Is {o}", negated_text="Is not {o}", confidence=0.9, cut="none"),
    Rule(
        "born_in",
        _re(
            r"born (?:and (?:raised|bred) )?(?:.{0,30}?)\b(?:in|at) (?P<o>(?!(?:19|20)\d\d|january|february|march|april|may\b|june|july|august|september|october|november|december|the (?:summer|winter|spring|early|late))[^\d,.]+)"
        ),
        "Born in {o}",
        confidence=0.9,
        cut="phrase",
    ),
    Rule(
        "from",
        _re(rf"{_ADV}(?:originally )?from (?P<o>.+)"),
        "From {o}",
        confidence=0.85,
        cut="phrase",
        guard=lambda v: is_place(v) and v[0].isupper(),
    ),
    Rule(
        "lives_in",
        _re(r"(?:currently |now )?(?:based|living|located|residing|settled) (?:in|near|at) (?P<o>.+)"),
        "Lives in {o}",
        negated_text="Does not live in {o}",
        confidence=0.9,
        cut="phrase",
        guard=is_place,
        slot="valid_from",
    ),
    Rule("job", _re(r"(?:working|employed) as (?:an? |the )?(?P<o>.+)"), "Works as {o}", confidence=0.9, cut="phrase"),
    Rule(
        "job",
        _re(r"(?:an? |the )(?:(?:senior|junior|lead|retired|freelance|former|trainee) )?(?P<o>.+)"),
        "Works as {o}",
        confidence=0.9,
        cut="phrase",
        guard=is_occupation,
        negated_text="Does not work as {o}",
        slot="valid_from",
    ),
    Rule(
        "employer",
        _re(r"(?:working|employed) (?:at|for|by) (?P<o>.+)"),
        "Works at {o}",
        confidence=0.85,
        cut="phrase",
        slot="valid_from",
    ),
    Rule(
        "studies",
        _re(
            r"(?:studying|majoring in|reading|doing (?:an? )?(?:degree|phd|master's|masters|bachelor's|ba|bsc|msc|mba)(?: degree)? (?:in|on)) (?P<o>(?!for\b|up\b|this\b|the\b|a\b|your\b|an\b).+)"
        ),
        "Studies {o}",
        confidence=0.8,
        cut="phrase",
        guard=is_short,
    ),
    Rule(
        "learning",
        _re(rf"{_ADV}(?:learning|taking up|getting into|teaching myself|picking up)(?: to| how to)? (?P<o>.+)"),
        "Learning {o}",
        negated_text="Not learning {o}",
        confidence=0.8,
        many=True,
    ),
    Rule(
        "choosing",
        _re(
            r"(?:choosing|picking|deciding (?:on|between)|torn between|evaluating|comparing|shopping (?:around )?for|in the market for|looking (?:to buy|to get|around for)|looking for|trying to (?:choose|pick|decide (?:on|between))|selecting) (?:between |a new |a |an |the |some )?(?P<o>.+)"
        ),
        "Choosing {o}",
        confidence=0.75,
        guard=is_thing,
    ),
    Rule(
        "marital_status",
        _re(r"(?P<o>married|divorced|single|engaged|widowed|separated)\b(?! (?:question|point|thing|line|file|in))"),
        "Is {o}",
        negated_text="Is not {o}",
        confidence=0.85,
        cut="none",
    ),
    Rule(
        "condition",
        _re(r"(?:diagnosed with |recovering from |suffering from |living with )(?P<o>.+)"),
        "Has {o}",
        confidence=0.85,
        cut="phrase",
        slot="valid_from",
    ),
    Rule(
        "condition",
        _re(
            r"(?P<o>diabetic|asthmatic|epileptic|colou?r[- ]?blind|dyslexic|autistic|deaf|hard of hearing|blind|visually impaired|short-?sighted|pregnant)\b"
        ),
        "Is {o}",
        negated_text="Is not {o}",
        confidence=0.85,
        cut="none",
    ),
    Rule(
        "is",
        _re(
            r"(?P<o>left-handed|right-handed|ambidextrous|introverted|extroverted|an? (?:introvert|extrovert)|a lefty|retired|self-employed|unemployed|semi-retired)\b"
        ),
        "Is {o}",
        negated_text="Is not {o}",
        confidence=0.85,
        cut="none",
    ),
    Rule("employer", _re(r"no longer (?:with|at) (?P<o>[A-Z].+)"), "Works at {o}", confidence=0.8, cut="phrase"),
    Rule(
        "dislikes",
        _re(
            r"(?:not (?:a (?:big |huge )?fan of|into|keen on|fond of|crazy about)|sick of|tired of|fed up with|bored of|afraid of|scared of|terrified of|grossed out by|put off by|over) (?P<o>.+)"
        ),
        "Dislikes {o}",
        confidence=0.85,
        many=True,
        guard=not_asked,
    ),
    Rule(
        "likes",
        _re(
            r"(?:(?:a )?(?:big |huge |massive |great |real )?fan of|(?:really |very |so |super |huge )?(?:into|keen on|fond of|passionate about|crazy about|obsessed with|mad about|partial to|addicted to|in love with)) (?P<o>.+)"
        ),
        "Likes {o}",
        negated_as="dislikes",
        negated_text="Dislikes {o}",
        confidence=0.85,
        many=True,
        guard=not_asked,
    ),
    Rule(
        "okay_with",
        _re(
            r"(?:(?:perfectly |totally |absolutely )?(?:fine|ok|okay|happy|cool|good|alright|all right|comfortable)) (?:with|eating|having|drinking) (?P<o>.+)"
        ),
        "Is fine with {o}",
        negated_as="avoids",
        negated_text="Not fine with {o}",
        confidence=0.75,
        many=True,
        guard=not_asked,
        cut="phrase",
    ),
    Rule(
        "plan",
        _re(
            r"(?:planning (?:on |to )?|hoping to |aiming to |intending to |about to |thinking (?:of|about) |saving (?:up )?(?:for|to )|getting ready to |due to |set to |scheduled to |considering )(?P<o>\w.+)"
        ),
        "Plans: {o}",
        negated_text="Not planning: {o}",
        confidence=0.75,
        slot="due",
    ),
    Rule(
        "plan",
        _re(
            r"(?:going to|gonna) (?P<o>(?!be (?:honest|frank)|need|try|ask|say|tell|show|give|bed|assume|guess|have to|want|use this|the|a\b|my\b|see|check|take a look|copy|paste|send)\w.+)"
        ),
        "Plans: {o}",
        negated_text="Not planning: {o}",
        confidence=0.68,
        slot="due",
    ),
    Rule(
        "from",
        _re(r"(?P<o>(?:half )?(?-i:[A-Z])[a-z]+)$"),
        "Is {o}",
        confidence=0.85,
        cut="none",
        guard=lambda v: v.split()[-1].casefold() in words.NATIONALITIES,
        negated_text="Is not {o}",
    ),
    Rule(
        "name",
        _re(r"(?P<o>(?-i:[A-Z])[\w.'-]+(?: (?:(?-i:[A-Z])[\w.'-]*|de|van|von|der|da|del|la|bin|al|di)){1,3})$"),
        "Name: {o}",
        confidence=0.9,
        cut="none",
        guard=is_name,
        others=False,
    ),
    Rule(
        "name",
        _re(r"(?:called|named) (?P<o>(?-i:[A-Z])[\w.'-]+(?: (?-i:[A-Z])[\w.'-]*){0,3})"),
        "Name: {o}",
        confidence=0.9,
        cut="none",
        guard=is_name,
    ),
    Rule(
        "name",
        _re(r"(?P<o>(?-i:[A-Z])[a-z][\w'-]+)$"),
        "Name: {o}",
        confidence=0.72,
        cut="none",
        guard=is_name,
        others=False,
    ),
    Rule(
        "is",
        _re(
            r"(?P<o>(?:an? |one of |the (?:eldest|youngest|oldest|only|middle) |the (?:father|mother|proud|parent|owner) )(?:\w).+)"
        ),
        "Is {o}",
        negated_text="Is not {o}",
        confidence=0.7,
        guard=is_trait,
    ),
    Rule(
        "about",
        _re(
            r"(?P<o>(?:building|training|restoring|writing|renovating|coaching|volunteering|raising|growing|running|developing|teaching|working on|working towards|organi[sz]ing|mentoring|composing|recording|knitting|painting|taking|sharing|renting|commuting|caring|preparing|rehearsing|brewing|breeding|keeping|making|leading|managing|maintaining|expecting|doing|moving|migrating|saving|going through|trying to (?:quit|lose|learn|save|eat|get|stop|cut)|using|playing) .+)"
        ),
        "{O}",
        confidence=0.66,
        guard=lambda v: (
            not re.search(
                r"\b(?:this|these|that|you|your|error|following|sure|it|okay|well|great|better|fine|good)\b",
                v,
                re.IGNORECASE,
            )
        ),
        verbatim=False,
        slot="due",
    ),
)

VERBS: Final[tuple[Rule, ...]] = (
    # after "I", "my sister", …; verbs in both forms
    Rule("note", _re(r"take my coffee (?P<o>.+)"), "Takes coffee {o}", confidence=0.9),
    Rule(
        "dislikes",
        _re(
            r"(?:really |absolutely |totally |truly |just |do )*(?:hates?|dislikes?|loathes?|detests?|despises?|abhors?|can't stand|cannot stand|can't bear|can't abide|couldn't stand|can't tolerate|have no time for|am allergic to the idea of)(?: the (?:taste|smell|sound|sight|idea) of| eating| drinking)? (?P<o>.+)"
        ),
        "Dislikes {o}",
        negated_as="likes",
        negated_text="Does not mind {o}",
        confidence=0.9,
        many=True,
        guard=not_asked,
    ),
    Rule(
        "likes",
        _re(
            rf"{_ADV}(?:loves?|likes?|enjoys?|adores?|fancy|fancies|prefers?|am into|relish(?:es)?|dig|cherish(?:es)?|have a soft spot for|has a soft spot for|am a fan of)(?: to)? (?P<o>.+)"
        ),
        "Likes {o}",
        negated_as="dislikes",
        negated_text="Does not like {o}",
        confidence=0.88,
        many=True,
        guard=not_asked,
    ),
    Rule(
        "avoids",
        _re(r"avoids?(?: eating| drinking| using| taking)? (?P<o>.+)"),
        "Avoids {o}",
        confidence=0.8,
        many=True,
        guard=not_asked,
    ),
    Rule(
        "lives_in",
        _re(
            r"(?:currently |now |also )*(?:lives?|resides?|stays?) (?:(?:alone|together|happily|right) )?(?:in|near|on|at) (?P<o>.+)"
        ),
        "Lives in {o}",
        negated_text="Does not live in {o}",
        confidence=0.92,
        cut="phrase",
        guard=is_place,
        slot="valid_from",
    ),
    Rule(
        "lives_in",
        _re(
            r"(?:have |'ve |has )?(?:just |recently )?(?:moved?|moves|relocated?|relocates|emigrated) (?:back |over |here |out )?(?:(?:from (?P<f>[A-Z][\w .'-]{1,40}?) )?(?:to|into|in) )(?P<o>(?-i:[A-Z]|an? ).+)"
        ),
        "Lives in {o}",
        confidence=0.9,
        cut="phrase",
        guard=is_place,
        slot="valid_from",
    ),
    Rule(
        "grew_up_in",
        _re(r"(?:grew up|was raised|was brought up|spent my childhood|spent my youth) (?:in|on|near) (?P<o>.+)"),
        "Grew up in {o}",
        confidence=0.9,
        cut="none",
    ),
    Rule(
        "from",
        _re(r"(?:comes?|hails?) from (?P<o>.+)"),
        "From {o}",
        confidence=0.85,
        cut="phrase",
        guard=lambda v: v[0].isupper(),
    ),
    Rule(
        "job",
        _re(
            r"(?:currently |now |also |mostly )*(?:works?|worked|am working|freelances?|moonlights?|got a job|started) as (?:an? |the )?(?P<o>.+)"
        ),
        "Works as {o}",
        negated_text="Does not work as {o}",
        confidence=0.92,
        cut="phrase",
        slot="valid_from",
    ),
    Rule(
        "employer",
        _re(
            r"(?:currently |now |also )*(?:works?|am working|started working|interns?|joined|started|got a job|volunteers?)(?: part-time| full-time| remotely)? (?:at|for|with)? ?(?P<o>(?-i:[A-Z]|the |an? ).+)"
        ),
        "Works at {o}",
        negated_text="Does not work at {o}",
        confidence=0.82,
        cut="phrase",
        slot="valid_from",
        guard=lambda v: is_short(v) and v.split()[0].casefold() not in {"monday", "i", "the project"},
    ),
    Rule(
        "job",
        _re(r"works? in (?P<o>.+)"),
        "Works in {o}",
        confidence=0.8,
        cut="phrase",
        guard=lambda v: is_short(v) and is_place(v) and not v[0].isupper(),
    ),
    Rule(
        "studies",
        _re(
            r"(?:study|studies|studied|am majoring in|majors? in|majored in) (?P<o>(?!for\b|with\b|this\b|at\b|the\b|a lot|hard).+)"
        ),
        "Studies {o}",
        confidence=0.82,
        cut="phrase",
        guard=is_short,
    ),
    Rule(
        "school",
        _re(
            r"(?:study|studies|go|goes|am a student) (?:at|to) (?P<o>(?-i:[A-Z]).*(?:universit|college|school|academy|institute).*)"
        ),
        "Studies at {o}",
        confidence=0.8,
        cut="phrase",
    ),
    Rule(
        "speaks",
        _re(
            r"(?:can |also |only |already )*(?:speaks?|am fluent in|can speak|understands?)(?: fluent| some| native| basic)? (?P<o>.+)"
        ),
        "Speaks {o}",
        negated_text="Does not speak {o}",
        confidence=0.9,
        many=True,
        guard=lambda v: (
            is_language(re.sub(r"^(?:a (?:little|bit)(?: of)?|some|fluent|basic|native|conversational) ", "", v))
            and not_asked(v)
        ),
    ),
    Rule(
        "learning",
        _re(
            r"(?:just |recently )?(?:learn(?:s|ed)?|started (?:learning|studying|to learn)|have been learning|took up|taken up|teach myself) (?P<o>(?!that|how|to\b|more|about|from|a lot|this|it).+)"
        ),
        "Learning {o}",
        negated_text="Not learning {o}",
        confidence=0.75,
        many=True,
        guard=is_short,
    ),
    Rule(
        "uses",
        _re(
            rf"(?:have |'ve )?{_ADV}(?:uses?|(?:am |'m )?using|runs? on|runs?|works? with|codes? in|programs? in|develops? in|builds? with|deploys? (?:to|on)|relies on|rely on|writes? (?:everything |code |mostly |mainly )*in|sticks? with|stick to|depends? on|hosts? on) (?P<o>.+)"
        ),
        "Uses {o}",
        negated_text="Does not use {o}",
        confidence=0.85,
        many=True,
        cut="phrase",
        guard=is_tool,
    ),
    Rule(
        "allergic_to",
        _re(
            r"(?:have|has|'ve got|got|suffers? from|developed) (?:an? |bad |severe |serious |mild |terrible )*(?P<o>[\w -]{2,30}?)[- ]allerg(?:y|ies)"
        ),
        "Allergic to {o}",
        negated_text="Not allergic to {o}",
        confidence=0.9,
        many=True,
        cut="none",
    ),
    Rule(
        "allergic_to",
        _re(r"(?:have|has|'ve got|got|developed) an? (?:\w+ )?(?:allergy|intolerance) to (?P<o>.+)"),
        "Allergic to {o}",
        confidence=0.9,
        many=True,
    ),
    Rule(
        "condition",
        _re(
            rf"(?:have|has|'ve got|got|suffers? from|live with|lives with) (?:mild |severe |bad |chronic )*(?P<o>{words.CONDITIONS})\b"
        ),
        "Has {o}",
        negated_text="Does not have {o}",
        confidence=0.9,
        cut="none",
    ),
    Rule(
        "avoids",
        _re(r"(?:eat|eats|drink|drinks|touch|smoke|smokes|take|do)(?: any)? (?P<o>.+)"),
        "",
        negated_as="avoids",
        negated_text="Does not have {o}",
        confidence=0.88,
        many=True,
        guard=lambda v: (
            not_asked(v)
            and is_short(v)
            and v.split()[0].casefold()
            not in {"much", "well", "enough", "part", "care", "drugs test", "so", "anything"}
        ),
    ),
    Rule(
        "schedule",
        _re(
            r"(?:have|has|'ve got|got) (?P<o>(?:an? |my |our |the )?(?:[\w'-]+ ){0,4}?(?:appointment|meeting|exam|interview|class|lesson|lessons|practice|rehearsal|training|session|flight|shift|therapy|physiotherapy|check-?up|stand-?up|surgery|call|deadline|presentation|concert|wedding|visit|seminar|lecture|party|reservation|booking|yoga|pilates)s?)\b.*"
        ),
        "{O}",
        confidence=0.75,
        cut="none",
        slot="due",
        others=False,
    ),
    Rule(
        "relation",
        _re(
            rf"(?:have|has|'ve got|got)(?: an?| two| three| four| five| \d| another)? (?P<o>{words.RELATION_EXTRA}(?P<q>{words.RELATIONS}s?|kids|children|sons|daughters))(?: (?:called|named) (?P<name>(?-i:[A-Z])[\w'-]+))?"
        ),
        "{V}",
        negated_text="Does not have {o}",
        confidence=0.85,
        cut="none",
        others=False,
    ),
    Rule(
        "pet",
        _re(
            rf"(?:have|has|'ve got|got|own|owns|keeps?|adopted|bought|rescued)(?: also)? (?P<o>(?:an? |two |three |four |five |\d+ |several |some |another |my )?(?:[\w'-]+ ){{0,3}}?{words.PETS}s?(?:(?:,? (?:called|named|whose name is)) [\w' ,-]+)?)\b(?! (?:toy|food|show|breed|allergy))"
        ),
        "Has {o}",
        negated_text="Does not have {o}",
        confidence=0.9,
        cut="none",
    ),
    Rule(
        "owns",
        _re(r"(?:owns?|drives?|rides?|just bought|bought|have bought) (?P<o>(?:an? |two |three |my own |some )?\w.+)"),
        "Owns {o}",
        negated_text="Does not own {o}",
        confidence=0.8,
        guard=lambda v: (
            is_thing(v) and is_short(v) and not re.match(r"(?:to|by|home|around|past|the)\b", v, re.IGNORECASE)
        ),
        slot="valid_from",
    ),
    Rule(
        "note",
        _re(
            r"(?:takes?|drinks?|has|have) (?:my|her|his|their) (?P<o>(?:coffee|tea|eggs?|steak|toast|whisky|porridge) .+)"
        ),
        "Takes {o}",
        confidence=0.85,
    ),
    Rule(
        "task",
        _re(
            r"(?:really |still |also |just )*(?:need to|have to|'ve got to|got to|gotta|must|have got to|has to|needs to|ought to) (?P<o>(?!know|understand|ask|see|say|be honest|think|figure|admit|go now|check that|find out (?:how|why)|mention|confess|make sure|clarify)\w.+)"
        ),
        "To do: {o}",
        confidence=0.68,
        slot="due",
        others=False,
    ),
    Rule(
        "decision",
        _re(
            r"(?:have |'ve |had )?(?:finally |already |just )?(?:decided|chosen|agreed|settled|made up my mind|resolved|opted)(?: (?:to|on|that|for|in favou?r of))* (?P<o>(?!against)\w.+)"
        ),
        "Decided: {o}",
        negated_text="",
        confidence=0.82,
        slot="valid_from",
    ),
    Rule(
        "decision",
        _re(r"(?:went with|am going with|'m going with|'re going with|picked|chose) (?P<o>\w.+)"),
        "Decided: {o}",
        confidence=0.75,
        slot="valid_from",
        guard=not_asked,
    ),
    Rule(
        "plan",
        _re(r"(?:plans?|intends?|hopes?|aims?) (?:to|on) (?P<o>\w.+)"),
        "Plans: {o}",
        negated_text="Not planning: {o}",
        confidence=0.75,
        slot="due",
    ),
    Rule(
        "about",
        _re(
            r"can (?P<o>(?:play|cook|bake|sing|dance|juggle|sew|knit|sail|ride|ski|swim|drive|draw|paint|read|write|type|fly|whistle|surf|code) .+)"
        ),
        "Can {o}",
        negated_text="Cannot {o}",
        confidence=0.75,
    ),
)
"""Tried in this order; the first that matches speaks for the clause."""
