"""The score of a single pass: likeness, recency and nearness mixed, times quality. Terms are kept.

    base = α·sim + β·R + γ·S          score = base · Q

The weights are clamped to [0,1] and brought to the sum 1, so more of one is less of another and the
base stays in [0,1]. Weights that are all 0 say nothing: the defaults stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DELTA = 0.5  # δ: how much of its score a summary without any confidence loses


@dataclass(frozen=True, slots=True)
class Mixture:
    """α, β, γ: what likeness, recency and nearness count for."""

    likeness: float = 0.7
    recency: float = 0.2
    nearness: float = 0.1


def unit(value: float) -> float:
    """The value, brought into [0,1]; what is not a number is 0."""
    return min(value, 1.0) if value > 0 else 0.0


def normalised(weights: Mixture) -> Mixture:
    """α/(α+β+γ), …   F5.3: clamped to [0,1], then of the sum 1; all 0 means the defaults."""
    clamped = [unit(weights.likeness), unit(weights.recency), unit(weights.nearness)]
    total = sum(clamped)
    if total == 0.0:
        return Mixture()
    return Mixture(*(weight / total for weight in clamped))


def quality(decay_rate: float, *, delta: float = DELTA) -> float:
    """Q = 1 − δ·decay_rate.   F5.4: of a summary; what is no summary has the decay rate 0."""
    return 1 - delta * decay_rate


@dataclass(frozen=True, slots=True)
class Hybrid:
    """What the score of a single pass is made of."""

    likeness: float
    recency: float
    nearness: float
    quality: float = 1.0
    weights: Mixture = Mixture()  # of the sum 1: see normalised()

    @property
    def base(self) -> float:
        """α·sim + β·R + γ·S.   F5.5: a likeness below 0 counts as 0."""
        mixed = (
            self.weights.likeness * unit(self.likeness)
            + self.weights.recency * unit(self.recency)
            + self.weights.nearness * unit(self.nearness)
        )
        return min(1.0, mixed)  # the sum of the weights may be one rounding above 1

    @property
    def score(self) -> float:
        """F5.5: base · Q."""
        return self.base * self.quality


def hybrid_scores(
    *, likeness: Floats, recency: Floats, nearness: Floats, quality: Floats, weights: Mixture
) -> Floats:
    """(α·sim + β·R + γ·S)·Q.   F5.5, of many; equal to `Hybrid.score` bit by bit."""
    import numpy as np

    def units(values: Floats) -> Floats:
        return np.where(values > 0, np.minimum(values, 1.0), 0.0)

    mixed = (
        weights.likeness * units(likeness)
        + weights.recency * units(recency)
        + weights.nearness * units(nearness)
    )
    return np.asarray(np.minimum(mixed, 1.0) * quality)
