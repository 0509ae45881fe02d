"""Conditions, asked of a world.

`did` looks at the present turn. What `since`, `within` and `sequence` remember is in the world's
marks, which the rules keep: each time they look at the world, what began to hold and what ceased
to is put on record. With *now* the number of the present turn,

    since {turns: n, of: X}     now − first ≥ n    first: the turn in which X was first seen to hold
    within {turns: n, of: X}    now − last < n     last: the turn in which X was last seen to hold
    sequence [X, Y, …]          first(X) ≤ first(Y) ≤ …, and each has held

so that `since: {turns: 4, …}` of something first so in turn 3 holds from turn 7 on, for good;
`within: {turns: 3, …}` of something done in turn 3 holds in turns 3, 4 and 5; and
`within: {turns: 1, …}` means in this turn.
"""

from __future__ import annotations

from collections.abc import Callable

from storykeeper.story.conditions import (
    At,
    Condition,
    Did,
    Has,
    Knows,
    MoodNear,
    RelationRange,
    Since,
    Threshold,
    Within,
    parts,
)
from storykeeper.units import EntityId, SceneId
from storykeeper.world.knowledge import knows
from storykeeper.world.plan import key
from storykeeper.world.state import Mood, SceneState, Standing, World, mark_of, named, present

TRUE_FROM = 0.8  # a fact is so
COUNTS_FROM = 0.5  # below, it takes no part in conditions
NEAR_ENOUGH = 1e-9  # so that .1 + .2 is .3 to an author


def holds(world: World, condition: Condition) -> bool:
    """Whether every part of a condition is so."""
    return all(part_holds(world, name, value) for name, value in parts(condition))


def part_holds(world: World, name: str, value: object) -> bool:
    """Whether one key of a condition is so."""
    match value:
        case tuple():
            return _list_holds(world, name, value)
        case Condition():
            return not holds(world, value)
        case Threshold():
            return sum(holds(world, each) for each in value.of) >= value.at_least
        case Since():
            mark = mark_of(world, key(value.of))
            return mark is not None and world.now - mark.first >= value.turns
        case Within():
            return _recently(world, value)
        case str():
            return _named_thing_holds(world, name, value)
        case _:
            return _asked(world, value)


def holds_by_deed(world: World, condition: Condition) -> bool:
    """Whether it would be so if no time had passed: if not, nothing but time makes it so."""
    return _but_for_time(world, condition, lambda _: False)


def holds_in_time(world: World, condition: Condition) -> bool:
    """Whether it will be so if nothing but time passes."""
    return _but_for_time(world, condition, lambda since: _has_been(world, since.of))


def _has_been(world: World, condition: Condition) -> bool:
    return mark_of(world, key(condition)) is not None or holds_in_time(world, condition)


def _but_for_time(world: World, condition: Condition, passed: Callable[[Since], bool]) -> bool:
    """Whether every part of a condition is so, where `passed` says what time has done."""
    return all(_part(world, name, value, passed) for name, value in parts(condition))


def _part(world: World, name: str, value: object, passed: Callable[[Since], bool]) -> bool:
    match value:
        case Since():
            return passed(value)
        case Threshold():
            return sum(_but_for_time(world, e, passed) for e in value.of) >= value.at_least
        case tuple() if name in ("all_", "any_"):
            found = (_but_for_time(world, each, passed) for each in value)
            return all(found) if name == "all_" else any(found)
        case _:
            return part_holds(world, name, value)


def _list_holds(world: World, name: str, conditions: tuple[Condition, ...]) -> bool:
    if name == "all_":
        return all(holds(world, each) for each in conditions)
    if name == "any_":
        return any(holds(world, each) for each in conditions)
    marks = [mark_of(world, key(each)) for each in conditions]
    firsts = [mark.first for mark in marks if mark is not None]
    return len(firsts) == len(conditions) and firsts == sorted(firsts)


def _recently(world: World, within: Within) -> bool:
    if holds(world, within.of):
        return True
    mark = mark_of(world, key(within.of))
    if mark is None:
        return False
    # Still marked as holding: it ceased to just now, and held up to the turn before.
    last = max(mark.last, world.now - 1) if mark.holds else mark.last
    return world.now - last < within.turns


def _named_thing_holds(world: World, name: str, value: str) -> bool:
    match name:
        case "holds":
            return world.truths.get(value, 0.0) >= TRUE_FROM
        case "present":
            here = {*present(world)} - {*world.away}  # who stepped out, or died, is not
            return any(who in here for who in named(world, value))
        case "happened":
            return value in world.happened
        case "told":
            return value in world.told
        case "visited":
            return _visited(world, value)
        case "completed":
            return world.scenes.get(SceneId(value), SceneState()).completed
        case "opened":
            return value in world.gates
    raise AssertionError(f"no condition is called {name}")


def _asked(world: World, value: object) -> bool:
    match value:
        case Knows():
            return _any_knows(world, value)
        case RelationRange():
            return any(
                _in_range(_standing(world, a, b, value), value)
                for a in named(world, value.from_)
                for b in named(world, value.to)
            )
        case MoodNear():
            return any(_near(world.moods.get(who, Mood()), value) for who in _who(world, value))
        case At():
            return any(world.places.get(who) == value.place for who in _who(world, value))
        case Has():
            holder = world.holders.get(EntityId(value.thing))
            return holder is not None and holder in _who(world, value)
        case Did():
            return _done(world, value)
    raise AssertionError(f"not a condition: {value!r}")


def _who(world: World, asked: MoodNear | At | Has | Did | Knows) -> tuple[EntityId, ...]:
    return named(world, asked.who)


def _any_knows(world: World, asked: Knows) -> bool:
    if world.truths.get(asked.fact, 0.0) < COUNTS_FROM:
        return False
    return any(
        knows(world.known, who, asked.fact, suspects=asked.suspects) for who in _who(world, asked)
    )


def _standing(world: World, a: EntityId, b: EntityId, asked: RelationRange) -> float:
    value = getattr(world.standings.get((a, b), Standing()), asked.dimension.value)
    assert isinstance(value, float | int)
    return value


def _in_range(value: float, asked: RelationRange) -> bool:
    return asked.at_least - NEAR_ENOUGH <= value <= asked.at_most + NEAR_ENOUGH


def _near(mood: Mood, asked: MoodNear) -> bool:
    stated = (
        (mood.valence, asked.valence),
        (mood.arousal, asked.arousal),
        (mood.determination, asked.determination),
    )
    most = asked.within + NEAR_ENOUGH
    return all(want is None or abs(have - want) <= most for have, want in stated)


def _done(world: World, asked: Did) -> bool:
    return any(
        deed.act == asked.act
        and deed.who in _who(world, asked)
        and _meant(world, asked.to, deed.to)
        and _meant(world, asked.about, deed.about)
        and not (deed.act == "ask" and deed.to in world.away)  # nobody is there to answer
        for deed in world.deeds
    )


def _meant(world: World, asked: str | None, done: EntityId | None) -> bool:
    """Whether what was done concerns what was asked for; nothing asked for is anything."""
    return asked is None or done in named(world, asked)


def _visited(world: World, name: str) -> bool:
    """Whether the story was ever there; in a scene that opens with prose, once that is begun."""
    if name in world.plan.layers:
        return name in world.layers and world.layers[name].visits > 0
    state, scene = world.scenes.get(SceneId(name), SceneState()), world.plan.scenes.get(name)
    if state.completed or scene is None or not scene.beats or scene.beats[0].when is not None:
        return state.visits > 0
    return state.visits > 0 and any(f"{name}/{beat.id}" in world.told for beat in scene.beats)
