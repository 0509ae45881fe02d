"""The first numbers of a vector as a smaller vector, and when a search may stop at them.

A prefix of a vector of length 1 is shorter than 1, so it is brought back to 1; with ε in the
denominator a prefix of almost nothing stays almost nothing, and is like nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

EPSILON = 1e-8


def prefix(vector: Sequence[float], size: int, *, epsilon: float = EPSILON) -> list[float]:
    """u = v[1:k]/√(‖v[1:k]‖² + ε²).   F5.19: a little shorter than 1; 0 for 0, never NaN."""
    head = vector[:size]
    length = hypot(*head, epsilon)
    return [value / length for value in head]


def prefixes(vectors: Floats, size: int, *, epsilon: float = EPSILON) -> Floats:
    """The same of each row.   F5.19."""
    import numpy as np

    head = np.asarray(vectors, dtype=np.float64)[:, :size]
    largest = np.maximum(1.0, np.abs(head).max(axis=1, keepdims=True, initial=0.0))
    scaled = head / largest  # so that the squares of huge numbers stay numbers
    length = np.sqrt((scaled * scaled).sum(axis=1, keepdims=True) + (epsilon / largest) ** 2)
    return np.asarray(scaled / length)


def stops(best: float | None, *, threshold: float) -> bool:
    """max(tier) > θ, where max(∅) = 0.   F5.20: whether a search may stop at this tier."""
    return (0.0 if best is None else best) > threshold


def stopping_tier(bests: Sequence[float | None], thresholds: Sequence[float]) -> int:
    """The first tier at which a search stops; the last one, full vectors, stops always.   F5.20."""
    for tier, (best, threshold) in enumerate(zip(bests, thresholds, strict=False)):
        if stops(best, threshold=threshold):
            return tier
    return len(thresholds)
