"""Which scenes lie ahead of the present one, or beside it, and how many steps away.

    h(s) = transitions on the shortest path that is not closed for good
           beside: steps back to the nearest shared predecessor, and steps forward from there

Ways into and out of a tale within the tale count as transitions; those into a hidden one do not
until it is known of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from storykeeper.gravity.possible import possible
from storykeeper.story.conditions import Condition
from storykeeper.story.layers import Layer
from storykeeper.units import SceneId
from storykeeper.world.conditions import holds
from storykeeper.world.plan import Plan
from storykeeper.world.state import LayerState, SceneState, World


class Step(Struct, frozen=True):
    """A way from one scene to another."""

    to: SceneId
    when: Condition | None = None
    into: str | None = None  # the layer it leads into


class Way(Struct, frozen=True, gc=False):
    """How far along the story a scene is."""

    steps: int
    lateral: bool = False


class Graph(Struct, frozen=True):
    """The scenes of a story and the ways between them."""

    forward: dict[str, tuple[Step, ...]]
    back: dict[str, tuple[str, ...]]


@lru_cache(maxsize=16)
def graph(plan: Plan) -> Graph:
    """The ways of a story; a plan is the same object as long as its story is."""
    forward: dict[str, list[Step]] = {scene: [] for scene in plan.scenes}
    for scene in plan.scenes.values():
        forward[scene.id] += [Step(SceneId(t.to), t.when) for t in scene.leads_to]
    for layer in plan.layers.values():
        for way in layer.portals:
            forward[way.from_].append(Step(SceneId(way.to), way.when, layer.id))
        for way in layer.exits:
            forward[way.from_].append(Step(SceneId(way.to), way.when))
    back: dict[str, list[str]] = {scene: [] for scene in plan.scenes}
    for scene_id, steps in forward.items():
        for step in steps:
            back[step.to].append(scene_id)
    return Graph(
        {scene: tuple(dict.fromkeys(steps)) for scene, steps in forward.items()},
        {scene: tuple(dict.fromkeys(before)) for scene, before in back.items()},
    )


def ways(world: World) -> Mapping[SceneId, Way]:
    """Every scene ahead and beside, in the order of their steps."""
    here = present_scene(world)
    if here not in world.plan.scenes:
        return {}
    ahead = _spread(world, {here: 0})
    beside = _spread(world, _before(world.plan, here))
    found = {scene: Way(steps) for scene, steps in ahead.items() if scene != here}
    for scene, steps in beside.items():
        if scene != here and scene not in found and steps > 0:
            found[scene] = Way(steps, lateral=True)
    return found


def present_scene(world: World) -> SceneId:
    """Where the story stands; before it begins, where it will."""
    return world.scene or SceneId(world.plan.story.start)


def _before(plan: Plan, here: SceneId) -> dict[SceneId, int]:
    """Predecessors of a scene, and how many steps back; whatever has closed since."""
    found, edge, steps = {here: 0}, [here], 0
    back = graph(plan).back
    while edge:
        steps += 1
        edge = [SceneId(p) for scene in edge for p in back[scene] if p not in found]
        found.update(dict.fromkeys(edge, steps))
        edge = list(dict.fromkeys(edge))
    return found


def _spread(world: World, start: dict[SceneId, int]) -> dict[SceneId, int]:
    """The fewest steps to every scene from these, each of which is so many steps away itself."""
    found = dict(start)
    waiting: dict[int, list[SceneId]] = {}
    for scene, steps in start.items():
        waiting.setdefault(steps, []).append(scene)
    steps = 0
    while waiting:
        for scene in waiting.pop(steps, ()):
            if found[scene] == steps:
                for after in _following(world, scene):
                    if found.get(after, steps + 2) > steps + 1:
                        found[after] = steps + 1
                        waiting.setdefault(steps + 1, []).append(after)
        steps += 1
    return found


def _following(world: World, scene: SceneId) -> Iterator[SceneId]:
    for step in graph(world.plan).forward[scene]:
        if not closed_for_good(world, step):
            yield step.to


def closed_for_good(world: World, step: Step) -> bool:
    """Whether a way will never be gone any more, or is not known of yet."""
    state = world.scenes.get(step.to, SceneState())
    if state.completed and not world.plan.scenes[step.to].revisitable:
        return True
    if step.into is not None and not is_revealed(world, world.plan.layers[step.into]):
        return True
    return step.when is not None and not possible(world, step.when)


def is_revealed(world: World, layer: Layer) -> bool:
    """Whether a layer may be felt at all: a hidden one once it was entered, or is known of."""
    if not layer.hidden:
        return True
    state = world.layers.get(layer.id, LayerState())
    known_of = layer.revealed_by is not None and holds(world, layer.revealed_by)
    return state.visits > 0 or state.merged or known_of
