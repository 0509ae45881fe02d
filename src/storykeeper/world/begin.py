"""The world before the first turn, as the author left it; and what an edited story changes.

An edited story adds and takes nothing back: somebody new comes to where the author puts them,
while whoever has moved, learned or changed since stays as play left them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from immutables import Map
from msgspec import structs

from storykeeper.story.people import Character
from storykeeper.story.places import Thing
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.authored import authored, index_of
from storykeeper.world.knowledge import Knowledge, learn
from storykeeper.world.met import has_come_across, with_what_is_seen
from storykeeper.world.plan import Plan
from storykeeper.world.sights import at_first
from storykeeper.world.state import Believed, Feeling, Mood, Standing, World

K = TypeVar("K")
V = TypeVar("V")
START = TurnNo(0)


def begin(plan: Plan) -> World:
    """A world that nothing has happened in yet."""
    return _joined(World(plan=plan), plan, before=None)


def adopt(world: World, plan: Plan) -> World:
    """The world under another version of its story: what is new joins, what is there stays.

    A present scene that the author took out is no more: the next step begins at the start again.
    """
    world = _joined(world, plan, before=world.plan)
    if world.scene is not None and world.scene not in plan.scenes:
        world = structs.replace(world, scene=None, scene_turns=0, inside=())
    inside = tuple(each for each in world.inside if each.layer in plan.layers)
    bodies = world.bodies if inside else Map()
    return structs.replace(world, inside=inside, bodies=bodies)


def _joined(world: World, plan: Plan, *, before: Plan | None) -> World:
    story = plan.story
    joined = structs.replace(
        world,
        plan=plan,
        places=_first(dict(_places(plan, before)), world.places),
        holders=_first(dict(_holders(plan, before)), world.holders),
        hidden=_hidden(world, plan, before),
        standings=_first(dict(_standings(plan)), world.standings),
        moods=_first({EntityId(c.id): _mood(plan, c) for c in story.cast}, world.moods),
        register=(register := authored(plan, world.register, world.keys)),
        index=index_of(register),
        truths=Map({fact.id: fact.confidence for fact in story.facts}),
        known=_known(world.known, plan, before),
        beliefs=_first(dict(_beliefs(plan)), world.beliefs),
    )
    for each in _everything(plan):
        if _is_new(each.id, before):
            joined = at_first(
                joined, EntityId(each.id), turn=START if before is None else world.now
            )
    return with_what_is_seen(joined)


def _first(authored: Mapping[K, V], there: Map[K, V]) -> Map[K, V]:
    """What is there, and what the author has where nothing is."""
    return Map(authored).update(there)


def _is_new(name: str, before: Plan | None) -> bool:
    """Whether an older version of the story did not have it: only then is it put in its place.

    A key that the player has taken is nowhere, and must not come back to its nail.
    """
    return before is None or (name not in before.cast and name not in before.things)


def _everything(plan: Plan) -> Iterator[Character | Thing]:
    yield from plan.cast.values()
    yield from plan.things.values()


def _places(plan: Plan, before: Plan | None) -> Iterator[tuple[EntityId, EntityId]]:
    for each in _everything(plan):
        if each.at is not None and _is_new(each.id, before):
            yield EntityId(each.id), EntityId(each.at)


def _holders(plan: Plan, before: Plan | None) -> Iterator[tuple[EntityId, EntityId]]:
    for thing in plan.things.values():
        if thing.held_by is not None and _is_new(thing.id, before):
            yield EntityId(thing.id), EntityId(thing.held_by)


def _hidden(world: World, plan: Plan, before: Plan | None) -> tuple[EntityId, ...]:
    """Who and what is hidden, with what the author hides and nobody has come across.

    What the author hid, and hides no more, lies open.
    """
    hidden = {*world.hidden}
    for thing in plan.things.values():
        hid = before is not None and thing.id in before.things and before.things[thing.id].hidden
        if hid and not thing.hidden:
            hidden.discard(EntityId(thing.id))
        elif thing.hidden and not hid and not _is_met(world, thing):
            hidden.add(EntityId(thing.id))
    return tuple(sorted(hidden))


def _is_met(world: World, thing: Thing) -> bool:
    return any(has_come_across(world, who, thing.id) for who in world.met)


def _standings(plan: Plan) -> Iterator[tuple[tuple[EntityId, EntityId], Standing]]:
    for person in plan.cast.values():
        for r in person.relations:
            standing = Standing(r.reliability, r.competence, r.benevolence, r.affection, r.debt)
            yield (EntityId(person.id), EntityId(r.to)), standing


def _mood(plan: Plan, person: Character) -> Mood:
    mood = person.mood
    feelings = tuple(
        Feeling(
            f.name,
            f.strength,
            f.awareness,
            plan.named(f.toward)[0] if f.toward is not None else None,
            f.shown_as,
        )
        for f in mood.feelings
    )
    return Mood(mood.valence, mood.arousal, mood.determination, feelings)


def _known(known: Knowledge, plan: Plan, before: Plan | None) -> Knowledge:
    """What each knows at the start; what a correction took back does not return."""
    stated = frozenset() if before is None else frozenset(_authored(before))
    for each in _authored(plan):
        if each not in stated:
            who, fact, how, suspected = each
            known = learn(known, fact, to=(who,), how=how, turn=START, suspected=suspected)
    return known


def _authored(plan: Plan) -> Iterator[tuple[EntityId, str, str, bool]]:
    for fact in plan.story.facts:
        for people, suspected in ((fact.known_by, False), (fact.suspected_by, True)):
            for name, how in people.items():
                for who in plan.named(name):
                    yield who, fact.id, how, suspected


def _beliefs(plan: Plan) -> Iterator[tuple[str, Believed]]:
    for fact in plan.story.facts:
        for name, how in fact.believed_by.items():
            for who in plan.named(name):
                yield f"{who}:{fact.id}", Believed(who, how, START, 1.0, fact.id)
