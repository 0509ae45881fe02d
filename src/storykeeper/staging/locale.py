"""Where a prose is set: one of the story's places, by all that speaks for each.

    p(c) ∝ exp(w · f(c)),  f: how near c is, where it is named, what of its description is told,
                              who of those told of was there

Narrators seldom say that somebody goes; they describe where that one is now. So it is a choice
among the places that ways lead to, fitted on playthroughs (`bench.continuity.locale_fit`), and
made where one place stands out: if none does, the player is where they were.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp

from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.quoted import blanked
from storykeeper.language.reading import Modality, Reading
from storykeeper.language.tagger.people import Person, meant, player_of
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.story.places import Setting
from storykeeper.world.plan import Plan

FEATURES = (
    "stays", "hops", "typed", "typed_words", "told", "told_early", "quoted", "words",
    "early_words", "goes", "share", "people", "others", "those_here", "typed_people",
)  # fmt: skip
EARLY = 350  # characters, in which a narrator says where it is
MOST_HOPS, MOST_WORDS = 4, 4.0
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ARTICLES = frozenset({"the", "a", "an"})
_SAYING = frozenset({VerbClass.SAY, VerbClass.ASK, VerbClass.THINK, VerbClass.BE})


@dataclass(frozen=True, slots=True)
class Site:
    """A place as it is recognised."""

    id: str
    names: tuple[str, ...]  # as they stand in a text, between spaces
    called: frozenset[str]  # the words of its names, without endings
    words: frozenset[str]  # and of its description
    hops: Mapping[str, int]  # from it to every other, along ways open or shut


@dataclass(frozen=True, slots=True)
class Ground:
    """All places of a story, and how much each of their words says."""

    sites: tuple[Site, ...]
    rarity: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Shown:
    """Who is told of in a prose, each with where in it: who speaks, and who does something."""

    speaks: Mapping[int, tuple[int, ...]]
    acts: Mapping[int, tuple[int, ...]]
    named: Mapping[int, tuple[int, ...]]
    goes: int  # how often the player does so

    def without(self, people: Collection[int]) -> Shown:
        """The same, as if these were not told of."""
        speaks, acts, named = (
            {who: at for who, at in some.items() if who not in people}
            for some in (self.speaks, self.acts, self.named)
        )
        return Shown(speaks, acts, named, self.goes)

    def is_told(self, who: int, since: int = 0) -> bool:
        """Whether somebody says or does something, or is told of at all."""
        return any(at >= since for some in (self.speaks, self.acts, self.named)
                   for at in some.get(who, ()))  # fmt: skip


@lru_cache(maxsize=16)
def ground(plan: Plan) -> Ground:
    """The ground of a story; a plan is the same object as long as its story is."""
    names = (n for each in plan.cast.values() for n in (each.name, *each.aliases))
    return laid(tuple(plan.settings.values()), but=frozenset(_terms(" ".join(names))))


def laid(settings: Sequence[Setting], *, but: Collection[str] = ()) -> Ground:
    """Places as they are recognised; `but` are words that say nothing of where it is: names."""
    sites = tuple(_site(each, settings, but) for each in settings)
    counted = Counter(word for site in sites for word in site.words)
    return Ground(sites, {word: 1 / n for word, n in counted.items()})


def _site(place: Setting, settings: Sequence[Setting], but: Collection[str]) -> Site:
    names = (place.name, *place.aliases)
    called = frozenset(_terms(" ".join(names))) - {*but}
    told = frozenset(_terms(place.description)) - {*but}
    plain = tuple(filter(str.strip, map(_plain, names)))
    return Site(place.id, plain, called, called | told, _hops(place.id, settings))


def _hops(start: str, settings: Sequence[Setting]) -> dict[str, int]:
    ways = {(one, other) for s in settings for p in s.paths
            for one, other in ((s.id, p.to), (p.to, s.id))}  # fmt: skip
    found, edge = {start: 0}, [start]
    while edge:
        edge = sorted({b for a, b in ways if a in edge and b not in found})
        found.update({each: max(found.values()) + 1 for each in edge})
    return found


def shown(reading: Reading, people: Sequence[Person]) -> Shown:
    """Who is told of, outside of what is said."""
    who, player = meant(reading, people), player_of(people)
    speaks: dict[int, list[int]] = {}
    acts: dict[int, list[int]] = {}
    named: dict[int, list[int]] = {}
    goes = 0
    for quotation in reading.quotations:
        if quotation.speaker is not None and not quotation.written:
            _note(speaks, who[quotation.speaker], quotation.start)
    for clause in reading.clauses:
        if clause.quotation is None and clause.modality is Modality.ASSERTED:
            doing = [who[i] for i in clause.actors]
            classes = verb_classes(clause.verb.partition(" ")[0])
            goes += player in doing and VerbClass.MOVE in classes and player is not None
            for each in doing if _SAYING.isdisjoint(classes) else ():
                _note(acts, each, clause.start)
    for i, mention in enumerate(reading.mentions):
        if mention.quotation is None:
            _note(named, who[i], mention.start)
    speaking, doing_so, told = (
        {each: tuple(at) for each, at in some.items()} for some in (speaks, acts, named)
    )
    return Shown(speaking, doing_so, told, goes)


def _note(found: dict[int, list[int]], who: int | None, at: int) -> None:
    if who is not None:
        found.setdefault(who, []).append(at)


def features(
    told: Ground, reading: Reading, line: str, people: Sequence[Person], seen: Shown
) -> list[list[float]]:
    """What speaks for each place, in their order."""
    narration = blanked(reading.text)
    text = _Text(_plain(line), _plain(narration), _plain(narration[:EARLY]), _plain(reading.text))
    said = [frozenset(_terms(t)) for t in (line, narration, narration[:EARLY])]
    player = player_of(people)
    now = people[player].place if player is not None else None
    active = [n for n in range(len(people)) if n != player
              and (seen.speaks.get(n) or seen.acts.get(n))]  # fmt: skip
    meant_too = [person.place for n, person in enumerate(people) if n != player
                 and text.times(map(_plain, person.names), text.line)]  # fmt: skip
    rows = []
    for site in told.sites:
        stays = site.id == now
        here = sum(people[n].place == site.id for n in active)
        typed, early_told = text.times(site.names, text.line), text.times(site.names, text.early)
        narrated = text.times(site.names, text.narration)
        quoted = not narrated and text.times(site.names, text.whole) > 0
        rows.append([
            stays, min(site.hops.get(now or "", MOST_HOPS), MOST_HOPS), min(typed, 1),
            _weight(told, said[0] & site.called), min(narrated, 2), min(early_told, 1), quoted,
            _weight(told, said[1] & site.words), _weight(told, said[2] & site.words),
            stays * min(seen.goes, 2), here / max(1, len(active)), here,
            stays * (len(active) - here), stays * here, not stays and site.id in meant_too,
        ])  # fmt: skip
    return [[float(each) for each in row] for row in rows]


def chances(rows: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """p(c) ∝ exp(w · f(c))."""
    scores = [sum(w * f for w, f in zip(weights, row, strict=True)) for row in rows]
    most = max(scores, default=0.0)
    raised = [exp(score - most) for score in scores]
    return [each / sum(raised) for each in raised]


def begins(told: Ground, place: str, narration: str) -> int:
    """Where a prose is set there: where words of that place are first told, else from the start."""
    site = next(each for each in told.sites if each.id == place)
    own = {word for word in site.words if told.rarity[word] == 1}
    places = (at.start() for at in _WORD.finditer(narration) if own & {*_terms(at.group())})
    return next(places, 0)


@dataclass(frozen=True, slots=True)
class _Text:
    line: str
    narration: str
    early: str
    whole: str

    @staticmethod
    def times(names: Iterable[str], text: str) -> int:
        return sum(text.count(name) for name in names)


def _weight(told: Ground, found: Iterable[str]) -> float:
    return min(sum(told.rarity[word] for word in sorted(found)), MOST_WORDS)


def _plain(text: str) -> str:
    """The words of a text between single spaces, articles left out, so that a name is found."""
    found = (word.group().casefold().replace("’", "'") for word in _WORD.finditer(text))
    return f" {' '.join(word for word in found if word not in _ARTICLES)} "


def _terms(text: str) -> Iterator[str]:
    return (stem(word) for word in words(text) if word not in STOP)
