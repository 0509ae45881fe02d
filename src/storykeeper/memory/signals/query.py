"""A query as memory reads it: its telling words, and whom it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.memory.signals.background import weight
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words

MOST_TERMS = 64  # of one query; the rarest are kept
_SHORTEST_NAME = 2

Having = Callable[[list[str]], list[int]]  # in how many visible items each term stands


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked."""

    text: str
    terms: tuple[str, ...]  # distinct, names of speakers left out
    weights: tuple[float, ...]  # of the terms
    named: tuple[str, ...]  # speakers that it names

    @property
    def weighted(self) -> list[tuple[str, float]]:
        """Its terms with their weights, for a lexical search."""
        return list(zip(self.terms, self.weights, strict=True))


def named_in(said: Iterable[str], speakers: Iterable[str]) -> tuple[str, ...]:
    """Speakers of whose name one of the words is, in order."""
    here = set(said)
    return tuple(sorted(who for who in speakers if not here.isdisjoint(name_words(who))))


@lru_cache(maxsize=1024)
def name_words(name: str) -> frozenset[str]:
    """The words of a name that can stand for it."""
    long = (word for word in words(name) if len(word) >= _SHORTEST_NAME)
    return frozenset(word for word in long if word not in STOP)


def read(text: str, *, speakers: Iterable[str], visible: int, having: Having) -> Question:
    """Read a query. Speakers and counts are those of what the asker may see."""
    every = words(text)
    named = named_in(every, speakers)
    # A name says whose words are meant; as a word it would find whoever is spoken to.
    names = {stem(word) for who in named for word in name_words(who)}
    distinct = dict.fromkeys(stem(word) for word in every if word not in STOP)
    terms = [term for term in distinct if term not in names]
    weighed = [
        (term, weight(term, having=count, visible=visible))
        for term, count in zip(terms, having(terms), strict=True)
    ]
    if len(weighed) > MOST_TERMS:
        kept = {term for term, _ in sorted(weighed, key=lambda w: (-w[1], w[0]))[:MOST_TERMS]}
        weighed = [each for each in weighed if each[0] in kept]
    return Question(
        text, tuple(term for term, _ in weighed), tuple(value for _, value in weighed), named
    )
