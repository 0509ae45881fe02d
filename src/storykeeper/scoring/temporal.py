"""Questions of time: sets of items that answer together what none answers alone.

"How many days before the wedding did he leave?" needs two dates. So in temporal mode items are
chosen one after the other, and what a chosen one covers already counts no more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from storykeeper.scoring.hybrid import unit
from storykeeper.scoring.settings import SearchSettings
from storykeeper.scoring.two_pass import top

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Rows = NDArray[np.int64]

MOST_SLOTS = 4  # m_max
STRONG, WEAK = 0.75, 0.2

_UNITS = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|turns?|sessions?|times?)"
_CAME = r"(?:came|happened|was|did|arrived)"
_STRONG = (
    rf"how (?:many|much) (?:more )?{_UNITS}",
    r"how (?:long|soon|often|old|recently)",
    rf"(?:which|what|who) (?:\w+ ){{0,3}}{_CAME} (?:first|last|earlier|later)",
    r"when (?:did|does|do|was|were|is|has|have|had|will)",
    r"(?:what|which) (?:day|date|time|year|month|week|order|session)",
    r"between",
)
_WEAK = ("before", "after", "since", "until", "during", "first", "earlier", "later", "last", "ago")
_PATTERNS = tuple(
    (weight, re.compile(rf"\b{words}\b"))
    for weight, table in ((STRONG, _STRONG), (WEAK, _WEAK))
    for words in table
)
_SEARCHED = 4_096  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Sign:
    """A pattern of time that a question matched, and its weight."""

    words: str
    weight: float


def signs(question: str) -> tuple[Sign, ...]:
    """The patterns of time in a question, each once.   F5.12."""
    text = " ".join(question[:_SEARCHED].lower().split())
    found = ((weight, pattern.search(text)) for weight, pattern in _PATTERNS)
    return tuple(Sign(match.group(), weight) for weight, match in found if match)


def indicator(weights: Iterable[float], settings: SearchSettings) -> float:
    """ξ = min(Σ s_i/θ_norm, 1).   F5.12: of the weights of the patterns matched."""
    return unit(sum(max(0.0, weight) for weight in weights) / settings.temporal_sum)


def is_temporal(xi: float, settings: SearchSettings) -> bool:
    """ξ ≥ θ_ξ.   F5.12: whether the temporal selector chooses; below, everything is as ever."""
    return xi >= settings.temporal_from


def anchor_density(anchors: float, settings: SearchSettings) -> float:
    """A = min(anchors/θ_norm, 1).   F5.13: of the distinct time expressions in an item."""
    return unit(anchors / settings.anchors_full)


def anchor_densities(anchors: Floats, settings: SearchSettings) -> Floats:
    """A of many.   F5.13."""
    import numpy as np

    share = anchors / settings.anchors_full
    return np.where(share > 0, np.minimum(share, 1.0), 0.0)


def slots_met(likeness: Sequence[float], settings: SearchSettings) -> frozenset[int]:
    """φ_j = [sim(e_j, d) ≥ θ_e].   F5.14: which of the question's slots an item meets."""
    return frozenset(j for j, like in enumerate(likeness) if like >= settings.slot_floor)


def marginal_coverage(met: Collection[int], covered: Collection[int], *, slots: int) -> float:
    """ΔΦ = |met ∖ covered|/max(|E|, 1).   F5.14: what an item adds to those chosen before it."""
    return len({slot for slot in met if slot < slots} - set(covered)) / max(slots, 1)


@dataclass(frozen=True, slots=True)
class Projected:
    """What the score of an item in temporal mode is made of."""

    final: float  # S_final
    anchors: float  # A
    cover: float  # ΔΦ, given those chosen before
    xi: float

    def score(self, settings: SearchSettings) -> float:
        """S_proj = (1 − ξ(1 − μ))·S_final + ξν·A + ξρ·ΔΦ.   F5.15: (1 − ξ)·S_final + ξ·S_cov."""
        return unit(
            (1.0 - self.xi * (1.0 - settings.final_weight)) * self.final
            + self.xi * settings.anchor_weight * self.anchors
            + self.xi * settings.cover_weight * self.cover
        )


def covering(final: float, *, anchors: float, cover: float, settings: SearchSettings) -> float:
    """S_cov = μ·S_final + ν·A + ρ·ΔΦ.   F5.15."""
    return unit(
        settings.final_weight * final
        + settings.anchor_weight * anchors
        + settings.cover_weight * cover
    )


def recovery(
    likeness: Mapping[int, float],
    *,
    anchors: Mapping[int, float],
    chosen: Collection[int],
    settings: SearchSettings,
) -> list[int]:
    """C_rec = TopK over {sim ≥ θ_rec} of (k_rec, A), without C2.   F5.16; equal A by likeness."""
    near = [row for row, like in likeness.items() if like >= settings.recovery_floor]
    near.sort(key=lambda row: (-anchors.get(row, 0.0), -likeness[row], row))
    return [row for row in near[: settings.recovery_most] if row not in chosen]


def recovery_rows(
    likeness: Floats, *, anchors: Floats, chosen: Collection[int], settings: SearchSettings
) -> list[int]:
    """C_rec as positions of an array.   F5.16; the same as `recovery`."""
    import numpy as np

    near = np.flatnonzero(likeness >= settings.recovery_floor)
    order = np.lexsort((near, -likeness[near], -anchors[near]))[: settings.recovery_most]
    return [int(row) for row in near[order] if int(row) not in chosen]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item the temporal selector may choose: C2 and what was recovered."""

    row: int
    final: float
    anchors: float = 0.0
    met: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Selected:
    """A chosen item; σ is its S_proj at the moment it was chosen."""

    row: int
    sigma: float
    terms: Projected


def select(
    pool: Iterable[Candidate], *, xi: float, slots: int, settings: SearchSettings
) -> list[Selected]:
    """d* = argmax S_proj(d, S), k_cov times, until S_proj < θ_stop.   F5.17."""
    left = {candidate.row: candidate for candidate in pool}
    covered: set[int] = set()
    chosen: list[Selected] = []
    while left and len(chosen) < settings.cover_most:
        terms = {
            row: Projected(c.final, c.anchors, marginal_coverage(c.met, covered, slots=slots), xi)
            for row, c in left.items()
        }
        scores = {row: each.score(settings) for row, each in terms.items()}
        (best,) = top(scores, 1)
        if scores[best] < settings.stop_below:
            break
        chosen.append(Selected(best, scores[best], terms[best]))
        covered |= left.pop(best).met
    return chosen
