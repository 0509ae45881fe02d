"""Taking and giving put things into hands, putting takes them out, as far as is known."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.events.atoms import (
    Moved,
    Participant,
    Resolved,
    Role,
    Source,
    StateAsserted,
)
from storykeeper.language.lexicon import VerbClass
from storykeeper.play.participants import is_own, is_thing
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.whereabouts import setting_of

_PUTTING = frozenset({VerbClass.PUT, VerbClass.MOVE, VerbClass.HIDE})
_HANDING = frozenset({VerbClass.PUT, VerbClass.MOVE, VerbClass.TAKE})


def put_in_hands(
    unfolding: Unfolding,
    parts: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    goal: EntityId | None,
    hands: Sequence[EntityId],
    watching: Sequence[EntityId],
) -> None:
    """Decide who holds what, and what is where, after a deed that these saw; `hands` are those
    whose hands it was done with or to.
    """
    handed = _from_hand_to_hand(unfolding, parts, hands) if classes & _HANDING else []
    for thing, to in handed or _moves(unfolding, parts, classes, goal):
        _move(unfolding, thing, to, parts, watching)


def _moves(
    unfolding: Unfolding,
    parts: Sequence[Participant],
    classes: frozenset[VerbClass],
    goal: EntityId | None,
) -> list[tuple[Resolved, EntityId]]:
    """What goes where by a deed."""
    actors, targets, subjects = (
        [p.entity for p in parts if p.role is role and isinstance(p.entity, Resolved)]
        for role in (Role.ACTOR, Role.TARGET, Role.SUBJECT)
    )
    moves: list[tuple[Resolved, EntityId]] = []
    if VerbClass.GIVE in classes and targets and subjects:
        moves = _into_hands(unfolding, targets[0].entity, subjects)
    elif VerbClass.TAKE in classes and actors:
        moves = _into_hands(unfolding, actors[0].entity, targets)
    elif classes & _PUTTING and actors:
        moves = _put_somewhere(unfolding, actors[0], targets, goal)
        if not moves and VerbClass.PUT in classes:
            moves = _put_down(unfolding, actors[0], targets, parts)
    return moves


def _from_hand_to_hand(
    unfolding: Unfolding, parts: Sequence[Participant], hands: Sequence[EntityId]
) -> list[tuple[Resolved, EntityId]]:
    """What is put into somebody's hand or slid to them they have; what is taken out of it, who
    takes it: who had it says which way it goes.
    """
    world = unfolding.world
    cast = world.plan.cast
    actor = next((who for who in those_in(parts, Role.ACTOR) if who in cast), None)
    people = (*hands, *those_in(parts, Role.TARGET))
    other = next((who for who in people if who in cast and who != actor), None)
    if actor is None or other is None:
        return []
    to = {actor: other, other: actor}
    things = [p.entity for p in parts if p.role is Role.TARGET and isinstance(p.entity, Resolved)]
    held = ((thing, world.holders.get(thing.entity)) for thing in things)
    return [(thing, to[by]) for thing, by in held if by in to]


def _into_hands(
    unfolding: Unfolding, holder: EntityId, things: Sequence[Resolved]
) -> list[tuple[Resolved, EntityId]]:
    world = unfolding.world
    if holder not in world.plan.cast:
        return []
    return [
        (thing, holder)
        for thing in things
        if is_thing(world, thing.entity) and world.holders.get(thing.entity) != holder
    ]


def _put_somewhere(
    unfolding: Unfolding, who: Resolved, things: Sequence[Resolved], goal: EntityId | None
) -> list[tuple[Resolved, EntityId]]:
    """What somebody could reach is in another thing now, or in the place where they are."""
    world = unfolding.world
    here = world.places.get(who.entity)
    if goal is None or here is None or setting_of(world, goal) not in (None, here):
        return []
    return [
        (thing, goal)
        for thing in things
        if is_thing(world, thing.entity)
        and thing.entity != goal
        and setting_of(world, thing.entity) in (None, here)
    ]


def _put_down(
    unfolding: Unfolding, who: Resolved, things: Sequence[Resolved], parts: Sequence[Participant]
) -> list[tuple[Resolved, EntityId]]:
    """What somebody held lies here now; but not what they put into a pocket of theirs."""
    world = unfolding.world
    here = world.places.get(who.entity)
    kept = any(p.role is Role.LOCATION and is_own(p.entity, who.entity) for p in parts)
    if here is None or kept:
        return []
    return [(t, here) for t in things if world.holders.get(t.entity) == who.entity]


def _move(
    unfolding: Unfolding,
    thing: Resolved,
    to: EntityId,
    parts: Sequence[Participant],
    watching: Sequence[EntityId],
) -> None:
    """A thing is somewhere else now; whoever saw what was done saw that, and who had a part in it;
    not whom it was done to unawares, or behind whom.
    """
    world = unfolding.world
    known = those_in(parts, Role.ACTOR, Role.TARGET)
    everyone = tuple(dict.fromkeys((*watching, *(who for who in known if who in world.plan.cast))))
    actor = next((p.entity for p in parts if p.role is Role.ACTOR), None)
    if isinstance(actor, Resolved):
        for each in (world.containers.get(thing.entity), to):
            _found_here(unfolding, each, actor.entity, seen_by=everyone)
    unfolding.take_place(
        Moved(to), [Participant(Role.SUBJECT, thing)], source=Source.RULE, seen_by=everyone
    )


def _found_here(
    unfolding: Unfolding,
    container: EntityId | None,
    who: EntityId,
    *,
    seen_by: tuple[EntityId, ...],
) -> None:
    """What somebody reaches into is where they are: on record, if nothing has said it before."""
    world = unfolding.world
    here = world.places.get(who)
    if container is None or here is None or container in world.plan.cast:
        return
    if setting_of(world, container) is None:
        unfolding.take_place(
            StateAsserted("", here), [Participant(Role.SUBJECT, Resolved(container))],
            source=Source.RULE, seen_by=seen_by,
        )  # fmt: skip
