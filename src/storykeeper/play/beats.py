"""Which piece of the author's prose comes next."""

from __future__ import annotations

from storykeeper.story.scenes import Beat
from storykeeper.world.conditions import holds
from storykeeper.world.state import World, in_scene, whose_turn


def next_beat(world: World) -> tuple[str, Beat] | None:
    """The beat to tell now, as ("scene/beat", beat); None when the scene has nothing to say.

    A scene opens with its first beat. After that, a beat that waited for something goes before one
    that did not: it answers what the player just did. A beat that still waits stays tellable. Of
    several players, who is not where the scene is is told only what waits for something of theirs.
    """
    if world.scene is None:
        return None
    scene = world.plan.scenes[world.scene]
    untold = [(f"{scene.id}/{b.id}", b) for b in scene.beats]
    there = in_scene(world, whose_turn(world))
    untold = [(n, beat) for n, beat in untold if n not in world.told and (there or beat.when)]
    if untold and untold[0][1] is scene.beats[0] and untold[0][1].when is None:
        return untold[0]
    waited = (t for t in untold if t[1].when is not None and holds(world, t[1].when))
    plain = (t for t in untold if t[1].when is None)
    return next(waited, None) or next(plain, None)
