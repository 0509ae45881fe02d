"""Two passes and one hop: many by likeness, a few by all that counts, and what they are linked to.

Rows are whole numbers in the order of adding. Whatever is equal is ordered by row, the older first,
so nothing that an audience may not see can change its order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.scoring.hybrid import unit
from storykeeper.scoring.settings import SearchSettings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]


def top(scores: Mapping[int, float], most: int) -> list[int]:
    """TopK: the rows of the highest scores, falling; equal ones by row.   F5.7."""
    return sorted(scores, key=lambda row: (-scores[row], row))[: max(0, most)]


def coarse(likeness: Mapping[int, float], settings: SearchSettings) -> list[int]:
    """C1 = {d ∈ TopK(k1, sim) : sim ≥ θ1}.   F5.7: what is unlike is refused, however few."""
    # The floor first: the same rows, and what is not a number never meets the sort.
    like = {row: value for row, value in likeness.items() if value >= settings.coarse_floor}
    return top(like, settings.coarse_most)


def coarse_rows(likeness: Floats, settings: SearchSettings) -> Rows:
    """C1 as positions of an array.   F5.7; the same as `coarse`, in the same order."""
    import numpy as np

    above = np.flatnonzero(likeness >= settings.coarse_floor)
    return above[np.argsort(-likeness[above], kind="stable")][: settings.coarse_most]


def keyword_coverage(found: int, *, asked: int) -> float:
    """M = |K ∩ terms|/max(|K|, 1).   F5.8: 0 when nothing was asked for by word."""
    return min(found, asked) / max(asked, 1)


@dataclass(frozen=True, slots=True)
class Final:
    """What the score of the second pass is made of."""

    authority: float  # ω
    likeness: float  # sim
    keywords: float  # M
    gain: float  # κ
    quality: float = 1.0  # Q

    @property
    def score(self) -> float:
        """S_final = ω·max(sim, 0)·(1 + κ·M)/(1 + κ)·Q.   F5.9: at most ω·Q."""
        lift = (1 + self.gain * self.keywords) / (1 + self.gain)
        return self.authority * unit(self.likeness) * lift * self.quality


def final_scores(
    *, authority: Floats, likeness: Floats, keywords: Floats, gain: float, quality: Floats
) -> Floats:
    """S_final of many.   F5.9; equal to `Final.score` bit by bit."""
    import numpy as np

    like = np.where(likeness > 0, np.minimum(likeness, 1.0), 0.0)
    lift = (1.0 + gain * keywords) / (1.0 + gain)
    return np.asarray(authority * like * lift * quality)


@dataclass(frozen=True, slots=True)
class Hop:
    """An item that came in by a link, and the parent it owes its score to."""

    row: int
    parent: int
    score: float


def hops(
    finals: Mapping[int, float],
    *,
    links: Mapping[int, Iterable[int]],
    rest: Collection[int],
    settings: SearchSettings,
) -> list[Hop]:
    """S_hop = η·max over parents of S_final, if ≥ θ_hop.   F5.10: one step, only into V_rest."""
    best: dict[int, Hop] = {}
    for parent in top(finals, len(finals)):  # the best first, so the first parent is the best
        for row in links.get(parent, ()):
            if row in finals or row in best or row not in rest:
                continue
            best[row] = Hop(row, parent, settings.hop_share * finals[parent])
    kept = (hop for hop in best.values() if hop.score >= settings.hop_floor)
    return sorted(kept, key=lambda hop: (-hop.score, hop.row))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row and its σ: what it is ordered and packed by."""

    row: int
    sigma: float
    parent: int | None = None  # of what came by a hop


def merged(chosen: Mapping[int, float], hopped: Sequence[Hop]) -> list[Ranked]:
    """σ = S_final or S_proj of what was chosen, S_hop of what came by a hop; falling.   F5.11."""
    ranked = [Ranked(row, score) for row, score in chosen.items()]
    ranked += [Ranked(h.row, h.score, h.parent) for h in hopped if h.row not in chosen]
    return sorted(ranked, key=lambda each: (-each.sigma, each.row))
