"""What stands around what is meant in a typed line, and is none of it: ok, lol, then, "i said".

These are closed classes. They are taken off the edges of a clause if something is left; alone they
are said.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from storykeeper.language.phrases import Token
from storykeeper.language.verbs import base, is_verb
from storykeeper.language.ways import WAYS, is_way
from storykeeper.units import EntityId

FILLERS = frozenset(
    ["ok", "okay", "k", "lol", "lmao", "rofl", "haha", "hahaha", "heh", "omg", "wtf", "well", "so",
     "then", "now", "alright", "right", "fine", "um", "uh", "er", "hmm", "oh", "ah", "hey", "and",
     "anyway", "anyways", "please", "just", "nah", "yeah", "yep", "nope", "no", "yes", "sure",
     "but", "great", "cool", "nice", "actually", "also", "again", ",", "dude", "man", "bro", "ugh"]
)  # fmt: skip
_SAID = frozenset({"yes", "no", "yeah", "yep", "nah", "nope", "sure", "please", "hey"})
_BEFORE_PLACES = frozenset({"to", "into", "onto", "toward", "towards", "the", "my", "our", "for"})


def unframed(tokens: Sequence[Token], known: frozenset[str]) -> Sequence[Token]:
    """A clause without what says only that it is said again: "lol i said i go to the yard"."""
    i = _past(tokens, 0)
    if [t.text for t in tokens[i : i + 2]] != ["i", "said"]:
        return tokens
    rest = tokens[i + 2 :]
    done = rest[1:] if rest[:1] and rest[0].text == "i" else rest
    if done and _is_plainly_done(done[0], known):
        return rest
    return rest if is_way(done) else tokens


def _is_plainly_done(token: Token, known: frozenset[str]) -> bool:
    """Whether a verb stands there as it does in an order or a promise."""
    word = token.text
    plainly = base(word, known) == word and is_verb(word, known)
    return token.entity is None and (plainly or word == "want")


def bare(tokens: Sequence[Token]) -> Sequence[Token]:
    """A clause without fillers at its edges; as it is, if it has nothing else."""
    first, last = _past(tokens, 0), len(tokens)
    while last > first and _fills(tokens[last - 1]):
        last -= 1
    return tokens[first:last] or tokens


def says_nothing(tokens: Sequence[Token]) -> bool:
    """Whether a clause is nothing but "ok", "lol" or "then"; a yes and a no are said."""
    return all(_fills(token) and token.text not in _SAID for token in tokens)


def _past(tokens: Sequence[Token], i: int) -> int:
    while i < len(tokens) and _fills(tokens[i]):
        i += 1
    return i


def _fills(token: Token) -> bool:
    return token.entity is None and token.text in FILLERS


def only_place(tokens: Sequence[Token], places: Collection[EntityId]) -> Token | None:
    """The place that a whole clause is: "yard then", "back to the yard"."""
    if not tokens or tokens[-1].entity not in places:
        return None
    small = (t.entity is None and (t.text in _BEFORE_PLACES or t.text in WAYS) for t in tokens[:-1])
    return tokens[-1] if all(small) else None
