"""What came of a line: an answer without what only says the line back, or only who is there.

A sentence goes if all of its words are

    the line's own, in any tense and person ("I ask Pell." → "You asked Pell."), or
    names and words of being there ("Mara and Pell are here."), or a bare name ("The yard."), or
    those of a text that stands above already (how a place looks).

What somebody says in it stays, whatever its words are; so does every longer sentence.
"""

from __future__ import annotations

import re
from functools import lru_cache

from storykeeper.language.shortening import sentences
from storykeeper.language.verbs import plain

MOST_CHARS = 160  # a longer sentence says something of its own
_WORD = re.compile(r"[\w’']+")
_QUOTE = re.compile(r'["“”«»]')
_SAYING_BACK = frozenset(
    ["i", "me", "my", "mine", "myself", "you", "your", "yours", "yourself", "we", "us", "our",
     "ours", "say", "tell", "ask", "the", "a", "an"]
)  # fmt: skip
_THERE = frozenset(["here", "there", "alone"])
_BEING = frozenset(
    ["the", "and", "or", "is", "are", "was", "were", "am", "now", "still", "again", "too", "also",
     "only", "nobody", "else", "you", "with", "no", "one"]
)  # fmt: skip


@lru_cache(maxsize=4_096)
def outcome(answer: str, line: str, *, above: str = "") -> str:
    """The sentences of an answer that say what came of a line; empty if none does.

    `above` is what is told already.
    """
    own = frozenset(map(plain, _WORD.findall(line))) | _SAYING_BACK
    every = sentences(" ".join(answer.split()))
    return " ".join(s for s in every if not _says_nothing(s, own=own, above=above))


def _says_nothing(sentence: str, *, own: frozenset[str], above: str) -> bool:
    if above and sentence in above:
        return True
    if len(sentence) > MOST_CHARS:
        return False
    words = _WORD.findall(sentence)
    first = words[0].casefold() if words else ""
    if _QUOTE.search(sentence) and first != "you":
        return False
    if len(words) == 2 and first == "the":
        return True
    if all(plain(word) in own for word in words):
        return True
    return not _THERE.isdisjoint(words) and all(map(_is_of_being_there, words))


def _is_of_being_there(word: str) -> bool:
    small = word.casefold()
    return word != small or small in _BEING or small in _THERE  # a name is written large
