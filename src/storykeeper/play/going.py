"""Coming and going: ways from place to place as far as they stand open, and who goes, as told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storykeeper.events.atoms import (
    EntityChange,
    EntityChanged,
    Participant,
    Resolved,
    Role,
    Source,
)
from storykeeper.language.lexicon import VerbClass
from storykeeper.play.sight import seen_by
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.story.places import Path
from storykeeper.units import EntityId
from storykeeper.world.conditions import holds
from storykeeper.world.state import World

_GOAL = re.compile(
    r"\b(?:go|goes|went|gone|walk|walks|walked|run|runs|ran|climb|climbs|climbed|hurry|hurries"
    r"|hurried|step|steps|stepped|come|comes|came|head|heads|headed|creep|creeps"
    r"|crept|stride|strides|strode|return|returns|returned)\s+(?:\w+\s+){0,2}?(?:to|into|onto)\s"
    r"|\b(?:re-?)?enter(?:s|ed)?\s|\barrive[sd]?\s+(?:at|in)\s",
    re.IGNORECASE,
)
_ENTERING = frozenset({"enter", "reenter", "re-enter"})
_LEAVING = frozenset({"leave", "exit", "depart", "quit", "vacate"})
COMING_BACK = frozenset(
    {"return", "come back", "come in", "walk in", "step in", "slip in", *_ENTERING}
)
_OUT_OF = re.compile(r"\bout of\s", re.IGNORECASE)


def route(world: World, who: EntityId, place: EntityId) -> bool:
    """Whether a way leads from where somebody is to a place, along paths that stand open."""
    start = world.places.get(who)
    if start is None:
        return False
    seen, edge = {str(start)}, [str(start)]
    while edge:
        edge = [b for a in edge for b in open_ways(world, a) if b not in seen]
        seen.update(edge)
        if place in seen:
            return True
    return False


def open_ways(world: World, place: str) -> Iterator[EntityId]:
    """The places next to one, along paths that stand open, in the author's order."""
    for setting in world.plan.settings.values():
        for path in setting.paths:
            if _passable(world, path):
                if setting.id == place:
                    yield EntityId(path.to)
                elif path.to == place and not path.one_way:
                    yield EntityId(setting.id)


def _passable(world: World, path: Path) -> bool:
    return path.when is None or holds(world, path.when)


# ── as it is told ────────────────────────────────────────────────────────────────────────────


def goes_to(
    world: World, parts: Sequence[Participant], *, verb: str, words: str
) -> EntityId | None:
    """The author's place that some of the cast, named, go to: `words` are the clause's.

    Only where a preposition says that it is the goal; to turn to the tower is not to go there. Of
    somebody elsewhere prose may tell what was long ago: they must come to where the player is, or
    plainly enter, or nothing be known of where they are.
    """
    going = _named(world, parts)
    here = world.places.get(world.plan.players[0])
    if not going:
        return None
    if verb in COMING_BACK and not _said_where(parts):
        return here if all(who not in world.places for who in going) else None
    places = _settings(world, parts)
    if not places or not _GOAL.search(words) or _OUT_OF.search(words):
        return None
    to = places[-1]
    plainly = verb in _ENTERING or here in (None, to)
    near = all(world.places.get(who, here) == here for who in going)
    return to if plainly or near else None


def departs(world: World, parts: Sequence[Participant], *, verb: str, words: str) -> bool:
    """Whether some of the cast, named, leave the author's place where they are, for none said.

    Who only goes out is not gone: prose seldom tells that they come back (`World.away`).
    """
    going = _named(world, parts)
    if not going:
        return False
    here = {world.places.get(who) for who in going}
    left = _settings(world, parts, Role.TARGET)
    if _OUT_OF.search(words):
        left = _settings(world, parts)
    elif verb not in _LEAVING:
        return False
    return any(here <= {place, None} for place in left)


def leave(
    unfolding: Unfolding,
    parts: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    told: EntityId,
    sentence: str,
) -> None:
    """Decide that those who do it are gone; whoever saw them do it saw that."""
    gone = EntityChanged(EntityChange.DEPARTED)
    watching = seen_by(unfolding.world, gone, parts, classes, told=told, sentence=sentence)
    for who in those_in(parts, Role.ACTOR):
        unfolding.take_place(
            gone, [Participant(Role.SUBJECT, Resolved(who))], source=Source.RULE,
            seen_by=tuple(dict.fromkeys((who, *watching))),
        )  # fmt: skip


def _named(world: World, parts: Sequence[Participant]) -> list[EntityId]:
    """Who does it, if they are all of the cast, called by name, and no player's to move."""
    actors = [p.entity for p in parts if p.role is Role.ACTOR]
    going = [
        ref.entity
        for ref in actors
        if isinstance(ref, Resolved)
        and ref.by == "name"
        and ref.entity in world.plan.cast
        and ref.entity not in world.plan.players
    ]
    return going if len(going) == len(actors) else []


def _said_where(parts: Sequence[Participant]) -> bool:
    return any(p.role in (Role.TARGET, Role.SUBJECT, Role.LOCATION) for p in parts)


def _settings(world: World, parts: Sequence[Participant], *roles: Role) -> list[EntityId]:
    wanted = roles or (Role.LOCATION, Role.TARGET)
    return [
        p.entity.entity
        for p in parts
        if p.role in wanted
        and isinstance(p.entity, Resolved)
        and p.entity.entity in world.plan.settings
    ]
