"""Permeability of the boundary around a tale within the tale."""

from __future__ import annotations

from itertools import pairwise
from math import exp

from immutables import Map
from msgspec import structs

from storykeeper.story.layers import Layer, LayerKind, Permeability, Sigmoid
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import (
    Before,
    Bump,
    Inside,
    LayerState,
    SceneState,
    Standing,
    World,
)

CONVERGENCE = 0.995
SUSPECTED_FROM, KNOWN_FROM = 0.5, 0.7  # permeability at which what is beyond is suspected, known
BUMP_DECAY = 0.1
CROSSING_BUMP = 0.05  # the story went through
BRIDGE_BUMP = 0.03  # a bridge object passed into somebody's hands
AT_EXIT = {  # of what moved between people in a tale, the share that comes back out of it
    LayerKind.FRAME: 0.3,
    LayerKind.MEMORY: 0.7,
    LayerKind.DREAM: 0.2,
    LayerKind.PARALLEL: 1.0,
    LayerKind.TEXT: 0.1,
    LayerKind.ALTERNATE: 0.4,
}
LEARNED = {  # how one comes by what is revealed in it
    LayerKind.FRAME: "told",
    LayerKind.MEMORY: "remembered",
    LayerKind.DREAM: "dreamed",
    LayerKind.PARALLEL: "lived",
    LayerKind.TEXT: "read",
    LayerKind.ALTERNATE: "imagined",
}
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


# ── what comes back out ──────────────────────────────────────────────────────────────────────


def noted(
    inside: tuple[Inside, ...], *, who: EntityId, toward: EntityId, standing: Standing
) -> tuple[Inside, ...]:
    """The layer stack, with what stood before its first shift in the innermost tale."""
    if not inside or any((b.who, b.toward) == (who, toward) for b in inside[-1].before):
        return inside
    before = (*inside[-1].before, Before(who, toward, standing))
    return (*inside[:-1], structs.replace(inside[-1], before=before))


def come_out(world: World, layer: str) -> World:
    """The world outside a tale: of what moved between people in it, a share by its kind.   F2.5e

    So it is of what was entered from within it. Through a boundary that fell all of it comes.
    """
    depths = [depth for depth, each in enumerate(world.inside) if each.layer == layer]
    if not depths:
        return world
    standings = world.standings
    for each in reversed(world.inside[depths[-1] :]):
        share = 1.0 if world.layers.get(each.layer, LayerState()).merged else _share(world, each)
        for before in each.before:
            pair = (before.who, before.toward)
            moved = _blended(before.standing, standings.get(pair, Standing()), share)
            standings = standings.set(pair, moved)
    inside = world.inside[: depths[-1]]
    world = structs.replace(world, inside=inside, standings=standings)
    return world if inside else _woken(world)


def laid_down(world: World, who: tuple[EntityId, ...]) -> World:
    """The world in which these go into a tale: their bodies stay where they are."""
    stays = {w: world.places[w] for w in who if w in world.places and w not in world.bodies}
    return structs.replace(world, bodies=world.bodies.update(stays)) if stays else world


def _woken(world: World) -> World:
    """The world in which all are where their bodies stayed."""
    if not world.bodies:
        return world
    return structs.replace(world, places=world.places.update(world.bodies), bodies=Map())


def _share(world: World, inside: Inside) -> float:
    layer = world.plan.layers.get(inside.layer)
    return 1.0 if layer is None else AT_EXIT[layer.kind]


def _blended(before: Standing, after: Standing, share: float) -> Standing:
    """How somebody stood, and a share of what was added to it."""
    measures = {
        name: getattr(before, name) + share * (getattr(after, name) - getattr(before, name))
        for name in ("reliability", "competence", "benevolence", "affection", "debt")
    }
    return structs.replace(after, **measures)


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
