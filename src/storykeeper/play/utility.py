"""How much somebody wants to do what they could: F10.1, over goals, relations and what lies ahead.

    U = w + Σ by − Σ against + ½·e(h) + ½·n + λ·(d − ½)

w is what the author says they want it, the sums are the weights of their goals that it serves and
of those that forbid it, e how they stand to whom it is for, weighted by what the story leans to, n
how near a gate is that it helps to open; λ and d are how near the strongest scene ahead is, and how
determined it is come to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from storykeeper.play.features import Features
from storykeeper.play.options import Kind, Option
from storykeeper.story.conditions import Condition, children
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.state import World

WARMTH, NEARNESS = 0.5, 0.5


def utility(
    *, weight: float, by: float = 0.0, against: float = 0.0, warmth: float = 0.0,
    gate: float = 0.0, lean: float = 0.0, determination: float = 0.5,
) -> float:  # fmt: skip
    """U = w + Σ by − Σ against + ½·e(h) + ½·n + λ·(d − ½).   F10.1"""
    ahead = lean * (determination - 0.5)
    return weight + by - against + WARMTH * warmth + NEARNESS * gate + ahead


def wanted(world: World, option: Option, features: Features) -> float:
    """How much somebody wants to do something. What is only seen of them they do not choose; near
    a gate that it bears on it shows the more.
    """
    if option.kind in (Kind.SHOW, Kind.KEEP):
        return utility(weight=option.weight, gate=_gate(features, option))
    by, against = _goals(world, option)
    framing = features.framing
    aim = 0.5 if framing.toward is None else framing.toward.determination
    return utility(
        weight=option.weight, by=by, against=against, warmth=_warmth(features, option.to),
        gate=_gate(features, option), lean=framing.lean,
        determination=0.5 if aim is None else aim,
    )  # fmt: skip


def confidence(chosen: float, others: Sequence[float]) -> float:
    """eᵁ ÷ Σ eᵁ.   F10.2: how sure it is that they do this and nothing else they could."""
    return 1.0 / (1.0 + sum(math.exp(each - chosen) for each in others))


def pressing(features: Sequence[Features]) -> frozenset[str]:
    """The facts that gates, nearly open, wait for somebody to learn."""
    gates = (gate for each in features for gate in each.gates)
    return frozenset(fact for gate in gates for c in gate.unmet for fact in _facts(c))


def _facts(condition: Condition) -> Iterator[str]:
    if condition.knows is not None:
        yield condition.knows.fact
    for path, inner in children(condition):
        if path[0] != "not":
            yield from _facts(inner)


def _goals(world: World, option: Option) -> tuple[float, float]:
    """What their goals say for it and against it, as long as they stand."""
    named = {option.fact, option.event} - {""}
    by = against = 0.0
    for goal in world.plan.cast[option.who].goals:
        if goal.until is not None and holds(world, goal.until):
            continue
        by += goal.weight if not named.isdisjoint(goal.by) else 0.0
        against += goal.weight if not named.isdisjoint(goal.against) else 0.0
    return by, against


def _warmth(features: Features, to: Sequence[EntityId]) -> float:
    """e(h) = share · (reliability + benevolence + affection) ÷ 3, of those it is for."""
    found = [
        edge.weight
        * (edge.standing.reliability + edge.standing.benevolence + edge.standing.affection) / 3
        for edge in features.edges if edge.toward in to
    ]  # fmt: skip
    return sum(found)


def _gate(features: Features, option: Option) -> float:
    """How near the nearest gate is of which something wanting comes by it."""
    helped = [
        gate.share for gate in features.gates if any(_comes(c, option) for c in gate.unmet)
    ]  # fmt: skip
    return max(helped, default=0.0)


def _comes(condition: Condition, option: Option) -> bool:
    asked = condition.knows
    told = asked is not None and asked.fact == option.fact
    done = condition.happened is not None and condition.happened == option.event
    return told or done or any(_comes(inner, option) for _, inner in children(condition))
