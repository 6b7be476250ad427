"""English word lists that the rules refer to."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RELATIONS: Final = (
    "(?:(?:step|half-|grand|god|great-)?(?:mother|father|brother|sister|son|daughter|mum|mom|dad|parents?|child|kid"
    "|children|kids)(?:-in-law)?|mommy|mummy|daddy|granny|grandma|grandpa|gran|nan|nana|aunt(?:ie|y)?|uncle|cousin"
    "|nephew|niece|twin|sibling|siblings|husband|wife|spouse|fianc[eé]e?|partner|girlfriend|boyfriend|ex"
    "|friend|buddy|pal|mate|flatmate|roommate|housemate|neighbou?r|colleague|co-?worker|workmate|teammate|boss"
    "|manager|supervisor|mentor|advisor|tutor|teacher|coach|doctor|dentist|therapist|landlord|landlady|tenant"
    "|classmate|assistant|intern|client|pastor|nanny|babysitter|trainer)"
)
RELATION_EXTRA: Final = r"(?:(?:best|good|close|old|older|younger|elder|eldest|youngest|little|big|late|new|oldest|other|ex-?|former|direct|line|twin|dear|childhood|school) )*"

PETS: Final = (
    "(?:dog|puppy|cat|kitten|parrot|tortoise|turtle|rabbit|bunny|hamster|guinea pig|hedgehog|ferret|gecko|snake|lizard"
    "|budgie|canary|cockatiel|cockatoo|goldfish|fish|horse|pony|donkey|goat|sheep|chicken|hen|duck|axolotl|rat|mouse"
    "|gerbil|chinchilla|iguana|bird|pet|corgi|poodle|labrador|lab|beagle|terrier|retriever|spaniel|dachshund|husky"
    "|collie|greyhound|whippet|pug|bulldog|tabby|siamese|ragdoll|macaw|finch|frog|newt|tarantula|alpaca|llama|pig)"
)

OCCUPATIONS: Final = _words(
    "nurse chef cook vet doctor surgeon pilot judge clerk guard farmhand nun monk priest imam rabbi architect pharmacist"
    " paramedic midwife accountant consultant analyst scientist biologist chemist physicist developer engineer programmer"
    " designer teacher lecturer professor tutor student lawyer solicitor barrister attorney paralegal journalist author"
    " writer poet novelist editor translator interpreter photographer painter sculptor musician violinist cellist pianist"
    " drummer dancer actor actress director producer librarian archivist curator historian economist banker broker trader"
    " cashier waiter waitress barista bartender baker butcher fishmonger grocer florist gardener landscaper farmer"
    " beekeeper fisherman shepherd carpenter joiner plumber electrician mechanic welder mason bricklayer roofer glazier"
    " tailor seamstress cobbler jeweller watchmaker clockmaker locksmith blacksmith potter hairdresser barber beautician"
    " driver courier postman firefighter policeman policewoman soldier sailor captain astronaut physiotherapist"
    " psychologist psychiatrist therapist dentist optician radiographer radiologist cardiologist dermatologist"
    " paediatrician pediatrician anaesthetist caregiver carer nanny housekeeper cleaner janitor secretary receptionist"
    " recruiter manager administrator sysadmin devops dba tester freelancer entrepreneur founder ceo cto cfo contractor"
    " salesperson salesman realtor surveyor geologist meteorologist ecologist botanist zoologist veterinarian technician"
    " operator conductor stewardess steward postdoc researcher statistician mathematician actuary auditor inspector"
    " detective diver ranger forester arborist illustrator animator sommelier brewer winemaker undertaker referee"
    " instructor trainer coach caretaker roaster chemist optometrist podiatrist nutritionist dietitian"
)
NOT_OCCUPATIONS: Final = _words(
    "beginner believer member lover owner user eater riser reader learner driver's sleeper drinker smoker speaker winner"
    " loser newcomer foreigner teenager father mother brother sister daughter neighbor supporter follower customer stranger"
    " visitor survivor hoarder worrier player runner swimmer walker collector sinner fighter"
)
OCCUPATION_SUFFIXES: Final = ("er", "or", "ist", "ian", "eer", "ant", "smith", "wright", "man", "woman")

NATIONALITIES: Final = _words(
    "american british english scottish welsh irish canadian australian french german austrian swiss dutch belgian danish"
    " swedish norwegian finnish icelandic polish czech slovak hungarian romanian bulgarian serbian croatian slovenian"
    " bosnian albanian greek turkish cypriot italian spanish portuguese maltese russian ukrainian belarusian estonian"
    " latvian lithuanian georgian armenian israeli lebanese syrian jordanian egyptian moroccan algerian tunisian kenyan"
    " nigerian ghanaian ethiopian ugandan tanzanian zimbabwean african indian pakistani bangladeshi nepali nepalese"
    " chinese taiwanese japanese korean vietnamese thai malaysian indonesian filipino singaporean mongolian kazakh"
    " uzbek iranian iraqi afghan mexican cuban colombian venezuelan peruvian chilean argentinian argentine brazilian"
    " uruguayan bolivian ecuadorian jamaican haitian kiwi catalan basque sami kurdish"
)
DIETS: Final = (
    r"(?:strict(?:ly)? |mostly |a )?(?:vegan|vegetarian|pescatarian|pescetarian|flexitarian|gluten[- ]free|dairy[- ]free|keto|kosher|halal"
    r"|teetotal|lactose[- ]intolerant|gluten[- ]intolerant|coeliac|celiac|raw vegan|paleo)"
)
CONDITIONS: Final = (
    r"(?:type [12] diabetes|diabetes|asthma|epilepsy|migraines?|adhd|add|autism|dyslexia|dyscalculia|arthritis|eczema|psoriasis|coeliac"
    r"(?: disease)?|celiac(?: disease)?|crohn's(?: disease)?|ibs|high blood pressure|low blood pressure|hypertension|anaemia|anemia|insomnia"
    r"|tinnitus|depression|anxiety|ocd|hay fever|a heart condition|a bad (?:back|knee|hip|shoulder)|scoliosis|glaucoma|sleep apn(?:o)?ea"
    r"|lupus|gout|endometriosis|a pacemaker|chronic [a-z ]{3,25}|hypothyroidism|hyperthyroidism|ms|multiple sclerosis|vertigo|rosacea)"
)
ADJECTIVES: Final = _words(
    "ok okay fine good great well happy sad glad sorry tired busy ready sure afraid aware able unable angry bored curious"
    " confused done free here back home late early alone lost new hungry thirsty sick ill better worse excited worried"
    " stuck interested grateful thankful right wrong serious kidding joking in out up down on off at with not just still"
    " also so very too really quite pretty trying going looking getting having thinking wondering asking working doing"
    " making feeling using running reading writing learning planning hoping sitting standing waiting talking all about"
    " awake asleep online offline sober drunk broke pregnant impressed surprised disappointed amazed proud lucky"
    " comfortable familiar concerned convinced certain available inspired motivated nervous stressed exhausted"
)
"""What follows "I'm" or "is" without being a name or a lasting trait."""

ABOUT_STOP: Final = _words(
    "think guess hope wonder know mean see hear agree suppose believe feel want need wish try ask say tell understand get"
    " got remember forget appreciate doubt imagine assume expect notice realise realize promise apologise apologize thank"
    " bet swear figure find keep-on go come look seem sound do did make let may might can could would should will shall"
    " must care mind disagree suggest recommend give show be am was were have had has 'm 're 've used require love like"
    " hate prefer enjoy just only even then so and or but if when because to of in at on for with the a an it this that"
    " these those there here what which who how why where not no yes please thanks sorry ok okay refer concur second"
    " miss regret fear admit insist trust confess recall propose request deserve owe dare happen tend lol haha really"
    " wanna gonna gotta rock feel last stay wait handle believe continue push change encourage support both totally completely learn share build write look-forward start"
    " currently post pasted attach attached copied call send"
)
"""Verbs after "I" that do not say anything lasting."""

KEPT_VERBS: Final = {"keep": r"keep (?:getting|having|seeing|thinking|trying|forgetting|on)\b"}
"""Verbs that are lasting save for these uses."""

EVENTS: Final = _words(
    "bought sold got adopted married divorced moved started finished completed graduated passed failed broke fractured"
    " sprained planted repainted painted built repaired fixed restored renovated installed assembled launched published"
    " released wrote won lost joined left quit resigned retired founded opened closed signed booked cancelled canceled"
    " visited travelled traveled hiked climbed ran sailed flew ordered received inherited donated registered enrolled"
    " applied hired fired promoted switched migrated upgraded replaced repotted pruned harvested baked brewed knitted"
    " sewed learned learnt met became gave donated organised organized attended hosted performed ordered paid submitted"
    " delivered recorded shot filmed sold exhibited earned achieved changed cut dyed celebrated turned made took had went"
    " saw read watched spoke called tried stopped grew cleaned tidied rearranged put set"
)
"""Past forms that tell of something that happened."""
WEAK_EVENTS: Final = _words(
    "got had went saw read watched called tried made took put set gave met wrote changed turned paid cut ran spoke left"
    " lost closed opened started finished fixed cleaned tidied stopped ordered received failed broke submitted"
)
"""Past forms too common to be kept when no day was said, unless the value is the person's own thing."""

