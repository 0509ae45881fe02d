"""How something went over time, drawn from checkpoints: worlds at some turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from msgspec import Struct

from storykeeper.events.vocabulary import Dimension
from storykeeper.units import EntityId, SceneId, TurnNo
from storykeeper.world.layers import psi
from storykeeper.world.state import SceneState, SceneStatus, Standing, World

V = TypeVar("V")
Checkpoints = Iterable[tuple[TurnNo, World]]


class Point(Struct, Generic[V], frozen=True):
    """A value at a turn."""

    turn: TurnNo
    value: V


class ScenePoint(Struct, frozen=True):
    """Where a scene stood: its state, how often it was entered, what it weighed."""

    status: SceneStatus
    visits: int
    mass: float


def edge(
    checkpoints: Checkpoints, *, who: EntityId, toward: EntityId, dimension: Dimension
) -> tuple[Point[float], ...]:
    """How somebody stood toward somebody, in one dimension."""
    pair = (who, toward)
    return tuple(
        Point(turn, float(getattr(world.standings.get(pair, Standing()), dimension.value)))
        for turn, world in checkpoints
    )


def scene(checkpoints: Checkpoints, scene_id: SceneId) -> tuple[Point[ScenePoint], ...]:
    """The life of a scene."""
    return tuple(Point(turn, _scene_point(world, scene_id)) for turn, world in checkpoints)


def layer(checkpoints: Checkpoints, layer_id: str) -> tuple[Point[float], ...]:
    """ψ of a layer, for as long as its story has it."""
    return tuple(
        Point(turn, psi(world, layer_id))
        for turn, world in checkpoints
        if layer_id in world.plan.layers
    )


def _scene_point(world: World, scene_id: SceneId) -> ScenePoint:
    state = world.scenes.get(scene_id, SceneState())
    return ScenePoint(state.status, state.visits, mass(world, scene_id))


def mass(world: World, scene_id: SceneId) -> float:
    """M_base + M_event: the authored mass and what events added to it."""
    authored = world.plan.scenes.get(scene_id)
    return (0.0 if authored is None else authored.mass) + world.masses.get(scene_id, 0.0)
