"""Who perceives a piece, by what evidence, and who does not, and why.

Evidence opens and nothing else does: a piece is perceived by who says or does it, by whom it is for
and by those present for whom nothing speaks against it. Present is who was put there, came in,
spoke or acted; who may have gone is unsure, and the unsure perceive nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from storykeeper.events.atoms import PieceKind
from storykeeper.units import EntityId
from storykeeper.world.earshot import heard_inside, listening, reached_from, same_side
from storykeeper.world.hearing import is_deaf
from storykeeper.world.state import World
from storykeeper.world.ways import adjoins
from storykeeper.world.whereabouts import setting_of

ASLEEP, UNSURE, GONE = "asleep", "it is not sure that they are there", "gone"
ELSEWHERE, DEAF, PRIVATE = "elsewhere", "deaf", "not meant for them"
OUTSIDE, INWARD = "on the other side of a tale", "it is in somebody's mind"
UNSEEN = "who does it is not to be seen"


@dataclass(frozen=True, slots=True)
class Scene:
    """What of a piece decides who perceives it."""

    kind: PieceKind
    told: EntityId  # the player it is told to
    by: tuple[EntityId, ...] = ()  # who speaks, acts or thinks
    to: tuple[EntityId, ...] = ()  # whom words are said to
    only: tuple[EntityId, ...] | None = None  # who alone can make out the words
    afar: tuple[EntityId, ...] = ()  # who is said to hear it also from the next room
    joined: frozenset[EntityId] = frozenset()  # places in which one hears each other
    readers: tuple[EntityId, ...] = ()  # of what is written
    follows: EntityId | None = None  # whose senses the prose follows, wherever it leads
    at: EntityId | None = None  # where it is, if nobody does it
    seen: bool = True  # from afar: the words say who does it


@dataclass(frozen=True, slots=True)
class Perceived:
    """Who perceives it, and who was near and does not."""

    by: tuple[EntityId, ...]  # in the order of the cast
    kept_from: tuple[tuple[EntityId, str], ...] = ()


def perceive(world: World, scene: Scene) -> Perceived:
    """Everyone of the cast who perceives a piece, and why the others who are there do not."""
    match scene.kind:
        case PieceKind.THOUGHT | PieceKind.ASIDE:
            mine = scene.by if scene.kind is PieceKind.THOUGHT and scene.by else (scene.told,)
            return _closed(world, scene, mine, INWARD)
        case PieceKind.WRITING:
            awake = [who for who in scene.readers or scene.by or (scene.told,)
                     if who not in world.asleep]  # fmt: skip
            return _closed(world, scene, awake, PRIVATE)
        case _:
            return _in_the_room(world, scene)


def _closed(
    world: World, scene: Scene, by: Iterable[EntityId], why: str
) -> Perceived:  # fmt: skip
    found = frozenset(by)
    near = _places(world, scene)
    return Perceived(
        tuple(who for who in _cast(world) if who in found),
        tuple((w, why) for w in _cast(world) if w not in found and world.places.get(w) in near),
    )


def _in_the_room(world: World, scene: Scene) -> Perceived:
    words = scene.kind is PieceKind.SPEECH
    near = _places(world, scene)
    carries = words or (scene.kind is PieceKind.ACTION and bool(scene.by) and scene.seen)
    beyond = (place for here in near for place in reached_from(world, here, heard=words))
    reached = {*near, *(beyond if carries else ())}  # from afar one sees who does what, no more
    if words and not near.isdisjoint(scene.joined):
        reached |= scene.joined
    afar = listening(world, scene.by, reached) | _next_door(world, scene, near) if words else set()
    through = heard_inside(world, scene.by, reached) if words else set()
    afar |= through
    side = through.union(same_side(world, scene.by))
    by: list[EntityId] = []
    kept: list[tuple[EntityId, str]] = []
    for who in _cast(world):
        there = world.places.get(who) in reached
        if not there and who not in afar and who not in scene.by and who != scene.follows:
            continue
        why = _why_not(world, scene, who, afar=who in afar, words=words, side=side)
        if why:
            kept.append((who, why))
        else:
            by.append(who)
    return Perceived(tuple(by), tuple(kept))


def _next_door(world: World, scene: Scene, near: Iterable[EntityId]) -> set[EntityId]:
    """Who is said to hear it, one way from where it is said; nobody who stepped out from there."""
    there = {w: world.places[w] for w in scene.afar if w in world.places and w not in world.away}
    return {w for w, place in there.items() if any(adjoins(world, here, place) for here in near)}


def _why_not(
    world: World, scene: Scene, who: EntityId, *, afar: bool, words: bool, side: AbstractSet[str]
) -> str:
    """Why somebody near does not perceive it; nothing, if they do."""
    if who in scene.by:
        return ASLEEP if who in world.asleep and words else ""  # who talks in their sleep
    checks = (
        (who in world.asleep, ASLEEP),
        (who in world.unsure and who not in scene.to, UNSURE),
        (who in world.away and not afar, GONE),
        (words and is_deaf(world, who), DEAF),
        (who not in side, OUTSIDE),
        (not words and _is_unseen(world, scene.by), UNSEEN),
        (scene.only is not None and who not in scene.only, PRIVATE),
    )
    return next((why for so, why in checks if so), "")


def _is_unseen(world: World, by: Sequence[EntityId]) -> bool:
    return bool(by) and all(who in world.hidden or who in world.invisible for who in by)


def _places(world: World, scene: Scene) -> frozenset[EntityId]:
    """Where it happens: where those are who do it; else where the player is."""
    found = [setting_of(world, who) for who in scene.by if who not in world.away]
    known = frozenset(place for place in found if place is not None)
    if len(known) > 1 and scene.kind is not PieceKind.SPEECH:
        return frozenset()  # of what is done from place to place only they know
    if known:
        return known
    here = scene.at or world.places.get(scene.told)
    return frozenset(() if here is None else (here,))


def _cast(world: World) -> Sequence[EntityId]:
    return [EntityId(who) for who in world.plan.cast]
