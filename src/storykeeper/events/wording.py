"""Words of English by which something is meant without being named, told apart or titled.

What refers to what is decided by them when a turn becomes fact, and how often something was called
when it is folded: neither `world` nor `entities` has words of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

_PRONOUNS = """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves thou thee thy
    he him his himself she her hers herself it its itself they them their theirs themselves 'em
    this that these those one ones other others another both all each either none some any many
    who whom whose which what someone somebody something anyone anybody anything everyone
    everybody everything nobody nothing
"""
# What stands for something without saying what it is.
STANDING_IN = frozenset(_PRONOUNS.split())


ANYTHING = frozenset({"thing", "object", "item"})  # "the thing" is a long "it"
# These say no more of somebody than "he" or "she" does.
ANYBODY = frozenset({"man", "woman", "boy", "girl", "lady", "gentleman", "lad", "lass", "fellow"})
HE, SHE = "he", "she"
GENDERED = {  # what a title says of who has it
    "mr": HE, "sir": HE, "lord": HE, "mrs": SHE, "miss": SHE, "lady": SHE, "ms": SHE,
}  # fmt: skip
OTHER = frozenset({"other"})
NEW = frozenset({"a", "an", "another"})  # who is spoken of for the first time
TITLES = frozenset({
    "aunt", "captain", "count", "doctor", "dr", "father", "general", "king", "lady", "lord", "m",
    "madame", "master", "miss", "mr", "mrs", "ms", "prince", "princess", "professor", "queen",
    "sir", "uncle",
})  # fmt: skip
# What is there everywhere, and hardly one particular thing.
EVERYWHERE = frozenset({
    "air", "ceiling", "cloud", "darkness", "earth", "floor", "ground", "light", "people", "public",
    "rain", "reader", "shadow", "side", "sky", "smoke", "snow", "sun", "thing", "wall", "water",
    "wind", "world",
})  # fmt: skip
# Of one row only one can be true of a thing: the red cup is not the blue one.
CONTRASTS = tuple(
    frozenset(row.split())
    for row in (
        "red blue green yellow black white brown grey gray purple pink golden silver orange",
        "big small large little huge tiny great",
        "old new young fresh ancient",
        "left right middle",
        "first second third fourth fifth last",
        "full empty half-empty",
        "open closed shut",
        "wooden iron brass silver gold golden stone glass leather tin steel bronze paper clay bone",
        "tall short long",
        "clean dirty filthy",
        "broken unbroken whole intact",
        "own other another",
        "pressed fresh wild dried",
        "upper lower",
        "inner outer front back",
        "near far nearest farthest",
        "wet dry",
        "hot cold warm",
        "lit unlit dark",
    )
)


def contradicts(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether two descriptions cannot be of one thing."""
    for row in CONTRASTS:
        mine, theirs = row.intersection(one), row.intersection(other)
        if mine and theirs and not mine & theirs:
            return True
    return False
