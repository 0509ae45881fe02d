"""The course of a field: what an action comes to, who perceives it, and what stays with them.

Pure: a world in, a world out. A turn is taken by all at once: every brief is of the same moment,
then the actions happen one after the other, in the order of their actors' ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import structs

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import Point
from storykeeper.canon.persona import PersonaCardV2
from storykeeper.canon.situation import (
    EntityState,
    Happening,
    LastKnown,
    Report,
    Verb,
    WorldState,
)
from storykeeper.errors import UnknownPerson
from storykeeper.staging.field.perception import Perceiver, settled
from storykeeper.staging.field.plane import distance

Cast = Mapping[str, PersonaCardV2]
UNSEEN = "somebody or something"  # to which a deed is done, for who does not see that


def after(world: WorldState, actions: Iterable[CharacterAction], cast: Cast) -> WorldState:
    """The field in the next turn: what was done is done, and everybody remembers what they saw."""
    for action in sorted(actions, key=lambda each: each.who):
        world = done(world, action, cast)
    world = structs.replace(world, turn=world.turn + 1)
    return remembered(world, cast)


def done(world: WorldState, action: CharacterAction, cast: Cast) -> WorldState:
    """What one action comes to, with who perceived it."""
    verb = next((each for each in world.verbs if each.id == action.verb), None)
    actor = next((each for each in world.entities if each.id == action.who), None)
    if verb is None or actor is None:
        raise UnknownPerson(
            f"{action.who} cannot {action.verb} on the field {world.id}: there is no such"
            f" {'verb' if verb is None else 'actor'}; have a judge rule on it first"
        )
    moved = _paid(actor, verb)
    if verb.moves and action.to is not None and actor.at is not None:
        moved = structs.replace(moved, at=_toward(actor.at, action.to, verb.reach))
    world = _with(world, moved)
    target = next((each for each in world.entities if each.id == action.target), None)
    if target is not None and verb.puts:
        status = tuple(dict.fromkeys((*target.status, *verb.puts)))
        world = _with(world, structs.replace(target, status=status))
    happening = _happening(world, action, verb, moved, target)
    perceivers = [Perceiver(world, card) for card in cast.values()]
    happening = settled(happening, perceivers)
    world = structs.replace(world, happenings=(*world.happenings, happening))
    return _shared(world, moved, target, cast) if verb.shares else world


def _paid(actor: EntityState, verb: Verb) -> EntityState:
    left = {
        name: max(0.0, amount - verb.costs.get(name, 0.0))
        for name, amount in actor.resources.items()
    }
    return structs.replace(actor, resources=left)


def _toward(start: Point, to: Point, reach: float | None) -> Point:
    """As far on the way to a point as one gets."""
    away = distance(start, to)
    if reach is None or away <= reach:
        return to
    share = reach / away
    return Point(
        x=round(start.x + (to.x - start.x) * share, 3),
        y=round(start.y + (to.y - start.y) * share, 3),
    )


def _with(world: WorldState, entity: EntityState) -> WorldState:
    entities = tuple(entity if each.id == entity.id else each for each in world.entities)
    return structs.replace(world, entities=entities)


def _happening(
    world: WorldState, action: CharacterAction, verb: Verb, actor: EntityState,
    target: EntityState | None,
) -> Happening:  # fmt: skip
    """What was said with canon behind it carries its sources; a deed is only what it is."""
    told = verb.done or f"{{who}}: {verb.text}"
    called = "" if target is None else target.name
    told = told.replace("{who}", actor.name)
    text = told.replace("{target}", called or "nobody")
    apart = told.replace("{target}", UNSEEN)
    words = action.words if verb.speaks else ""
    return Happening(
        id=f"t{world.turn}-{action.who}", turn=world.turn, text=text, by=action.who,
        apart=apart if apart != text and target is not None else "",
        target=None if target is None else target.id, loud=verb.loud, heard_as=verb.heard_as,
        words=words, channel=action.channel if verb.speaks else None,
        cites=action.cites if words else (),
    )  # fmt: skip


def _shared(
    world: WorldState, actor: EntityState, target: EntityState | None, cast: Cast
) -> WorldState:
    """Their side is told where its target is, as they see it now, or else as they saw it last."""
    if target is None or actor.faction is None:
        return world
    last = _as_seen(world, Perceiver(world, cast[actor.id]), target)
    if last is None:
        return world
    told = Report(
        id=f"report-{actor.faction}-{target.id}",
        faction=actor.faction,
        turn=last.turn,
        text=last.looks or last.name,
        about=target.id,
        at=last.at,
        threat=last.threat,
        sure=0.9,
    )
    kept = tuple(each for each in world.reports if each.id != told.id)
    return structs.replace(world, reports=(*kept, told))


def _as_seen(world: WorldState, perceiver: Perceiver, entity: EntityState) -> LastKnown | None:
    """Somebody or something as it is seen, or was seen last."""
    who, there = perceiver.card.id, perceiver.where(entity)
    if not perceiver.sees(entity) or there is None:
        kept = (e for e in world.last_known if (e.who, e.entity) == (who, entity.id))
        return next(kept, None)
    return LastKnown(
        who=who, entity=entity.id, turn=world.turn, at=there, name=entity.name,
        looks=entity.looks, faction=entity.faction, threat=entity.threat,
    )  # fmt: skip


def remembered(world: WorldState, cast: Cast) -> WorldState:
    """Everybody keeps where they last saw whom and what they see, as it looked then."""
    kept = {(each.who, each.entity): each for each in world.last_known}
    for card in cast.values():
        perceiver = Perceiver(world, card)
        for entity in perceiver.seen:
            seen = _as_seen(world, perceiver, entity)
            if seen is not None:
                kept[card.id, entity.id] = seen
    fresh = (each for each in kept.values() if world.turn - each.turn < world.ages_after)
    return structs.replace(
        world, last_known=tuple(sorted(fresh, key=lambda each: (each.who, each.entity)))
    )


def in_order(cast: Iterable[PersonaCardV2]) -> Sequence[PersonaCardV2]:
    """Actors by id."""
    return sorted(cast, key=lambda each: each.id)
