"""Many pieces in numbers: what is asked of all that can be quoted, in every window, at once.

Of the past they stay the same from the time its last turn is shown until the next is. They are
values: what was counted is kept by the pieces themselves, and they with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from storykeeper.context.pieces import Piece

KEPT = 64

Price = Callable[[str], int]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Pieces one after another."""

    terms: Integers  # of all of them, by number
    lengths: Integers  # so many of each
    named: Integers  # names and numbers
    turns: Integers
    tells: npt.NDArray[np.float64]  # F6.10a


def tallied(groups: Iterable[Sequence[Piece]]) -> Tally:
    """Several groups of pieces, each counted by itself."""
    found = [_tally(tuple(each)) for each in groups]
    return found[0] if len(found) == 1 else Tally(
        np.concatenate([each.terms for each in found]),
        np.concatenate([each.lengths for each in found]),
        np.concatenate([each.named for each in found]),
        np.concatenate([each.turns for each in found]),
        np.concatenate([each.tells for each in found]),
    )  # fmt: skip


@lru_cache(maxsize=KEPT)
def _tally(pieces: tuple[Piece, ...]) -> Tally:
    return Tally(
        _flat([piece.numbered for piece in pieces]),
        np.array([len(piece.numbered) for piece in pieces], dtype=np.int64),
        _flat([piece.named for piece in pieces]),
        np.array([piece.turn for piece in pieces], dtype=np.int64),
        np.array([piece.tells for piece in pieces], dtype=np.float64),
    )


def _flat(numbers: Sequence[Integers]) -> Integers:
    return np.concatenate(numbers) if numbers else np.zeros(0, dtype=np.int64)


def costs_of(pieces: Sequence[Piece], price: Price) -> Sequence[int]:
    """What each costs as a part of a paragraph."""
    return _costs(tuple(pieces), price)


@lru_cache(maxsize=KEPT)
def _costs(pieces: tuple[Piece, ...], price: Price) -> tuple[int, ...]:
    return tuple([price(piece.quoted) for piece in pieces])
