"""What a player would have to do now for something to come about: from the end back to acts.

    wish(scene) = the ways into it, and what their conditions ask for that is not so yet;
                  of a fact who tells it, of a thing who gives it, … until it is an act or a place

The author's conditions are followed, and nothing is tried out. What they forbid (`not`) is not
brought about on purpose. The fewest steps back count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from storykeeper.gravity.ways import graph
from storykeeper.story.conditions import (
    At,
    Condition,
    Did,
    Has,
    Knows,
    RelationRange,
    Since,
    Threshold,
    Within,
    parts,
)
from storykeeper.story.model import PLAYER
from storykeeper.units import EntityId, SceneId
from storykeeper.world.conditions import part_holds
from storykeeper.world.plan import key
from storykeeper.world.state import World, mark_of, whose_turn

MOST_STEPS = 24


@dataclass(frozen=True, slots=True)
class Wish:
    """Something that would help, so many steps before what is wished for."""

    steps: int
    act: Did | None = None
    place: EntityId | None = None  # to be there; neither: let time pass


def wishes(world: World, scene: SceneId) -> list[Wish]:
    """What would help to come to a scene, the last steps first."""
    found = sorted(_Back(world).to_scene(scene, 0), key=lambda each: each.steps)
    return list(dict.fromkeys(found))


def _is_done(name: str, value: object) -> bool:
    """Whether it is a matter of the moment: an act, or where one is for it."""
    if name in ("any_", "all_") and isinstance(value, tuple):
        return any(_is_done(*part) for each in value for part in parts(each))
    return name in ("did", "at", "present")


class _Back:
    """One search, in which nothing is asked for twice."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.plan = world.plan
        self.player = whose_turn(world)
        self._seen: set[tuple[str, str]] = set()

    def _first(self, kind: str, name: str, steps: int) -> bool:
        new = (kind, name) not in self._seen and steps < MOST_STEPS
        self._seen.add((kind, name))
        return new

    def _is_player(self, who: str) -> bool:
        return self.player in self.plan.named(who, self.world.player)

    # ── conditions ───────────────────────────────────────────────────────────────────────────

    def to_hold(self, condition: Condition | None, steps: int) -> Iterator[Wish]:
        """What would make a condition hold; of one that needs nothing, time."""
        if condition is None:
            yield Wish(steps)
            return
        unmet = [
            part for part in parts(condition)
            if part[0] != "not_" and not part_holds(self.world, *part)
        ]  # fmt: skip
        first = [part for part in unmet if not _is_done(*part)]
        for name, value in first or unmet:  # an act is of use when all else is so
            yield from self._part(name, value, steps)

    def _part(self, name: str, value: object, steps: int) -> Iterator[Wish]:
        match value:
            case tuple():
                yield from self._each(value, steps)
            case Threshold():
                yield from self._each(value.of, steps)
            case Since() if mark_of(self.world, key(value.of)) is not None:
                yield Wish(steps)
            case Since() | Within():
                yield from self.to_hold(value.of, steps)
            case str():
                yield from self._named(name, value, steps)
            case _:
                yield from self._asked(value, steps)

    def _each(self, conditions: Iterable[Condition], steps: int) -> Iterator[Wish]:
        for each in conditions:
            yield from self.to_hold(each, steps)

    def _named(self, name: str, value: str, steps: int) -> Iterator[Wish]:
        match name:
            case "happened":
                yield from self._event(value, steps)
            case "told":
                yield from self._beat(value, steps)
            case "visited":
                layer = self.plan.layers.get(value)
                for scene in (value,) if layer is None else layer.scenes:
                    yield from self.to_scene(SceneId(scene), steps)
            case "completed":
                yield from self._completed(SceneId(value), steps)
            case "opened" if self._first("gate", value, steps):
                yield from self._each(self.plan.gates[value].conditions, steps + 1)
            case "present":
                yield from self._to(EntityId(value), steps)

    def _asked(self, value: object, steps: int) -> Iterator[Wish]:
        match value:
            case Did() if self._is_player(value.who):
                yield Wish(steps, act=value)
                yield from self._within_reach(value, steps)
            case At() if self._is_player(value.who):
                yield Wish(steps, place=EntityId(value.place))
            case Has():
                yield from self._thing(value.who, value.thing, steps)
            case Knows():
                yield from self._fact(value.who, value.fact, steps)
            case RelationRange():
                yield from self._standing(value, steps)

    # ── what is asked for ────────────────────────────────────────────────────────────────────

    def _within_reach(self, did: Did, steps: int) -> Iterator[Wish]:
        if did.to is not None:
            yield from self._to(EntityId(did.to), steps)
        if did.about in self.plan.things and did.act in ("give", "show"):
            yield from self._thing(PLAYER, did.about, steps + 1)

    def _to(self, entity: EntityId, steps: int) -> Iterator[Wish]:
        """Where somebody or something is."""
        holder = self.world.holders.get(entity, entity)
        place = self.world.places.get(holder)
        if place is not None and place != self.world.places.get(self.player):
            yield Wish(steps + 1, place=place)

    def _thing(self, who: str, thing: str, steps: int) -> Iterator[Wish]:
        if not self._first(f"thing of {who}", thing, steps):
            return
        for event in self.plan.story.events:
            if who in event.gives.values() and event.gives.get(thing) == who:
                yield from self._event(event.id, steps + 1)
        if not self._is_player(who):
            yield from self._asked(Did(who=PLAYER, act="give", to=who, about=thing), steps + 1)
        elif EntityId(thing) in self.world.hidden:
            found = self.plan.things[thing].revealed_by
            yield from self.to_hold(found, steps + 1)
        else:
            yield from self._asked(Did(who=PLAYER, act="take", to=thing), steps + 1)

    def _fact(self, who: str, fact: str, steps: int) -> Iterator[Wish]:
        if not self._first(f"fact of {who}", fact, steps):
            return
        for reveal in self.plan.facts[fact].revealed_by:
            if who in reveal.to or "present" in reveal.to:
                yield from self.to_hold(reveal.when, steps + 1)
        for name, beat in self.plan.beats.items():
            if fact in beat.reveals:
                yield from self._beat(name, steps + 1)
        for gate in self.plan.gates.values():
            if fact in gate.reveals:
                yield from self._named("opened", gate.id, steps + 1)
        for event in self.plan.story.events:
            if fact in event.reveals:
                yield from self._event(event.id, steps + 1)

    def _standing(self, asked: RelationRange, steps: int) -> Iterator[Wish]:
        for event in self.plan.story.events:
            for shift in event.relations:
                same = (shift.from_, shift.to, shift.dimension)
                helps = shift.by > 0 if asked.at_least > -1 else shift.by < 0
                if helps and same == (asked.from_, asked.to, asked.dimension):
                    yield from self._event(event.id, steps + 1)

    def _event(self, name: str, steps: int) -> Iterator[Wish]:
        if name in self.world.happened or not self._first("event", name, steps):
            return
        event = self.plan.events[name]
        if event.when is not None:
            yield from self.to_hold(event.when, steps + 1)
        for beat_name, beat in self.plan.beats.items():
            if name in beat.happens:
                yield from self._beat(beat_name, steps + 1)

    def _beat(self, name: str, steps: int) -> Iterator[Wish]:
        if name in self.world.told or not self._first("beat", name, steps):
            return
        scene = SceneId(name.partition("/")[0])
        if self.world.scene == scene:
            yield from self.to_hold(self.plan.beats[name].when, steps + 1)
        else:
            if self.plan.beats[name].when is not None:
                yield from self.to_hold(self.plan.beats[name].when, steps + 1)
            yield from self.to_scene(scene, steps + 2)

    def _completed(self, scene: SceneId, steps: int) -> Iterator[Wish]:
        if self.world.scene != scene:
            yield from self.to_scene(scene, steps + 1)
        elif (done := self.plan.scenes[scene].done_when) is not None:
            yield from self.to_hold(done, steps)
        else:
            for step in graph(self.plan).forward[scene]:
                yield from self.to_hold(step.when, steps)

    def to_scene(self, scene: SceneId, steps: int) -> Iterator[Wish]:
        """What would lead to a scene from where the story stands."""
        if not self._first("scene", scene, steps):
            return
        ways = graph(self.plan)
        for before in ways.back[scene]:
            for step in ways.forward[before]:
                if step.to != scene:
                    continue
                if before == self.world.scene:
                    yield from self.to_hold(step.when, steps + 1)
                    continue
                if step.when is not None:
                    yield from self.to_hold(step.when, steps + 1)
                yield from self.to_scene(SceneId(before), steps + 2)
