"""How much an item counts before anything is asked: recency, use, and what its author gave it."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p
from typing import TYPE_CHECKING

from storykeeper.scoring.hybrid import unit
from storykeeper.scoring.scopes import recencies, recency
from storykeeper.scoring.settings import SearchSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def frequency(accesses: float, *, most: float) -> float:
    """f = log(1 + acc)/log(1 + max acc + 1).   F5.6: 0 for what was never shown; never 0/0.

    `most` is the maximum over the items that the audience may see, and no others.
    """
    if not accesses > 0:
        return 0.0
    return log1p(accesses) / log(2.0 + max(accesses, most))


@dataclass(frozen=True, slots=True)
class Authority:
    """What ω is made of."""

    recency: float  # r
    frequency: float  # f
    authored: float  # a: 1 for a core document, else the narrative weight
    settings: SearchSettings

    @property
    def weight(self) -> float:
        """ω = ω₀ + (1 − ω₀)·(α_r·r + α_f·f + α_a·a).   F5.6: ω₀ is 0 for `seed`, .5 for `story`."""
        s = self.settings
        mixed = (
            s.recency_weight * unit(self.recency)
            + s.frequency_weight * unit(self.frequency)
            + s.authored_weight * unit(self.authored)
        )
        return min(1.0, s.authority_floor + (1.0 - s.authority_floor) * mixed)


def authority(
    *, age: float, accesses: float, most_accesses: float, authored: float, settings: SearchSettings
) -> Authority:
    """r = e^(−λ_r·Δt), f and a of one item.   F5.6."""
    return Authority(
        recency=recency(age, rate=settings.fading),
        frequency=frequency(accesses, most=most_accesses),
        authored=authored,
        settings=settings,
    )


def authorities(
    *, ages: Floats, accesses: Floats, most_accesses: float, authored: Floats,
    settings: SearchSettings,
) -> Floats:  # fmt: skip
    """ω of many.   F5.6."""
    import numpy as np

    shown = np.where(accesses > 0, accesses, 0.0)
    f = np.log1p(shown) / np.log(2.0 + np.maximum(shown, max(0.0, most_accesses)))
    a = np.where(authored > 0, np.minimum(authored, 1.0), 0.0)
    mixed = (
        settings.recency_weight * recencies(ages, rates=settings.fading)
        + settings.frequency_weight * np.minimum(f, 1.0)
        + settings.authored_weight * a
    )
    floor = settings.authority_floor
    return np.asarray(np.minimum(1.0, floor + (1.0 - floor) * mixed))
