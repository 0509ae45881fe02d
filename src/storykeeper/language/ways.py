"""Which way somebody goes, where no place is named: north, back, upstairs."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.language.phrases import PARTICLES, PREPOSITIONS, Token

_SHORT = {
    "n": "north", "s": "south", "e": "east", "w": "west", "ne": "northeast", "nw": "northwest",
    "se": "southeast", "sw": "southwest", "d": "down",
}  # fmt: skip
_NAMED = frozenset(
    ["north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest", "up",
     "down", "back", "out", "in", "inside", "outside", "upstairs", "downstairs", "home", "left",
     "right", "forward", "ahead", "away"]
)  # fmt: skip


def way_after(tokens: Sequence[Token], verb: int) -> tuple[str, int]:
    """The way that stands after a verb, and where; "in" before a room is no way."""
    for i in range(verb + 1, min(verb + 5, len(tokens))):
        word = _SHORT.get(tokens[i].text, tokens[i].text) if i == verb + 1 else tokens[i].text
        if tokens[i].entity is None and word in _NAMED and _alone(tokens, i):
            return word, i
    return "", -1


def only_way(tokens: Sequence[Token]) -> str:
    """The way that a whole clause is: "n", "north"."""
    if len(tokens) != 1 or tokens[0].entity is not None:
        return ""
    word = _SHORT.get(tokens[0].text, tokens[0].text)
    return word if word in _NAMED else ""


def _alone(tokens: Sequence[Token], i: int) -> bool:
    if tokens[i].text not in PREPOSITIONS | PARTICLES or i + 1 == len(tokens):
        return True
    after = tokens[i + 1].text
    return tokens[i + 1].entity is None and (after in PREPOSITIONS | PARTICLES or after in ",and")
