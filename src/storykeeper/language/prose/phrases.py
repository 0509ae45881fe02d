"""Nouns that are not what they seem: measures, idioms, titles.

"A pair of boots" is boots, "a kind of lamp" a lamp, and nobody holds the hand in "on the other
hand".
"""

from __future__ import annotations

import re

from storykeeper.language.prose.words import listed

# Of these, what is counted: "a pair of boots" is boots.
COUNTING = listed(
    """
    pair kind sort type set bunch number lot couple dozen score hundred thousand row pile heap
    stack handful series rest half third quarter majority bit piece scrap fragment shred pack lump
    slice variety range remainder array string one some many most all none each both two three
    four five several few any plenty trace tangle cluster clump mass load bundle collection
    selection assortment dozens hundreds thousands lots heaps piles rows pairs pieces bits scraps
    sheet strip loop length square heel hunk chunk wedge slab crust coil ball roll swatch
    """
)
# Of these, pieces of what is otherwise matter at large: a strip of cloth is a thing.
PIECES = listed(
    """
    sheet piece bit scrap bundle string collection strip loop length square heel hunk chunk wedge
    slab crust coil ball roll swatch lump slice shred
    """
)
# Of these, what holds: "a cup of coffee" is a cup, and the coffee says which.
HOLDING = listed(
    """
    cup mug glass bowl plate bottle flask jug pitcher pot pan bucket pail jar vial tin can box bag
    sack basket crate barrel cask keg tankard goblet spoon tray packet pouch saucer kettle carafe
    decanter chest tub vase thermos canteen ladle dish tumbler phial
    """
)
TITLES = listed(
    """
    mr mr. mrs mrs. ms ms. miss mister dr dr. doctor captain capt. sir lady lord king queen prince
    princess father mother brother sister uncle aunt auntie professor prof. colonel col. major
    general sergeant sgt. lieutenant lt. constable inspector detective officer judge saint st.
    reverend rev. madame madam monsieur count countess duke duchess baron baroness master mistress
    old young poor dear little president senator governor grandma grandpa nurse cousin agent chief
    commander admiral
    """
)

