"""Who perceives each sentence of a short story: whoever is in the same place.

The sentences are read as any prose is. Somebody who enters a place, or is said to be in it, is
there until they leave it. What is done in a place is perceived by all who are there, what is felt
only by whoever feels it. That a thing stands in a place may be told after it mattered, so places
of things are read first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from storykeeper.language.prose.reader import ProseReader
from storykeeper.language.reading import Reading, Somebody

_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_ENTERING = frozenset({"enter", "join"})
_LEAVING = frozenset({"exit", "leave"})
_FEELING = frozenset({"like", "dislike", "love", "hate", "adore", "detest", "want", "miss"})


@dataclass(frozen=True, slots=True)
class Deed:
    """What a sentence says: who does what, or what is where."""

    verb: str
    who: tuple[str, ...]
    what: tuple[str, ...]
    where: tuple[str, ...]


@dataclass
class SentenceReader:
    """Reads sentences, each different one once."""

    cast: tuple[str, ...]
    _reader: ProseReader = field(default_factory=ProseReader)
    _read: dict[str, Deed | None] = field(default_factory=dict)

    def deed(self, sentence: str) -> Deed | None:
        """What a sentence says; None if that is not one thing."""
        if sentence not in self._read:
            people = tuple(Somebody((name,)) for name in self.cast)
            text = sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
            self._read[sentence] = _deed(self._reader.read(text, cast=people))
        return self._read[sentence]


def co_present(deeds: Sequence[Deed | None]) -> list[frozenset[str] | None]:
    """Who perceives each deed, by who is where; None of what could not be read."""
    inside = _inside(deeds)
    at: dict[str, str] = {}
    found: list[frozenset[str] | None] = []
    for deed in deeds:
        found.append(None if deed is None else _perceived(deed, at, inside))
        if deed is not None and deed.verb in _LEAVING:
            for who in deed.who:
                at.pop(who, None)
    return found


def _perceived(deed: Deed, at: dict[str, str], inside: dict[str, str]) -> frozenset[str]:
    """Who perceives a deed; whoever comes by it is there."""
    if deed.verb in _FEELING:
        return frozenset(deed.who)
    if deed.who and deed.verb in _ENTERING:
        at.update(dict.fromkeys(deed.who, (*deed.what, *deed.where, "")[0]))
    if deed.who and deed.verb == "be" and deed.where:
        at.update(dict.fromkeys(deed.who, deed.where[0]))
    if not deed.who:
        return _in(at, {_room(place, inside) for place in deed.where})
    return _in(at, {at[who] for who in deed.who if who in at}) | frozenset(deed.who)


def _in(at: dict[str, str], places: Iterable[str]) -> frozenset[str]:
    return frozenset(who for who, place in at.items() if place in places)


def _inside(deeds: Iterable[Deed | None]) -> dict[str, str]:
    """In what each thing stands, as first told."""
    told: dict[str, str] = {}
    for deed in deeds:
        if deed is not None and deed.verb == "be" and not deed.who and deed.where:
            for thing in deed.what:
                told.setdefault(thing, deed.where[0])
    return told


def _room(place: str, inside: dict[str, str]) -> str:
    """The place that holds a thing, through whatever it lies in."""
    seen: set[str] = set()
    while place in inside and place not in seen:
        seen.add(place)
        place = inside[place]
    return place


def _deed(reading: Reading) -> Deed | None:
    if len(reading.clauses) != 1:
        return None
    clause = reading.clauses[0]

    def names(mentions: Iterable[int]) -> tuple[str, ...]:
        return tuple(_ARTICLE.sub("", reading.mentions[n].text) for n in mentions)

    things = (*clause.targets, *clause.subjects)
    return Deed(clause.verb, names(clause.actors), names(things), names(clause.locations))
