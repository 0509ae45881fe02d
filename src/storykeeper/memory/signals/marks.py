"""What can be told from an item's words alone, noted when it is added, in one whole number.

asks      whether it ends on a question                            0 or 1
own       words of the first person: "I", "my", "we"               0 to 4
names     runs of capitals inside a sentence                       0 to 3
times     words of time: "yesterday", "in May"                     0 to 2
numbers   numbers, in figures or words                             0 to 2
length    words that count                                         0 to 4,095
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from storykeeper.memory.signals.words import terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FIELDS = (("asks", 1), ("own", 3), ("names", 2), ("times", 2), ("numbers", 2), ("length", 12))
MOST = {"asks": 1, "own": 4, "names": 3, "times": 2, "numbers": 2, "length": 4095}
_END_CHARS = 60
_LOOKED_AT = 20_000  # characters; what follows says little more about the whole
# "a trip to Paris", not "Paris is …", "Thanks, Ana!" nor "Hey Ana": those are addressed.
_NAME = re.compile(r"(?<![\w'’])[a-z][\w'’]* [A-Z][a-z]+(?: [A-Z][a-z]+)*")
_RUN = re.compile(r"\w+")
_OWN = frozenset({"i", "my", "me", "we", "our"})  # "I'm" too: what follows the sign is a run apart
_TIME = frozenset({
    "yesterday", "today", "tonight", "tomorrow", "last", "next", "ago", "week", "weeks", "weekend",
    "month", "months", "year", "years", "day", "days", "morning", "mornings", "evening",
    "evenings", "night", "nights", "recently", "earlier", "since", "soon", "just", "summer",
    "winter", "spring", "fall", "autumn", "monday", "tuesday", "wednesday", "thursday", "friday",
    "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august",
    "september", "october", "november", "december",
})  # fmt: skip
_NUMBER = frozenset({
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "couple", "few",
    "several", "dozen", "many", "twice", "once", "first", "second", "third",
})  # fmt: skip


def marks(text: str, *, count: int | None = None) -> int:
    """All marks of a text; `count` is how many words count in all of it, if that is known."""
    seen = text[:_LOOKED_AT]
    if count is None or len(text) > _LOOKED_AT:
        count = len(terms(seen))
    runs = [run.lower() for run in _RUN.findall(seen)]
    figures = [run for run in runs if run.isdecimal()]
    values = {
        "asks": int("?" in text[-_END_CHARS:]),
        "own": sum(map(_OWN.__contains__, runs)),
        "names": len(_NAME.findall(seen)),
        "times": sum(map(_TIME.__contains__, runs)) + sum(len(f) == 4 for f in figures),
        "numbers": sum(map(_NUMBER.__contains__, runs)) + len(figures),
        "length": count,
    }
    packed, shift = 0, 0
    for name, bits in FIELDS:
        packed |= min(values[name], MOST[name]) << shift
        shift += bits
    return packed


def unpacked(packed: Sequence[int] | NDArray[np.int64]) -> dict[str, Floats]:
    """The marks of many, each as a share of the most it can be; the length as ln(1 + words)/3."""
    import numpy as np

    whole = np.asarray(packed, np.int64)
    found: dict[str, Floats] = {}
    shift = 0
    for name, bits in FIELDS:
        values = ((whole >> shift) & ((1 << bits) - 1)).astype(np.float64)
        found[name] = np.log1p(values) / 3 if name == "length" else values / MOST[name]
        shift += bits
    return found
