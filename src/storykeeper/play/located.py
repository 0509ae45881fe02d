"""Where a clause says that something is, or goes: the word before the place says which."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from storykeeper.context.overheard import understood
from storykeeper.events.atoms import (
    Atom,
    EntityRef,
    InformationTold,
    Participant,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.language.reading import Clause, MentionKind, Modality, Reading
from storykeeper.play.meant import Meant
from storykeeper.play.participants import is_thing
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId
from storykeeper.world.calling import stands_in
from storykeeper.world.state import World, whose_turn

_BEFORE = re.compile(r"(on top of|out of|\w+)\s+$", re.IGNORECASE)
IN = frozenset({
    "in", "on", "at", "inside", "under", "beneath", "underneath", "behind", "within", "upon",
    "atop", "on top of",
})  # fmt: skip
INTO = IN | {"to", "into", "onto"}
_LYING = frozenset({"be", "lie", "stand", "hang", "sit", "rest", "lean", "remain", "stay"})
_STAYING = frozenset({
    "wait", "stop", "halt", "pause", "stand", "sit", "kneel", "crouch", "linger", "lean", "hover",
    "rest", "pace", "loiter",
})  # fmt: skip
_WITHIN = frozenset({"in", "at", "on", "inside"})
_DEEDS = frozenset({
    VerbClass.MOVE, VerbClass.TAKE, VerbClass.GIVE, VerbClass.PUT, VerbClass.HANDLE,
    VerbClass.CARE, VerbClass.HARM,
})  # fmt: skip
_FIRST = re.compile(
    r"\W*(?:(?:out|down|up|back)\s+)?(?:in|at|on|inside)\s[^,]{1,40},", re.IGNORECASE
)
# One keeps bees, or has waited, where one need not be now.
_KEEPING = re.compile(
    r"\b(?:keeps?|kept|(?:had|has|have)\s+(?:\w+ly\s+|been\s+)?\w+)\b", re.IGNORECASE
)
_OFTEN = re.compile(r"\b(?:often|always|usually|sometimes|never|every|used to)\b", re.IGNORECASE)
_OUT_IN = re.compile(r"\bout (?:in|on|at)\b", re.IGNORECASE)
MAX_BEFORE = 24  # characters


def place_of(
    world: World, reading: Reading, meant: Meant, clause: Clause, *, by: frozenset[str] = INTO
) -> EntityId | None:
    """The first place or thing with an id that a clause names after such a word."""
    for i in clause.locations:
        mention = reading.mentions[i]
        found = _BEFORE.search(reading.text[max(0, mention.start - MAX_BEFORE) : mention.start])
        if found is None or found.group(1).casefold() not in by:
            continue
        ref = meant.participant(world, i)
        if isinstance(ref, Resolved) and _holds_things(world, ref.entity):
            return ref.entity
    return None


def stated(world: World, reading: Reading, meant: Meant, clause: Clause) -> EntityId | None:
    """Where a clause says that its subject is: "The box stood in the kitchen." """
    if clause.state or _is_dated(reading, clause):
        return None
    if clause.verb not in _LYING:
        return _done_there(world, reading, meant, clause)
    people = [meant.participant(world, i) for i in clause.actors]
    things = [meant.participant(world, i) for i in clause.subjects]
    found = place_of(world, reading, meant, clause, by=IN)
    if found is None or clause.targets:
        return _done_there(world, reading, meant, clause) if people else None
    if people and clause.verb != "be":
        return _done_there(world, reading, meant, clause)
    if people:
        sure = clause.verb == "be" and not things and found in world.plan.settings
        out = _OUT_IN.search(reading.text[clause.start : clause.end]) is not None
        return found if sure and all(_may_be(world, r, found, out=out) for r in people) else None
    sure = bool(things) and all(
        isinstance(r, Resolved) and is_thing(world, r.entity) for r in things
    )
    return found if sure else None


def _done_there(
    world: World, reading: Reading, meant: Meant, clause: Clause
) -> EntityId | None:  # fmt: skip
    """Where some of the cast, named, stop or wait, or do what a place said first begins.

    "Mara is waiting in the garden", "In the garden, Mara takes a rose": she is there now. Not where
    she often waits, has waited or keeps bees.
    """
    words = reading.text[clause.start : clause.end]
    first = _FIRST.match(words) is not None and bool(verb_classes(clause.verb) & _DEEDS)
    if clause.verb not in _STAYING and not first:
        return None
    if any(sign.search(words) for sign in (_OFTEN, _KEEPING)):
        return None
    refs = [meant.participant(world, i) for i in clause.actors]
    there = place_of(world, reading, meant, clause, by=_WITHIN)
    named = bool(refs) and all(
        isinstance(r, Resolved) and r.by == "name" and r.entity in world.plan.cast
        and r.entity not in world.plan.players
        for r in refs
    )  # fmt: skip
    return there if named and there in world.plan.settings else None


def claim(
    unfolding: Unfolding,
    reading: Reading,
    meant: Meant,
    clause: Clause,
    parts: Sequence[Participant],
    *,
    seen_by: Sequence[EntityId],
) -> None:
    """Decide that somebody said where something is, if a clause of theirs says that; true or not.

    The words themselves are on record as speech, and not told again.
    """
    world = unfolding.world
    at = None
    if clause.modality is Modality.ASSERTED:
        at = stated(world, reading, meant, clause)
    for i in (*clause.subjects, *clause.actors) if at is not None else ():
        ref = meant.participant(world, i)
        if isinstance(ref, Resolved):
            as_one = not stands_in(ref.mention) or _is_called_there(reading, i)
            every: Mapping[EntityId, set[EntityId] | None]
            every = {ref.entity: None} if as_one else _taken_for(unfolding, ref, parts, seen_by)
            for entity, hearing in every.items():
                about = Participant(Role.SUBJECT, Resolved(entity))
                told = [p for p in parts if hearing is None or _is_among(p, hearing)]
                seen = [who for who in seen_by if hearing is None or who in hearing]
                unfolding.take_place(
                    InformationTold("", at=at), [*told, about], source=Source.RULE, seen_by=seen
                )


def _is_called_there(reading: Reading, place: int) -> bool:
    """Whether words of its own stand for it in the same breath: "The key? It is in the drawer." """
    mention = reading.mentions[place]
    return mention.cluster is not None and any(
        each.cluster == mention.cluster
        and each.quotation == mention.quotation
        and each.kind is not MentionKind.PRONOUN
        for each in reading.mentions[:place]
    )


def _taken_for(
    unfolding: Unfolding, ref: Resolved, parts: Sequence[Participant], seen_by: Sequence[EntityId]
) -> dict[EntityId, set[EntityId]]:
    """What a pronoun means to each who hears it, by what they heard before in this turn (F8.1h).

    The player it is told to has the reading; who understands nothing is told nothing.
    """
    world, before = unfolding.world, _before_words(unfolding.atoms)
    targets = [p.entity for p in parts if p.role is Role.TARGET]
    hearing = [each.entity for each in targets if isinstance(each, Resolved)]
    found: dict[EntityId, set[EntityId]] = {ref.entity: set()}
    for who in dict.fromkeys((*hearing, *seen_by)):
        meant: EntityRef | None = ref
        if who != whose_turn(world):
            taken = understood(world, reversed(before), who, ref.mention)
            meant = None if taken is None else taken[1]
        if isinstance(meant, Resolved):
            found.setdefault(meant.entity, set()).add(who)
    return {entity: who for entity, who in found.items() if who}


def _before_words(atoms: Sequence[Atom]) -> Sequence[Atom]:
    """The events of a turn up to the words that were said last."""
    spoken = [n for n, atom in enumerate(atoms) if isinstance(atom.what, SpeechUttered)]
    return atoms[: spoken[-1]] if spoken else atoms


def _is_among(part: Participant, hearing: Collection[EntityId]) -> bool:
    """Whether somebody has a part in it: who says it, and who understands it."""
    known = isinstance(part.entity, Resolved) and part.entity.entity in hearing
    return part.role is Role.ACTOR or known


def _may_be(world: World, ref: object, place: EntityId, *, out: bool) -> bool:
    """Whether one of the cast, named, may be elsewhere than the world has them.

    Not who is before us, unless it says that they are `out` there.
    """
    if not isinstance(ref, Resolved) or ref.by != "name" or ref.entity not in world.plan.cast:
        return False
    here = world.places.get(whose_turn(world))
    now = world.places.get(ref.entity)
    return ref.entity not in world.plan.players and (out or now in (None, place) or now != here)


def _is_dated(reading: Reading, clause: Clause) -> bool:
    """Whether it says when: what was so yesterday may not be so now."""
    return any(clause.start <= time.start < clause.end for time in reading.times)


def _holds_things(world: World, entity: EntityId) -> bool:
    return entity in world.plan.settings or is_thing(world, entity)
