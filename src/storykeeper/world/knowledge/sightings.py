"""Sightings: where somebody or something was last seen or said to be, and who perceived that.

One is noted whenever an event or a statement tells where something is or goes; who perceived it
stands on it once, not once per person. An older one that a newer one makes needless is let go, so
that there are few; what anybody thinks anybody thinks is worked out from them (`beliefs`).
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import permutations

from immutables import Map
from msgspec import structs

from storykeeper.events.atoms import Atom, Resolved, Role, SpeechUttered
from storykeeper.units import EntityId
from storykeeper.world.state import Sighting, World

PERCEIVING = frozenset({Role.ACTOR, Role.TARGET, Role.WITNESS})
_UNAWARES = PERCEIVING - {Role.ACTOR}
MAX_OPEN = 16  # of one thing of which nobody knows the room
MANY = 64  # sightings of one thing; beyond, those are kept that two people's thoughts need


# ── who perceived it ─────────────────────────────────────────────────────────────────────────


def perceiving(atom: Atom) -> frozenset[Role]:
    """The parts by which one perceives an event; who talks in their sleep does not."""
    asleep = isinstance(atom.what, SpeechUttered) and atom.what.asleep
    return _UNAWARES if asleep else PERCEIVING


def perceives(atom: Atom, minds: Iterable[EntityId]) -> bool:
    """Whether one of some people did it, had it done to them, or was there to perceive it."""
    whispered = isinstance(atom.what, SpeechUttered) and atom.what.whispered
    roles, these = perceiving(atom), set(minds)
    return any(
        p.role in roles and isinstance(p.entity, Resolved) and p.entity.entity in these
        for p in atom.participants
        if not (whispered and p.role is Role.WITNESS)
    )


def perceivers(world: World, atom: Atom) -> tuple[EntityId, ...]:
    """Everyone of the cast who perceives an event: by their part in it, and awake; sorted."""
    roles = perceiving(atom)
    found = {
        p.entity.entity
        for p in atom.participants
        if p.role in roles and isinstance(p.entity, Resolved)
    }
    return tuple(sorted(w for w in found if w in world.plan.cast and w not in world.asleep))


def seen_at(
    world: World,
    sighting: Sighting,
    who: Iterable[EntityId],
    at: EntityId,
    *,
    openly: AbstractSet[EntityId] = frozenset(),
) -> Sighting:
    """A sighting perceived by these people, of something in a setting.

    Openly by those who are there, or where one sees them from there; apart by those who hide, and
    by those elsewhere, who see each other if they are together.
    """
    setting = world.plan.settings.get(at)
    in_view = () if setting is None else setting.sees
    by: list[EntityId] = []
    apart: dict[EntityId, list[EntityId]] = {}
    for each in who:
        place = world.places.get(each)
        unseen = each in world.hidden or each in world.invisible
        if each in openly or ((place == at or place in in_view) and not unseen):
            by.append(each)
        else:
            apart.setdefault(each if unseen or place is None else place, []).append(each)
    groups = tuple(sorted(tuple(sorted(group)) for group in apart.values())) if apart else ()
    return structs.replace(sighting, by=tuple(sorted(by)), apart=groups)


def everyone(sighting: Sighting) -> frozenset[EntityId]:
    """All who perceived it, openly or not."""
    return frozenset(sighting.by).union(*sighting.apart)


def sees(sighting: Sighting, *, who: EntityId, whom: EntityId) -> bool:
    """x sees y perceive s   F8.2: y openly, or both in one group; or x takes it that y did."""
    if who == whom:
        return who in everyone(sighting)
    if (who, whom) in sighting.supposed:
        return True
    if whom in sighting.by:
        return who in everyone(sighting)
    return any(who in group and whom in group for group in sighting.apart)


# ── noting them ──────────────────────────────────────────────────────────────────────────────


def noted(world: World, entity: EntityId, sighting: Sighting) -> World:
    """The world with one more sighting of somebody or something."""
    if not (sighting.by or sighting.apart or sighting.anywhere):
        return world
    before = world.sightings.get(entity, ())
    openly = frozenset(sighting.by)  # whoever perceived it unseen by some of these is not covered
    kept = (
        *[o for o in before if not openly.issuperset(o.by) or not covers(sighting, older=o)],
        sighting,
    )
    if len(kept) % MANY == 0:
        kept = needed(kept)
    if sighting.anywhere and sum(bool(each.anywhere) for each in kept) > MAX_OPEN:
        oldest = next(i for i, each in enumerate(kept) if each.anywhere)
        kept = (*kept[:oldest], *kept[oldest + 1 :])  # nobody is known to have seen it
    return structs.replace(
        world, sightings=world.sightings.set(entity, kept), haunts=_haunts(world, entity, kept)
    )


def _haunts(
    world: World, entity: EntityId, kept: tuple[Sighting, ...]
) -> Map[EntityId, tuple[EntityId, ...]]:
    """Where which of the cast is seen, by what is kept of one of them."""
    haunts, before = world.haunts, {each.place for each in world.sightings.get(entity, ())}
    now = {each.place for each in kept}
    if before == now or entity not in world.plan.cast:
        return haunts
    for place in before ^ now:  # no longer, or newly
        if place is not None:
            there = {*haunts.get(place, ())} ^ {entity}
            haunts = haunts.set(place, tuple(sorted(there))) if there else haunts.delete(place)
    return haunts


def covers(newer: Sighting, *, older: Sighting) -> bool:
    """R_older ⊆ R_newer   F8.4: nobody's thoughts rest on the older any more.

    What is only said does not cover what was seen: who says it may know better.
    """
    if older.anywhere or (newer.teller is not None and newer.teller != older.teller):
        return False
    if not set(older.by) <= set(newer.by):
        return False
    if older.apart:
        together = [set(newer.by), *map(set, newer.apart)]
        if not all(any(group <= each for each in together) for group in map(set, older.apart)):
            return False
    return all(sees(newer, who=who, whom=whom) for who, whom in older.supposed)


def needed(sightings: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Those that are the latest for somebody, or for what somebody thinks of another."""
    kept: list[Sighting] = []
    settled: set[tuple[EntityId, EntityId]] = set()
    for each in reversed(sightings):
        seen = set(pairs(each))
        if each.anywhere or not seen <= settled:
            kept.append(each)
            settled |= seen
    return tuple(reversed(kept))


def pairs(sighting: Sighting) -> Iterable[tuple[EntityId, EntityId]]:
    """Who sees whom perceive it; themselves too, unless they only said it."""
    people = everyone(sighting)
    yield from ((who, who) for who in people if who != sighting.teller)
    yield from ((who, whom) for who in people for whom in sighting.by if who != whom)
    for group in sighting.apart:
        yield from permutations(group, 2)
    yield from sighting.supposed


def settled(
    world: World, entity: EntityId, *, inside: AbstractSet[EntityId], at: EntityId
) -> World:
    """The world in which it is known where a container was all along: those there saw into it."""
    before = world.sightings.get(entity, ())
    if not any(each.anywhere and each.place in inside for each in before):
        return world
    world = structs.replace(
        world, sightings=world.sightings.delete(entity), haunts=_haunts(world, entity, ())
    )
    for each in before:
        known = each.anywhere and each.place in inside
        world = noted(world, entity, _placed(each, at) if known else each)
    return world


def _placed(sighting: Sighting, at: EntityId) -> Sighting:
    there = {who for who, place in sighting.anywhere if place == at}
    apart = tuple(group for group in sighting.apart if not set(group) <= there)
    return structs.replace(sighting, by=tuple(sorted(there)), apart=apart, anywhere=())
