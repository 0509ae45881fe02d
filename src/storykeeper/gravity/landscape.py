"""The landscape of a world: which scenes pull and how hard, which tales and prophecies lean in.

A pure function of a world. What changes seldom (which scenes lie ahead) is worked out again only
when something happened that could change it; masses and distances are those of the moment.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
from msgspec import Struct, structs

from storykeeper.gravity.distance import Distance, Here
from storykeeper.gravity.gates import Proximity, proximities
from storykeeper.gravity.layers import Collective, collective
from storykeeper.gravity.mass import MOST_OF_A_PROPHECY, Mass, Weighing, connective
from storykeeper.gravity.prophecy import magnitude
from storykeeper.gravity.pull import Band, band, nearness, pull
from storykeeper.gravity.ways import Way, is_revealed, present_scene, unvisited
from storykeeper.units import Digest, SceneId, TurnNo
from storykeeper.world.layers import psi
from storykeeper.world.state import LayerState, World


class Attractor(Struct, frozen=True, gc=False):
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


class Felt(Struct, frozen=True, gc=False):
    """A tale within the tale, as it is felt outside of it."""

    layer: str
    mass: Collective
    psi: float
    active: bool  # the story is in it

    @property
    def strength(self) -> float:
        """C · ψ."""
        return self.mass.total * self.psi


class Foretold(Struct, frozen=True, gc=False):
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
    prophecies = tuple(_prophecies(world))
    attractors = _attractors(world, prophecies)
    attractors.sort(key=lambda each: (-each.pull, each.scene))
    attractors[:1] = [_gathered(world, each) for each in attractors[:1]]
    here = present_scene(world)
    near = [each.scene for each in attractors]
    if here in world.plan.scenes:
        near.insert(0, here)
    gates = tuple(proximities(world, near))
    return Landscape(world.now, here, tuple(attractors), tuple(_layers(world)), prophecies, gates)


def _attractors(world: World, prophecies: tuple[Foretold, ...]) -> list[Attractor]:
    foretold: dict[SceneId, float] = {}
    for each in prophecies:
        more = min(MOST_OF_A_PROPHECY, each.magnitude)
        foretold[each.target] = foretold.get(each.target, 0.0) + more
    softening = world.plan.story.tuning.gravity.softening
    from_here, weighing = Here(world), Weighing(world)
    found = []
    for scene, way in unvisited(world).items():
        weight = weighing.mass(scene, foretold=foretold.get(scene, 0.0))
        far = from_here.distance(scene)
        near = nearness(distance=far.total, steps=way.steps, softening=softening)
        found.append(Attractor(scene, weight, far, way, near))
    return found


def _gathered(world: World, strongest: Attractor) -> Attractor:
    """Turns of connective space add to its mass, and it stays the strongest.   F2.4"""
    rate = world.plan.story.tuning.gravity.connective_rate
    more = connective(world.connective_turns, rate=rate)
    if not more or not strongest.pull:  # where nothing pulls, there is none to add to
        return strongest
    return structs.replace(strongest, mass=structs.replace(strongest.mass, connective=more))


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
