"""How near an item is to whoever asks, and how fast it fades: by the scope it belongs to.

A chat has three scopes and counts seconds; a story has three and counts turns. Functions take an
age and never read a clock. An item from the future has the age 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import exp, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Scope(StrEnum):
    """Where an item lives: a chat's three scopes, and a story's."""

    SESSION = "session"
    DURABLE = "durable"
    GLOBAL = "global"
    SCENE = "scene"
    RUN = "run"
    CANON = "canon"


_NEARNESS: Mapping[Scope, float] = {
    Scope.SESSION: 1.0,
    Scope.DURABLE: 0.6,
    Scope.GLOBAL: 0.3,
    Scope.SCENE: 1.0,
    Scope.RUN: 0.6,
    Scope.CANON: 0.3,
}
_FADING: Mapping[Scope, float] = {
    Scope.SESSION: 1e-4,  # per second: half in 1.9 hours
    Scope.DURABLE: 1e-5,  # 19 hours
    Scope.GLOBAL: 2e-6,  # 4 days
    Scope.SCENE: log(2) / 50,  # per turn
    Scope.RUN: log(2) / 500,
    Scope.CANON: 0.0,  # what an author wrote does not fade
}


def nearness(scope: Scope) -> float:
    """S = 1, .6 or .3.   F5.1: the own session or scene, the durable memory or run, the rest."""
    return _NEARNESS[scope]


def fading(scope: Scope) -> float:
    """λ per second for a chat's scopes, per turn for a story's.   F5.2."""
    return _FADING[scope]


def half_life(rate: float) -> float:
    """t½ = ln 2/λ.   F5.2: in the unit of the rate; what does not fade has none (infinity)."""
    return log(2) / rate if rate > 0 else float("inf")


def recency(age: float, *, rate: float) -> float:
    """R = e^(−λ·Δt).   F5.2: 1 for what is of this moment, or of the future."""
    if rate <= 0 or not age > 0:
        return 1.0
    return exp(-rate * age)


def recencies(ages: Floats, *, rates: Floats | float) -> Floats:
    """R = e^(−λ·Δt).   F5.2, of many."""
    import numpy as np

    ages, rates = np.broadcast_arrays(ages, rates)
    fades = (ages > 0) & (rates > 0)  # 0·∞ is not a number: what does not fade is left out
    return np.asarray(np.exp(-np.where(fades, rates, 0.0) * np.where(fades, ages, 0.0)))
