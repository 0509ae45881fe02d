"""What the story waits for: the acts of the player of which something would come now.

A closed set, for a player's line to be held against (`play.line_match`). An act is in it if an
author's condition asks about it, all else that the condition asks for is so (or is what one
goes to in the same line: who is there, and where one is), and what hangs on it has not come yet.
Each stands with what comes of it in the author's words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from storykeeper.play.rules import learners
from storykeeper.story.conditions import Condition, Did, parts
from storykeeper.story.knowledge import Reveal
from storykeeper.story.walk import walk
from storykeeper.units import EntityId, SceneId
from storykeeper.world.conditions import part_holds
from storykeeper.world.state import SceneState, World, whose_turn

# What one comes to by going somewhere; what is remembered once it held, whatever else is so.
_REACHED = frozenset({"at", "present", "did"})
_REMEMBERED = frozenset({"since", "within", "sequence"})

_Owned = tuple[Condition, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An act that a story waits for, and what comes of it in the author's words."""

    act: str
    to: EntityId | None
    about: EntityId | None
    purposes: tuple[str, ...] = ()


def awaited(world: World) -> tuple[Waiting, ...]:
    """The acts of the player whose turn it is that something waits for now."""
    player, found = whose_turn(world), dict[tuple[str, str | None, str | None], list[str]]()
    for condition, purposes in _open(world):
        for did in _asked(world, condition):
            if player in world.plan.named(did.who, world.player):
                stated = found.setdefault((did.act, did.to, did.about), [])
                stated.extend(filter(None, purposes))
    return tuple(
        Waiting(act, _id(world, to), _id(world, about), tuple(dict.fromkeys(purposes)))
        for (act, to, about), purposes in found.items()
    )


def _id(world: World, name: str | None) -> EntityId | None:
    """Whom a condition names; a player is nobody whom they ask or tell."""
    called = () if name is None else world.plan.named(name, world.player)
    return called[0] if len(called) == 1 and called[0] != whose_turn(world) else None


# ── within a condition ───────────────────────────────────────────────────────────────────────


def _asked(world: World, condition: Condition) -> Iterator[Did]:
    """The acts in a condition of which each would make it hold, or be remembered."""
    every = parts(condition)
    for name, value in every:
        rest = (part for part in every if part[0] != name)
        if name in _REMEMBERED or all(_may_hold(world, *part) for part in rest):
            yield from _in_part(world, name, value)


def _in_part(world: World, name: str, value: object) -> Iterator[Did]:
    if isinstance(value, Did):
        yield value
    elif name in _REMEMBERED or name == "threshold":
        yield from (part for _, part in walk(value) if isinstance(part, Did))
    elif isinstance(value, tuple):
        for i, inner in enumerate(value):
            rest = (*value[:i], *value[i + 1 :])
            if name == "any_" or all(_can_be(world, each) for each in rest):
                yield from _asked(world, inner)


def _can_be(world: World, condition: Condition) -> bool:
    return all(_may_hold(world, name, value) for name, value in parts(condition))


def _may_hold(world: World, name: str, value: object) -> bool:
    """Whether it is so, or may be by the same line."""
    if name in _REACHED or part_holds(world, name, value):
        return True
    if name in ("all_", "any_") and isinstance(value, tuple):
        return (all if name == "all_" else any)(_can_be(world, each) for each in value)
    return False


# ── what has not come yet ────────────────────────────────────────────────────────────────────


def _open(world: World) -> Iterator[_Owned]:
    """Every condition that something still hangs on, with what does."""
    plan, story = world.plan, world.plan.story
    for fact in story.facts:
        for reveal in fact.revealed_by:
            if learners(world, fact, reveal):
                yield reveal.when, (fact.full, fact.hint)
    for event in story.events:
        if event.when is not None and event.id not in world.happened:
            yield event.when, (event.summary, *_told(world, event.reveals))
    for gate in plan.gates.values():
        if gate.id not in world.gates:
            yield Condition(all_=gate.conditions), (gate.means, *_told(world, gate.reveals))
    for thing in story.things:
        if thing.revealed_by is not None and thing.id in world.hidden:
            yield thing.revealed_by, (thing.name,)
    for setting in story.settings:
        yield from ((path.when, ()) for path in setting.paths if path.when is not None)
    for prophecy in story.prophecies:
        state = world.prophecies.get(prophecy.id)
        if prophecy.fulfilled_by is not None and state is not None and state.fulfilled is None:
            yield prophecy.fulfilled_by, ()
    yield from _of_minds(world)
    yield from _ahead(world)


def _of_minds(world: World) -> Iterator[_Owned]:
    """What characters wait for to tell something or to do it."""
    for person in world.plan.story.cast:
        for tell in person.tells:
            reveal = Reveal(when=tell.when, to=tell.to, suspects=tell.suspects)
            if learners(world, world.plan.facts[tell.fact], reveal):
                yield tell.when, _told(world, (tell.fact,))
        for each in person.does:
            if each.happens not in world.happened:
                yield each.when, (world.plan.events[each.happens].summary,)


def _ahead(world: World) -> Iterator[_Owned]:
    """What leads on from the present scene, and what it has not told yet."""
    plan = world.plan
    here = plan.scenes[world.scene or plan.story.start]
    for beat in here.beats:
        if beat.when is not None and f"{here.id}/{beat.id}" not in world.told:
            yield beat.when, (beat.prose, *_told(world, beat.reveals))
    for way in here.leads_to:
        state = world.scenes.get(SceneId(way.to), SceneState())
        if way.when is not None and (plan.scenes[way.to].revisitable or not state.completed):
            yield way.when, (way.label, plan.scenes[way.to].title)
    if here.done_when is not None:
        yield here.done_when, ()
    for layer in plan.story.layers:
        for portal in (*layer.portals, *layer.exits):
            if portal.when is not None and portal.from_ == here.id:
                yield portal.when, (layer.name,)


def _told(world: World, facts: tuple[str, ...]) -> tuple[str, ...]:
    """What facts say, of those that the story has."""
    known = filter(None, map(world.plan.facts.get, facts))
    return tuple(fact.full for fact in known)
