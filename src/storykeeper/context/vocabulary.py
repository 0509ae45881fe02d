"""Terms by number, and how rare each is: so that the words of a whole run are weighed at once.

A number means nothing but the term it stands for; it is given when a term is first met and never
leaves the process.
"""

from __future__ import annotations

from collections.abc import Collection
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from storykeeper.memory.compaction.terms import terms
from storykeeper.memory.signals.background import share

SAID, LEAST_SAID = 0.7, 5  # of whose words so much is told, and so many, that is told
_COMMON = 200.0  # passages in which a word stands that is as common as can be
_NUMBERS: dict[str, int] = {}
_RARITIES: list[float] = []
_KNOWN = [np.zeros(0)]  # the same as an array, as far as it was asked for


def numbered(words: Collection[str]) -> npt.NDArray[np.int64]:
    """The numbers of some terms, in the terms' own order."""
    return np.fromiter((_number(term) for term in sorted(words)), np.int64, count=len(words))


def number_of(term: str) -> int | None:
    """The number of a term that was met before."""
    return _NUMBERS.get(term)


def rarities() -> npt.NDArray[np.float64]:
    """How rare each term is, by its number."""
    if len(_KNOWN[0]) < len(_RARITIES):
        _KNOWN[0] = np.concatenate((_KNOWN[0], _RARITIES[len(_KNOWN[0]) :]))
    return _KNOWN[0]


def _number(term: str) -> int:
    known = _NUMBERS.get(term)
    if known is None:
        known = _NUMBERS[term] = len(_NUMBERS)
        _RARITIES.append(rarity(term))
    return known


def rarity(term: str) -> float:
    """ρ(t) = ln(1 + 1/(200·p(t) + .005)) / ln 201, at most 1.   F6.12

    How rare a word is in stories and talk at large; p is its share of passages.
    """
    return min(1.0, log(1 + 1 / (share(term) * _COMMON + 0.005)) / log(1 + _COMMON))


def has_most_of(words: Collection[str], text: str, *, least: int = LEAST_SAID) -> bool:
    """Whether most of a text's words, by rarity, are among these, and enough of them."""
    worth = {term: sqrt(rarity(term)) for term in sorted(terms(text))}
    found = [worth[term] for term in worth if term in words]
    return len(found) >= least and sum(found) >= SAID * sum(worth.values())
