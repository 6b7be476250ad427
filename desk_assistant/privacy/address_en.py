"""Postal addresses as they are written in English, and the commonest continental forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

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
    r"(?:,? ?(?:(?:[Aa]pt|[Aa]partment|[Uu]nit|[Ss]uite|[Ss]te|[Ff]lat|[Ff]loor|[Ff]l|[Rr]oom|[Rr]m"
    r"|[Bb]ldg|[Bb]uilding|PH)\.? ?#?[0-9A-Za-z-]{1,6}|#[0-9A-Za-z-]{1,6}|[0-9]{1,2}(?:st|nd|rd"
    r"|th) [Ff]loor))"
)
_TOWN: Final = (
    r"(?:,? (?!(?:I|It|We|They|He|She|My|The|And|But|Please|Call|Thanks|Phone|Tel"
    r"|Email)\b)[A-Z][A-Za-z.'-]{1,20}(?![0-9])(?: [A-Z][A-Za-z.'-]{1,20}(?![A-Za-z0-9])){0,2})"
)
_NAME: Final = r"(?:[A-Z][A-Za-z.'-]{0,20}|[0-9]{1,3}(?:st|nd|rd|th)|of|the|de|la|van)"
_FIRST: Final = r"(?:(?:[Aa]pt|[Aa]partment|[Uu]nit|[Ff]lat|[Ss]uite|[Rr]oom)\.? ?[0-9A-Za-z-]{1,6},? )?"
_NUMBER: Final = r"(?<![0-9A-Za-z.,:$#/-])[0-9]{1,5}(?:[A-Za-z]|-[0-9]{1,5}|/[0-9]{1,4})?"

_NO_NAME: Final = (
    r"(?!(?:Hour|Day|Minute|Star|Mile|Year|Week|Month|Man|Second|First|Great|Grand|Best|Top|Jump|Angry)s?\b)"
)

_TITLE_CASE: Final = re.compile(
    rf"{_FIRST}{_NUMBER},? {_NO_NAME}(?:{_NAME} ){{0,4}}?{_NAME} (?i:{_KIND})\b\.?(?: (?:N|S|E|W|NE|NW"
    r"|SE|SW|North|South|East|West)\b\.?)?"
    rf"(?:{_UNIT}){{0,2}}(?:{_TOWN}{{1,2}}(?:,? (?:{_STATE})(?![A-Za-z]))?(?:,? {_POSTCODE})?"
    rf"|,? (?:{_STATE}) {_POSTCODE}|,? {_POSTCODE})?"
)
_NUMBERED: Final = re.compile(
    rf"{_NUMBER} (?:Broadway|(?:(?:[NSEW]|North|South|East|West)\.? )?[0-9]{{1,3}}(?:st|nd|rd"
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
    r"|meet (?:me )?at|office is at|is at|(?:our|my|her|his|their) (?:house|home|place|apartment"
    r"|office|flat),?(?: is)?)[ :]{0,2}$"
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
_CONTINENTAL: Final = re.compile(
    r"(?<![A-Za-z])[A-ZÄÖÜ][a-zäöüß-]{2,24}(?:straße|strasse|str\.|weg|platz|gasse|allee|damm|ufer"
    r"|ring) [0-9]{1,4}[a-z]?(?![0-9A-Za-z])(?:,? [0-9]{5} [A-ZÄÖÜ][a-zäöüß-]{2,24})?"
    r"|(?<![0-9A-Za-z])[0-9]{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|chemin|allée|impasse"
    r"|quai) (?:(?:de|du|des|la|le|les|d'|l'|de la) ?){0,2}[A-ZÉÈÀ][a-zéèàêç'-]{2,24}(?:[ -][A-ZÉÈÀ]"
    r"[a-zéèàêç'-]{2,24}){0,2}(?:,? [0-9]{5} [A-ZÉ][a-zéèê-]{2,24})?"
    r"|(?<![A-Za-z])(?:Calle|Avenida|Av\.|Via|Viale|Piazza|Rua|Plaza) (?:(?:de|del|la|los|das|dos|di"
    r"|da) ){0,2}[A-ZÁÉÍÓÚ][a-záéíóúñ'-]{2,24}(?: [A-ZÁÉÍÓÚ][a-záéíóúñ'-]{2,24}){0,2},? (?:n[º°.] ?)?"
    r"[0-9]{1,4}(?![0-9A-Za-z])"
)


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield postal addresses. A street needs its house number; a lower-case one also needs a word such as "live at"."""
    text, lower = shadow.text, shadow.lower
    for pattern in (_TITLE_CASE, _NUMBERED, _BOX, _CONTINENTAL):
        for match in pattern.finditer(text):
            yield Finding(match.start(), match.end(), "ADDRESS", Rank.SHAPE)
    for match in _LOWER_CASE.finditer(lower):
        words = re.findall(r"[a-z]+", match[0])
        if _STOP.isdisjoint(words) and _HOME.search(lower, max(0, match.start() - 40), match.start()):
            yield Finding(match.start(), match.end(), "ADDRESS", Rank.SHAPE)
