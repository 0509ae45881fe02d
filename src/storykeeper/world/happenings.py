"""What an authored event changes in the world, by its id: the author wrote its effects."""

from __future__ import annotations

from msgspec import structs

from storykeeper.events.changes import EventHappened
from storykeeper.story.knowledge import MoodShift, StoryEvent
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.atoms import shifted
from storykeeper.world.layers import bumped, taken_up
from storykeeper.world.state import LayerState, Mood, World


def after_event(world: World, record: EventHappened) -> World:
    """Masses, boundaries, standings, moods, places and hands, as the author stated them."""
    turn = record.turn
    world = structs.replace(world, happened=world.happened.set(record.event, turn))
    event = world.plan.events.get(record.event)
    if event is None:  # an edited story no longer has it: that it happened stays
        return world
    world = _moved(_bumped(_weighed(world, event), event, turn), event, turn)
    for shift in event.relations:
        for who in world.plan.named(shift.from_):
            for whom in world.plan.named(shift.to):
                world = shifted(
                    world, who=who, toward=whom, dimension=shift.dimension, by=shift.by, turn=turn
                )
    for mood in event.moods:
        for who in world.plan.named(mood.who):
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


def _moved(world: World, event: StoryEvent, turn: TurnNo) -> World:
    places, holders = world.places, world.holders
    for name, setting in event.moves.items():
        for who in world.plan.named(name):
            places = places.set(who, EntityId(setting))
    for thing, name in event.gives.items():
        holder = world.plan.named(name)[0]
        if holders.get(EntityId(thing)) != holder:
            world = taken_up(world, EntityId(thing), turn=turn)
        holders = holders.set(EntityId(thing), holder)
        places = places.delete(EntityId(thing)) if thing in places else places
    return structs.replace(world, places=places, holders=holders)


def _mood(mood: Mood, shift: MoodShift) -> Mood:
    return structs.replace(
        mood,
        valence=min(1.0, max(-1.0, mood.valence + shift.valence)),
        arousal=min(1.0, max(0.0, mood.arousal + shift.arousal)),
        determination=min(1.0, max(0.0, mood.determination + shift.determination)),
    )
