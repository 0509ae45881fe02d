"""Finding the author's people, things and places in a text, by name and alias.

Longest name first, whole words, whatever the case; a leading article does not matter. A name that
two entities share is nobody's until something else tells them apart.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from storykeeper.story.model import Story
from storykeeper.units import EntityId

_ARTICLE = re.compile(r"^(the|a|an|my|our|his|her|their)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a text."""

    entity: EntityId
    start: int
    end: int


@dataclass(frozen=True)
class Names:
    """What every entity of a story is called."""

    called: tuple[tuple[EntityId, tuple[str, ...]], ...]

    @classmethod
    def of(cls, story: Story) -> Names:
        """The names an author gave."""
        people = [(EntityId(c.id), (c.name, *c.aliases)) for c in story.cast]
        things = [(EntityId(t.id), (t.name, *t.aliases)) for t in story.things]
        settings = [(EntityId(s.id), (s.name, *s.aliases)) for s in story.settings]
        return cls((*people, *things, *settings))

    def find(self, text: str) -> tuple[Found, ...]:
        """Every entity named, in order."""
        if self._pattern is None:
            return ()
        hits = ((m, self._by_phrase.get(_plain(m.group()))) for m in self._pattern.finditer(text))
        return tuple(Found(entity, m.start(), m.end()) for m, entity in hits if entity is not None)

    @cached_property
    def _by_phrase(self) -> dict[str, EntityId]:
        owners: dict[str, set[EntityId]] = defaultdict(set)
        for entity, phrases in self.called:
            for phrase in phrases:
                owners[_plain(phrase)].add(entity)
            first = _plain(phrases[0]).split(" ")[0]
            if phrases[0][:1].isupper() and first not in owners:
                owners[first].add(entity)  # "Mara" for Mara Rudd
        return {phrase: min(who) for phrase, who in owners.items() if len(who) == 1}

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return _any_of(self._by_phrase)


def _plain(phrase: str) -> str:
    return _ARTICLE.sub("", " ".join(phrase.replace("’", "'").split())).casefold()


def _any_of(phrases: Iterable[str]) -> re.Pattern[str] | None:
    ordered = sorted(filter(None, phrases), key=lambda p: (-len(p), p))
    if not ordered:
        return None
    spaced = (r"\s+".join(map(re.escape, phrase.split(" "))) for phrase in ordered)
    return re.compile(rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)", re.IGNORECASE)