# Noun → words just before it that make an idiom of the two.
_AFTER: dict[str, str] = {
    "hand": "at|by|in|on the other|on the one|out of|to|on every|lend a|first|second|give a",
    "heart": "by|at|take|lose|to|break|know by",
    "foot": "on|set|on its|under",
    "head": "ahead|come to a|off the top of her",
    "face": "to|in the|make a|lose|save|about|face to|pull a",
    "eye": "in the mind's|to the naked|catch the",
    "ground": "gain|lose|give|stand her|stand his|break new",
    "note": "take|took|taking|of|make a mental",
    "watch": "keep|on|stand|kept|stood|keeping|standing",
    "match": "no",
    "picture": "out of the|get the|big",
    "board": "on|across the|above",
    "stake": "at",
    "book": "by the",
    "bell": "ring a|rings a|rang a",
    "cover": "take|took|under|run for",
    "arm": "up in|at arm's",
    "step": "take a|took a|taking a|takes a|step by|in|out of|take another|took another|took one",
    "case": "in|in any|in that|in this|in each|just in|in case",
    "fire": "on|open|opened|under|cease|caught|catch",
    "door": "next|out of|out",
    "track": "keep|lose|lost|kept|off the beaten",
    "present": "at|for the",
    "sign": "no|any|a good|a bad|every",
    "shape": "in|out of",
    "key": "off|in",
    "bed": "make the",
    "wood": "knock on|touch",
    "street": "on easy",
    "general": "in",
    "front": "in",
    "side": "by the|at the|on the far|on the other|on this|on either|to one|on all",
    "piece": "in|to|into",
    "bucket": "kick the|kicked the|kicks the|kicking the",
    "bean": "spill the|spilled the|spilt the|spills the|spilling the",
    "towel": "throw in the|threw in the|throws in the|throwing in the",
    "bullet": "bite the|bit the|bites the|biting the",
    "cat": "let the|lets the|letting the",
    "sack": "hit the|got the|get the",
    "hay": "hit the",
    "ice": "break the|broke the|breaks the|breaking the",
    "hatchet": "bury the|buried the",
    "nerve": "lose her|lost her|lose his|lost his",
    "leg": "pull your|pulling your|pulling my|break a|shake a",
    "gun": "jump the|jumped the",
    "plug": "pull the|pulled the",
    "middle": "in the",
    "midst": "in the",
    "ship": "jump",
    "wing": "take",
    "sea": "at",
    "light": "in|bring to|come to|in this|in a new",
    "hold": "take|took|take a firm",
    "company": "keep|in the|for",
    "party": "third",
    "page": "on the same",
    "wall": "off the",
    "chest": "off her|off his",
    "rope": "know the|learn the",
    "post": "at his|at her",
    "part": "in|take|for the most|for his|for her",
    "line": "on the|in|out of",
    "bridge": "burn",
    "string": "pull",
    "card": "in the|on the",
    "table": "on the bargaining",
    "world": "in the|for all the|out of this",
    "earth": "on|why on|what on|how on",
    "place": "take|took|in|taking|takes|in the first|in its|in his|in her|out of|in one's",
    "country": "cross",
    "spot": "on the",
    "corner": "round every",
    "bill": "foot the",
    "breath": "under her|under his",
    "ball": "on the",
    "top": "on|over the",
    "back": "behind her|at the|on the",
    "boot": "to",
    "mouth": "word of",
    "throat": "clear her|cleared her|clear his|cleared his",
    "court": "hold|pay",
    "bar": "behind",
    "bay": "at",
    "bank": "break the",
    "dust": "bite the",
    "nail": "hit the",
    "shot": "a long|have a|take a",
    "length": "at",
    "square": "back to",
}
IDIOMS: dict[str, re.Pattern[str]] = {
    noun: re.compile(rf"(?:^|\W)(?:{befores})\s+$", re.IGNORECASE)
    for noun, befores in _AFTER.items()
}
LONGEST_BEFORE = 24
# What follows makes an idiom of these: "a sign of life", "in front of", "the hands of fate".
IDIOM_IF_OF = listed("sign shot gleam web wall shower stream burst wave")
# Before these words they are no nouns at all: "bolt upright", "a shade too quickly".
IDIOM_BEFORE: dict[str, frozenset[str]] = {
    "bolt": listed("upright"),
    "shade": listed("too more less"),
    "stone": listed("cold dead deaf"),
    "dead": listed("ahead"),
}
# Never things in the plural: "things went wrong".
PLURAL_ABSTRACT = frozenset({"thing", "mean", "spirit", "ground", "circumstance", "odds", "stake"})

# "Took a look", "gave him a hug": the noun is what is done.
LIGHT_VERBS = frozenset({"take", "have", "give", "make", "throw", "cast", "steal", "shoot", "let"})
LIGHT_NOUNS: dict[str, str] = {
    noun: noun
    for noun in [
        "look",
        "glance",
        "peek",
        "sip",
        "bite",
        "hug",
        "kiss",
        "nod",
        "smile",
        "shrug",
        "kick",
        "push",
        "pull",
        "shove",
        "slap",
        "wave",
        "bow",
        "stare",
        "sniff",
        "gulp",
        "walk",
        "ride",
        "guess",
        "promise",
        "swig",
        "drag",
        "puff",
        "shudder",
        "sigh",
        "laugh",
        "grin",
        "frown",
        "wink",
        "shout",
        "cry",
        "scream",
        "embrace",
        "squeeze",
        "tug",
        "pat",
        "poke",
        "glimpse",
        "hint",
        "shake",
        "stroll",
        "rest",
        "swim",
    ]
} | {"peep": "peek", "taste": "taste", "step": "step", "listen": "listen", "call": "call"}
