"""What a cue comes to: the typed events that change who is there and who holds what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
)
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.staging.cues import Cue, Cued
from storykeeper.staging.perception import Scene, perceive
from storykeeper.units import EntityId

PRESENCE = {
    "sleeps": Presence.SLEPT, "wakes": Presence.WOKE, "hides": Presence.HID,
    "emerges": Presence.EMERGED, "doubts": Presence.DOUBTED, "settles": Presence.SETTLED,
}  # fmt: skip
LINES = {"call-opens": LineChange.OPENED, "call-closes": LineChange.CLOSED}


def change(unfolding: Unfolding, cue: Cue, *, told: EntityId) -> None:
    """Decide what a cue changes; those who are there see it."""
    for what, parts in list(_effects(unfolding, cue)):
        unfolding.take_place(
            what, parts, source=Source.NARRATOR, confidence=cue.sure, says=cue.says,
            seen_by=_watching(unfolding, cue, parts, told=told), evidence=cue.words,
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
    taking = those_in(parts, Role.ACTOR, Role.TARGET)
    return tuple(w for w in map(EntityId, world.plan.cast) if w in found and w not in taking)


def _actor(who: EntityId) -> Participant:
    return Participant(Role.ACTOR, Resolved(who))
