"""Whether the player told can perceive something where it is on record that it happens.

Prose is told to a player: what they hear and see is, if nothing else is said, where they are. Who
is on record elsewhere has then come there untold, and those where they are on record perceive
nothing of it. It is otherwise if something explains how it reaches the player: a line, a setting
that hears or sees the other, a voice raised or coming from there, or the prose naming the place or
having followed somebody there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from storykeeper.events.atoms import (
    Atom,
    Happening,
    Moved,
    Participant,
    Role,
    StateAsserted,
)
from storykeeper.play.manner import is_from_afar, is_loud
from storykeeper.play.witnesses import happens_at, those_in, witnesses
from storykeeper.units import EntityId
from storykeeper.world.lines import on_line
from storykeeper.world.state import World

_BETWEEN = (
    r"(?:wall|door|window|floor|floorboards|ceiling|stairs|stairwell|corridor|passage|fence|hedge"
    r"|hatch|grating|water|street|square|courtyard|keyhole)"
)
# A voice from the doorway is in the room; one through the door is not.
_ACROSS = re.compile(
    rf"\b(?:through|across|over|up|down|beyond)\s+(?:the|an?)\s+(?:\w+\s+)?{_BETWEEN}\b"
    r"|\bfrom\s+(?:the\s+)?(?:(?:next|other)\s+room|next\s+door|upstairs|downstairs|outside|afar"
    r"|far\s+(?:off|away)|above|below)\b",
    re.IGNORECASE,
)


def is_out_of_reach(
    world: World,
    what: Happening,
    participants: Sequence[Participant],
    *,
    told: EntityId,
    words: str,
    shown: frozenset[EntityId] = frozenset(),
) -> bool:
    """Whether nothing explains that the player told perceives it from where they are.

    `words` are the narration beside it, `shown` the places the prose has followed others to. A
    going is seen at both its ends, and is let be.
    """
    actors = [w for w in those_in(participants, Role.ACTOR) if w in world.plan.cast]
    here = world.places.get(told)
    if isinstance(what, Moved) or not actors or here is None or told in actors:
        return False
    there = {world.places.get(who) for who in actors} - {None}
    if not there or here in there or here in happens_at(world, what, participants):
        return False
    if there & shown or _reaches(world, what, participants, here):
        return False
    raised = is_loud(words) or is_from_afar(words) or _ACROSS.search(words) is not None
    return not raised and not any(_is_named(world, place, words) for place in there if place)


def followed(world: World, atoms: Iterable[Atom], *, told: EntityId) -> frozenset[EntityId]:
    """The places to which a telling has followed others, or where it has shown them.

    None, if the player told has gone somewhere: then it goes with them.
    """
    found = set[EntityId]()
    for atom in atoms:
        at = atom.what.to if isinstance(atom.what, Moved) else None
        at = atom.what.at if isinstance(atom.what, StateAsserted) else at
        who = () if at is None else those_in(atom.participants, Role.ACTOR, Role.SUBJECT)
        if isinstance(atom.what, Moved) and told in who:
            return frozenset()
        if at is not None and any(w in world.plan.cast for w in who):
            found.add(at)
    return frozenset(found)


def _reaches(
    world: World, what: Happening, participants: Sequence[Participant], here: EntityId
) -> bool:
    """Whether it reaches anybody here, by a line or because the place hears or sees the other."""
    beside = [who for who in map(EntityId, world.plan.cast) if world.places.get(who) == here]
    reached = {*witnesses(world, what, participants)}
    actors = those_in(participants, Role.ACTOR)
    return any(who in reached or any(on_line(world, who, w) for w in actors) for who in beside)


def _is_named(world: World, place: EntityId, words: str) -> bool:
    """Whether some words say that it is in a place; who comes in from it is not there any more."""
    setting = world.plan.settings.get(place)
    names = () if setting is None else (setting.name, *setting.aliases)
    heads = "|".join(re.escape(name.split()[-1]) for name in names if name.split())
    within = r"\b(?:in|inside|within|at|on|(?<!in )(?<!back )(?<!over )from)"
    named = rf"{within}\s+(?:[\w’'-]+\s+){{0,2}}(?:{heads})\b"
    return bool(heads) and re.search(named, words, re.IGNORECASE) is not None
