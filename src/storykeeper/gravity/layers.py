"""What a tale within the tale weighs, and what of it crosses its boundary.

C(g) = base + Σ residue/(1 + .3·i) + [completed]·bonus + resonance        i-th visit from 0
what is felt outside of it: C(g)·ψ(g)
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from storykeeper.story.layers import Layer
from storykeeper.world.state import LayerState

FADING_VISITS = 0.3


class Collective(Struct, frozen=True, gc=False):
    """The mass of a layer as a whole, with its terms."""

    base: float
    residue: float = 0.0
    completion: float = 0.0
    resonance: float = 0.0
    stated: float | None = None

    @property
    def total(self) -> float:
        """F2.5b: the sum, unless the author states it."""
        if self.stated is not None:
            return self.stated
        return self.base + self.residue + self.completion + self.resonance


def collective(layer: Layer, state: LayerState, *, stated: float | None = None) -> Collective:
    """C(g) = base + Σ residue/(1 + .3·i) + [completed]·bonus + resonance.   F2.5b"""
    return Collective(
        base=layer.base_mass,
        residue=layer.residue * _fading(state.visits),
        completion=layer.completion_bonus * state.completed,
        resonance=layer.resonance,
        stated=stated,
    )


@lru_cache(maxsize=1_024)
def _fading(visits: int) -> float:
    """Σ 1/(1 + .3·i) over so many visits."""
    return sum(1.0 / (1.0 + FADING_VISITS * i) for i in range(visits))


def emotion_crossing(psi: float) -> float:
    """clamp((ψ − .2)/.3).   F2.5c: the share of a feeling that is felt across the boundary."""
    return min(1.0, max(0.0, (psi - 0.2) / 0.3))


def relation_crossing(psi: float) -> float:
    """clamp((ψ − .7)/.3).   F2.5d: the share of a standing that crosses while inside."""
    return min(1.0, max(0.0, (psi - 0.7) / 0.3))
