"""Since when a hidden tale has been known of.

    since(a) = the turn in which it came to be so        happened, told, opened, known, visited
    since(all of) = the last of them      since(any of) = the first of those that hold

What holds for a while (where somebody is, what they have, do or feel) is as of now; and so is what
no turn is kept of. A fact that is true in the world has always been.
"""

from __future__ import annotations

from collections.abc import Iterable

from storykeeper.gravity.asked import asked
from storykeeper.story.conditions import Condition, Knows, Since, Threshold, parts
from storykeeper.story.layers import Layer
from storykeeper.units import SceneId, TurnNo
from storykeeper.world.plan import key
from storykeeper.world.state import EMPTY, SceneState, World, mark_of, named


def known_since(world: World, layer: Layer) -> TurnNo:
    """The turn from which a hidden layer may be felt: it was entered, or came to be known of."""
    entered = _entered(world, layer.scenes)
    if layer.revealed_by is None or not asked(world).holds(layer.revealed_by):
        return world.now if entered is None else entered
    told = _came_true(world, layer.revealed_by)
    return told if entered is None else min(told, entered)


def _entered(world: World, scenes: Iterable[str]) -> TurnNo | None:
    states = (world.scenes.get(SceneId(scene), SceneState()) for scene in scenes)
    return min((s.first_entered for s in states if s.first_entered is not None), default=None)


def _came_true(world: World, condition: Condition) -> TurnNo:
    """Since when a condition holds that does: every key of it must."""
    return max(_since(world, name, value) for name, value in parts(condition))


def _since(world: World, name: str, value: object) -> TurnNo:
    match name, value:
        case "all_", tuple():
            return max(_came_true(world, each) for each in value)
        case "sequence", tuple():
            return max(_first_held(world, each) for each in value)
        case "any_", tuple():
            return min(_holding(world, value))
        case "threshold", Threshold(at_least=least, of=of):
            return sorted(_holding(world, of))[least - 1]
        case "since", Since(turns=turns, of=of):
            return TurnNo(_first_held(world, of) + turns)
        case "holds", _:
            return TurnNo(0)
        case _:
            dated = _dated(world, name, value)
            return world.now if dated is None else dated


def _first_held(world: World, condition: Condition) -> TurnNo:
    mark = mark_of(world, key(condition))
    return world.now if mark is None else mark.first


def _holding(world: World, conditions: Iterable[Condition]) -> list[TurnNo]:
    holds = asked(world).holds
    return [_came_true(world, each) for each in conditions if holds(each)]


def _dated(world: World, name: str, value: object) -> TurnNo | None:
    """The turn that is kept of something, if one is."""
    match name, value:
        case "happened", str():
            return world.happened.get(value)
        case "told", str():
            return world.told.get(value)
        case "opened", str():
            return world.gates.get(value)
        case "visited" | "completed", str():
            layer = world.plan.layers.get(value)
            return _entered(world, (value,) if layer is None else layer.scenes)
        case "knows", Knows(who=who, fact=fact):
            known = (world.known.get(each, EMPTY).get(fact) for each in named(world, who))
            return min((each.since for each in known if each is not None), default=None)
        case _:
            return None