OWN_STOP: Final = _words(
    "question questions problem problems issue issues idea doubt doubts feeling suggestion request moment minute second"
    " look point meeting call bug error list file string table function class method script query array dataframe csv"
    " json code time chance reason thought thoughts sense trouble favor favour opinion example task bit lot number couple"
    " hunch concern concerns need plan plans news update go say fun coffee lunch dinner breakfast drink dream headache cold"
    " fever cough exam test interview appointment flight deadline presentation"
    " couple text document paragraph sentence essay image picture screenshot link dataset column variable loop log"
)
"""Things one "has" only for the moment."""

DETAIL_STOP: Final = _words(
    "question questions problem issue point guess idea opinion understanding code function script bug error query app"
    " program test tests input output result results goal thought thoughts feeling concern first second last next mind"
    " head english answer request apologies bad mistake turn day night morning evening weekend week"
    " experience impression take view plan message text prompt hope worry boy girl goodness god life family eyes"
)
"""Nouns after "my" whose state is not worth keeping."""
STATES: Final = _words(
    "broken slow fast great good bad fine ok okay nice wonderful terrible awful amazing ready done late early busy tired"
    " sick ill full empty dead gone lost missing wrong right correct crashing failing working running sore cold hot wet"
    " dirty clean messy noisy quiet important easy hard difficult simple complicated boring interesting stuck here there"
    " not so too very really pretty quite just still getting going acting giving killing driving making doing feeling"
    " looking being a an the about all over up down out off on in at what how why that this as like to"
)
"""What a thing is only for the moment, or words that begin something other than a value."""

ADVERBS: Final = (
    r"(?:(?:really|truly|absolutely|totally|simply|just|also|always|still|particularly|especially|quite|ve"
    r"ry much|genuinely|deeply|do|kind of|sort of|mostly|mainly|primarily|usually|generally|often|sometime"
    r"s|currently|now|actually|both|only|personally|definitely|pretty much|all|recently|happily|already|ne"
    r"ver|regularly|normally|typically|exclusively|officially) )*"
)
"""Adverbs before a verb, each with its space; may be none."""

LISTS: Final = {
    "ADVERBS": ADVERBS,
    "CONDITIONS": CONDITIONS,
    "DIETS": DIETS,
    "MONTHS": "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    "PETS": PETS,
    "RELATIONS": RELATIONS,
    "RELATION_EXTRA": RELATION_EXTRA,
}
"""Lists by the names that the TOML files put in angle brackets."""
