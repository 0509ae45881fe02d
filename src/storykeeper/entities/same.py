"""Who may be somebody already known by name: two that may be one are not both kept track of.

"His wife", "the painter", "a little boy" are often somebody whose name stands elsewhere. Until it
is clear that they are two, only the name is tracked: a wrong pair costs more than a late one. They
are two if one did something to the other, if one is the other's, or if an indefinite article
brought in somebody new when the name was known. Whom a player turns to is never held back. Of two
entries that may be of one name, "Silas" and "Silas Marner", the weightier is tracked.
"""

from __future__ import annotations

from storykeeper.entities.tiers import CALLED
from storykeeper.events.vocabulary import Gender, Sort
from storykeeper.events.wording import NEW, TITLES
from storykeeper.units import Key
from storykeeper.world.state import Entity, World

_TOLD_APART = frozenset({Gender.SHE, Gender.HE})


def may_be(world: World, key: Key, known: Entity) -> str:
    """The name of somebody in the same scene whom these words may mean; empty if there is none."""
    if known.floor is not None:
        return ""
    names = _namesakes(world, key, known) if known.named else _described(world, known)
    return min(names, default="")


def _described(world: World, known: Entity) -> list[str]:
    """Whom a description may mean: a named person of the same gender."""
    person = known.sort is Sort.PERSON and known.gender in _TOLD_APART
    if not person or known.plural or known.by_player:
        return []
    return [
        other.words
        for other_key, other in world.register.items()
        if _is_named_person(other, known)
        and other_key not in known.edges
        and not (known.possessor and known.possessor in (other_key, other.id))
        and not _was_new(known, other)
    ]


def _namesakes(world: World, key: Key, known: Entity) -> list[str]:
    """Whom a name may mean that has an entry of its own: of two, the weightier is kept."""
    mine = _names(known)
    return [
        other.words
        for other_key, other in world.register.items()
        if other.named
        and other_key != key
        and other.floor is None
        and other.last_scene == known.last_scene
        and (other.total, other_key) > (known.total, key)
        and other_key not in known.edges
        and {known.gender, other.gender} != _TOLD_APART
        and _is_one_name(mine, _names(other))
    ]


def _names(known: Entity) -> tuple[str, ...]:
    """The words of a name without titles: Captain James K. Powell is James K. Powell."""
    words = [w.strip(".,’'") for w in known.words.split() if w[:1].isupper()]
    return tuple(w.casefold() for w in words if w.casefold() not in TITLES)


def _is_one_name(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Silas, Marner and Silas Marner are one; Matthew and Marilla Cuthbert are two."""
    if not one or not other:
        return False
    short, long = sorted((one, other), key=len)
    if len(short) == 1:
        return short[0] in (long[0], long[-1])
    return short[0] == long[0] and short[-1] == long[-1]


def _is_named_person(other: Entity, known: Entity) -> bool:
    """The author's own people are told by their names, so they are not among these."""
    return (
        other.named
        and other.told
        and other.mentions >= CALLED
        and other.floor is None
        and other.sort is Sort.PERSON
        and other.gender is known.gender
        and not other.plural
        and other.last_scene == known.last_scene
    )


def _was_new(known: Entity, other: Entity) -> bool:
    """A guard came in, when Tom was there: the guard is not Tom."""
    return known.words.partition(" ")[0].casefold() in NEW and other.first < known.first
