"""Lessons: events by which a fact was learned, with those who perceived them.

One is noted where two or more come by a fact together: are told it within each other's hearing, or
see it come out. Who thinks that who holds it is worked out from them (F8.8), and nothing of that is
stored. What somebody comes by alone leaves no lesson: nobody saw it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import structs

from storykeeper.units import AtomId, EntityId, TurnNo
from storykeeper.world.knowledge.beliefs import Chain, shows
from storykeeper.world.knowledge.sightings import covers, everyone, pairs, seen_at
from storykeeper.world.state import EMPTY, Known, Lesson, Sighting, World

FORGOTTEN = "forgotten"  # how somebody came by what they no longer know the source of
BEFORE_ALL = frozenset({"saw", "heard", "told", "revealed"})  # other ways are one's own
MANY = 64  # lessons of one fact; beyond, those are kept that show somebody somebody new


def teller_in(how: str) -> EntityId | None:
    """Whoever a way of learning names: mara, of "told by mara"."""
    return EntityId(how.partition(" by ")[2]) or None


# ── who thinks that who holds it ─────────────────────────────────────────────────────────────


def held(world: World, chain: Chain, fact: str) -> Lesson | None:
    """∃ l of f: c₁ has not forgotten l and perceives it, each cᵢ sees each later cⱼ do so   F8.8.

    Of several the one that says most, and of these the first.
    """
    people = tuple(chain)
    found = [
        each
        for each in (*world.taught.get(fact, ()), *_confided(world, people, fact))
        if people[0] not in each.forgotten_by and shows(each.seen, people)
    ]
    return max(found, key=firmness, default=None)


def is_in_any(lessons: Iterable[Lesson], who: EntityId) -> bool:
    """Whether somebody perceived one of these: on no other can a thought of theirs rest."""
    return any(
        who in each.seen.by or any(who in group for group in each.seen.apart) for each in lessons
    )


def firmness(lesson: Lesson) -> int:
    """How much a lesson says: the hint, a claim that was not so, the fact."""
    return 0 if lesson.suspected else 1 if lesson.claimed else 2


def _confided(world: World, people: Iterable[EntityId], fact: str) -> Iterator[Lesson]:
    """What one of them has from another, as the author has it from the start."""
    for who in sorted(set(people)):
        known = world.known.get(who, EMPTY).get(fact)
        belief = world.beliefs.get(f"{who}:{fact}")
        if known is not None:
            yield from _told(who, known.how, known.since, suspected=known.suspected)
        minded = belief is not None and not belief.guessed
        if belief is not None and minded and belief.fact == fact and not belief.superseded:
            yield from _told(who, belief.how, belief.since, claimed=True)


def _told(
    who: EntityId, how: str, turn: TurnNo, *, suspected: bool = False, claimed: bool = False
) -> Iterator[Lesson]:
    teller = teller_in(how)
    if teller is not None and teller != who:
        both = Sighting(turn, AtomId(""), None, by=tuple(sorted((who, teller))))
        yield Lesson(how, both, suspected, claimed)


# ── noting them ──────────────────────────────────────────────────────────────────────────────


def noted(world: World, fact: str, lesson: Lesson) -> World:
    """The world with one more lesson, if it shows anybody of somebody what none did before."""
    before = world.taught.get(fact, ())
    if not _is_shared(lesson.seen) or any(_says_as_much(old, lesson) for old in before):
        return world
    if len(before) >= MANY:
        firm = [old for old in before if firmness(old) >= firmness(lesson)]
        if set(pairs(lesson.seen)) <= {pair for old in firm for pair in pairs(old.seen)}:
            return world
    return structs.replace(world, taught=world.taught.set(fact, (*before, lesson)))


def _is_shared(seen: Sighting) -> bool:
    """Whether anybody saw anybody else perceive it."""
    return (
        len(seen.by) > 1
        or bool(seen.by and seen.apart)
        or any(len(each) > 1 for each in seen.apart)
    )


def _says_as_much(old: Lesson, new: Lesson) -> bool:
    """Whether all that one shows was shown before, to people who still know of it."""
    if firmness(old) < firmness(new) or not covers(old.seen, older=new.seen):
        return False
    return not old.forgotten_by or everyone(new.seen).isdisjoint(old.forgotten_by)


def together(
    world: World, fact: str, people: Iterable[EntityId], *, how: str, turn: TurnNo, suspected: bool
) -> World:
    """The world after these people came by a fact: each before those who are where they are.

    Whoever told them knows that they know, wherever they are.
    """
    way, _, by = how.partition(" by ")
    cast = world.plan.cast
    teller = EntityId(by) if way == "told" and by in cast else None
    learners = sorted({who for who in people if who in cast and who != teller})
    if way not in BEFORE_ALL or len(learners) + (teller is not None) < 2:
        return world
    base = Sighting(turn, AtomId(""), None)
    openly = frozenset() if teller is None else frozenset({teller})
    for place, there in _by_place(world, learners):
        all_of_them = sorted({*there, *openly})
        if len(all_of_them) < 2:
            continue  # alone, as most are
        if place is None:
            seen = structs.replace(base, by=tuple(all_of_them))
        else:
            seen = seen_at(world, base, all_of_them, place, openly=openly)
        world = noted(world, fact, Lesson(how, seen, suspected))
    return world


def confided(world: World, fact: str, who: EntityId, *, how: str, turn: TurnNo) -> World:
    """The world after somebody came to believe a fact, maybe from somebody: both know of that."""
    for lesson in _told(who, how, turn, claimed=True):
        world = noted(world, fact, lesson)
    return world


def _by_place(
    world: World, people: list[EntityId]
) -> Iterator[tuple[EntityId | None, list[EntityId]]]:
    """Those who are in one setting together; each alone who is nowhere, asleep or away."""
    groups: dict[EntityId, list[EntityId]] = {}
    for who in people:
        place = world.places.get(who)
        if place is None or who in world.asleep or who in world.away:
            yield None, [who]
        else:
            groups.setdefault(place, []).append(who)
    yield from sorted(groups.items())


# ── taking them back ─────────────────────────────────────────────────────────────────────────


def without(world: World, fact: str, people: Iterable[EntityId]) -> World:
    """The world in which these people had no part in any lesson of a fact: a correction."""
    gone = set(people)
    before = world.taught.get(fact, ())
    kept = tuple(each for old in before if _is_shared((each := _less(old, gone)).seen))
    if kept == before:
        return world
    taught = world.taught.set(fact, kept) if kept else world.taught.delete(fact)
    return structs.replace(world, taught=taught)


def _less(lesson: Lesson, gone: set[EntityId]) -> Lesson:
    seen = lesson.seen
    if gone.isdisjoint(everyone(seen)):
        return lesson
    apart = (tuple(who for who in group if who not in gone) for group in seen.apart)
    left = structs.replace(
        seen, by=tuple(w for w in seen.by if w not in gone), apart=tuple(g for g in apart if g)
    )
    still = tuple(who for who in lesson.forgotten_by if who not in gone)
    return structs.replace(lesson, seen=left, forgotten_by=still)


def forgotten(world: World, fact: str, people: Iterable[EntityId]) -> World:
    """The world in which these people no longer know where they have a fact from; they have it."""
    for who in sorted(set(people)):
        for lesson in _confided(world, (who,), fact):
            world = noted(world, fact, lesson)  # whoever told them knows that still
        world = _sourceless(world, who, fact)
        lessons = tuple(_forgot(each, who) for each in world.taught.get(fact, ()))
        if lessons:
            world = structs.replace(world, taught=world.taught.set(fact, lessons))
    return world


def _sourceless(world: World, who: EntityId, fact: str) -> World:
    facts, beliefs = world.known.get(who, EMPTY), world.beliefs
    known: Known | None = facts.get(fact)
    for name, each in world.beliefs.items():
        if each.who == who and each.fact == fact:
            beliefs = beliefs.set(name, structs.replace(each, how=FORGOTTEN))
    if known is None:
        return structs.replace(world, beliefs=beliefs)
    facts = facts.set(fact, structs.replace(known, how=FORGOTTEN))
    return structs.replace(world, beliefs=beliefs, known=world.known.set(who, facts))


def _forgot(lesson: Lesson, who: EntityId) -> Lesson:
    if who not in everyone(lesson.seen):
        return lesson
    by = tuple(sorted({*lesson.forgotten_by, who}))
    return structs.replace(lesson, forgotten_by=by)
