"""Permeability of the boundary around a tale within the tale."""

from __future__ import annotations

from itertools import pairwise
from math import exp

from msgspec import structs

from storykeeper.story.layers import Layer, Permeability, Sigmoid
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import Bump, LayerState, SceneState, World

CONVERGENCE = 0.995
BUMP_DECAY = 0.1
CROSSING_BUMP = 0.05  # the story went through
BRIDGE_BUMP = 0.03  # a bridge object passed into somebody's hands
FADED_TURNS = 256  # e^−25.6 < 1e−11: such a bump is let go, so that a world stays small


def curve(permeability: Permeability, *, progress: float) -> float:
    """F2.5a: waypoints joined by lines, or ψ_min + (ψ_max − ψ_min)/(1 + e^(−k(progress − t0)))."""
    if permeability.sigmoid is not None:
        return _sigmoid(permeability.sigmoid, progress=progress)
    points = sorted((point.progress, point.value) for point in permeability.waypoints)
    if not points:
        return 0.0
    if progress <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if progress <= right:  # and left < progress, so that they are not the same
            return low + (progress - left) / (right - left) * (high - low)
    return points[-1][1]


def _sigmoid(s: Sigmoid, *, progress: float) -> float:
    """ψ_min + (ψ_max − ψ_min)/(1 + e^−x), x = k(progress − t0); e^x/(1 + e^x) where x < 0."""
    x = s.k * (progress - s.t0)  # for x < 0 the first form would overflow
    share = 1.0 / (1.0 + exp(-x)) if x >= 0 else exp(x) / (1.0 + exp(x))
    return s.low + (s.high - s.low) * share


def permeability(layer: Layer, state: LayerState, *, progress: float, now: TurnNo) -> float:
    """ψ = clamp(curve(progress) + Σ bumps·e^(−.1·age), 0, 1).   F2.5: 1 ever after convergence."""
    if state.merged:
        return 1.0
    bumps = sum(b.amount * exp(-BUMP_DECAY * max(0, now - b.turn)) for b in state.bumps)
    return min(1.0, max(0.0, curve(layer.permeability, progress=progress) + bumps))


def progress(world: World, layer: Layer) -> float:
    """Share of the parent's required scenes that are completed; 0 if it has none."""
    required = world.plan.required.get(layer.parent, ())
    if not required:
        return 0.0
    return sum(world.scenes.get(s, SceneState()).completed for s in required) / len(required)


def psi(world: World, layer_id: str) -> float:
    """Permeability of a layer in this world, unless the author states it."""
    state = world.layers.get(layer_id, LayerState())
    stated = world.plan.story.overrides.layers.get(layer_id)
    if stated is not None and stated.permeability is not None and not state.merged:
        return stated.permeability
    layer = world.plan.layers[layer_id]
    return permeability(layer, state, progress=progress(world, layer), now=world.now)


def bumped(state: LayerState, *, amount: float, turn: TurnNo) -> LayerState:
    """The same layer with its boundary made thinner, or with a negative amount thicker."""
    kept = tuple(b for b in state.bumps if b.turn != turn and turn - b.turn < FADED_TURNS)
    total = sum((b.amount for b in state.bumps if b.turn == turn), start=amount)
    return structs.replace(state, bumps=(*kept, Bump(turn, total)))


def taken_up(world: World, thing: EntityId, *, turn: TurnNo) -> World:
    """The world after a thing changed hands: every layer in which it has a form comes nearer."""
    known = world.plan.things.get(thing)
    if known is None or not known.forms:
        return world
    layers = world.layers
    for layer in sorted(known.forms):
        state = bumped(layers.get(layer, LayerState()), amount=BRIDGE_BUMP, turn=turn)
        layers = layers.set(layer, state)
    return structs.replace(world, layers=layers)
