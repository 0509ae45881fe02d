"""Which scenes lie ahead of the present one, or beside it, and how many steps away.

    h(s) = transitions on the shortest path that is not closed for good
           beside: steps back to the nearest shared predecessor, and steps forward from there

Ways into and out of a tale within the tale count as transitions. Scenes of a hidden one are
nowhere, and on no way, until it is known of.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from storykeeper.gravity.asked import asked, lost_by, rests_on
from storykeeper.story.conditions import Condition
from storykeeper.story.layers import Layer
from storykeeper.units import SceneId
from storykeeper.world.plan import Plan
from storykeeper.world.state import LayerState, SceneState, World


class Step(Struct, frozen=True):
    """A way from one scene to another."""

    to: SceneId
    when: Condition | None = None
    crosses: bool = False  # into a layer, or out of one


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
        for way in (*layer.portals, *layer.exits):
            forward[way.from_].append(Step(SceneId(way.to), way.when, crosses=True))
    back: dict[str, list[str]] = {scene: [] for scene in plan.scenes}
    for scene_id, steps in forward.items():
        for step in steps:
            back[step.to].append(scene_id)
    return Graph(
        {scene: tuple(dict.fromkeys(steps)) for scene, steps in forward.items()},
        {scene: tuple(dict.fromkeys(before)) for scene, before in back.items()},
    )


def present_scene(world: World) -> SceneId:
    """Where the story stands; before it begins, where it will."""
    return world.scene or SceneId(world.plan.story.start)


def visited(world: World, scene: SceneId) -> bool:
    """Whether the story ever stood there."""
    return world.scenes.get(scene, SceneState()).visits > 0


def ways(world: World) -> Mapping[SceneId, Way]:
    """Every scene ahead and beside, in the order of their steps, those ahead first."""
    here = present_scene(world)
    if here not in world.plan.scenes:
        return {}
    walk = _Walk(world)
    ahead = walk.from_(here)
    beside = walk.from_all(walk.before(here))
    found = {scene: Way(steps) for scene, steps in ahead.items() if scene != here}
    for scene, steps in beside.items():
        if scene != here and scene not in found:
            found[scene] = Way(steps, lateral=True)
    return found


class _Walk:
    """Going through the scenes of a world, each step looked at once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._graph = graph(world.plan)
        self._hidden = frozenset(
            scene
            for layer in world.plan.layers.values()
            if layer.hidden and not is_revealed(world, layer)
            for scene in layer.scenes
        )
        self._after: dict[SceneId, tuple[SceneId, ...]] = {}

    def before(self, here: SceneId) -> dict[SceneId, int]:
        """Predecessors of a scene, and how many steps back; whatever has closed since."""
        found, edge, steps = {here: 0}, [here], 0
        while edge:
            steps += 1
            back = (SceneId(p) for scene in edge for p in self._graph.back[scene])
            edge = [p for p in dict.fromkeys(back) if p not in found and p not in self._hidden]
            found.update(dict.fromkeys(edge, steps))
        del found[here]
        return found

    def from_(self, here: SceneId) -> dict[SceneId, int]:
        """The fewest steps to every scene ahead."""
        return self.from_all({here: 0})

    def from_all(self, starts: dict[SceneId, int]) -> dict[SceneId, int]:
        """The fewest steps to what lies ahead of these, each so many steps away itself."""
        least, reached = dict(starts), dict[SceneId, int]()
        waiting: dict[int, list[SceneId]] = {}
        for scene, steps in starts.items():
            waiting.setdefault(steps, []).append(scene)
        steps = 0
        while waiting:
            for scene in waiting.pop(steps, ()):
                for after in self._following(scene) if least[scene] == steps else ():
                    reached.setdefault(after, steps + 1)
                    if least.get(after, steps + 2) > steps + 1:
                        least[after] = steps + 1
                        waiting.setdefault(steps + 1, []).append(after)
            steps += 1
        return reached

    def _following(self, scene: SceneId) -> tuple[SceneId, ...]:
        found = self._after.get(scene)
        if found is None:
            steps = self._graph.forward[scene]
            found = tuple(s.to for s in steps if s.to not in self._hidden and self._is_open(s))
            self._after[scene] = found
        return found

    def _is_open(self, step: Step) -> bool:
        """Whether a way may yet be gone. A tale is entered and left whatever was played there."""
        over = self._world.scenes.get(step.to, SceneState()).completed
        if over and not step.crosses and not self._world.plan.scenes[step.to].revisitable:
            return False
        return step.when is None or asked(self._world).possible(step.when)


def is_revealed(world: World, layer: Layer) -> bool:
    """Whether a layer may be felt at all: a hidden one once it was entered, or is known of."""
    if not layer.hidden:
        return True
    state = world.layers.get(layer.id, LayerState())
    if state.visits or state.merged or any(visited(world, SceneId(s)) for s in layer.scenes):
        return True
    return layer.revealed_by is not None and asked(world).holds(layer.revealed_by)


# ── what changes seldom ──────────────────────────────────────────────────────────────────────


def unvisited(world: World) -> Mapping[SceneId, Way]:
    """Scenes ahead and beside that the story never stood in; worked out anew if they may differ."""
    return _unvisited(_Ground(world))


class _Ground:
    """What the ways of a world rest on. Its maps never change: the same object holds the same."""

    __slots__ = ("_rests_on", "world")

    def __init__(self, world: World) -> None:
        self.world = world
        more = (getattr(world, part) for part in _lost_by(world.plan))
        self._rests_on = (world.plan, world.scene, world.scenes, world.layers, *more)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Ground):
            return NotImplemented
        pairs = zip(self._rests_on, other._rests_on, strict=False)  # of one plan, as many
        return all(mine is theirs for mine, theirs in pairs)

    def __hash__(self) -> int:
        return hash(tuple(map(id, self._rests_on)))


@lru_cache(maxsize=16)
def _unvisited(ground: _Ground) -> Mapping[SceneId, Way]:
    world = ground.world
    return {scene: way for scene, way in ways(world).items() if not visited(world, scene)}


@lru_cache(maxsize=16)
def _lost_by(plan: Plan) -> tuple[str, ...]:
    """The parts of a world by which ways may close, and hidden layers come to be known of."""
    found = set[str]()
    for steps in graph(plan).forward.values():
        for step in steps:
            found |= lost_by(step.when) if step.when is not None else frozenset()
    for layer in plan.layers.values():
        if layer.hidden and layer.revealed_by is not None:
            found |= rests_on(layer.revealed_by)
    return tuple(sorted(found))
