"""Postal addresses as they are written in English, and the commonest continental forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

_CAPITAL: Final = "A-ZÀ-ÖØ-ÞŚŻŹĆŁŠŽČŘ"
_SMALL: Final = "a-zß-öø-ÿšžčřąęłńóśźżćığş"
_KIND: Final = (
    r"(?:street|str|st|avenue|ave|av|boulevard|blvd|road|rd|drive|dr|lane|ln|court|ct|place|pl|square"
    r"|sq|terrace|ter|way|circle|cir|"
    r"highway|hwy|parkway|pkwy|close|crescent|cres|gardens|grove|mews|row|hill|walk|quay|alley|trail"
    r"|trl|loop|plaza|broadway|wharf|"
    r"green|park|rise|view|esplanade|turnpike|crossing|point|run|path|bend|ridge|heights|commons|yard"
    r"|gate|vale|mount)"
)
_SURE: Final = (
    r"(?:street|st|avenue|ave|boulevard|blvd|road|rd|drive|dr|lane|ln|court|ct|terrace|highway|hwy"
    r"|parkway|pkwy|crescent|close|way)"
)
_STATE: Final = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|"
    "ON|QC|BC|AB|MB|SK|NS|NB|NSW|VIC|QLD|TAS"
)
_POSTCODE: Final = (
    r"(?:[0-9]{5}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}|[A-Z][0-9][A-Z] ?[0-9][A-Z]"
    r"[0-9]|[0-9]{4})(?![0-9A-Za-z])"
)
_UNIT: Final = (
    r"(?:,?[ \n]?(?:(?:[Aa]pt|[Aa]partment|[Uu]nit|[Ss]uite|[Ss]te|[Ff]lat|[Ff]loor|[Ff]l|[Rr]oom|[Rr]m"
    r"|[Bb]ldg|[Bb]uilding|PH)\.? ?#?[0-9A-Za-z-]{1,6}|#[0-9A-Za-z-]{1,6}|[0-9]{1,2}(?:st|nd|rd"
    r"|th) [Ff]loor))"
)
_TOWN: Final = (
    r"(?:,?[ \n](?!(?:I|It|We|They|He|She|My|The|And|But|Please|Call|Thanks|Phone|Tel"
    r"|Email)\b)[A-Z][A-Za-z.'-]{1,20}(?![0-9])(?: [A-Z][A-Za-z.'-]{1,20}(?![A-Za-z0-9])){0,2})"
)
_NAME: Final = r"(?:[A-Z][A-Za-z.'-]{0,20}|[0-9]{1,3}(?:st|nd|rd|th)|of|the|de|la|van)"
_BUILDING: Final = (
    r"(?:(?:[A-Z][A-Za-z'-]{1,16} ){1,3}(?:Park|House|Centre|Center|Estate|Building|Tower"
    r"|Towers|Mall|Plaza|Court|Works|Mills|Hall|Residency|Apartments)"
    r",[ \n])?"
)
_FIRST: Final = (
    r"(?:(?:[Aa]pt|[Aa]partment|[Uu]nit|[Ff]lat|[Ss]uite|[Rr]oom|[Ll]evel|[Ff]loor|[Tt]ower"
    r"|[Ss]hop)\.? ?[0-9A-Za-z-]{1,6}(?:,? |/|,\n|\n))?" + _BUILDING
)
_NUMBER: Final = r"(?:(?<![0-9A-Za-z.,:$#/-])|(?<=[0-9]/))[0-9]{1,5}(?:[A-Za-z]|-[0-9]{1,5}|/[0-9]{1,4})?"

_NO_NAME: Final = (
    r"(?!(?:of|the|Hour|Day|Minute|Star|Mile|Year|Week|Month|Man|Second|First|Great|Grand|Best|Top|Jump|Angry)s?\b)"
)

# What an address begins with. Said first, since most places of a text are none of these.
_BEGINS: Final = rf"(?=[0-9{_CAPITAL}a-flnprstuv])(?<![0-9A-Za-z])"

_TITLE_CASE: Final = re.compile(
    rf"{_BEGINS}{_FIRST}{_NUMBER},? {_NO_NAME}(?:{_NAME} ){{0,4}}?{_NAME} (?i:{_KIND})\b\.?(?: (?:N|S|E|W|NE|NW"
    r"|SE|SW|North|South|East|West)\b\.?)?"
    rf"(?:{_UNIT}){{0,2}}(?:{_TOWN}{{1,2}}(?:,? (?:{_STATE})(?![A-Za-z]))?(?:,?[ \n]{_POSTCODE})?"
    rf"|,?[ \n](?:{_STATE}) {_POSTCODE}|,?[ \n]{_POSTCODE})?"
)
_NUMBERED: Final = re.compile(
    rf"(?=[0-9]){_NUMBER} (?:Broadway|(?:(?:[NSEW]|North|South|East|West)\.? )?[0-9]{{1,3}}(?:st|nd|rd"
    rf"|th) (?i:{_SURE}))\b\.?(?:{_UNIT}){{0,2}}"
)
_LOWER_CASE: Final = re.compile(
    rf"{_NUMBER.replace('A-Za-z', 'a-z')} (?:(?:[nsew]|north|south|east|west)\.? )?(?:[a-z.'-]{{2,20}}"
    rf" ){{1,3}}?{_SURE}\b\.?(?:,? ?(?:apt|apartment|unit|suite|ste|flat|floor|fl|room"
    rf"|#)\.? ?#?[0-9a-z-]{{1,6}}){{0,2}}(?:,? (?:[a-z]{{3,20}},? )?(?:[a-z]{{2}} )?[0-9]{{5}}(?![0-9])"
    r")?"
)
_HOME: Final = re.compile(
    r"(?:live at|lives at|living at|live on|address is|address:|address|ship(?:ped)? (?:it |this "
    r"|that )?to|send (?:it |this |that )?to|mail (?:it |this )?to|"
    r"deliver(?:ed)? (?:it )?to|home is|house is|moved to|moving to|home:|staying at|come to"
    r"|pick (?:me|us|him|her) up (?:at|from)|drop (?:it|me) (?:at|off at)|we're at|i'm at"
    r"|meet (?:me )?at|(?:^|[ ,.:])(?:at|to|from|is|it's|its)|office is at|is at|(?:our|my|her"
    r"|his|their) (?:house|home|place|apartment"
    r"|office|flat),?(?: is)?)[ :]{0,2}$"
)
# "9b Quarry Bank": no word for a street, but somebody says that it is where one lives
_AT_HOME: Final = re.compile(
    r"(?=[0-9])(?<![0-9A-Za-z.,:$#/-])[0-9]{1,4}[a-z]? (?:[A-Z][a-z'-]{2,16} ){0,2}[A-Z][a-z'-]{2,16}(?![A-Za-z0-9])"
    rf"(?:{_TOWN}{{1,2}}(?:,? {_POSTCODE})?)?"
)
_LIVING: Final = re.compile(
    r"(?:(?:come|pop|drop|swing) (?:round|over|by)(?: to (?:mine|ours|my place|us))?|(?:live|lives|living"
    r"|staying|stay) (?:at|in|on)"
    r"|(?:address|flat|house|place|home) (?:is|=)|address:?|deliver(?:ed|y)? to|(?:ship|send|post|mail) (?:it "
    r"|this |that )?to"
    r"|party's at|(?:mine|ours) is)[ ,:]{1,3}$"
)
_LEADING: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:(?:[0-9]{1,2}(?:st|nd|rd|th)|ground|top|first|second|third|fourth"
    r"|fifth) floor(?: (?:flat|left|right))?"
    r"|(?:flat|apt|apartment|unit|room|suite)\.? ?[0-9a-z-]{1,5}|c/o [a-z]{2,16}(?: [a-z]{2,16})?),? $"
)
_STOP: Final = frozenset(
    [
        "of",
        "the",
        "on",
        "in",
        "at",
        "to",
        "from",
        "for",
        "is",
        "are",
        "was",
        "were",
        "people",
        "minutes",
        "blocks",
        "miles",
        "days",
        "years",
        "ways",
        "steps",
        "down",
        "up",
        "percent",
    ]
)
_BOX: Final = re.compile(
    rf"(?<![A-Za-z])(?i:p\.? ?o\.? ?box|post office box|locked bag) ?#?[0-9]{{1,6}}(?:{_TOWN}"
    rf"{{1,2}})?(?:,? (?:{_STATE})(?![A-Za-z]))?(?:,? {_POSTCODE})?"
)
_PLACE: Final = (
    rf"(?:,?[ \n](?:[0-9]{{4}} ?[A-Z]{{2}}|[A-Z]{{0,2}}-?[0-9]{{4,5}}"
    rf"|[0-9]{{2}}-[0-9]{{3}})(?![0-9]))?(?:,?[ \n][{_CAPITAL}][{_SMALL}'-]{{2,24}}(?![0-9]))?"
)
_CONTINENTAL: Final = re.compile(
    # Lindenstraße 14, 10969 Berlin; Prinsengracht 263-2, 1016 GV Amsterdam
    rf"{_BEGINS}(?:(?<![A-Za-z])(?:[{_CAPITAL}][{_SMALL}-]{{2,24}}"
    rf"|[{_CAPITAL}][{_SMALL}]{{2,16}}er )(?:[Ss]tra(?:ß|ss)e|[Ss]tr\.|weg|[Pp]latz|gasse"
    rf"|[Aa]llee|damm|ufer|ring"
    rf"|gracht|straat|laan|plein|kade|dijk|steeg|gatan|vägen|gata|vej|gade|katu"
    rf"|tie) [0-9]{{1,4}}[a-zA-Z]?(?:[-/][0-9]{{1,4}})?(?![0-9A-Za-z]){_PLACE}"
    # 9 Rue de la Roquette, 75011 Paris
    rf"|(?<![0-9A-Za-z])[0-9]{{1,4}}(?: bis| ter)?,? (?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Bb]d"
    rf"|[Pp]lace|[Cc]hemin|[Aa]llée|[Ii]mpasse|[Qq]uai|[Cc]ours|[Rr]oute) "
    rf"(?:(?:de|du|des|la|le|les|l'|d')[ ]?){{0,3}}[{_CAPITAL}][{_SMALL}'-]{{2,24}}(?:[ "
    rf"-](?:de |du |la )?[{_CAPITAL}][{_SMALL}'-]{{2,24}}){{0,2}}{_PLACE}"
    # Calle de Alcalá 45, Via Roma 12, ul. Długa 12/5
    rf"|(?<![A-Za-z])(?:Calle|Avenida|Av\.|Avda\.|Carrer|Paseo|Via|Viale|Corso|Piazza|Rua|Plaza"
    rf"|Travessa|[Uu]l\.|[Uu]lica|Al\.) (?:(?:de|del|della|dei|da|la|las|los|das|dos|di"
    rf"|do) ){{0,2}}"
    rf"[{_CAPITAL}][{_SMALL}'-]{{2,24}}(?: (?:de |di "
    rf"|da )?[{_CAPITAL}][{_SMALL}'-]{{2,24}}){{0,2}},? (?:n[º°.]? "
    rf"?)?[0-9]{{1,4}}[a-zA-Z]?(?:/[0-9]{{1,4}})?"
    rf"(?:,? [0-9]{{1,2}}[ºª°][ ]?[A-Z0-9]{{0,3}})?(?![0-9A-Za-z]){_PLACE}"
    # Blk 123 Ang Mo Kio Ave 3 #04-567, Singapore 560123
    rf"|(?<![A-Za-z])(?:[Bb]lk|[Bb]lock) [0-9]{{1,4}}[A-Z]?,? (?:[A-Z][a-z']{{1,14}} "
    rf"){{1,4}}(?:[0-9]{{1,3}},? ?)?(?:#[0-9]{{2}}-[0-9]{{1,4}})?(?:,? ?Singapore [0-9]{{6}})?"
    # 3-12-5 Shibuya, Tokyo
    rf"|(?<![0-9A-Za-z-])[0-9]{{1,3}}-[0-9]{{1,3}}-[0-9]{{1,3}},? [A-Z][a-z]{{2,14}}(?:-(?:ku"
    rf"|cho|machi|dori))?(?:,? [A-Z][a-z]{{2,14}}(?:-(?:ku|shi|cho))?){{1,2}}"
    # Flat 302, Sai Residency, MG Road, Pune 411001; Rose Cottage, Mill Lane, Norwich NR1 3AB
    rf"|(?<![A-Za-z])(?:(?:Flat|Apartment|Apt|House|Plot|Door|Room|Unit|Villa|Shop"
    rf"|Office) ?(?:[Nn]o\.? ?)?[0-9A-Z][0-9A-Z/-]{{0,5}}|[A-Z][a-z]{{2,14}} (?:Cottage|House"
    rf"|Farm|Lodge|Barn|Villa|Hall)),? "
    rf"(?:[A-Z][A-Za-z.' -]{{2,28}}, ){{1,4}}[A-Z][a-z]{{2,16}},? ?(?:-? ?[0-9]{{6}}"
    rf"|[A-Z]{{1,2}}[0-9][0-9A-Z]? ?[0-9][A-Z]{{2}})(?![0-9A-Za-z]))"
)
# Room 502, Building 7, Lane 88 Hongmei Road, Xuhui District, Shanghai; No. 16 Jianguo Road, Chaoyang, Beijing 100022
_PART: Final = r"[Nn][Oo]\.? ?[0-9]{1,5}|(?:Lane|Alley|Nong|Hutong) (?:[Nn]o\.? ?)?[0-9]{1,5}"
_INSIDE: Final = (
    r"(?:Room|Rm|Flat|Unit|Apt|Apartment|Suite|Building|Bldg|Block|Tower|Entrance|Floor|Level)\.? ?(?:[Nn]o\.? ?)?"
    r"[0-9A-Z][0-9A-Z-]{0,5}|[0-9]{1,2}/?F|[0-9]{1,2}(?:st|nd|rd|th) Floor"
)
_WORDS_OF_NAME: Final = r"[A-Z][A-Za-z'-]{1,16}(?: (?:\([A-Z][a-z.]{0,6}\)|[A-Z][A-Za-z'.-]{0,16})){0,4}"
_FROM_INSIDE: Final = re.compile(
    rf"(?=[0-9A-Zn])(?:(?<![0-9A-Za-z])(?:(?:{_INSIDE}),? ){{0,4}}(?:(?:{_PART}),? ){{1,3}}{_WORDS_OF_NAME}"
    rf" (?i:{_SURE}|lu|jie|dajie|hutong|xiang)(?![A-Za-z])\.?(?:, ?{_WORDS_OF_NAME}){{0,4}}(?:,? [0-9]{{6}}(?![0-9]))?"
    rf"|(?<![0-9A-Za-z])(?:(?:{_INSIDE}),? ){{2,4}}{_WORDS_OF_NAME}(?:, ?{_WORDS_OF_NAME}){{1,4}}"
    rf"(?:,? [0-9]{{6}}(?![0-9]))?)"
)
# 99 Bishopsgate, London EC2M 3XD; Unter den Linden 77, 10117 Berlin; 330 Main, apt 12
_BY_POSTCODE: Final = re.compile(
    rf"{_BEGINS}(?:{_NUMBER},? (?:{_NAME}(?![A-Za-z]) ?){{1,4}},?[ \n](?:[A-Z][A-Za-z.'-]{{1,20}}[, \n]{{1,2}}){{0,3}}["
    rf"A-Z]{{1,2}}[0-9][0-9A-Z]? ?[0-9][A-Z]{{2}}(?![0-9A-Za-z])"
    rf"|(?<![A-Za-z])[{_CAPITAL}][{_SMALL}.-]{{2,20}}(?: (?:den|der|dem|am|an|van|de"
    rf"|[{_CAPITAL}][{_SMALL}]{{2,16}})){{0,3}} [0-9]{{1,4}}[a-z]?,[ \n]?[0-9]{{4,5}}(?: "
    rf"[A-Z]{{2}})? [{_CAPITAL}][{_SMALL}-]{{2,20}}"
    rf"|{_NUMBER} (?:[NSEW]\.? )?[A-Z][a-z]{{2,16}},? (?:[Aa]pt|[Uu]nit|[Ss]uite"
    rf"|#)\.? ?#?[0-9A-Za-z-]{{1,6}}(?![A-Za-z]))"
)


_LATIN: Final = re.compile(r"[^\u4e00-\u9fff]{8,}")
_DIGIT: Final = re.compile(r"[0-9]")


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield postal addresses. A street needs its house number; a lower-case one also needs a word such as "live at"."""
    text = shadow.text
    if not (shadow.has_digit and (" " in text or "\n" in text)):
        return
    if text.isascii():
        yield from _within(shadow, 0, len(text))
        return
    for stretch in _LATIN.finditer(text):  # no such address has a Chinese character in it
        if _DIGIT.search(text, *stretch.span()):
            yield from _within(shadow, *stretch.span())


def _within(shadow: Shadow, start: int, end: int) -> Iterator[Finding]:
    text, lower = shadow.text, shadow.lower
    capitals = (_TITLE_CASE, _CONTINENTAL, _FROM_INSIDE, _BY_POSTCODE) if text != lower else ()
    for pattern in (_NUMBERED, _BOX, *capitals):
        for match in pattern.finditer(text, start, end):
            leading = _LEADING.search(lower, max(0, match.start() - 32), match.start())
            yield Finding(leading.start() if leading else match.start(), match.end(), "ADDRESS", Rank.SHAPE)
    for match in _AT_HOME.finditer(text, start, end) if capitals else ():
        if _LIVING.search(lower, max(0, match.start() - 36), match.start()):
            yield Finding(match.start(), match.end(), "ADDRESS", Rank.SHAPE)
    for match in _LOWER_CASE.finditer(lower, start, end):
        words = re.findall(r"[a-z]+", match[0])
        if _STOP.isdisjoint(words) and _HOME.search(lower, max(0, match.start() - 40), match.start()):
            yield Finding(match.start(), match.end(), "ADDRESS", Rank.SHAPE)
