"""How much a memory weighs in the story itself, whatever is asked."""

from __future__ import annotations

THEMATIC = 2.0  # a turn in which things are an image of each other


def narrative_weight(density: float, *, thematic: bool = False) -> float:
    """a = clamp(density·(2 if thematic, else 1), 0, 1).   F2.1b: of a turn, by its scene's F7.8."""
    return min(1.0, max(0.0, density * (THEMATIC if thematic else 1.0)))
