"""What participants of an atom are, as far as their words and the register say, and what is
between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storykeeper.entities.weight import implied, weight
from storykeeper.events.atoms import (
    EntityRef,
    Implication,
    ImplicationKind,
    Implicit,
    Participant,
    Resolved,
    Role,
    Unresolved,
)
from storykeeper.events.vocabulary import Sort
from storykeeper.language.lexicon import VerbClass, valence_of
from storykeeper.language.reading import Clause, Mention, Modality
from storykeeper.units import EntityId
from storykeeper.world.register import entry
from storykeeper.world.state import World

STATE_CHARS = 200
CONFIDENCE = 0.9  # of what a parser reads
FELT_ABOUT = 0.6  # that somebody who looks at a thing and cries cries about it
_POINTING = frozenset({"the", "these", "those", "my", "your", "his", "her", "its", "our", "their"})
_LIVING = frozenset({Sort.PERSON, Sort.GROUP, Sort.ANIMAL})


def begins(ref: EntityRef) -> bool:
    """Whether a reference is the first to something."""
    return isinstance(ref, Unresolved) and ref.joins is None and not ref.among


_ANY = frozenset({"any", "every", "each", "all", "no", "many", "some", "such", "most", "few"})
_ANYBODY = frozenset({"people", "person", "reader", "mankind", "crowd", "public", "folk", "world"})
_NUMBERS = frozenset({"two", "three", "four", "five", "six", "seven", "both", "several", "a"})


def is_crowd(part: Participant) -> bool:
    """Hardly anybody in particular: passengers, every house, people; not two guards, nor a cup."""
    ref = part.entity
    if not isinstance(ref, Unresolved) or ref.named or not begins(ref):
        return False
    first = ref.mention.partition(" ")[0].casefold()
    if first in _ANY or ref.head in _ANYBODY:
        return True
    return ref.plural and first not in _NUMBERS | _POINTING and ref.possessor is None


def is_there(mention: Mention) -> bool:
    """Whether to mention something is to say that it is there.

    She did not take the cup: there is a cup. There was no cup; a cup, if she had one: there is not.
    """
    if mention.modality is Modality.ASSERTED:
        return True
    return mention.definite and mention.modality is not Modality.IMAGINED


def is_living(world: World, ref: EntityRef) -> bool:
    """Whether it is somebody: a person, people, an animal."""
    match ref:
        case Resolved(entity=entity):
            known = entry(world, entity)
            return known is not None and known.sort in _LIVING
        case Unresolved(sort=sort):
            return sort in _LIVING
        case _:
            return False


def is_own(ref: EntityRef, who: EntityId) -> bool:
    """Whether it is somebody's own: their hand, their pocket."""
    match ref:
        case Resolved(entity=entity, owner=owner):
            return who in (entity, owner)
        case Unresolved(possessor=Resolved(entity=entity)):
            return entity == who
        case _:
            return False


def is_thing(world: World, entity: EntityId) -> bool:
    """Whether something with an id can be held."""
    known = entry(world, entity)
    return known is not None and known.sort is Sort.THING


def shortened(text: str) -> str:
    """Words on one line, not too many."""
    return " ".join(text.split())[:STATE_CHARS]


def plain_words(text: str) -> str:
    """A text without case and marks, to compare."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


# ── what is between them ─────────────────────────────────────────────────────────────────────

_SPOKEN = {
    Role.TARGET: (ImplicationKind.INFORMATION,),
    Role.SUBJECT: (ImplicationKind.ATTENTION,),
}


def implied_by(
    world: World,
    clause: Clause,
    classes: frozenset[VerbClass],
    parts: Sequence[Participant],
    *,
    felt: bool,
) -> Iterator[Implication]:
    """What a deed says of who does it toward everyone and everything else in it."""
    if not parts or parts[0].role is not Role.ACTOR or is_crowd(parts[0]):
        return
    valence = valence_of(clause.verb)
    for i, part in enumerate(parts):
        if part.role is Role.ACTOR or isinstance(part.entity, Implicit) or is_crowd(part):
            continue
        kinds = implied(classes, person=is_living(world, part.entity))
        sure = CONFIDENCE * (FELT_ABOUT if felt else 1.0)
        if part.role is Role.LOCATION:
            kinds = (ImplicationKind.PROXIMITY,)
        elif part.role is Role.INSTRUMENT:
            kinds = kinds or (ImplicationKind.ATTENTION, ImplicationKind.PROXIMITY)
        for kind in kinds:
            yield Implication(kind, 0, i, round(weight(kind, confidence=sure), 6), valence)


def implied_by_words(parts: Sequence[Participant]) -> Iterator[Implication]:
    """The same of words that somebody says: to whom, and of whom."""
    for i, part in enumerate(parts):
        for kind in () if begins(part.entity) else _SPOKEN.get(part.role, ()):
            yield Implication(kind, 0, i, round(weight(kind, confidence=CONFIDENCE), 6))
