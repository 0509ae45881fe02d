"""What somebody knows, suspects and believes, how they came by it, and who told whom.

For the author: it says also what is not so. What an audience may see of it is the gate's to decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from storykeeper.units import EntityId, TurnNo
from storykeeper.world.conditions import TRUE_FROM
from storykeeper.world.knowledge import believed
from storykeeper.world.state import EMPTY, Believed, Known, World
from storykeeper.world.whereabouts import directly


class Level(StrEnum):
    """How firmly somebody holds something."""

    KNOWS = "knows"
    BELIEVES = "believes"
    SUSPECTS = "suspects"


@dataclass(frozen=True, slots=True)
class Learned:
    """A fact as somebody holds it."""

    fact: str
    level: Level
    how: str  # saw, read …; "told by mara"
    since: TurnNo
    said: str  # the fact in words; to one who suspects it, its hint
    so: bool  # whether the world bears it out
    tellers: tuple[EntityId, ...] = ()  # who told them, who told that one, and so on
    superseded: bool = False  # they think otherwise now

    @property
    def suspected(self) -> bool:
        """Whether they do no more than suspect it."""
        return self.level is Level.SUSPECTS


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where somebody thinks that somebody or something is."""

    what: EntityId
    place: EntityId | None  # None: gone, and not seen where to
    since: TurnNo
    teller: EntityId | None  # they have it from them; None: they perceived it
    so: bool


class Knowledge(Mapping[str, Learned]):
    """All that somebody holds, by fact; and where they think that everything is."""

    def __init__(
        self, who: EntityId, turn: TurnNo, holdings: tuple[Learned, ...],
        places: tuple[Whereabouts, ...],
    ) -> None:  # fmt: skip
        self.who, self.turn, self.places = who, turn, places
        self.former = tuple(each for each in holdings if each.superseded)
        self._held = {each.fact: each for each in holdings if not each.superseded}

    def __getitem__(self, fact: str) -> Learned:
        return self._held[fact]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


def knowledge(
    world: World, who: EntityId, *, thinker: EntityId | None = None, about: str | None = None
) -> Knowledge:
    """What somebody holds, of one thing or of all. With a thinker, what that one thinks they do."""
    holdings = _thought(world, thinker, who) if thinker else _held(world, who)
    plan = world.plan
    chosen = tuple(h for h in holdings if about is None or about in plan.facts[h.fact].about)
    chain = (who,) if thinker is None else (thinker, who)
    places = tuple(w for w in _places(world, chain) if about in (None, w.what, w.place))
    return Knowledge(who, world.now, chosen, places)


def matrix(world: World) -> dict[EntityId, Knowledge]:
    """Everybody's, in the order of the cast."""
    return {who: knowledge(world, who) for who in map(EntityId, world.plan.cast)}


# ── facts ────────────────────────────────────────────────────────────────────────────────────


def _held(world: World, who: EntityId) -> list[Learned]:
    """What they know or suspect; and what they believe, unless they know it."""
    facts = world.plan.facts  # without what the author has taken out
    known = world.known.get(who, EMPTY)
    found = [_known(world, who, fact, known[fact]) for fact in sorted(known) if fact in facts]
    sure = {each.fact for each in found if not each.suspected}
    held = [(name, b) for name, b in world.beliefs.items() if b.who == who and b.fact in facts]
    for _, belief in sorted(held, key=lambda each: each[0]):
        if belief.superseded or belief.fact not in sure:
            found.append(_believed(world, belief))
    return found


def _known(world: World, who: EntityId, fact: str, known: Known) -> Learned:
    authored = world.plan.facts[fact]
    level = Level.SUSPECTS if known.suspected else Level.KNOWS
    said = authored.hint if known.suspected else authored.full
    so, chain = _is_so(world, fact), tellers(world, who, fact)
    return Learned(fact, level, known.how, known.since, said, so, chain)


def _believed(world: World, belief: Believed) -> Learned:
    fact = belief.fact or ""
    return Learned(
        fact, Level.BELIEVES, belief.how, belief.since, world.plan.facts[fact].full,
        _is_so(world, fact), tellers(world, belief.who, fact), belief.superseded,
    )  # fmt: skip


def _is_so(world: World, fact: str) -> bool:
    return world.truths.get(fact, 0.0) >= TRUE_FROM


def tellers(world: World, who: EntityId, fact: str) -> tuple[EntityId, ...]:
    """Hearsay: who told them, who told that one …; it ends where somebody did not have it told."""
    found: list[EntityId] = []
    while (teller := teller_of(world, who, fact)) and teller not in found:
        found.append(teller)
        who = teller
    return tuple(found)


def teller_of(world: World, who: EntityId, fact: str) -> EntityId | None:
    """Whoever somebody has a fact from."""
    known = world.known.get(who, EMPTY).get(fact)
    if known is not None:
        how = known.how
    else:
        held = [n for n, b in world.beliefs.items() if b.who == who and b.fact == fact]
        how = world.beliefs[max(held)].how if held else ""
    return EntityId(how.partition(" by ")[2]) or None


def _thought(world: World, thinker: EntityId, who: EntityId) -> list[Learned]:
    """Of what the thinker holds, what they know the other to hold: they told each other."""
    mine = {each.fact: each for each in _held(world, thinker) if not each.superseded}
    return [
        each
        for each in _held(world, who)
        if each.fact in mine
        and not each.superseded
        and (each.tellers[:1] == (thinker,) or mine[each.fact].tellers[:1] == (who,))
    ]


# ── places ───────────────────────────────────────────────────────────────────────────────────


def _places(world: World, chain: tuple[EntityId, ...]) -> Iterator[Whereabouts]:
    for what in sorted(world.sightings):
        seen = believed(world, chain, what) if what != chain[-1] else None
        if seen is not None:
            so = directly(world, what) == seen.place
            yield Whereabouts(what, seen.place, seen.turn, seen.teller, so)
