"""What somebody knows, suspects and believes, how they came by it, and who told whom.

For the author: it says also what is not so. What an audience may see of it is the gate's to decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from storykeeper.context.facts import superseding
from storykeeper.errors import RecordInvalid, UnknownPerson
from storykeeper.events.turns import Corrected
from storykeeper.language.names import Names
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.conditions import COUNTS_FROM
from storykeeper.world.finding import knows_where
from storykeeper.world.knowledge import believed, knows
from storykeeper.world.knowledge.claims import is_so
from storykeeper.world.knowledge.lessons import held as taught
from storykeeper.world.knowledge.lessons import is_in_any, teller_in
from storykeeper.world.state import EMPTY, Believed, Known, Lesson, World
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
    how: str  # saw, read …; "told by mara"; "forgotten": they no longer know from where
    since: TurnNo
    said: str  # the fact in words; to one who suspects it, its hint
    so: bool  # whether the world bears it out
    tellers: tuple[EntityId, ...] = ()  # who told them, who told that one, and so on
    superseded: bool = False  # they think otherwise now, or know it
    liar: EntityId | None = None  # the last of the tellers, if that one did not hold it true
    guessed: bool = False  # whoever said it had it from nowhere; no window shows it

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
        places: tuple[Whereabouts, ...], unfound: tuple[EntityId, ...] = (),
    ) -> None:  # fmt: skip
        self.who, self.turn, self.places = who, turn, places
        self.unfound = unfound  # hidden things of which they do not know where they are
        self.former = tuple(each for each in holdings if each.superseded)
        self._held = {each.fact: each for each in holdings if not each.superseded}

    def __getitem__(self, fact: str) -> Learned:
        return self._held[fact]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


def knowledge(
    world: World, who: EntityId, *, thinker: EntityId | Sequence[EntityId] | None = None,
    about: str | None = None,
) -> Knowledge:  # fmt: skip
    """What somebody holds, of one thing or of all.

    With a thinker, what that one thinks that they hold; with several, what the first thinks that
    the next thinks … that they hold.
    """
    thinkers = (thinker,) if isinstance(thinker, str) else tuple(thinker or ())
    chain = (*thinkers, who)
    minds = _Minds(world)
    holdings = minds.thought(chain) if thinkers else minds.held(who)
    facts = world.plan.facts
    chosen = tuple(h for h in holdings if about is None or about in facts[h.fact].about)
    places = tuple(w for w in _places(world, chain) if about in (None, w.what, w.place))
    unfound = tuple(t for t in _unfound(world, who) if about in (None, t) and not thinkers)
    return Knowledge(who, world.now, chosen, places, unfound)


def matrix(world: World) -> dict[EntityId, Knowledge]:
    """Everybody's, in the order of the cast."""
    return {who: knowledge(world, who) for who in map(EntityId, world.plan.cast)}


def tellers(world: World, who: EntityId, fact: str) -> tuple[EntityId, ...]:
    """Hearsay: who told them, who told that one …; it ends where somebody did not have it told."""
    return _Minds(world).sources(who, fact)[0]


def known_people(world: World, *names: str) -> tuple[EntityId, ...]:
    """Those of the cast who are meant, by id or by name."""
    return tuple(_known(world, name) for name in names)


def _known(world: World, name: str) -> EntityId:
    cast = world.plan.cast
    if name in cast:
        return EntityId(name)
    named = Names.of(world.plan.story).find(name)
    found = {each.entity for each in named if each.entity in cast}
    if len(found) != 1:
        raise UnknownPerson(
            f"nobody called {name} is in this story; there is {', '.join(sorted(cast))}"
        )
    return found.pop()


def forget_source(world: World, who: str, fact: str, *, note: str = "") -> Corrected:
    """The record that somebody no longer knows where they have a fact from; they still have it."""
    (person,) = known_people(world, who)
    if fact not in world.plan.facts:
        raise RecordInvalid(
            f"no fact called {fact} is in this story; `storykeeper knows` lists those there are"
        )
    if fact not in knowledge(world, person):
        raise RecordInvalid(
            f"{who} does not hold {fact}, so there is no source to forget;"
            " name a fact that they know, believe or suspect"
        )
    return Corrected(world.now, fact, note, fact=fact, forgotten_by=(person,))


# ── facts ────────────────────────────────────────────────────────────────────────────────────


