"""Vectors of texts and of the telling words in them, from one reading of the model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.memory.signals.pieces import DIMS, Telling, telling
from storykeeper.models.embedders.port import ReadsPieces, quantised
from storykeeper.models.embedders.wordpiece import pieces, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int8 = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """Texts as vectors."""

    whole: Int8  # one for each text
    telling: tuple[Telling, ...]
    pieces: tuple[Int8, ...]  # of each text, the vectors of its telling pieces


def embedded(model: ReadsPieces, texts: Sequence[str], *, leave: Collection[str] = ()) -> Embedded:
    """Read texts once. `leave` are words that are no pieces: names of who speaks."""
    whole, states = model.read(texts)
    told: list[Telling] = []
    found: list[Int8] = []
    for text, hidden in zip(texts, states, strict=True):
        some = telling(words(text), cut=lambda word: len(pieces(word)), leave=leave)
        told.append(before(some, len(hidden)))
        found.append(quantised(model.turned(hidden[list(told[-1].places)], most=DIMS)))
    return Embedded(whole, tuple(told), tuple(found))


def before(some: Telling, end: int) -> Telling:
    """Those pieces that stand before a place: the model reads only so far at once."""
    count = sum(place < end for place in some.places)  # places ascend
    return Telling(some.places[:count], some.words[:count], some.parts[:count])
