"""Lists of words and small phrases that the phrases of coming and going are made of."""

from __future__ import annotations

_ADVERBS = """
    really / just / actually / unfortunately / sadly / now / also / probably / honestly /
    quickly / briefly / regrettably / suddenly / simply / truly / quick / kind of / definitely /
    still / only
"""

# Having to and deciding to. Wishing to ("I'd love to go") is neither.
_MUST = """
    have to / have got to / need to / must / got to / gotta / should / ought to / better /
    going to / gonna / about to / will / shall
"""

_SPEAKER = {
    "I-must": """
        I (<adverb>) (<adverb>) <must> / I do <must>
        I've (<adverb>) got to / I've to / I'd (<adverb>) better / I'd best / I had better
        I'll (<adverb>) / I'm (<adverb>) going to / I'm gonna / I'm (<adverb>) about to
        I am (<adverb>) going to / I am about to
    """,
    # Without deciding: "I'll go" may be an offer.
    "I-have-to": """
        I (<adverb>) (<adverb>) have to / I (<adverb>) (<adverb>) need to / I (<adverb>) must
        I do have to / I do need to
        I (<adverb>) should (<adverb>) / I (<adverb>) got to / I (<adverb>) gotta
        I've (<adverb>) got to / I've to / I'd (<adverb>) better / I had better / I'll have to
    """,
    "I've": "I've (<adverb>) / I have (<adverb>)",
    "I'm": "I'm (<adverb>) (<adverb>) / I am (<adverb>) (<adverb>)",
    "I'll": "I'll (<adverb>) / I will (<adverb>) / I shall / I should",
    "I": "I",
    "my": "my",
}

LISTS = {
    "adverb": _ADVERBS,
    "must": _MUST,
    **_SPEAKER,
    "you": "you / ya / you guys / you all / you both / you two / you folks / y'all / you everyone",
    "later": """
        later / soon / around / then / again / tomorrow / shortly / next / another / sometime /
        in a / in an / in the / tonight
    """,
    "here": "this / the / our / such / your / these",
    "talk": """
        conversation / conversations / discussion / discussions / chat / chats / talk / talks /
        party / gathering / event / room / table / group / call / meeting / company / debate /
        dialogue / exchange / circle / dinner
    """,
    "washroom": """
        restroom / rest room / bathroom / washroom / toilet / loo / lavatory / ladies / ladies' /
        gents / powder room / men's / women's / facilities
    """,
    "ride": "bus / train / flight / plane / ride / cab / taxi / ferry / boat / uber / lift",
    "bye": """
        bye / goodbye / good-bye / bye bye / bye-bye / good night / goodnight / farewell / so long
    """,
    "all": "everyone / everybody / all / guys / folks / friends / ladies / gentlemen / y'all",
    "good": """
        good / great / nice / lovely / wonderful / glad / happy / so good / so nice / delighted /
        pleasant / fantastic / so glad
    """,
    "greeting": """
        hi / hello / hey / hiya / howdy / greetings / good morning / good evening /
        good afternoon / hullo / evening / morning / afternoon / yo
    """,
    "sorry": """
        sorry / apologies / pardon / apologize / apologise / forgive me / excuse me / my apologies
    """,
    "break": """
        leave / run !late / go !on / dash / rush / duck / bail / depart /
        cut !in|into|across|onions / break !it|the|bad|this|your / step !on / slip /
        say goodbye / part ways / abandon / bow / tear / interrupt but I / pull away
    """,
    # What one goes to do: "I have to go and …".
    "do": """
        get / grab / fetch / pick / check / make / take / find / meet / see / call / ring /
        phone / change / charge / recharge / receive / attend / finish / use / wash / freshen /
        feed / walk / do / buy / collect / answer / speak / prepare / pack / lie / refill /
        catch / deal / handle / sort / move / drop / order / greet / refresh / return / put /
        sit / let / relieve / water / clean / tend / pray / help / set / tell / talk / join /
        visit / show / work / sleep / eat / shower / smoke / sign / thank
    """,
}


def _of_us(phrases: str) -> str:
    """The same said by several at once."""
    said = (
        ("I've", "we've"),
        ("I'm", "we're"),
        ("I'd", "we'd"),
        ("I'll", "we'll"),
        ("I am", "we are"),
    )
    for one, several in (*said, ("I ", "we "), ("my", "our")):
        phrases = phrases.replace(one, several)
    return "we" if phrases == "I" else phrases


# For joint speakers: "We have to run".
OUR_LISTS = LISTS | {name: _of_us(phrases) for name, phrases in _SPEAKER.items()}
