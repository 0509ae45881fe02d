"""What a prediction of intents is given: edges and feelings, weighted by what the story leans to.

The same landscape that shapes the narrator's window shapes what characters are about to do, so that
the one fits the other. None of it is text for a window: it is the predictor's alone.

    edge     |standing| · gravity(other)      the share of its sum
    framing  the mood that the strongest attractor is come to in, times how near it is
    gate     one that is nearly open, for whoever could open it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.gravity.distance import mood_distance
from storykeeper.gravity.landscape import Landscape, landscape
from storykeeper.gravity.modifier import Field
from storykeeper.gravity.ties import Subject
from storykeeper.story.conditions import Condition, children
from storykeeper.story.scenes import MoodTarget
from storykeeper.units import EntityId
from storykeeper.world.state import EMPTY, Mood, Standing, World, present

MEASURES = ("reliability", "competence", "benevolence", "affection", "debt")
NEAR_A_GATE = 2.0  # how much more an edge counts that a gate, nearly open, hangs on


@dataclass(frozen=True, slots=True)
class EdgeFeature:
    """How somebody stands toward somebody, and how much that counts now."""

    toward: EntityId
    standing: Standing
    weight: float  # of all their edges a share


@dataclass(frozen=True, slots=True)
class Framing:
    """A mood, and the one that what lies ahead leans toward."""

    mood: Mood
    toward: MoodTarget | None = None
    lean: float = 0.0  # in [0, 1]


@dataclass(frozen=True, slots=True)
class GateFeature:
    """A gate that they could open, how near it is, and what is wanting."""

    gate: str
    share: float
    unmet: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of one character, for predicting what they are about to do."""

    who: EntityId
    edges: tuple[EdgeFeature, ...]  # the weightiest first
    framing: Framing
    gates: tuple[GateFeature, ...] = ()


def features(world: World) -> tuple[Features, ...]:
    """Of everyone here whom nobody plays, in the order of the cast."""
    ahead = landscape(world)
    field = Field(world.plan, ahead)
    framed = _leaning(world, ahead)
    return tuple(
        _of(world, who, field, framed) for who in present(world) if who not in world.plan.players
    )


def _of(
    world: World, who: EntityId, field: Field, framed: tuple[MoodTarget | None, float]
) -> Features:
    gates = tuple(_gates(world, who, field.landscape))
    hang_on = {name for gate in gates for c in gate.unmet for name in _people(world, c)}
    mood = world.moods.get(who, Mood())
    return Features(who, tuple(_edges(world, who, field, hang_on)), Framing(mood, *framed), gates)


def _edges(world: World, who: EntityId, field: Field, hang_on: set[str]) -> list[EdgeFeature]:
    """Those with anything in them."""
    found: list[tuple[EntityId, Standing, float]] = []
    for toward in map(EntityId, world.plan.cast):
        held = world.standings.get((who, toward))
        size = 0.0 if held is None else max(abs(float(getattr(held, m))) for m in MEASURES)
        if held is not None and size:
            gravity = field.pulls(Subject(entities=(toward,))).gravity
            found.append((toward, held, size * gravity * (NEAR_A_GATE if toward in hang_on else 1)))
    whole = sum(weight for _, _, weight in found)
    edges = [EdgeFeature(toward, held, weight / whole) for toward, held, weight in found]
    return sorted(edges, key=lambda each: (-each.weight, each.toward))


def _leaning(world: World, ahead: Landscape) -> tuple[MoodTarget | None, float]:
    """The mood in which the strongest attractor is come to, the nearest of several (F2.2), and how
    near that scene is.
    """
    strongest = ahead.strongest
    if strongest is None:
        return None, 0.0
    moods = [v.mood for v in world.plan.scenes[strongest.scene].approach if v.mood is not None]
    felt = [world.moods.get(player, Mood()) for player in world.plan.players]
    nearest = min(moods, key=lambda to: min(mood_distance(m, to) for m in felt), default=None)
    return (None, 0.0) if nearest is None else (nearest, strongest.nearness)


def _gates(world: World, who: EntityId, ahead: Landscape) -> Iterator[GateFeature]:
    """Gates nearly open of which something wanting is theirs to do, know, feel or tell."""
    for gate in ahead.gates:
        if gate.close and any(
            who in _people(world, each) or _could_tell(world, who, each) for each in gate.unmet
        ):
            yield GateFeature(gate.gate, gate.share, gate.unmet)


def _people(world: World, condition: Condition) -> set[str]:
    """Everybody whom a condition speaks of, players by their own ids."""
    return {who for name in _named(condition) for who in world.plan.named(name)}


def _could_tell(world: World, who: EntityId, condition: Condition) -> bool:
    """Whether somebody knows what another must learn for it."""
    asked = condition.knows
    held = None if asked is None else world.known.get(who, EMPTY).get(asked.fact)
    mine = held is not None and not held.suspected
    return mine or any(_could_tell(world, who, inner) for _, inner in children(condition))


@lru_cache(maxsize=4_096)
def _named(condition: Condition) -> frozenset[str]:
    """Everybody whom a condition speaks of."""
    found: set[str] = set()
    for asked in (condition.knows, condition.mood, condition.at, condition.has, condition.did):
        if asked is not None:
            found.add(asked.who)
    if condition.did is not None and condition.did.to is not None:
        found.add(condition.did.to)
    if condition.relation is not None:
        found |= {condition.relation.from_, condition.relation.to}
    if condition.present is not None:
        found.add(condition.present)
    return frozenset(found.union(*(_named(inner) for _, inner in children(condition))))
