"""Whether a mention could be of something known: its noun, number, owner, place and description.

Two cups are two cups: a mention joins by its head noun *and* a compatible possessor, place and
description. What is not said contradicts nothing.
"""

from __future__ import annotations

from storykeeper.entities.reference import Reference
from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.events.wording import contradicts
from storykeeper.units import EntityId, Key
from storykeeper.world.register import key_of
from storykeeper.world.state import Entity, World

_ANIMATE = frozenset({Sort.PERSON, Sort.ANIMAL, Sort.GROUP})


def fits(world: World, ref: Reference, known: Entity) -> bool:
    """Whether a mention by noun or name could be of this."""
    return (
        _noun_fits(ref, known)
        and ref.plural == known.plural
        and _owner_fits(world, ref, known)
        and not contradicts(ref.descriptors, known.descriptors)
        and set(ref.kinds) <= set(known.descriptors)
    )


def _noun_fits(ref: Reference, known: Entity) -> bool:
    if ref.named and not known.named:
        return False
    return bool(ref.head) and (ref.head == known.head or ends_in(known, ref))


def ends_in(known: Entity, ref: Reference) -> bool:
    """Whether a mention by the last part of its noun could be of this: a bag, of a handbag."""
    longer = len(known.head) - len(ref.head)
    return (
        len(ref.head) >= 3
        and longer >= 3
        and ref.definite
        and not known.named
        and known.head.endswith(ref.head)
        and " " not in known.head
    )


def _owner_fits(world: World, ref: Reference, known: Entity) -> bool:
    if ref.possessor is None:
        return True
    return not owners(world, known) or ref.possessor in owners(world, known)


def owners(world: World, known: Entity) -> frozenset[Key]:
    """Whose it is: as was said, and whoever holds it."""
    holder = world.holders.get(known.id) if known.id else None
    both = (EntityId(known.possessor), holder)
    return frozenset(key_of(world, each) for each in both if each)


def pronoun_fits(ref: Reference, known: Entity) -> bool:
    """Whether a pronoun could stand for this: number, gender, life."""
    match ref.gender:
        case Gender.SHE | Gender.HE:
            living = known.sort in _ANIMATE or known.sort is Sort.UNKNOWN
            return living and not known.plural and known.gender in (ref.gender, Gender.UNKNOWN)
        case Gender.IT:
            return not known.plural and known.sort not in (Sort.PERSON, Sort.TIME, Sort.ABSTRACT)
        case Gender.THEY if ref.sort is Sort.PERSON:
            return known.sort in _ANIMATE and known.plural
        case Gender.THEY:
            return known.plural or known.sort is Sort.GROUP or known.gender is Gender.THEY
        case _ if ref.sort is Sort.PERSON:  # you, whoever that is
            return known.sort in _ANIMATE and ref.plural == known.plural
        case _:
            return ref.plural == known.plural
