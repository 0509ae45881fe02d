"""What the story waits for: the acts of the player that an author's conditions ask about.

A closed set. Each act stands with what the author says comes of it, for a line to be held against
(`play.line_match`); what nothing waits for any more is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.story.conditions import Authored, Did
from storykeeper.story.knowledge import Fact, StoryEvent
from storykeeper.story.model import PLAYER
from storykeeper.story.scenes import Beat, Gate, Scene
from storykeeper.story.walk import walk
from storykeeper.units import EntityId, SceneId
from storykeeper.world.knowledge import knows
from storykeeper.world.plan import Plan
from storykeeper.world.state import SceneState, World, whose_turn


@dataclass(frozen=True, slots=True)
class Waiting:
    """An act that a story waits for, and what comes of it in the author's words."""

    act: str
    to: EntityId | None
    about: EntityId | None
    purposes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Wait:
    """One condition's act, with what it stands in."""

    did: Did
    owner: Authored
    scene: str
    purposes: tuple[str, ...]


def awaited(world: World) -> tuple[Waiting, ...]:
    """The acts of the player whose turn it is that something still waits for."""
    player, found = whose_turn(world), dict[tuple[str, str | None, str | None], list[str]]()
    for wait in _waits(world.plan):
        did = wait.did
        if player in world.plan.named(did.who, world.player) and not _is_settled(world, wait):
            found.setdefault((did.act, did.to, did.about), []).extend(wait.purposes)
    return tuple(
        Waiting(act, _id(to), _id(about), tuple(dict.fromkeys(purposes)))
        for (act, to, about), purposes in found.items()
    )


def _id(name: str | None) -> EntityId | None:
    return None if name is None or name == PLAYER else EntityId(name)


@lru_cache(maxsize=16)
def _waits(plan: Plan) -> tuple[_Wait, ...]:
    return tuple(_all_waits(plan))


def _all_waits(plan: Plan) -> Iterator[_Wait]:
    story = plan.story
    for scene in story.scenes:
        inner = (*scene.beats, *scene.gates)
        mine = [did for each in inner for _, did in walk(each) if isinstance(did, Did)]
        for each in inner:
            yield from _of(each, scene.id, _says(plan, each))
        rest = [did for _, did in walk(scene) if isinstance(did, Did)]
        yield from (_Wait(did, scene, scene.id, ()) for did in rest if did not in mine)
    for owner in (*story.facts, *story.events, *story.layers, *story.prophecies, *story.things):
        yield from _of(owner, "", _says(plan, owner))


def _of(owner: Authored, scene: str, purposes: tuple[str, ...]) -> Iterator[_Wait]:
    return (_Wait(did, owner, scene, purposes) for _, did in walk(owner) if isinstance(did, Did))


def _says(plan: Plan, owner: Authored) -> tuple[str, ...]:
    """What comes of it, as the author puts it."""
    match owner:
        case Fact(full=full, hint=hint):
            said: tuple[str, ...] = (full, hint)
        case StoryEvent(summary=summary, reveals=reveals):
            said = (summary, *(plan.facts[each].full for each in reveals))
        case Gate(means=means, reveals=reveals):
            said = (means, *(plan.facts[each].full for each in reveals))
        case Beat(prose=prose, reveals=reveals):
            said = (prose, *(plan.facts[each].full for each in reveals))
        case _:
            said = (str(getattr(owner, "name", "")),)
    return tuple(filter(None, said))


def _is_settled(world: World, wait: _Wait) -> bool:
    """Whether nothing comes of it any more."""
    match wait.owner:
        case Fact(id=name):
            return knows(world.known, whose_turn(world), name)
        case StoryEvent(id=name):
            return name in world.happened
        case Gate(id=name):
            return name in world.gates
        case Beat(id=name):
            return f"{wait.scene}/{name}" in world.told
        case Scene(id=name, revisitable=again):
            return not again and world.scenes.get(SceneId(name), SceneState()).completed
        case _:
            return False
