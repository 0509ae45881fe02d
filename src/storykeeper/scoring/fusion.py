"""Likeness as a calibrated sum of what was measured. Every part of it is kept.

    sim(q, d) = σ(b + Σ wᵢ·fᵢ(q, d)) ∈ (0, 1)

The weights are few and fitted; those of features that can only speak for an item are not negative.
A value that is no number counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FARTHEST = 60.0  # beyond this a sum no longer moves a likeness


@dataclass(frozen=True, slots=True)
class Weights:
    """b and the wᵢ, by the name of the feature."""

    bias: float
    of: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a likeness is made of."""

    bias: float
    parts: Mapping[str, float]  # wᵢ·fᵢ

    @property
    def sum(self) -> float:
        """b + Σ wᵢ·fᵢ."""
        return self.bias + sum(self.parts.values())

    @property
    def sim(self) -> float:
        """σ(b + Σ wᵢ·fᵢ).   F5.26"""
        return logistic(self.sum)


def logistic(value: float) -> float:
    """σ(x) = 1/(1 + e^−x), x brought into [−60, 60]."""
    return 1 / (1 + exp(-min(max(value, -FARTHEST), FARTHEST)))


def likeness(features: Mapping[str, float], weights: Weights) -> Likeness:
    """The parts wᵢ·fᵢ of one item; a feature that was not measured counts as 0."""
    return Likeness(
        weights.bias,
        {name: weight * _number(features.get(name, 0.0)) for name, weight in weights.of.items()},
    )


def sums(features: Floats, weights: Weights) -> Floats:
    """b + Σ wᵢ·fᵢ of many: rows are items, columns the features in the order of the weights."""
    import numpy as np

    found = np.full(len(features), weights.bias)
    clean = np.where(np.isfinite(features), features, 0.0)
    for column, weight in enumerate(weights.of.values()):
        found = found + weight * clean[:, column]  # in the order of `Likeness.sum`
    return found


def logistics(values: Floats) -> Floats:
    """σ(x) of many."""
    import numpy as np

    return np.asarray(1 / (1 + np.exp(-np.clip(values, -FARTHEST, FARTHEST))))


def likenesses(features: Floats, weights: Weights) -> Floats:
    """σ(b + Σ wᵢ·fᵢ) of many."""
    return logistics(sums(features, weights))


def _number(value: float) -> float:
    return value if isfinite(value) else 0.0
