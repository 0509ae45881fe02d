"""Who is back by being said to be: "Tom is back", "then he is there again".

The verb is no coming; that it tells of one follows from what is known: who stepped out, or is
elsewhere, cannot be here without having come.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import structs

from storykeeper.events.atoms import ActionTaken, Happening, Moved, Participant, Resolved, Role
from storykeeper.language.lexicon import VerbClass
from storykeeper.language.reading import Clause
from storykeeper.play.going import COMING_BACK, NOT_NOW, RETURNING, ROOM
from storykeeper.play.witnesses import those_in
from storykeeper.units import EntityId
from storykeeper.world.authored import gender_of
from storykeeper.world.state import World, whose_turn

_COMING = frozenset({"reappear", "rejoin", "step", "step back", "come", "come back", "return"})
_POSTURE = frozenset({"be", "stand", "sit", "kneel", "crouch", "lean", "wait", "hover"})
_IS = r"(?:\b(?:is|are|was|were)|[’']s|[’']re)\s+(?:(?:already|now|soon|\w+ly|suddenly|then)\s+)?"
_AGAIN = r"(?:again|once\s+more)"
# After these it is a return: where to, if it is said at all, is where we are.
_WHOLE = rf"(?=\W*$|\s*,|\s+(?:{_AGAIN}|now|already|with|from|among|beside|at\s+(?:your|my)|soon"
_WHOLE += rf"|before|carrying|holding|and|in\s+{ROOM}|in\s+(?:a|no|an)\b|safe|so)\b)"
_BACK = re.compile(rf"{_IS}back{_WHOLE}", re.IGNORECASE)
_THERE = re.compile(
    rf"{_IS}(?:here|there|present|with\s+(?:you|us|them|[A-Z]\w+)|beside\s+\w+|at\s+\w+\s+side)"
    rf"\s+{_AGAIN}\b"
    rf"|\b(?:stand|sit|kneel|crouch|lean|wait|hover|stood|sat|knelt)\w*\s.*\b(?:{ROOM}|you|us|me)"
    rf"\s+{_AGAIN}\b",
    re.IGNORECASE,
)
_CAME = re.compile(
    r"\b(?:reappear(?:s|ed)?|rejoin(?:s|ed)?|step(?:s|ped)?\s+back\s+(?:in|inside))\b",
    re.IGNORECASE,
)
# What somebody hopes, fears or says is not so; nor is what is waited for.
_THOUGHT = re.compile(
    r"\b(?:hop(?:es?|ed|ing)|wish\w*|think\w*|thought|believ\w*|imagin\w*|dream\w*|wonder\w*|fear\w*"
    r"|pray\w*|expect\w*|remember\w*|says?|said|tells?|told|ask\w*|until|till|unless|if|whether|as"
    r"\s+though|pretend\w*|claim\w*|hear[sd]?)\b",
    re.IGNORECASE,
)
_TO_COME = re.compile(r"\bto\s+(?:\w+ly\s+)?(?:come|return|reappear|rejoin|step)\b", re.IGNORECASE)


def returned(
    world: World, parts: Sequence[Participant], *, verb: str, words: str, before: str
) -> ActionTaken | Moved | None:
    """The coming that a state tells of, if all who are in it were gone or elsewhere.

    `before` is what the sentence says before the clause. From elsewhere only who is surely meant
    comes: others must not hear what is said here.
    """
    here = world.places.get(whose_turn(world))
    actors = [p.entity for p in parts if p.role is Role.ACTOR]
    who = [r for r in actors if isinstance(r, Resolved) and r.entity in world.plan.cast]
    if verb not in _POSTURE | _COMING or here is None or not who or len(who) < len(actors):
        return None
    if any(r.entity in world.plan.players for r in who) or NOT_NOW.search(words):
        return None
    told = _CAME if verb in _COMING else _BACK
    if _THOUGHT.search(before) or not (told.search(words) or _THERE.search(words)):
        return None
    if _elsewhere(world, parts, here):
        return None
    if all(r.entity in world.away and world.places.get(r.entity) == here for r in who):
        return ActionTaken(RETURNING)
    gone = all(world.places.get(r.entity) != here and _is_sure(world, r) for r in who)
    return Moved(here) if gone else None


def is_awaited(clause: Clause, words: str, *, before: str) -> bool:
    """Whether a coming is only waited or wished for: "waits for Tom to come back"."""
    if clause.verb not in COMING_BACK | _COMING:
        return False
    return _TO_COME.search(words) is not None or _THOUGHT.search(before) is not None


def surely(world: World, parts: Sequence[Participant], *, verb: str) -> list[Participant]:
    """The participants; who comes back, called *he*, and is surely meant is as good as named."""
    if verb not in COMING_BACK | _COMING:
        return list(parts)
    return [
        Participant(p.role, structs.replace(p.entity, by="name"))
        if p.role is Role.ACTOR and isinstance(p.entity, Resolved) and _is_sure(world, p.entity)
        else p
        for p in parts
    ]


def _is_sure(world: World, ref: Resolved) -> bool:
    """Whether it is this one who comes: called by name, or the only one gone whom *he* fits."""
    if ref.by == "name" or ref.entity not in world.plan.cast:
        return ref.by == "name"
    here = world.places.get(whose_turn(world))
    gender = gender_of(world.plan.cast[ref.entity].pronouns)
    gone = [
        who
        for who, each in world.plan.cast.items()
        if world.places.get(EntityId(who)) != here and gender_of(each.pronouns) is gender
    ]
    return gone == [ref.entity]


def seen_as(what: Happening, classes: frozenset[VerbClass]) -> frozenset[VerbClass]:
    """The classes of a deed as it is seen: who is back is seen to come, whatever the verb."""
    came = isinstance(what, ActionTaken) and what.act == RETURNING
    return classes | {VerbClass.MOVE} if came else classes


def _elsewhere(world: World, parts: Sequence[Participant], here: str) -> bool:
    """Whether it says that they are back in another of the author's places."""
    places = those_in(parts, Role.LOCATION, Role.TARGET, Role.SUBJECT)
    return any(place in world.plan.settings and place != here for place in places)
