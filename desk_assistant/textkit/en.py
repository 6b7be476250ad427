"""English function words and abbreviations."""

from __future__ import annotations

from typing import Final


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Grammar only. Words of time, place and number stay searchable, and so do names of things that happen to be common.
STOP_WORDS: Final = _listed(
    """
    a an the this that these those some any no not nor
    and or but if then than so as of at by for from in into on onto out over to up down off with without about between
    through during against per via
    i me my mine myself we us our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves one ones
    am is are was were be been being do does did doing done have has had having
    will would shall should can could may might must ought
    what which who whom whose when where why how
    there here also just very too only even still yet again ever
    i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've we'd we'll they're they've they'd they'll
    that's there's here's what's who's where's when's how's let's
    don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't can't cannot couldn't
    shouldn't mustn't ain't
    """
)

# Words of talking about the talk itself: they say that something was said, never what.
TALK_WORDS: Final = _listed(
    """
    say said saying tell told telling talk talked talking mention mentioned discuss discussed discussing speak spoke
    remember recall remind last previous previously earlier before time again conversation chat session topic thing
    things stuff something anything we'd please hey hi hello ok okay yes yeah left continue carry pick go going let
    """
)

ABBREVIATIONS: Final = _listed(
    """
    mr mrs ms dr prof sr jr st vs etc e.g i.e eg ie no fig approx dept est inc ltd co corp jan feb mar apr jun jul aug
    sep sept oct nov dec mon tue tues wed thu thur thurs fri a.m p.m u.s u.k
    """
)


def _base_forms(table: str) -> dict[str, str]:
    return {form: forms[0] for forms in map(str.split, table.split(";")) for form in forms[1:]}


# Irregular forms that no stemmer leads back to their base form, which stands first. Forms that are better known as
# another word (ground, wound, bound, lay) are left out.
BASE_FORMS: Final = _base_forms(
    """
    go went gone; buy bought; bring brought; think thought; teach taught; catch caught; seek sought; fight fought;
    make made; take took taken; give gave given; come came; see saw seen; know knew known; grow grew grown;
    fly flew flown; draw drew drawn; throw threw thrown; blow blew blown; write wrote written; drive drove driven;
    ride rode ridden; rise rose risen; choose chose chosen; speak spoke spoken; break broke broken; wake woke woken;
    steal stole stolen; freeze froze frozen; wear wore worn; tear tore torn; swear swore sworn; get got gotten;
    forget forgot forgotten; forgive forgave forgiven; eat ate eaten; fall fell fallen; feel felt; keep kept;
    sleep slept; sweep swept; leave left; meet met; send sent; spend spent; build built; lend lent; bend bent;
    lose lost; shoot shot; sit sat; stand stood; understand understood; win won; hold held; hear heard; tell told;
    sell sold; say said; pay paid; begin began begun; drink drank drunk; sing sang sung; ring rang rung;
    swim swam swum; run ran; sink sank sunk; find found; feed fed; lead led; bleed bled; breed bred; deal dealt;
    mean meant; dream dreamt; learn learnt; burn burnt; hang hung; stick stuck; strike struck; dig dug; slide slid;
    hide hid hidden; bite bit bitten; light lit; shake shook shaken; shine shone; show shown; sew sewn; sow sown;
    become became; overcome overcame; withdraw withdrew withdrawn; mistake mistook mistaken;
    child children; man men; woman women; person people; foot feet; tooth teeth; mouse mice; goose geese; wife wives;
    knife knives; shelf shelves; half halves; wolf wolves; thief thieves
    """
)
