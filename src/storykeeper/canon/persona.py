"""`PersonaCardV2`: somebody who acts on their own, as a card.

It is a story's character and what only a field of several actors asks for: a faction, senses,
the channels it listens on. So a character can be made a card of and back, and nothing is lost.
"""

from __future__ import annotations

from typing import Literal

from msgspec import structs

from storykeeper.story.conditions import Authored
from storykeeper.story.people import Character
from storykeeper.units import Amount, Id, Size


class Senses(Authored, frozen=True):
    """How far somebody perceives, in the units in which places are given."""

    sight: Size = 60.0  # what is not hidden, and nothing stands before it
    hearing: Amount = 1.0  # 2: what is made to be heard over 10 is heard over 20


class PersonaCardV2(Character, frozen=True, kw_only=True):
    """Somebody who acts: a character, with a side, senses and channels."""

    format: Literal[2] = 2
    faction: Id | None = None
    senses: Senses = Senses()
    channels: tuple[Id, ...] = ()  # those it listens on, wherever they reach it


_OF_A_CHARACTER = tuple(field.name for field in structs.fields(Character))


def persona_of(
    character: Character, *, faction: str | None = None, senses: Senses | None = None,
    channels: tuple[str, ...] = (),
) -> PersonaCardV2:  # fmt: skip
    """The card of a story's character."""
    given = {name: getattr(character, name) for name in _OF_A_CHARACTER}
    return PersonaCardV2(**given, faction=faction, senses=senses or Senses(), channels=channels)


def character_of(card: PersonaCardV2) -> Character:
    """The story's character that a card is of."""
    return Character(**{name: getattr(card, name) for name in _OF_A_CHARACTER})
