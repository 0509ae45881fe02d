"""How hard a scene pulls.

pull(s) = M · ε²/(D² + ε²) · .8^(h−1)                                                     F2.3
"""

from __future__ import annotations

from enum import StrEnum

FADING = 0.8  # a step
APPROACHING_FROM, IMMINENT_FROM = 0.25, 0.75


class Band(StrEnum):
    """How near a scene is felt to be."""

    DISTANT = "distant"
    APPROACHING = "approaching"
    IMMINENT = "imminent"
    ACTIVE = "active"  # the story is there
    RESOLVED = "resolved"  # it is over, and acts through memory alone


def nearness(*, distance: float, steps: int, softening: float) -> float:
    """ε²/(D² + ε²) · .8^(h−1).   F2.3a: 1 on arrival, inverse-square far away."""
    apart = distance**2 + softening**2
    near = softening**2 / apart if apart else 1.0  # a distance too small for a number is none
    fading: float = FADING ** max(0, steps - 1)
    return near * fading


def pull(*, mass: float, nearness: float) -> float:
    """M · nearness.   F2.3: never more than the mass."""
    return mass * nearness


def band(nearness: float) -> Band:
    """distant < .25 ≤ approaching < .75 ≤ imminent.   F2.3b"""
    if nearness < APPROACHING_FROM:
        return Band.DISTANT
    return Band.APPROACHING if nearness < IMMINENT_FROM else Band.IMMINENT