class _Minds:
    """A world, with its beliefs by holder and fact."""

    def __init__(self, world: World) -> None:
        self.world, self.facts = world, world.plan.facts  # without what the author has taken out
        self.beliefs: dict[EntityId, dict[str, list[Believed]]] = {}
        for _, each in sorted(world.beliefs.items(), key=lambda item: item[0]):
            if each.fact is not None and each.fact in self.facts:
                theirs = self.beliefs.setdefault(each.who, {})
                theirs.setdefault(each.fact, []).append(each)

    def held(self, who: EntityId) -> list[Learned]:
        """What they know or suspect; what they believe, unless they know it; what they did."""
        known = self.world.known.get(who, EMPTY)
        found = [
            self._known(who, fact, known[fact]) for fact in sorted(known) if fact in self.facts
        ]
        for fact, beliefs in sorted(self.beliefs.get(who, {}).items()):
            sure = known.get(fact) if knows(self.world.known, who, fact) else None
            better = superseding(self.world.plan).get(fact, ())
            otherwise = any(knows(self.world.known, who, each) for each in better)
            for each in beliefs:
                past = each.superseded or otherwise
                past = past or (sure is not None and each.since <= sure.since)
                if past or sure is None:
                    found.append(self._believed(each, fact, past=past))
        return found

    def _known(self, who: EntityId, fact: str, known: Known) -> Learned:
        authored = self.facts[fact]
        level = Level.SUSPECTS if known.suspected else Level.KNOWS
        said = authored.hint if known.suspected else authored.full
        chain, liar = self.sources(who, fact)
        so = is_so(self.world, fact)
        return Learned(fact, level, known.how, known.since, said, so, chain, liar=liar)

    def _believed(self, belief: Believed, fact: str, *, past: bool) -> Learned:
        chain, liar = self._sources(belief.who, fact, belief.how, lie=self._lied(belief))
        return Learned(
            fact, Level.BELIEVES, belief.how, belief.since, self.facts[fact].full,
            is_so(self.world, fact), chain, past, liar, belief.guessed,
        )  # fmt: skip

    # ── from whom ────────────────────────────────────────────────────────────────────────────

    def sources(self, who: EntityId, fact: str) -> tuple[tuple[EntityId, ...], EntityId | None]:
        """Who told them, who told that one …; and the last of these, if that one lied."""
        how, lie = self._how(who, fact)
        return self._sources(who, fact, how, lie=lie)

    def _sources(
        self, who: EntityId, fact: str, how: str, *, lie: bool
    ) -> tuple[tuple[EntityId, ...], EntityId | None]:
        found: list[EntityId] = []
        while (teller := teller_in(how)) and teller not in found:
            found.append(teller)
            if lie:  # where a liar has it from does not matter
                return tuple(found), teller
            how, lie = self._how(teller, fact)
        return tuple(found), None

    def _how(self, who: EntityId, fact: str) -> tuple[str, bool]:
        """How somebody came by a fact, and whether they were lied to."""
        known = self.world.known.get(who, EMPTY).get(fact)
        if known is not None:
            return known.how, False
        theirs = self.beliefs.get(who, {}).get(fact)
        return (theirs[-1].how, self._lied(theirs[-1])) if theirs else ("", False)

    def _lied(self, belief: Believed) -> bool:
        """Whether they were told it by one who did not hold it true; the author may say so too."""
        if belief.lie or belief.since > 0 or belief.fact is None:
            return belief.lie
        fact, plan = self.facts[belief.fact], self.world.plan
        names = (name for name in fact.known_by if teller_in(belief.how) in plan.named(name))
        return fact.confidence < COUNTS_FROM and any(names)

    # ── what others are thought to hold ──────────────────────────────────────────────────────

    def thought(self, chain: tuple[EntityId, ...]) -> list[Learned]:
        """What the first thinks that the next … that the last holds, by who saw whom learn it."""
        asked = {f for f, each in self.world.taught.items() if is_in_any(each, chain[0])}
        for who in chain:
            asked.update(self.world.known.get(who, EMPTY), self.beliefs.get(who, {}))
        found = ((fact, taught(self.world, chain, fact)) for fact in asked if fact in self.facts)
        thoughts = [self._seen_to_learn(chain[-1], fact, each) for fact, each in found if each]
        return sorted(thoughts, key=lambda each: (each.level is Level.BELIEVES, each.fact))

    def _seen_to_learn(self, who: EntityId, fact: str, lesson: Lesson) -> Learned:
        so, authored = is_so(self.world, fact), self.facts[fact]
        level = Level.SUSPECTS if lesson.suspected else Level.KNOWS
        if lesson.claimed and not so:
            level = Level.BELIEVES
        said = authored.hint if lesson.suspected else authored.full
        teller = teller_in(lesson.how)
        how = lesson.how if teller != who else "said so"
        told_by = (teller,) if teller is not None and teller != who else ()
        return Learned(fact, level, how, lesson.seen.turn, said, so, told_by)


# ── places ───────────────────────────────────────────────────────────────────────────────────


def _places(world: World, chain: tuple[EntityId, ...]) -> Iterator[Whereabouts]:
    for what in sorted(world.sightings):
        seen = believed(world, chain, what) if what != chain[-1] else None
        if seen is not None:
            so = directly(world, what) == seen.place
            yield Whereabouts(what, seen.place, seen.turn, seen.teller, so)


def _unfound(world: World, who: EntityId) -> Iterator[EntityId]:
    things = (each for each in world.hidden if each in world.plan.things)
    return (each for each in things if not knows_where(world, who, each))
