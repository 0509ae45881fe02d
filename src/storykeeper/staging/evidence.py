"""What stands in a prose: words a declaration rests on, names, and whether a fact is told by it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from storykeeper.language.names import Names
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.story.knowledge import Fact
from storykeeper.units import EntityId

_PLAIN = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "—": "-", "–": "-", "…": "."})
_SPACE = re.compile(r"\s+")
NEAR = 600  # characters around the words of a declaration in which a fact must be told
LEAST_WORDS = 2  # of a fact, where a host vouches for it that it is told
MOST_WORDS = 4  # where nobody does
LEAST_SAID = 0.5  # of one of the phrases that the author gave for telling it


@dataclass(frozen=True)
class Prose:
    """A rendering, to look things up in."""

    text: str

    @property
    def end(self) -> int:
        """Where it ends."""
        return len(self.text)

    def find(self, quoted: str) -> int | None:
        """Where these words stand, whatever the marks, case and spaces; None: they do not."""
        at = self._plain[0].find(self._folded(quoted))
        return None if at < 0 else self._plain[1][at]

    def end_of(self, quoted: str, start: int) -> int:
        """Where words that begin there end."""
        plain, places = self._plain
        first = plain.find(self._folded(quoted))
        last = first + len(self._folded(quoted)) - 1
        return places[last] + 1 if first >= 0 and last < len(places) else start

    def around(self, at: int) -> str:
        """What stands near a place."""
        return self.text[max(0, at - NEAR) : at + NEAR]

    def names(self, names: Names, who: EntityId) -> bool:
        """Whether it names somebody."""
        return who in self._named(names)

    def _named(self, names: Names) -> frozenset[EntityId]:
        return frozenset(found.entity for found in names.find_in_prose(self.text))

    @staticmethod
    def _folded(text: str) -> str:
        return _SPACE.sub(" ", text.translate(_PLAIN)).strip().casefold()

    @cached_property
    def _plain(self) -> tuple[str, list[int]]:
        """The text folded, and where each of its characters stood."""
        found: list[str] = []
        places: list[int] = []
        spaced = True
        for i, char in enumerate(self.text.translate(_PLAIN)):
            if char.isspace():
                if not spaced:
                    found.append(" ")
                    places.append(i)
                spaced = True
                continue
            spaced = False
            for each in char.casefold():
                found.append(each)
                places.append(i)
        return "".join(found), places


def says_it(fact: Fact, text: str, *, but: frozenset[str], vouched: bool) -> bool:
    """Whether a text shares enough with a fact for it to be what is told there.

    A declaration may name any fact. Only what the prose says already is opened by it. `but` are
    words that stand in every prose: names. What a host vouches for needs less.
    """
    said = {stem(word) for word in words(text)} - but
    shared = len(_terms(" ".join((fact.full, *fact.said))) & said)
    if shared >= (LEAST_WORDS if vouched else MOST_WORDS):
        return True
    phrases = (_terms(phrase) - but for phrase in fact.said)
    return any(len(each & said) >= LEAST_SAID * len(each) for each in phrases if len(each) > 1)


def named_words(texts: Iterable[str]) -> frozenset[str]:
    """The words of names, as they are compared."""
    return frozenset(stem(word) for text in texts for word in words(text))


def _terms(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in STOP)
