"""The landscape of a world: which scenes pull and how hard, which tales and prophecies lean in.

A pure function of a world. What changes seldom (which scenes lie ahead) is worked out again only
when something happened that could change it; masses and distances are those of the moment.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct, structs

from storykeeper.gravity.distance import Distance, distance
from storykeeper.gravity.gates import Proximity, proximity
from storykeeper.gravity.layers import Collective, collective
from storykeeper.gravity.mass import MOST_OF_A_PROPHECY, Mass, connective, mass
from storykeeper.gravity.prophecy import magnitude
from storykeeper.gravity.pull import Band, band, nearness, pull
from storykeeper.gravity.ways import Way, is_revealed, present_scene, ways
from storykeeper.units import Digest, SceneId, TurnNo
from storykeeper.world.layers import psi
from storykeeper.world.state import LayerState, SceneState, World


class Attractor(Struct, frozen=True):
    """A scene that pulls."""

    scene: SceneId
    mass: Mass
    distance: Distance
    way: Way
    nearness: float

    @property
    def pull(self) -> float:
        """M · ε²/(D² + ε²) · .8^(h−1).   F2.3"""
        return pull(mass=self.mass.total, nearness=self.nearness)

    @property
    def band(self) -> Band:
        """How near it is felt to be."""
        return band(self.nearness)


class Felt(Struct, frozen=True):
    """A tale within the tale, as it is felt outside of it."""

    layer: str
    mass: Collective
    psi: float
    active: bool  # the story is in it

    @property
    def strength(self) -> float:
        """C · ψ."""
        return self.mass.total * self.psi


class Foretold(Struct, frozen=True):
    """A prophecy that is not fulfilled."""

    prophecy: str
    target: SceneId
    magnitude: float


class Landscape(Struct, frozen=True):
    """Where the story is heading, at one moment."""

    turn: TurnNo
    here: SceneId
    attractors: tuple[Attractor, ...] = ()  # the strongest first, ties by id
    layers: tuple[Felt, ...] = ()
    prophecies: tuple[Foretold, ...] = ()
    gates: tuple[Proximity, ...] = ()

    @property
    def strongest(self) -> Attractor | None:
        """The scene whose basin the story is in; none if nothing pulls."""
        first = self.attractors[0] if self.attractors else None
        return first if first is not None and first.pull > 0 else None

    @property
    def digest(self) -> Digest:
        """The same for the same landscape."""
        return Digest(hashlib.sha256(msgspec.json.encode(self)).hexdigest())


def landscape(world: World) -> Landscape:
    """All that leans on the story now."""
    here = present_scene(world)
    found = _known_ways(world)
    prophecies = tuple(_prophecies(world))
    attractors = [_attractor(world, s, way, prophecies) for s, way in found.items()]
    attractors = _gathered(world, attractors)
    attractors.sort(key=lambda each: (-each.pull, each.scene))
    near = (here, *(each.scene for each in attractors))
    return Landscape(
        world.now, here, tuple(attractors), tuple(_layers(world)), prophecies,
        tuple(_gates(world, near)),
    )  # fmt: skip


def _attractor(
    world: World, scene: SceneId, way: Way, prophecies: tuple[Foretold, ...]
) -> Attractor:
    foretold = sum(min(MOST_OF_A_PROPHECY, p.magnitude) for p in prophecies if p.target == scene)
    far = distance(world, scene)
    softening = world.plan.story.tuning.gravity.softening
    near = nearness(distance=far.total, steps=way.steps, softening=softening)
    return Attractor(scene, mass(world, scene, foretold=foretold), far, way, near)


def _gathered(world: World, attractors: list[Attractor]) -> list[Attractor]:
    """Turns of connective space add to the mass of the strongest.   F2.4"""
    rate = world.plan.story.tuning.gravity.connective_rate
    more = connective(world.connective_turns, rate=rate)
    if not more or not attractors:
        return attractors
    at = min(range(len(attractors)), key=lambda i: (-attractors[i].pull, attractors[i].scene))
    strongest = attractors[at]
    grown = structs.replace(strongest.mass, connective=more)
    return [*attractors[:at], structs.replace(strongest, mass=grown), *attractors[at + 1 :]]


def _layers(world: World) -> Iterator[Felt]:
    """Those the story is in or has been in, and those that are one with it."""
    active = {inside.layer for inside in world.inside}
    for layer in world.plan.layers.values():
        state = world.layers.get(layer.id, LayerState())
        if is_revealed(world, layer) and (layer.id in active or state.visits or state.merged):
            stated = world.plan.story.overrides.layers.get(layer.id)
            found = collective(layer, state, stated=None if stated is None else stated.mass)
            yield Felt(layer.id, found, psi(world, layer.id), layer.id in active)


def _prophecies(world: World) -> Iterator[Foretold]:
    stated = world.plan.story.overrides.prophecies
    for prophecy in world.plan.prophecies.values():
        state = world.prophecies.get(prophecy.id)
        if state is not None and state.fulfilled is None:
            found = magnitude(prophecy, state, now=world.now)
            target = SceneId(prophecy.target)
            yield Foretold(prophecy.id, target, stated.get(prophecy.id, found))


def _gates(world: World, scenes: tuple[SceneId, ...]) -> Iterator[Proximity]:
    """Gates that are not open yet, of the present scene and of those ahead."""
    for scene in scenes:
        for gate in world.plan.scenes[scene].gates if scene in world.plan.scenes else ():
            if gate.id not in world.gates:
                yield proximity(world, gate, scene)


# ── what changes seldom ──────────────────────────────────────────────────────────────────────

_KEPT: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], Mapping[SceneId, Way]]] = (
    OrderedDict()
)
_MOST_KEPT = 16


def _known_ways(world: World) -> Mapping[SceneId, Way]:
    """Scenes not visited yet, ahead or beside; the same maps have the same ways.

    Maps of a world are values that never change: the same object holds the same.
    """
    rests_on = (
        world.plan, world.scene, world.scenes, world.happened, world.told, world.gates,
        world.known, world.marks, world.layers,
    )  # fmt: skip
    name = tuple(map(id, rests_on))
    kept = _KEPT.get(name)
    if kept is not None:
        _KEPT.move_to_end(name)
        return kept[1]
    fresh = {scene: way for scene, way in ways(world).items() if not _visited(world, scene)}
    _KEPT[name] = (rests_on, fresh)  # with what it rests on: an id is only good while that lives
    if len(_KEPT) > _MOST_KEPT:
        _KEPT.popitem(last=False)
    return fresh


def _visited(world: World, scene: SceneId) -> bool:
    return world.scenes.get(scene, SceneState()).visits > 0
