"""What says the same thing comes later.

MMR orders what was found and never changes a score. What stands beside something that was taken
loses by it: it was found for the same words, which the other has, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]


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


def apart(scores: Floats, beside: Places, *, most: int) -> list[tuple[int, int]]:
    """argmax of score(i, nᵢ) again and again, nᵢ of those beside i being taken.   F5.28.

    `scores`: a row for each number of neighbours taken, falling from row to row, × items; `beside`:
    items × neighbours, −1 for none. The places in order, the first of equal ones first, each with
    its n. What is left scores no more than what was taken.
    """
    import numpy as np

    now = scores[0].copy()
    taken = np.zeros(len(now), np.int64)
    order: list[tuple[int, int]] = []
    for _ in range(min(most, len(now))):
        chosen = int(np.argmax(now))
        order.append((chosen, int(taken[chosen])))
        now[chosen] = -np.inf
        for other in beside[chosen].tolist():
            if other >= 0 and now[other] > -np.inf:
                taken[other] += 1
                now[other] = scores[taken[other], other]
    return order
