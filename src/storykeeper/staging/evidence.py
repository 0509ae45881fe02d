"""What stands in a prose: words a declaration rests on, names, and whether a fact is told by it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from storykeeper.language.names import Names
from storykeeper.language.quoted import blanked
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.story.knowledge import Fact
from storykeeper.units import EntityId

_PLAIN = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "—": "-", "–": "-", "…": "."})
_SPACE = re.compile(r"\s+")
_OUTER = " \"'.,;:!?-"  # around words, which need not be quoted with them
NEAR = 600  # characters around the words of a declaration in which a fact must be told
GIVEN_WORDS = 1  # of a fact that its narrator was given: that it tells of this at all
LEAST_WORDS = 2  # where a host vouches for it that it is told
MOST_WORDS = 4  # where nobody does
LEAST_SAID = 0.5  # of one of the phrases that the author gave for telling it; all, if nobody does


@dataclass(frozen=True)
class Prose:
    """A rendering, to look things up in; `called` are names that may stand in it."""

    text: str
    called: Names

    @property
    def end(self) -> int:
        """Where it ends."""
        return len(self.text)

    def find(self, quoted: str, *, opens: bool = False) -> tuple[int, int] | None:
        """Where these words stand, whatever the marks, case and spaces; None: they do not.

        Of several places the first; what `opens` begins at the last, and its words are whole.
        """
        found = self._spans(quoted, whole=opens)
        return found[-1 if opens else 0] if found else None

    def spans(self, quoted: str) -> list[tuple[int, int]]:
        """All places where these words stand, whole; else the first where they are cut."""
        return self._spans(quoted, whole=True) or self._spans(quoted, whole=False)[:1]

    def _spans(self, quoted: str, *, whole: bool) -> list[tuple[int, int]]:
        plain, places = self._plain
        wanted = self._folded(quoted).strip(_OUTER)
        found, at = [], plain.find(wanted) if wanted else -1
        while at >= 0:
            last = at + len(wanted) - 1
            if not whole or _is_whole(plain, at, last + 1):
                found.append((places[at], places[last] + 1))
            at = plain.find(wanted, at + 1)
        return found

    def has_word(self, word: str) -> bool:
        """Whether a word stands in it."""
        return self.find(word, opens=True) is not None

    def around(self, at: int) -> str:
        """What stands near a place."""
        return self.text[max(0, at - NEAR) : at + NEAR]

    def tells_of(self, who: EntityId) -> bool:
        """Whether it names somebody, and not only in what is said."""
        return who in self.people

    @cached_property
    def people(self) -> frozenset[EntityId]:
        """All who and what it names in its own words."""
        return frozenset(found.entity for found in self.called.find_in_prose(blanked(self.text)))

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


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word is cut at either end."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def says_it(fact: Fact, text: str, *, but: frozenset[str], least: int = MOST_WORDS) -> bool:
    """Whether a text shares enough with a fact, `least` words, for it to be what is told there.

    A declaration may name any fact. Only what the prose says already is opened by it. `but` are
    words that stand in every prose: names.
    """
    said = _stems(text) - but
    if len(_terms(" ".join((fact.full, *fact.said))) & said) >= least:
        return True
    phrases = (_terms(phrase) - but for phrase in fact.said)
    share = 1.0 if least == MOST_WORDS else LEAST_SAID
    return any(len(each & said) >= max(LEAST_WORDS, share * len(each)) for each in phrases)


def named_words(texts: Iterable[str]) -> frozenset[str]:
    """The words of names, as they are compared."""
    return frozenset().union(*map(_stems, texts))


@lru_cache(maxsize=2_048)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


@lru_cache(maxsize=2_048)
def _terms(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in STOP)
