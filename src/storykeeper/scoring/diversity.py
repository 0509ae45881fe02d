"""MMR: says the same thing later. It orders what was found, and never changes a score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def diverse_order(
    scores: Sequence[float], alike: Sequence[Sequence[float]], *, weight: float
) -> list[int]:
    """argmax λ·score − (1 − λ)·max likeness to those before, again and again.   F5.18.

    Places in `scores`; equal ones in the order given. λ = 1 is plain order by score.
    """
    left = list(range(len(scores)))
    nearest = [0.0] * len(scores)  # what is unlike all before is as good as alone: not below 0
    order: list[int] = []
    while left:
        worth = {i: weight * scores[i] - (1.0 - weight) * nearest[i] for i in left}
        chosen = min(left, key=lambda i: (-worth[i], i))
        order.append(chosen)
        left.remove(chosen)
        for i in left:
            nearest[i] = max(nearest[i], alike[chosen][i])
    return order


def diverse_rows(scores: Floats, vectors: Floats, *, weight: float) -> list[int]:
    """The same from vectors of length 1, without the whole table of likenesses.   F5.18."""
    import numpy as np

    nearest = np.zeros(len(scores))
    taken = np.zeros(len(scores), dtype=bool)
    order: list[int] = []
    for _ in range(len(scores)):
        worth = weight * scores - (1.0 - weight) * nearest
        worth[taken] = -np.inf
        chosen = int(np.argmax(worth))  # of equal ones the first
        order.append(chosen)
        taken[chosen] = True
        nearest = np.maximum(nearest, vectors @ vectors[chosen])
    return order
