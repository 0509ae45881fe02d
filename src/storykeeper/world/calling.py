"""Whether something is called by words of its own, and whether the story tells of it.

A pronoun says that something goes on being spoken of; only a name or a noun says what it is.
"""

from __future__ import annotations

from storykeeper.events.atoms import (
    Atom,
    EntityRef,
    Implicit,
    Source,
    SpeechUttered,
    StateAsserted,
)
from storykeeper.events.wording import STANDING_IN
from storykeeper.world.state import Entity

TOLD = 2


def stands_in(words: str) -> bool:
    """Whether words only stand for something, and do not say what it is: "it", "her"."""
    last = words.casefold().split()[-1:]
    return not last or last[0] in STANDING_IN


def is_called(ref: EntityRef, known: Entity) -> bool:
    """Whether words of its own stand for it: "the cup", "Mara"; not "it", nor "her hand".

    What is implied is as good as called: who sits down has a chair.
    """
    if isinstance(ref, Implicit):
        return True
    words = ref.mention.casefold().split()
    if not words or words[-1] in STANDING_IN:
        return False
    return len(words) == 1 or words[0] not in STANDING_IN or _shares_noun(words, known)


def _shares_noun(words: list[str], known: Entity) -> bool:
    """Whether the noun it is known by, in any number, is among the words."""
    noun = known.head.casefold().split()[-1:]
    return any(word[:3] == each[:3] for each in noun for word in words)


def call(atom: Atom, *, turned_to: bool) -> int:
    """How much a call by its own words says of something: TOLD, or 1 if it is only named.

    The story tells of what takes part in something; to list it, or to have somebody speak of it, is
    to name it. As good is what a player does to a thing that is there; asking about it is not.
    """
    if atom.source is Source.PLAYER:
        return TOLD if turned_to else 1
    listed = isinstance(atom.what, StateAsserted) and not atom.what.state
    return 1 if listed or isinstance(atom.what, SpeechUttered) else TOLD
