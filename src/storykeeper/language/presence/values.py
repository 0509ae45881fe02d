"""What talk says of coming and going, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a sign says that somebody does."""

    LEAVES = "leaves"  # "I have to run"; still there for the answers
    ARRIVES = "arrives"  # "sorry I'm late"
    RETURNS = "returns"  # "I'm back, what did I miss?"
    AWAY = "away"  # spoken of as not here: "now that Tom has gone"


@dataclass(frozen=True, slots=True)
class Sign:
    """Somebody comes or goes, by these words.

    A sign that is not sure needs something beside it: "Hi, all" may be said by anyone, but by
    somebody not heard before it is an arrival.
    """

    kind: Kind
    who: str
    words: str  # as they stand in the text
    start: int
    end: int
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Utterance:
    """Words and who says them; `speaker` may be joint, as in "Ana and Bo", or "All"."""

    speaker: str
    text: str
