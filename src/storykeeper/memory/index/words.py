"""Words as numbers: keys, the 16 bits of a posting, and the fraction they stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

SATURATION = 1.2  # κ
LENGTH_SHARE = 0.75  # b
USUAL_LENGTH = 16.0  # len0
MOST_TIMES = 15
MOST_WORDS = 4095
_SHIFT = 12

Keys = NDArray[np.uint64]
Codes = NDArray[np.uint16]


@lru_cache(maxsize=65_536)
def key_of(term: str) -> int:
    """The 64 bits a term is known by. Of 200,000 terms, some two agree once in 10⁹ vocabularies."""
    data = term.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def keys_of(terms: Sequence[str]) -> Keys:
    """The keys of terms, in their order."""
    return np.fromiter((key_of(t) for t in terms), np.uint64, len(terms))


def encoded(terms: Sequence[str], length: int | None) -> tuple[list[int], list[int]]:
    """The keys of a row's words, ascending, and the code of each."""
    words = min(max(len(terms) if length is None else length, 0), MOST_WORDS)
    times = sorted((key_of(term), count) for term, count in Counter(terms).items())
    return [k for k, _ in times], [min(n, MOST_TIMES) << _SHIFT | words for _, n in times]


def counts(codes: Codes) -> NDArray[np.uint16]:
    """How often, in the row, up to 15."""
    return codes >> np.uint16(_SHIFT)


def lengths(codes: Codes) -> NDArray[np.uint16]:
    """How many words the row has, up to 4,095."""
    return codes & np.uint16(MOST_WORDS)


def impact(*, times: int, words: int) -> float:
    """tf·(κ+1) / (tf + κ·(1 − b + b·len/len0))."""
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * words / USUAL_LENGTH)
    return times * (SATURATION + 1) / (times + damping)


@cache
def impacts() -> NDArray[np.float64]:
    """`impact` of every code: a table of 65,536."""
    codes = np.arange(1 << 16, dtype=np.uint32)
    times, words = codes >> _SHIFT, codes & MOST_WORDS
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * words / USUAL_LENGTH)
    return np.asarray(times * (SATURATION + 1) / (times + damping))
