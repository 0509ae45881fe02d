"""Which fact a declaration means, who can tell it, and whether the prose does."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from storykeeper.staging.evidence import (
    GIVEN_WORDS,
    LEAST_WORDS,
    MOST_WORDS,
    Prose,
    named_words,
    says_it,
)
from storykeeper.units import EntityId
from storykeeper.world.knowledge import knows
from storykeeper.world.state import World


@dataclass
class Facts:
    """The facts of a story, and what was told of them so far in a prose."""

    world: World
    prose: Prose
    offered: Sequence[str]  # by the window that the narrator had, by their handles: F1, F2 …
    given: Collection[str]  # to the narrator, be it by what it was asked to tell
    vouched: bool  # a host vouches for what is declared
    taught: set[tuple[EntityId, str]] = field(default_factory=set)

    def named(self, name: str) -> str | None:
        """A fact by its handle in the window, or by its id."""
        handle, plain = name.strip().upper(), name.strip()
        number = int(handle[1:]) if handle[:1] == "F" and handle[1:].isdecimal() else 0
        if 0 < number <= len(self.offered):
            return self.offered[number - 1]
        return plain if plain in self.world.plan.facts else None

    def can_tell(self, by: EntityId, fact: str) -> bool:
        """Whether somebody has a fact to tell, be it since a moment ago."""
        return (by, fact) in self.taught or has_to_tell(self.world, by, fact)

    def is_told(self, fact: str, at: int, by: EntityId | None) -> bool:
        """Whether it can have been told there: a host vouches for what is no secret or what the
        narrator was given, or the prose says it. By luck it would not, and a guess would open a
        secret. Who was given a fact guesses nothing, and tells it in words of their own: it is
        enough that the prose comes near it.
        """
        known, given = self.world.plan.facts[fact], fact in self.given
        if self.vouched and (given or not known.secret):
            return True
        host = LEAST_WORDS if self.vouched and by is not None else MOST_WORDS
        cast, least = self.world.plan.cast.values(), GIVEN_WORDS if given else host
        names = named_words(name for each in cast for name in (each.name, *each.aliases))
        return says_it(known, self.prose.around(at), but=names, least=least)

    def teach(self, fact: str, to: Sequence[EntityId]) -> None:
        """Who is awake has it to tell from here on."""
        self.taught.update((who, fact) for who in to if who not in self.world.asleep)


def has_to_tell(world: World, who: EntityId, fact: str) -> bool:
    """Whether somebody has a fact to tell: they know it, or believe it and heard no mere guess.

    Who has only a hint of it has not: whom they tell would know more than they do.
    """
    return knows(world.known, who, fact) or any(
        each.who == who and each.fact == fact and not (each.superseded or each.guessed)
        for each in world.beliefs.values()
    )
