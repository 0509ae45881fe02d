"""What a pronoun means to those who overhear it: by what they perceived themselves (F8.1h).

A text is read for the player it is told to, who may have heard more than others in the room: whom
"it" means may hang on a whisper, a note, or the other end of a telephone. So what is only spoken of
by a pronoun is, to everybody else, what it would be if nothing had been said but what they heard:
the one thing that fits in the last event they perceived in which any does. Where that has several,
or none, it is nothing. What is done to a thing they see: that is no matter of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from storykeeper.context.boundary import Boundary
from storykeeper.context.words import FOUND
from storykeeper.entities.fitting import pronoun_fits
from storykeeper.entities.reference import Reference
from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    EntityRef,
    InformationTold,
    Participant,
    Resolved,
    Role,
    SpeechUttered,
    StateAsserted,
    Unresolved,
)
from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.language.lexicon import VerbClass, verb_classes
from storykeeper.units import EntityId, Key
from storykeeper.world.calling import stands_in
from storykeeper.world.knowledge.sightings import perceives
from storykeeper.world.register import key_of
from storykeeper.world.state import Entity, World

_SPOKEN_OF = frozenset({Role.SUBJECT, Role.INSTRUMENT})
TURNS = 2  # as far as a pronoun looks back
_TALKING = frozenset({VerbClass.SAY, VerbClass.ASK, VerbClass.THINK, VerbClass.TRUST})
_SHOWING = frozenset({VerbClass.PERCEIVE, VerbClass.HANDLE, VerbClass.GIVE, VerbClass.PUT})
_GENDERS = {
    **dict.fromkeys(("it", "its", "itself", "this", "that"), Gender.IT),
    **dict.fromkeys(("he", "him", "his", "himself"), Gender.HE),
    **dict.fromkeys(("she", "her", "hers", "herself"), Gender.SHE),
    **dict.fromkeys(("they", "them", "their", "theirs", "these", "those"), Gender.THEY),
}


def is_overheard(boundary: Boundary, atom: Atom, part: Participant) -> bool:
    """Whether a participant is only spoken of, in a text read for somebody else: by a pronoun, or
    by a noun that was found to mean one of the author's. So is what words stand on.
    """
    ref = part.entity
    if part.role not in _SPOKEN_OF or not isinstance(ref, Resolved | Unresolved):
        return False
    found = isinstance(ref, Resolved) and ref.by in FOUND
    if not (found or stands_in(ref.mention)) or not _is_talk(atom):
        return False
    return not boundary.is_read_for(atom.turn)


def topics(boundary: Boundary, atom: Atom) -> Iterator[tuple[Key, EntityRef]]:
    """Those of an event of this turn whom a pronoun means, to an audience that overhears it."""
    for part in atom.participants:
        if is_overheard(boundary, atom, part) and isinstance(part.entity, Resolved | Unresolved):
            before, words = _before(boundary, atom), part.entity.mention
            found = understood(boundary.world, before, boundary.minds[0], words)
            if found is not None:
                yield found


def understood(
    world: World, before: Iterable[Atom], mind: EntityId, words: str
) -> tuple[Key, EntityRef] | None:
    """What a pronoun means to somebody, by the events before it, the last first."""
    gender = _GENDERS.get(words.casefold())
    if gender is None:
        return None
    wanted = Reference("", gender=gender, pronoun=True)
    for atom in before:
        if perceives(atom, (mind,)):
            found = dict(_fitting(world, atom, wanted))
            if found:
                return next(iter(found.items())) if len(found) == 1 else None
    return None


def _before(boundary: Boundary, atom: Atom) -> Iterator[Atom]:
    """Events before one, of this turn and of the last of its scene; the last first."""
    now = [each for each in boundary.present.decided if isinstance(each, Atom)]
    first = takewhile(lambda each: each.id != atom.id, now)
    yield from reversed(list(first))
    for turn in islice(reversed(boundary.recent), TURNS):
        if turn.scene != atom.scene:
            return
        yield from reversed(turn.atoms)


def _fitting(world: World, atom: Atom, wanted: Reference) -> Iterator[tuple[Key, EntityRef]]:
    for place, part in enumerate(atom.participants):
        ref = part.entity
        if part.role is Role.WITNESS or not isinstance(ref, Resolved | Unresolved):
            continue
        known = _described(world, atom, ref)
        if not _is_player(world, ref) and known is not None and pronoun_fits(wanted, known):
            yield _key(world, ref) or Key(f"{atom.id}#{place}"), ref


def _described(world: World, atom: Atom, ref: Resolved | Unresolved) -> Entity | None:
    """What words of its own say of something; of a pronoun nothing is known."""
    if ref.mention and stands_in(ref.mention):
        return None
    if isinstance(ref, Resolved):
        place = ref.entity in world.plan.settings
        return None if place else world.register.get(key_of(world, ref.entity))
    if ref.sort is Sort.PLACE:
        return None
    return Entity(
        words=ref.mention, head=ref.head, sort=ref.sort or Sort.UNKNOWN, gender=ref.gender,
        plural=ref.plural, scene=atom.scene,
    )  # fmt: skip


def _key(world: World, ref: Resolved | Unresolved) -> Key | None:
    return key_of(world, ref.entity) if isinstance(ref, Resolved) else ref.joins


def _is_player(world: World, ref: Resolved | Unresolved) -> bool:
    return isinstance(ref, Resolved) and ref.entity in world.plan.players


def _is_talk(atom: Atom) -> bool:
    """Whether what it is about is only spoken of, and need not be there."""
    if isinstance(atom.what, SpeechUttered | InformationTold | StateAsserted):
        return True
    classes = verb_classes(atom.what.act) if isinstance(atom.what, ActionTaken) else frozenset()
    return bool(classes & _TALKING) and not classes & _SHOWING
