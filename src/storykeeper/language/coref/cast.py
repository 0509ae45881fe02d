"""Whom of the cast a mention names."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from storykeeper.language.coref.traits import (
    GENDERS,
    TITLES,
    UNKNOWN,
    name_parts,
)
from storykeeper.language.reading import Somebody

if TYPE_CHECKING:
    from spacy.tokens import Doc

_ARTICLES = ("the", "a", "an")
_NAMING = ("PROPN", "NOUN", "ADJ", "X", "INTJ")


class Cast:
    """Everybody's names, whole and in parts. A name that two share is nobody's."""

    def __init__(self, cast: tuple[Somebody, ...]) -> None:
        self.gender = [GENDERS[somebody.gender] for somebody in cast]
        self.whole: dict[tuple[str, ...], set[int]] = defaultdict(set)
        self.parts: dict[str, set[int]] = defaultdict(set)
        for who, somebody in enumerate(cast):
            for name in somebody.names:
                words = _words(name)
                self.whole[words].add(who)
                for part in set(words) - TITLES.keys():
                    self.parts[part].add(who)
        self.longest = max(map(len, self.whole), default=0)

    def heads(self, doc: Doc) -> dict[int, int]:
        """Words that head a whole name of the cast, with the category of people."""
        found: dict[int, int] = {}
        if not self.longest:
            return found
        lower = [token.lower_ for token in doc]
        for start in range(len(doc)):
            if lower[start] not in self.parts or not doc[start].text[:1].isupper():
                continue
            for size in range(self.longest, 0, -1):
                if tuple(lower[start : start + size]) in self.whole:
                    inside = range(start, min(start + size, len(doc)))
                    head = next((i for i in inside if doc[i].head.i not in inside), inside[-1])
                    if size > 1 or doc[head].pos_ in _NAMING:
                        found[head] = 0
                    break
        return found

    def person(self, doc: Doc, start: int, end: int, head: int) -> int:
        """Who is named, or −1: by a whole name, or by parts that only one of the cast has."""
        words = tuple(token.lower_ for token in doc[start:end])
        if words and words[0] in _ARTICLES:
            words = words[1:]
        if len(self.whole.get(words, ())) == 1:
            return next(iter(self.whole[words]))
        if doc[head].pos_ != "PROPN":
            return -1
        named = name_parts(doc, start, end, head)
        bare = [part.lower_ for part in named if part.lower_ not in TITLES]
        if not bare:
            return -1
        owners = set.intersection(*(self.parts.get(part, set()) for part in bare))
        title = next((TITLES[p.lower_] for p in named if TITLES.get(p.lower_)), UNKNOWN)
        fitting = [
            who for who in sorted(owners)
            if title == UNKNOWN or self.gender[who] in (UNKNOWN, title)
        ]  # fmt: skip
        return fitting[0] if len(fitting) == 1 else -1


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    words = tuple(name.lower().replace("’", "'").split())
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words
