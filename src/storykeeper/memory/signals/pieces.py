"""Nearness word by word: what of a query has something like it in an item.

A model that reads a text gives a vector to every piece of a word, in its context. An item keeps
those of its telling words, the first 64 numbers of each, turned as the item's own vector is. For
each piece of the query the most like it in the item is taken (late interaction):

    best(p, d) = max over pieces e of d of cos(p, e), at least 0
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.memory.signals.background import share
from storykeeper.memory.signals.stems import stem
from storykeeper.memory.signals.words import STOP

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Int8 = NDArray[np.int8]
    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]

DIMS = 64
LENGTH = 254.0  # of a piece's vector, but for rounding
MOST_PIECES = 64  # of one item: those of the rarest words
UNLIKE = 0.4  # about the nearest of an item that has nothing like a word
LEAST_WEIGHT = 0.15  # of a query's word, however common

Cut = Callable[[str], int]  # into how many pieces a word is cut


@dataclass(frozen=True, slots=True)
class Telling:
    """Which pieces of a text tell something: their places, words, and pieces in that word."""

    places: tuple[int, ...]
    words: tuple[str, ...]
    parts: tuple[int, ...]


def telling(words: Sequence[str], *, cut: Cut, leave: Collection[str] = ()) -> Telling:
    """The pieces of words that say something by themselves, from a text cut into words.

    `leave` are words to leave out, in small letters: names of who speaks.
    """
    found: list[tuple[int, str, int]] = []
    place = 0
    for word in words:
        parts = cut(word)
        if word.isalnum() and word not in STOP and word not in leave:
            found += [(place + part, word, parts) for part in range(parts)]
        place += parts
    if len(found) > MOST_PIECES:
        rarest = sorted(found, key=lambda each: (share(stem(each[1])), each[0]))[:MOST_PIECES]
        found = sorted(rarest)
    return Telling(
        tuple(place for place, _, _ in found),
        tuple(word for _, word, _ in found),
        tuple(parts for _, _, parts in found),
    )


def piece_weights(asked: Telling, weight: Callable[[str], float]) -> Floats:
    """w(p) = max(.15, w(word)) / pieces of that word, of the sum 1.   F5.23"""
    import numpy as np

    raw = np.array(
        [
            max(LEAST_WEIGHT, weight(stem(word))) / parts
            for word, parts in zip(asked.words, asked.parts, strict=True)
        ],
        np.float64,
    )
    return raw / raw.sum() if len(raw) else raw


def word_weights(weights: Sequence[float]) -> Floats:
    """w(t) = max(.15, w(t)), of the sum 1.   F5.23: of whole words."""
    import numpy as np

    raw = np.maximum(LEAST_WEIGHT, np.array(weights, np.float64))
    return raw / raw.sum() if len(raw) else raw


def equal(impacts: Floats) -> Floats:
    """`best` where nothing shows its pieces: 1 for a word that is there, .4 for one that is not.

    F5.24: items × terms of the query, whose weights are then those of the words.
    """
    import numpy as np

    return np.where(impacts > 0, 1.0, UNLIKE)


def whole_numbers(rows: NDArray[np.float32]) -> Int8:
    """q = rint(254·v/‖v‖), within ±127: all of one length, so that a product is a cosine.   F5.23

    Of 64 numbers that were mixed evenly hardly one is over a half of the length.
    """
    import numpy as np

    exact = np.asarray(rows, np.float64)
    lengths = np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    unit = np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0)
    return np.asarray(np.clip(np.rint(LENGTH * unit), -127, 127), np.int8)


def best(query: Int8, items: Int8, sizes: Places) -> Floats:
    """best(p, d): items × query pieces, from all items' pieces one after another.   F5.24"""
    import numkong
    import numpy as np

    found = np.zeros((len(sizes), len(query)), np.float64)
    if not len(query) or not len(items):
        return found
    packed = numkong.dots_pack(np.ascontiguousarray(query))
    products = np.asarray(numkong.dots_packed(np.ascontiguousarray(items), packed))
    filled = np.flatnonzero(sizes)
    starts = (np.cumsum(sizes) - sizes)[filled]
    most = np.maximum.reduceat(products, starts, axis=0) / LENGTH**2
    found[filled] = np.clip(most, 0.0, 1.0)
    return found
