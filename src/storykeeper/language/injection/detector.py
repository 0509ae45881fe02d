"""Scores sentences: logistic regression over hashed words and pairs of words.

    score = Σ w[x] / √(max(8, |x|)) + b        p = 1 / (1 + e^(−score))

A long sentence is read a few words at a time, and is as bad as its worst part: an order to a model
may stand in the middle of a harmless sentence. The reason given for a score is the features that
weigh most in it, by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import sqrt
from typing import IO

import numpy as np
import numpy.typing as npt

from storykeeper.language.injection.features import NOTHING, ROWS, Read, read

SIZES = (16, 8)  # words read at a time; such parts begin half as far apart
LEAST_FEATURES = 8
LEAST_WORDS = 2  # that an order has
SHORT = 4  # words; of fewer a person says much that looks like an order, and the cut is 1 higher
CUT = 0.0  # the score from which a sentence is an order to a model; by figures, docs/benchmarks.md
_FILE = "weights.npz"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ordered:
    """A sentence that scores high: where it stands, its score, and what weighs most in it."""

    start: int
    end: int
    score: float
    because: tuple[str, ...]


class Detector:
    """Scores with the weights of the package, or of `file`."""

    def __init__(self, file: IO[bytes] | None = None) -> None:
        self._table, self._bias = _shipped() if file is None else _load(file)

    def found(self, text: str, *, cut: float = CUT) -> list[Ordered]:
        """The sentences that score at least `cut`, in order."""
        seen = read(text)
        found: list[Ordered] = []
        for (first, end), (score, part) in zip(seen.sentences, self._worst(seen), strict=True):
            said = sum(word.isalpha() for word in seen.words[first:end])
            if said >= LEAST_WORDS and score >= (cut if said >= SHORT else cut + 1):
                span = seen.spans[first][0], seen.spans[end - 1][1]
                found.append(Ordered(*span, round(score, 3), self._because(seen, *part)))
        return found

    def scores(self, text: str) -> list[float]:
        """The score of each sentence."""
        return [score for score, _ in self._worst(read(text))]

    def _worst(self, seen: Read) -> Iterator[tuple[float, tuple[int, int]]]:
        """Of each sentence the worst part, and its score."""
        weights = np.append(0.0, self._table[seen.rows].sum(1)).cumsum().tolist()
        counts = np.append(0, (seen.rows != NOTHING).sum(1)).cumsum().tolist()
        for sentence in seen.sentences:
            yield max(
                (
                    (weights[end] - weights[at])
                    / sqrt(max(LEAST_FEATURES, counts[end] - counts[at]))
                    + self._bias,
                    (at, end),
                )
                for at, end in parts(*sentence)
            )

    def _because(self, seen: Read, at: int, end: int, most: int = 3) -> tuple[str, ...]:
        """The features that weigh most in a part, by name."""
        named = dict(each for place in range(at, end) for each in seen.named(place))
        heavy = sorted(named, key=lambda name: (-self._table[named[name]], name))[:most]
        return tuple(f"{name} {self._table[named[name]]:+.1f}" for name in heavy)


def parts(first: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence, whole if it is short, and what of it is read at a time."""
    if end - first <= SIZES[0] + 2:
        yield first, end
    for size in SIZES:
        if end - first > size + 2:
            for at in range(first, end - size, size // 2):
                yield at, at + size
            yield end - size, end


def _load(file: IO[bytes]) -> tuple[Floats, float]:
    with np.load(file, allow_pickle=False) as arrays:
        table = arrays["table"].astype(np.float64)
        bias = float(arrays["bias"].item())
    if table.shape != (ROWS,):
        raise ValueError(f"the table is {table.shape}, not {(ROWS,)}: fit it again")
    return np.append(table, 0.0), bias


@lru_cache(maxsize=1)
def _shipped() -> tuple[Floats, float]:
    """The weights in the package."""
    with files(__package__).joinpath(_FILE).open("rb") as file:
        return _load(file)
