"""Which facts a prose tells in words of its own.

    p = σ(w · f),  f: likeness of meaning, rare words that both have and the share of the fact's
                      that is, the most of a phrase that tells it, whether somebody says it

Whether a secret opens hangs on it, so precision comes first: who says it must have it to tell, the
narration itself tells only what is no secret, and what is not likely is not told. Fitted on
playthroughs (`bench.continuity.tellings_fit`).
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING

from storykeeper.events.atoms import Voice
from storykeeper.language.quoted import blanked
from storykeeper.language.reading import Reading
from storykeeper.memory.signals.background import weight
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP, words
from storykeeper.models.embedders.minilm import MiniLM
from storykeeper.models.embedders.port import Embedder
from storykeeper.staging.cues import Lesson
from storykeeper.staging.facts import has_to_tell
from storykeeper.story.knowledge import Fact
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan
from storykeeper.world.state import World

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FEATURES = ("likeness", "rare", "share", "phrase", "speech", "always")
# Fitted on bora, halyard, orchard and saltroad; in the order of FEATURES.
WEIGHTS = (6.15, 1.27, 2.27, 1.34, 1.29, -8.83)
TOLD = 0.5  # chosen on the same: half of what it finds more below is wrong
MOST_RARE = 3.0
MOST_LIKE = 0.85  # no words of somebody's own are liker than that
NEAR = 300  # characters between words that one person goes on with
LEAST_WORDS = 3
KEPT = 64  # texts
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


@dataclass(frozen=True, slots=True)
class Unit:
    """Some words of a prose that may tell something: said by somebody, or told."""

    start: int
    text: str
    by: EntityId | None
    spoken: bool
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tellable:
    """A fact as it is recognised; names say nothing, they stand everywhere."""

    id: str
    secret: bool
    texts: tuple[str, ...]  # its own, and phrases that tell it
    own: frozenset[str]
    phrases: tuple[frozenset[str], ...]

    @property
    def terms(self) -> frozenset[str]:
        """All its words."""
        return self.own.union(*self.phrases)


def tellable(fact: Fact, names: Collection[str]) -> Tellable:
    """A fact as it is recognised."""
    phrases = tuple(frozenset(_terms(each)) - {*names} for each in fact.said)
    own = frozenset(_terms(fact.full)) - {*names}
    return Tellable(fact.id, bool(fact.secret), (fact.full, *fact.said), own, phrases)


@lru_cache(maxsize=16)
def tellables(plan: Plan) -> tuple[Tellable, ...]:
    """All facts of a story; a plan is the same object as long as its story is."""
    called = (n for each in plan.cast.values() for n in (each.name, *each.aliases))
    names = frozenset(stem(word) for name in called for word in words(name))
    return tuple(tellable(fact, names) for fact in plan.facts.values())


def units(reading: Reading, speakers: Sequence[EntityId | None]) -> list[Unit]:
    """What is said and by whom, sentences of narration, and each with what goes on with it."""
    spoken = [
        _unit(q.start, q.words, by, spoken=not q.written)
        for q, by in zip(reading.quotations, speakers, strict=True)
    ]
    bare = blanked(reading.text)
    told = [_unit(m.start(), m.group(), None, spoken=False) for m in _SENTENCE.finditer(bare)]
    return [
        found
        for some in (spoken, told)
        for n, each in enumerate(some)
        for found in (each, *_with_next(each, some[n + 1 : n + 2]))
        if len(found.text.split()) >= LEAST_WORDS
    ]


def _unit(start: int, text: str, by: EntityId | None, *, spoken: bool) -> Unit:
    return Unit(start, text.strip(), by, spoken, frozenset(_terms(text)))


def _with_next(unit: Unit, after: Sequence[Unit]) -> Iterator[Unit]:
    for more in after:
        near = more.start - unit.start - len(unit.text) < NEAR
        if near and (more.by, more.spoken) == (unit.by, unit.spoken):
            text, terms = f"{unit.text} {more.text}", unit.terms | more.terms
            yield Unit(unit.start, text, unit.by, unit.spoken, terms)


def evidence(fact: Tellable, unit: Unit, likeness: float) -> tuple[float, ...]:
    """What speaks for it that these words tell a fact."""
    rare = sum(map(_rarity, sorted(unit.terms & fact.terms)))
    whole = sum(map(_rarity, sorted(fact.own)))
    phrase = max((len(p & unit.terms) / len(p) for p in fact.phrases if p), default=0.0)
    return likeness, min(rare, MOST_RARE), rare / max(whole, 0.1), phrase, float(unit.spoken), 1.0


def chance(row: Sequence[float]) -> float:
    """p = σ(w · f)."""
    return 1 / (1 + exp(-sum(w * f for w, f in zip(WEIGHTS, row, strict=True))))


class Tellings:
    """Reads what is told; the same world and prose give the same lessons."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder or MiniLM()
        self._kept: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()

    def told(self, world: World, found: Sequence[Unit], *, player: EntityId) -> list[Lesson]:
        """The facts that a prose tells, each where it is told most plainly; what narration tells
        is for the player alone.
        """
        lessons = []
        for fact in tellables(world.plan):
            can = [u for u in found if _can_tell(world, fact, u)]
            likely = [(chance(evidence(fact, u, self._likeness(fact, u))), -u.start, u)
                      for u in can if chance(evidence(fact, u, MOST_LIKE)) >= TOLD]  # fmt: skip
            p, _, best = max(likely, key=lambda each: each[:2], default=(0.0, 0, None))
            if best is not None and p >= TOLD:
                to = () if best.spoken else (player,)
                lessons.append(Lesson(best.start, fact.id, best.by, to, Voice.READER, best.text))
        return sorted(lessons, key=lambda each: each.at)

    def _likeness(self, fact: Tellable, unit: Unit) -> float:
        import numpy as np

        rows = np.stack([self._vector(text) for text in fact.texts])
        return float((rows @ self._vector(unit.text)).max())

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        import numpy as np

        found = self._kept.pop(text, None)
        if found is None:
            row = self._embedder.passages([text])[0].astype(np.float32)
            found = row / max(float(np.linalg.norm(row)), 1e-9)
        self._kept[text] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found


def _can_tell(world: World, fact: Tellable, unit: Unit) -> bool:
    if unit.spoken:
        return unit.by is not None and has_to_tell(world, unit.by, fact.id)
    return not fact.secret


def _rarity(term: str) -> float:
    return weight(term, having=0, visible=0)


def _terms(text: str) -> Iterator[str]:
    return (stem(word) for word in words(text) if word not in STOP)
