"""What counts as a word of an item or a query, and in which form.

    terms("We went to the pottery class!") == ["go", "potteri", "class"]

Small letters, no endings, none of the words that say nothing by themselves. Where a script has no
spaces, words are taken as pairs of signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from unicodedata import normalize

from storykeeper.language.tokens import script
from storykeeper.memory.signals.stems import stem

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_TOGETHER = frozenset({"han", "kana", "thai"})  # scripts without spaces
MOST_WORDS = 20_000  # of one text; what follows is not looked at
_AT_ONCE = 100_000  # characters

_STOP_WORDS = """
    a an and are as at be been being but by for if in into is it its of on or such that the their
    then there these they this to was were will with i you he she we me my your his her him our us
    them do does did doing done have has had having am not no so from about what when where who
    whom whose which why how would could should can may might shall must just also too very really
    some any all more most than out up down over again both each few other own same only dont
    didnt doesnt isnt wasnt oh hey hi wow yeah yes thanks thank"""
STOP = frozenset(_STOP_WORDS.split())
_CLITICS = frozenset({"s", "d", "m", "ll", "re", "ve"})


def words(text: str) -> list[str]:
    """The words of a text in small letters, stop words among them; "Ana's" is "ana"."""
    found: list[str] = []
    if not text.isascii():
        text = normalize("NFC", text)  # "é" is one sign, however it was typed
    for word in _runs(text):
        if word.isascii() and word.isalnum():  # as most are
            found.append(word.lower())
        else:
            found += _parts(word)
        if len(found) >= MOST_WORDS:
            return found[:MOST_WORDS]
    return found


def _runs(text: str) -> Iterable[str]:
    """All at once is twice as quick, where that is not much."""
    if len(text) <= _AT_ONCE:
        return _WORD.findall(text)
    return (match.group() for match in _WORD.finditer(text))


def _parts(run: str) -> list[str]:
    word, _, rest = run.casefold().replace("’", "'").partition("'")
    if rest == "t":
        return []  # don't, won't, can't: no word of its own, and "won" would be another
    word += "" if rest in _CLITICS else rest  # O'Neill
    if word.isascii() or script(word[0]) not in _TOGETHER:
        return [word]
    return [a + b for a, b in pairwise(word)] or [word]


def terms(text: str) -> list[str]:
    """The words that count, without their endings, in order and with repeats."""
    return [stem(word) for word in words(text) if word not in STOP]
