"""Where a player's line takes them, and with whom: "with Mara", "Mara and I", "I take Tom".

What a player says of others is tried, as all that players type: who the prose says stays behind
has not come along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from storykeeper.language.acts import Act, ActKind
from storykeeper.language.names import Found, Names
from storykeeper.language.reading import Modality, Reading, called
from storykeeper.units import EntityId
from storykeeper.world.earshot import same_side
from storykeeper.world.knowledge import believed_place
from storykeeper.world.state import World
from storykeeper.world.ways import ways_on

LEADING = frozenset({
    "lead", "take", "bring", "guide", "escort", "drag", "pull", "carry", "usher", "show", "fetch",
})  # fmt: skip
FOLLOWING = frozenset({"follow", "accompany", "chase", "pursue", "join"})
_OUT = frozenset({"out", "outside"})
_IN = frozenset({"in", "inside"})
_LEAVING = frozenset({"leave", "exit", "depart"})
_RETURNING = frozenset({"go", "head", "walk", "return", "run", "get"})
_STAYING = frozenset({"stay", "remain", "refuse", "decline", "wait", "linger", "hang back"})
_WITH = re.compile(
    r"\b(?:with|alongside|taking|bringing|leading|take|grab|fetch|bring|lead|me and|I and)"
    r"\s+(?:(?:the|my)\s+)?$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:,|,?\s+and|&)\s+")
_AND_I = re.compile(r"\s*(?:,|,?\s+and|&)\s+(?:I|me|myself)\b", re.IGNORECASE)
_WE = re.compile(r"\b(?:we|us|together|all of us)\b", re.IGNORECASE)
_WITH_ME = re.compile(r"\bwith\s+(?:me|us)\b", re.IGNORECASE)
_LEFT = re.compile(r"\b(?:leav(?:e|ing)|without|but not|except)\s+[^,;]*$", re.IGNORECASE)


def company_of(world: World, who: EntityId) -> list[EntityId]:
    """Those who may go along with somebody: with them, awake, and no other player's to move."""
    here = world.places.get(who)
    unable = (*world.away, *world.asleep, *world.hidden, *world.unsure, *world.plan.players)
    return [
        each
        for each in map(EntityId, same_side(world, (who,)))
        if here is not None and world.places.get(each) == here and each != who
        and each not in unable
    ]  # fmt: skip


def companions(
    world: World, who: EntityId, names: Names, *, sentence: str, act: Act
) -> list[EntityId]:
    """Those who go along with a player, as the sentence of their line says."""
    near = company_of(world, who)
    along = list(_named([each for each in names.find(sentence) if each.entity in near], sentence))
    if act.to in near and act.to is not None and (act.verb in LEADING or _WITH.search(sentence)):
        along.append(act.to)
    if not along and _WE.search(sentence):
        along = near
    return list(dict.fromkeys(along))


def _named(found: list[Found], sentence: str) -> Iterator[EntityId]:
    """Those named in a sentence who go, by the words around their names."""
    last: Found | None = None
    for each in found:
        before, rest = sentence[: each.start], sentence[each.end :]
        listed = last is not None and _LISTED.fullmatch(sentence[last.end : each.start])
        goes = _WITH.search(before) or _AND_I.match(rest) or _WITH_ME.search(rest) or listed
        if goes and not _LEFT.search(before):
            yield each.entity
            last = each


def staying(reading: Reading, names: Names) -> frozenset[EntityId]:
    """Those of whom a rendering tells that they do not go."""
    staying = [
        i for clause in reading.clauses
        if clause.quotation is None and _stays(clause.verb, clause.modality)
        for i in clause.actors
    ]  # fmt: skip
    texts = called(reading, staying)
    return frozenset(found.entity for text in texts for found in names.find_in_prose(text))


def _stays(verb: str, modality: Modality) -> bool:
    undone = modality is Modality.NEGATED
    return (verb in _STAYING) != undone and (verb in _STAYING or verb in ("go", "come", "follow"))


def way_of(world: World, who: EntityId, act: Act, *, sentence: str) -> EntityId | None:
    """Where an act takes a player: where they go, where they lead somebody, or after whom.

    One follows to where one knows that the other is; not to where they are.
    """
    if act.kind is ActKind.MOVEMENT and (act.place or _led(world, who, act)):
        return act.place or _led(world, who, act)
    if act.to in world.plan.settings:  # "Tom comes with me to the garden"
        return act.to if act.kind is ActKind.MOVEMENT and _WITH_ME.search(sentence) else None
    if act.to not in world.plan.cast or act.to is None:
        return None
    leads = (act.verb in LEADING or act.act in LEADING) and act.to in company_of(world, who)
    there = next((p for p in (act.place, act.about) if p in world.plan.settings), None)
    if act.act in FOLLOWING:
        known = believed_place(world, (who,), act.to)
        return known if known == world.places.get(act.to) else there
    return there if leads else None


def _led(world: World, who: EntityId, act: Act) -> EntityId | None:
    """Where a way leads that no place is named for: out of where one is, or in again; back, if it
    is the only one.
    """
    here, ways, settings = world.places.get(who), ways_on(world, [who]), world.plan.settings
    if here is None or here not in settings or act.target is not None:
        return None
    whence = act.origin is None or act.origin.entity == here
    if act.verb in _LEAVING and act.where is not None:
        return act.where.entity if act.where.entity in settings else None
    found: Sequence[EntityId] = ()
    if act.way in _OUT or (act.verb in _LEAVING and not act.way and whence):
        found = [way for way in ways if way == settings[here].within] or ways
    elif act.way in _IN:
        found = [way for way in ways if settings[way].within == here]
    elif act.way == "back" and act.verb in _RETURNING and act.where is act.origin is None:
        found = ways
    return found[0] if len(found) == 1 else None
