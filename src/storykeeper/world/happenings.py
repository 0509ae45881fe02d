"""What an authored event changes in the world, by its id: the author wrote its effects."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from storykeeper.events.changes import EventHappened, IntentPredicted, IntentResolved, MoodDelta
from storykeeper.story.knowledge import MoodShift, StoryEvent
from storykeeper.units import AtomId, EntityId, SceneId, TurnNo
from storykeeper.world.atoms import shifted
from storykeeper.world.layers import bumped, taken_up
from storykeeper.world.sights import Perceived, after_going, after_placing
from storykeeper.world.state import LayerState, Mood, World
from storykeeper.world.whereabouts import everyone_at


def after_event(world: World, record: EventHappened) -> World:
    """Masses, boundaries, standings, moods, places and hands, as the author stated them."""
    turn = record.turn
    world = structs.replace(world, happened=world.happened.set(record.event, turn))
    event = world.plan.events.get(record.event)
    if event is None:  # an edited story no longer has it: that it happened stays
        return world
    world = _moved(_bumped(_weighed(world, event), event, turn), event, record)
    for shift in event.relations:
        for who in world.plan.named(shift.from_, record.player):
            for whom in world.plan.named(shift.to, record.player):
                world = shifted(
                    world, who=who, toward=whom, dimension=shift.dimension, by=shift.by, turn=turn
                )
    for mood in event.moods:
        for who in world.plan.named(mood.who, record.player):
            moved = _mood(world.moods.get(who, Mood()), mood)
            world = structs.replace(world, moods=world.moods.set(who, moved))
    return world


def _weighed(world: World, event: StoryEvent) -> World:
    masses = world.masses
    for scene, change in event.mass.items():
        masses = masses.set(SceneId(scene), masses.get(SceneId(scene), 0.0) + change)
    return structs.replace(world, masses=masses)


def _bumped(world: World, event: StoryEvent, turn: TurnNo) -> World:
    layers = world.layers
    for name, amount in event.permeability.items():
        state = bumped(layers.get(name, LayerState()), amount=amount, turn=turn)
        layers = layers.set(name, state)
    return structs.replace(world, layers=layers)


def _moved(world: World, event: StoryEvent, record: EventHappened) -> World:
    """People are seen to come and go by those there; who is given something knows that."""
    turn, player = record.turn, record.player
    for name, setting in event.moves.items():
        for who in world.plan.named(name, player):
            there = {world.places.get(who), EntityId(setting)}
            near = {each for place in there if place for each in everyone_at(world, place)}
            seen = _seen(world, event, turn, {who, *near})
            world = after_going(world, seen, who, EntityId(setting))
    for thing, name in event.gives.items():
        holder = world.plan.named(name, player)[0]
        if world.holders.get(EntityId(thing)) != holder:
            world = taken_up(world, EntityId(thing), turn=turn)
        world = after_placing(world, _seen(world, event, turn, {holder}), EntityId(thing), holder)
    return world


def _seen(world: World, event: StoryEvent, turn: TurnNo, by: Iterable[EntityId]) -> Perceived:
    awake = tuple(sorted(who for who in by if who not in world.asleep))
    return Perceived(turn, AtomId(f"event:{event.id}"), awake)


def after_intent(world: World, record: IntentPredicted | IntentResolved) -> World:
    """What an intent does to the mood of whoever has it, and when they last did that."""
    if isinstance(record, IntentResolved):
        if not record.option:
            return world
        return structs.replace(world, shown=world.shown.set(record.option, record.turn))
    if record.mood is None:
        return world
    moved = _mood(world.moods.get(record.who, Mood()), record.mood)
    return structs.replace(world, moods=world.moods.set(record.who, moved))


def _mood(mood: Mood, shift: MoodShift | MoodDelta) -> Mood:
    return structs.replace(
        mood,
        valence=min(1.0, max(-1.0, mood.valence + shift.valence)),
        arousal=min(1.0, max(0.0, mood.arousal + shift.arousal)),
        determination=min(1.0, max(0.0, mood.determination + shift.determination)),
    )
