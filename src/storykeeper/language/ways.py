"""Which way somebody goes, where no place is named (north, back, upstairs); and what is a going.

Any verb is one that takes its doer somewhere by what follows it: "slip off to the cellar", "make my
way to the yard". Where something stands between that is done to, it is not its doer who goes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from storykeeper.language.acts import ActKind
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.phrases import PARTICLES, PREPOSITIONS, Token, is_adverb
from storykeeper.language.verbs import kind_of
from storykeeper.units import EntityId

_SHORT = {
    "n": "north", "s": "south", "e": "east", "w": "west", "ne": "northeast", "nw": "northwest",
    "se": "southeast", "sw": "southwest", "d": "down",
}  # fmt: skip
WAYS = frozenset(
    ["north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest", "up",
     "down", "back", "out", "in", "inside", "outside", "upstairs", "downstairs", "home", "left",
     "right", "forward", "ahead", "away"]
)  # fmt: skip

_OFF = frozenset(
    ["off", "away", "out", "over", "down", "up", "back", "across", "along", "round", "around",
     "upstairs", "downstairs", "home", "outside", "inside"]
)  # fmt: skip
_STRAIGHT = frozenset({"straight", "right", "then", "just", "all", "the"})  # "all the way to"
_GOAL = frozenset({"to", "into", "onto"})
_POINTING = frozenset({"the", "my", "our", "your", "his", "her", "their", "this", "that"})
_DOORS = frozenset({"door", "doors", "doorway", "window", "gate", "hatch", "exit", "back", "front"})
# Of these the face, the hand, the word or the mind goes there, and not the one who does it.
_NOT_THERE = frozenset({VerbClass.PERCEIVE, VerbClass.SAY, VerbClass.ASK, VerbClass.THINK,
                        VerbClass.FEEL})  # fmt: skip
_FACING = frozenset(
    ["turn", "lean", "reach", "bend", "gesture", "motion", "beckon", "refer", "belong", "hold",
     "hand", "switch", "face", "throw", "hurl", "send", "stretch", "shine", "open", "stick", "be",
     "give", "write", "crane", "lead", "stand", "sit", "lie", "listen", "help", "talk"]
)  # fmt: skip


def is_going(tokens: Sequence[Token], at: int, verb: str, places: Collection[EntityId]) -> bool:
    """Whether a verb takes its doer to one of the author's places, by what stands after it."""
    classes = verb_classes(verb)
    if verb in _FACING or classes & _NOT_THERE or kind_of(verb) is ActKind.EMOTE:
        return False
    i, off = at + 1, False
    while i < len(tokens) and (_is_off(tokens, i) or _is_how(tokens[i].text)):
        off = off or _is_off(tokens, i)
        i += 1
    if i >= len(tokens) or tokens[i].text not in _GOAL or not (off or VerbClass.MOVE in classes):
        return False
    i += 1
    while i < len(tokens) and tokens[i].entity is None and tokens[i].text in _POINTING:
        i += 1
    return i < len(tokens) and tokens[i].entity in places


def _is_off(tokens: Sequence[Token], i: int) -> bool:
    """Whether a word says that one goes: off, myself, my way."""
    word = tokens[i].text
    own = word in ("my", "our") and i + 1 < len(tokens) and tokens[i + 1].text == "way"
    return own or word in _OFF or word in ("myself", "ourselves")


def _is_how(word: str) -> bool:
    return word in _STRAIGHT or word == "way" or is_adverb(word)


def way_after(tokens: Sequence[Token], verb: int) -> tuple[str, int]:
    """The way that stands after a verb, and where; "in" before a room is no way."""
    for i in range(verb + 1, min(verb + 5, len(tokens))):
        word = _SHORT.get(tokens[i].text, tokens[i].text) if i == verb + 1 else tokens[i].text
        if tokens[i].entity is None and word in WAYS and _alone(tokens, i):
            return word, i
    return "", -1


def only_way(tokens: Sequence[Token]) -> str:
    """The way that a whole clause is: "n", "north"."""
    if len(tokens) != 1 or tokens[0].entity is not None:
        return ""
    word = _SHORT.get(tokens[0].text, tokens[0].text)
    return word if word in WAYS else ""


def is_way(tokens: Sequence[Token]) -> bool:
    """Whether the first of some words is a way: "out", "back to the yard"."""
    return bool(tokens) and tokens[0].entity is None and tokens[0].text in WAYS


def _is_door(tokens: Sequence[Token], i: int) -> bool:
    """Whether what one goes out by stands there: "the door", "the front window"."""
    pointed = tokens[i].text in _POINTING
    return pointed and any(t.text in _DOORS for t in tokens[i + 1 : i + 3])


def _alone(tokens: Sequence[Token], i: int) -> bool:
    if tokens[i].text not in PREPOSITIONS | PARTICLES or i + 1 == len(tokens):
        return True
    after = tokens[i + 1].text
    if tokens[i].text == "out" and (after == "of" or _is_door(tokens, i + 1)):
        return True
    return tokens[i + 1].entity is None and (after in PREPOSITIONS | PARTICLES or after in ",and")
