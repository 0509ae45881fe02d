"""Which piece of the author's prose comes next, and what is told on the way to a scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from storykeeper.events.atoms import Atom, Moved, Role, SceneChange, SceneChanged, Source
from storykeeper.events.records import AnyRecord
from storykeeper.play.story_words import lexicon
from storykeeper.play.witnesses import those_in
from storykeeper.story.conditions import Did
from storykeeper.story.model import PLAYER
from storykeeper.story.scenes import Beat, Scene
from storykeeper.story.standing import asked_at
from storykeeper.story.walk import walk
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.plan import Plan
from storykeeper.world.register import entry
from storykeeper.world.state import World, in_scene, present, whose_turn


def next_beat(world: World) -> tuple[str, Beat] | None:
    """The beat to tell now, as ("scene/beat", beat); None when the scene has nothing to say.

    A scene opens with its first beat. After that, a beat that waited for something goes before one
    that did not: it answers what the player just did. A beat that still waits stays tellable. Each
    is told where its place and its people are.
    """
    if world.scene is None:
        return None
    scene = world.plan.scenes[world.scene]
    untold = [(f"{scene.id}/{b.id}", b) for b in scene.beats]
    there = in_scene(world, whose_turn(world))
    untold = [(n, beat) for n, beat in untold if n not in world.told and (there or beat.when)]
    if untold and untold[0][1] is scene.beats[0] and untold[0][1].when is None:
        return untold[0] if can_be_told(world, scene, untold[0][1]) else None
    untold = [(n, beat) for n, beat in untold if can_be_told(world, scene, beat)]
    waited = (t for t in untold if t[1].when is not None and holds(world, t[1].when))
    plain = (t for t in untold if t[1].when is None)
    return next(waited, None) or next(plain, None)


def can_be_told(world: World, scene: Scene, beat: Beat) -> bool:
    """Whether its place and its people are here: where the scene is, where it has led them, or
    where what it waits for has them be.
    """
    here = world.places.get(whose_turn(world))
    asked = () if beat.when is None else asked_at(beat.when)
    places: set[str | None] = {*beat.at} or {*asked} or {*told_at(world, scene)}
    if here is not None and scene.setting is not None and here not in places:
        return False
    return {*beat.with_} <= {*present(world)} - {*world.away}


def told_at(world: World, scene: Scene) -> tuple[str | None, ...]:
    """Where a scene is told: its place, and where what was told of it has led the player."""
    return (scene.setting, *_led_to(world, scene))


def _led_to(world: World, scene: Scene) -> Iterator[str]:
    """The settings to which what was told of a scene has taken the player."""
    for beat in scene.beats:
        if beat.stage is not None and f"{scene.id}/{beat.id}" in world.told:
            for move in beat.stage.moves:
                if PLAYER in move.who or whose_turn(world) in move.who:
                    yield from move.to


def bridges(world: World, decided: Sequence[AnyRecord]) -> Iterator[tuple[str, Beat]]:
    """What the author tells of the way into a scene, if the player was brought there by it."""
    atoms = [each for each in decided if isinstance(each, Atom)]
    changes = [each.what for each in atoms if isinstance(each.what, SceneChanged)]
    left = [c.scene for c in changes if c.change in (SceneChange.LEFT, SceneChange.COMPLETED)]
    if not left or world.scene is None or not _brought(atoms, whose_turn(world)):
        return
    for way in world.plan.scenes[left[0]].leads_to:
        if way.to == world.scene and way.bridge.strip():
            name = f"to-{way.to}"
            yield f"{left[0]}/{name}", Beat(id=name, prose=way.bridge)
            return


def due(world: World, decided: Sequence[AnyRecord]) -> tuple[tuple[str, Beat], ...]:
    """All that the author tells in a turn: of the way, and then the next beat."""
    beat = next_beat(world)
    return (*bridges(world, decided), *(() if beat is None else (beat,)))


def has_a_part(world: World, who: EntityId, beat: Beat) -> bool:
    """Whether a piece of the author's prose is about somebody: it names them, waits for something
    that is done to them, needs them there, or has them come, go or have something.
    """
    stage = beat.stage
    moved = () if stage is None else (*stage.here, *(w for m in stage.moves for w in m.who))
    dids = (part for _, part in walk(beat.when) if isinstance(part, Did))
    waited = (name for part in dids for name in (part.who, part.to))
    return who in (*beat.with_, *moved, *waited) or who in _named(world.plan, beat.prose)


def is_to_come(world: World, who: EntityId) -> bool:
    """Whether nothing has told of somebody, and a beat of the present scene has yet to."""
    known, scene = entry(world, who), world.plan.scenes.get(world.scene or "")
    if scene is None or (known is not None and known.mentions):
        return False
    untold = (beat for beat in scene.beats if f"{scene.id}/{beat.id}" not in world.told)
    return any(has_a_part(world, who, beat) for beat in untold)


@lru_cache(maxsize=4_096)
def _named(plan: Plan, prose: str) -> frozenset[EntityId]:
    return frozenset(each.entity for each in lexicon(plan).names.find_in_prose(prose))


def _brought(atoms: Sequence[Atom], player: EntityId) -> bool:
    return any(
        isinstance(each.what, Moved) and each.source is Source.RULE
        and player in those_in(each.participants, Role.ACTOR)
        for each in atoms
    )  # fmt: skip
