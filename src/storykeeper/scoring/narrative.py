"""How much a memory weighs in the story itself, whatever is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

THEMATIC = 2.0  # a turn in which things are an image of each other


def narrative_weight(density: float, *, thematic: bool = False) -> float:
    """a = clamp(density·(2 if thematic, else 1), 0, 1).   F2.1b: of a turn, by its scene's F7.8."""
    return min(1.0, max(0.0, density * (THEMATIC if thematic else 1.0)))


def narrative_weights(
    densities: NDArray[np.float64], *, thematic: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """a of many turns at once.   F2.1b; the same as `narrative_weight`."""
    import numpy as np

    return np.clip(densities * np.where(thematic, THEMATIC, 1.0), 0.0, 1.0)
