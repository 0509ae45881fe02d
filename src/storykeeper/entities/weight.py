"""What an act implies between those who take part, and how much it weighs (F7.3).

    weight = base(kind) · confidence

Implications follow the class of the verb: looking is attention only; taking is attention,
possession and proximity.
"""

from __future__ import annotations

from collections.abc import Iterable

from storykeeper.events.atoms import ImplicationKind as Kind

BASE = {
    Kind.ATTENTION: 0.2, Kind.POSSESSION: 0.5, Kind.PROXIMITY: 0.2, Kind.INFORMATION: 0.5,
    Kind.EMOTIONAL_CONNECTION: 0.6, Kind.TRUST: 0.7, Kind.CONFLICT: 0.6, Kind.CARE: 0.6,
    Kind.OBLIGATION: 0.5, Kind.RELATIONAL_SHIFT: 1.0,
}  # fmt: skip

# By the class of a verb (language.lexicon): between who does it and what it is done to.
OF_A_THING = {
    "perceive": (Kind.ATTENTION,),
    "take": (Kind.ATTENTION, Kind.POSSESSION, Kind.PROXIMITY),
    "give": (Kind.ATTENTION, Kind.POSSESSION),
    "handle": (Kind.ATTENTION, Kind.PROXIMITY),
    "put": (Kind.ATTENTION, Kind.PROXIMITY),
    "hide": (Kind.ATTENTION, Kind.POSSESSION),
    "make": (Kind.ATTENTION, Kind.PROXIMITY),
    "feel": (Kind.EMOTIONAL_CONNECTION,),
    "harm": (Kind.ATTENTION, Kind.CONFLICT),
    "care": (Kind.ATTENTION, Kind.CARE),
    "move": (Kind.PROXIMITY,),
    "ask": (Kind.ATTENTION,),
    "say": (Kind.ATTENTION,),
    "think": (Kind.ATTENTION,),
}
OF_A_PERSON = OF_A_THING | {
    "take": (Kind.ATTENTION, Kind.PROXIMITY),
    "give": (Kind.ATTENTION, Kind.CARE),
    "say": (Kind.INFORMATION,),
    "ask": (Kind.ATTENTION, Kind.INFORMATION),
    "trust": (Kind.TRUST,),
    "owe": (Kind.OBLIGATION,),
    "harm": (Kind.CONFLICT,),
    "care": (Kind.CARE,),
}


def implied(classes: Iterable[str], *, person: bool) -> tuple[Kind, ...]:
    """What a verb of these classes implies about what it is done to, each kind once."""
    table = OF_A_PERSON if person else OF_A_THING
    found = [kind for each in sorted(classes) for kind in table.get(each, ())]
    return tuple(dict.fromkeys(found))


def weight(kind: Kind, *, confidence: float) -> float:
    """F7.3  weight = base · confidence."""
    return BASE[kind] * confidence
