"""The packer: what fits into a budget, in which form, and what does not.

Mandatory offers come first, in their order. Each is granted its smallest form as long as those fit
one after the other, then forms grow in order while there is room: so a later one is never crowded
out by the size of an earlier, and a larger budget never loses one. Then everything else, in one
ranking by score. What was left out is kept, with the reason and the tokens lacking.

    spent ≤ budget        taken + left out = wanted        the order is kept
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from storykeeper.story.tuning import Policy

T = TypeVar("T")

NO_ROOM = "no room"
TOO_MANY = "enough items already"
STOPPED = "after one that did not fit"
NOTHING = "nothing to show"


@dataclass(frozen=True, slots=True)
class Form:
    """One way of saying an item, and what it costs."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Offer(Generic[T]):
    """An item on offer: its forms from the largest to the smallest, and where it ranks."""

    item: T
    forms: tuple[Form, ...]
    score: float = 1.0
    tie: tuple[str | int, ...] = ()  # decides between equal scores: class, source order, id

    @property
    def least(self) -> int:
        """Tokens of its smallest form."""
        return min(form.tokens for form in self.forms)


@dataclass(frozen=True, slots=True)
class Taken(Generic[T]):
    """An item that is in."""

    item: T
    form: str
    tokens: int


@dataclass(frozen=True, slots=True)
class LeftOut(Generic[T]):
    """An item that is not, and how much room it would have needed."""

    item: T
    reason: str
    lacking: int


@dataclass(frozen=True, slots=True)
class Packed(Generic[T]):
    """What the budget bought."""

    taken: tuple[Taken[T], ...]
    left: tuple[LeftOut[T], ...]

    @property
    def spent(self) -> int:
        """Tokens of all that is in."""
        return sum(each.tokens for each in self.taken)


def pack(
    mandatory: Sequence[Offer[T]],
    others: Sequence[Offer[T]],
    *,
    budget: int,
    policy: Policy = Policy.FILL,
    most: int | None = None,
) -> Packed[T]:
    """What fits: mandatory offers in order, then the others by falling score. At most `most`."""
    first = _mandatory(mandatory, budget=budget, most=most)
    ranked = sorted(others, key=lambda offer: (-offer.score, offer.tie))
    room = budget - first.spent
    places = len(ranked) if most is None else most - len(first.taken)
    rest = _ranked(ranked, room=room, policy=policy, places=places)
    return Packed(first.taken + rest.taken, first.left + rest.left)


def _mandatory(offers: Sequence[Offer[T]], *, budget: int, most: int | None) -> Packed[T]:
    granted: list[Offer[T]] = []
    left: list[LeftOut[T]] = []
    room, places = budget, len(offers) if most is None else most
    stopped = False
    for offer in offers:
        if not offer.forms:
            left.append(LeftOut(offer.item, NOTHING, 0))
        elif len(granted) >= places:
            left.append(LeftOut(offer.item, TOO_MANY, 0))
        elif stopped:
            left.append(LeftOut(offer.item, STOPPED, max(0, offer.least - room)))
        elif offer.least > room:
            left.append(LeftOut(offer.item, NO_ROOM, offer.least - room))
            stopped = True
        else:
            granted.append(offer)
            room -= offer.least
    return Packed(tuple(_grown(granted, room)), tuple(left))


def _grown(granted: Sequence[Offer[T]], room: int) -> list[Taken[T]]:
    """Each in the largest form that fits beside the smallest forms of those after it."""
    taken = []
    for offer in granted:
        form = next(f for f in offer.forms if f.tokens <= offer.least + room)
        room -= form.tokens - offer.least
        taken.append(Taken(offer.item, form.name, form.tokens))
    return taken


def _ranked(offers: Sequence[Offer[T]], *, room: int, policy: Policy, places: int) -> Packed[T]:
    taken: list[Taken[T]] = []
    left: list[LeftOut[T]] = []
    stopped = False
    for offer in offers:
        form = next((f for f in offer.forms if f.tokens <= room), None)
        if not offer.forms:
            left.append(LeftOut(offer.item, NOTHING, 0))
        elif len(taken) >= places:
            left.append(LeftOut(offer.item, TOO_MANY, 0))
        elif stopped:
            left.append(LeftOut(offer.item, STOPPED, max(0, offer.least - room)))
        elif form is None:
            left.append(LeftOut(offer.item, NO_ROOM, offer.least - room))
            stopped = policy is Policy.PREFIX
        else:
            room -= form.tokens
            taken.append(Taken(offer.item, form.name, form.tokens))
    return Packed(tuple(taken), tuple(left))
