"""Who else perceives what a rendering tells: closed unless it plainly happens before their eyes.

Prose is told to the player. That others saw it too is taken for granted only of what one of the
cast, who is where the player is, says aloud or does with their hands; not of what is thought, felt,
remembered or done unseen, nor of what happens elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from storykeeper.events.atoms import Happening, Participant, Resolved, Role, SpeechUttered
from storykeeper.language.lexicon import VerbClass
from storykeeper.play.witnesses import witnesses
from storykeeper.units import EntityId
from storykeeper.world.state import World

_OUTWARD = frozenset({
    VerbClass.TAKE, VerbClass.GIVE, VerbClass.HANDLE, VerbClass.PUT, VerbClass.HARM,
    VerbClass.CARE, VerbClass.MOVE, VerbClass.SLEEP, VerbClass.WAKE,
})  # fmt: skip
# What a player may say of how they do something, so that nobody else perceives it.
APART = re.compile(
    r"\b(unseen|unnoticed|secretly|silently|to myself|under my breath|in my (?:head|mind)"
    r"|without \S+ (?:noticing|seeing|knowing)|behind \S+ back|write|note|scribble)\b",
    re.IGNORECASE,
)
# Words that make it likely that nobody else perceives what their sentence tells.
SECRET = re.compile(
    r"\b(unseen|unnoticed|secret\w*|silent\w*|alone|(?:him|her|my|your|them)sel(?:f|ves)"
    r"|back is turned|behind \S+ back|without \S+ (?:noticing|seeing|knowing)|keyhole|under"
    r" (?:my|your|his|her|their) breath|in (?:my|your|his|her|their) (?:head|mind|pocket|sleeve)"
    r"|sure|certain|afraid|suspect\w*|believ\w*|dream\w*|imagin\w*|rememb\w*|recall\w*|guess\w*"
    r"|wonder\w*|knows?|knew|thinks?|thought|meanwhile|elsewhere|whisper\w*|murmur\w*|mutter\w*"
    r"|note|writ\w*|wrote|scribbl\w*)\b",
    re.IGNORECASE,
)


def told_to(world: World, participants: Sequence[Participant]) -> tuple[EntityId, ...]:
    """The players, as far as they have no part in it: they were told."""
    involved = _involved(participants)
    return tuple(who for who in world.plan.players if who not in involved)


def seen_by(
    world: World,
    what: Happening,
    participants: Sequence[Participant],
    classes: frozenset[VerbClass],
    *,
    sentence: str,
) -> tuple[EntityId, ...]:
    """Everyone who perceives what a sentence tells."""
    told = told_to(world, participants)
    if not _in_plain_sight(world, what, participants, classes) or SECRET.search(sentence):
        return told
    return tuple(dict.fromkeys((*told, *witnesses(world, what, participants))))


def _in_plain_sight(
    world: World,
    what: Happening,
    participants: Sequence[Participant],
    classes: frozenset[VerbClass],
) -> bool:
    here = world.places.get(world.plan.players[0])
    actors = [p.entity for p in participants if p.role is Role.ACTOR]
    there = [world.places.get(a.entity) for a in actors if isinstance(a, Resolved)]
    present = bool(actors) and len(there) == len(actors) and all(p == here for p in there)
    elsewhere = any(
        p.role in (Role.LOCATION, Role.TARGET, Role.SUBJECT)
        and isinstance(p.entity, Resolved)
        and p.entity.entity in world.plan.settings
        and p.entity.entity != here
        for p in participants
    )
    if here is None or not present:
        return False
    if isinstance(what, SpeechUttered):
        return True  # wherever what is spoken of may be
    return not elsewhere and bool(classes & _OUTWARD)


def _involved(participants: Sequence[Participant]) -> set[EntityId]:
    return {
        p.entity.entity
        for p in participants
        if isinstance(p.entity, Resolved) and p.role in (Role.ACTOR, Role.TARGET)
    }
