"""What a cue comes to: the typed events that change who is there and who holds what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from storykeeper.events.atoms import (
    EntityChange,
    EntityChanged,
    Happening,
    LineChange,
    LineChanged,
    Moved,
    Participant,
    PieceKind,
    Presence,
    PresenceChanged,
    Resolved,
    Role,
    Source,
    SpeechUttered,
    Voice,
)
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.staging.cues import Cue, Cued
from storykeeper.staging.perception import Scene, perceive
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.state import World
from storykeeper.world.ways import route

PRESENCE = {
    "sleeps": Presence.SLEPT, "wakes": Presence.WOKE, "hides": Presence.HID,
    "emerges": Presence.EMERGED, "doubts": Presence.DOUBTED, "settles": Presence.SETTLED,
}  # fmt: skip
LINES = {"call-opens": LineChange.OPENED, "call-closes": LineChange.CLOSED}


def change(unfolding: Unfolding, cue: Cue, *, told: EntityId) -> None:
    """Decide what a cue changes; those who are there see it."""
    if cue.kind == "doubts" and cue.says is Voice.READER:  # who is not here cannot have left
        places = unfolding.world.places
        here = tuple(who for who in cue.who if places.get(who) == places.get(told))
        cue = replace(cue, who=here)
    for what, parts in list(_effects(unfolding, cue)):
        unfolding.take_place(
            what, parts, source=Source.NARRATOR, confidence=cue.sure, says=cue.says,
            seen_by=_watching(unfolding, cue, parts, told=told), evidence=cue.words,
        )  # fmt: skip


def read_up(unfolding: Unfolding, cue: Cue) -> None:
    """Decide that somebody reads what was written in this turn: to them, or where they are."""
    for atom in unfolding.atoms:
        if not isinstance(atom.what, SpeechUttered) or not atom.what.written:
            continue
        writer = next(iter(those(atom, Role.ACTOR)), None)
        for who in cue.who:
            meant = who in those(atom, Role.SUBJECT)
            here = unfolding.world.places.get(who)
            beside = writer is not None and here == unfolding.world.places.get(writer)
            has = (*those(atom, Role.ACTOR), *those(atom, Role.TARGET), *those(atom, Role.WITNESS))
            if who not in has and (meant or beside):
                parts = [Participant(Role.TARGET, Resolved(who))]
                if writer is not None:
                    parts.insert(0, _actor(writer))
                unfolding.take_place(
                    atom.what, parts, source=Source.NARRATOR, seen_by=(), says=cue.says,
                    evidence=cue.words,
                )  # fmt: skip


def stand(unfolding: Unfolding, cued: Cued, *, told: EntityId) -> None:
    """Where people are said to be at the end of a rendering, there they are: a scene that begins
    with it does not bring them elsewhere.
    """
    end = max((cue.at for cue in cued.cues), default=0)
    for cue in cued.cues:
        if cue.at == end and not cue.words and cue.kind in ("departs", "arrives"):
            change(unfolding, cue, told=told)


def _effects(unfolding: Unfolding, cue: Cue) -> Iterator[tuple[Happening, list[Participant]]]:
    """What a cue comes to, of those for whom it changes anything."""
    if cue.kind in LINES:
        for who in cue.who:
            others = [Participant(Role.TARGET, Resolved(w)) for w in cue.people if w != who]
            yield LineChanged(LINES[cue.kind]), [_actor(who), *others]
        return
    for who in cue.who:
        yield from _effect(unfolding, cue, who)


def _effect(
    unfolding: Unfolding, cue: Cue, who: EntityId
) -> Iterator[tuple[Happening, list[Participant]]]:
    world = unfolding.world
    if cue.says is Voice.READER and not _may_go(world, cue, who):
        return
    if cue.kind in ("departs", "arrives") and cue.to is not None:
        if world.places.get(who) != cue.to or who in (*world.away, *world.unsure):
            yield Moved(cue.to), [_actor(who)]
    elif cue.kind == "departs" and who in world.places:
        yield EntityChanged(EntityChange.DEPARTED), [Participant(Role.SUBJECT, Resolved(who))]
    elif cue.kind in PRESENCE:
        yield PresenceChanged(PRESENCE[cue.kind]), [_actor(who)]
    elif cue.thing is not None:
        to = next(iter(cue.people), who)
        if world.holders.get(cue.thing) != to:
            yield Moved(to), [Participant(Role.SUBJECT, Resolved(cue.thing))]


def _may_go(world: World, cue: Cue, who: EntityId) -> bool:
    """Whether a move that was only read can be: players go by ways that are open."""
    if cue.kind not in ("departs", "arrives") or who not in world.plan.players:
        return True
    return cue.to is not None and route(world, who, cue.to)


def _watching(
    unfolding: Unfolding, cue: Cue, parts: Sequence[Participant], *, told: EntityId
) -> tuple[EntityId, ...]:
    """Who is there to see it: where it begins, and where it leads."""
    world = unfolding.world
    found = {*perceive(world, Scene(PieceKind.ACTION, told, cue.who)).by}
    if cue.to is not None:
        unable = {*world.asleep, *world.unsure, *world.away}
        found |= {EntityId(w) for w in world.plan.cast
                  if world.places.get(EntityId(w)) == cue.to and w not in unable}  # fmt: skip
    if cue.kind == "gives":  # whoever they are with, who is given something has seen it
        found |= {*cue.people} - {*world.asleep}
    taking = those_in(parts, Role.ACTOR, Role.TARGET)
    return tuple(w for w in map(EntityId, world.plan.cast) if w in found and w not in taking)


def _actor(who: EntityId) -> Participant:
    return Participant(Role.ACTOR, Resolved(who))
