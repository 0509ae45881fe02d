"""Fits the weights of `storykeeper.memory.signals` on questions with known answers.

    python -m storykeeper.bench.recall.fitting --data DIR

A turn that answers should stand above those that do not. For each such turn g of a question:

    loss = −ln( e^s(g) / (e^s(g) + Σ over the others e^s) )      s = Σ wᵢ·fᵢ

averaged over a question's turns, then over the questions of a set, then over the sets (`sets`),
plus λ/2·‖w‖² for features of spread 1. Features that can only speak for an item get no weight below
0. The scale of s is that with which σ(s + b) would be how likely an item is to answer (Platt), b
puts the middle one of the turns that answer at ½, since how likely they are to answer depends on
how many others there are, and a likeness should not; both are means over the sets. Eleven numbers
in all; Newton's steps, no chance in it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from storykeeper.bench.recall.measuring import Measured, measured
from storykeeper.bench.recall.sets import fitted_on
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.signals import learned
from storykeeper.memory.signals.features import NAMES, RISING
from storykeeper.models.embedders.cache import Drawer
from storykeeper.models.embedders.minilm import MiniLM
from storykeeper.scoring.fusion import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]
    Places = NDArray[np.int64]

RIDGE = 0.01  # λ
STEPS = 30
CLOSE = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Candidates of all questions, one after another."""

    rows: Floats
    gold: Bools
    starts: Places
    question: Places  # of each row
    shares: Floats  # what each question counts for, of the sum 1

    @property
    def count(self) -> int:
        """How many questions."""
        return len(self.starts)


def lists(sets: Iterable[Sequence[Measured]]) -> Lists:
    """Those of the questions that have an answer among their candidates; all sets count alike."""
    import numpy as np

    answered: list[Measured] = []
    shares: list[float] = []
    for some in sets:
        here = [m for m in some if np.isin(m.rows, m.gold).any()]
        answered += here
        shares += [1 / len(here)] * len(here)
    sizes = [len(m.rows) for m in answered]
    return Lists(
        np.concatenate([m.features for m in answered]),
        np.concatenate([np.isin(m.rows, m.gold) for m in answered]),
        np.cumsum([0, *sizes[:-1]]),
        np.repeat(np.arange(len(answered)), sizes),
        np.array(shares) / sum(shares),
    )


def fitted(sets: Sequence[Sequence[Measured]]) -> Weights:
    """The weights for the questions of some sets."""
    import numpy as np

    data = lists(sets)
    spread = data.rows.std(axis=0)
    scaled = data.rows / np.where(spread > 0, spread, 1.0)
    rising = np.array([name in RISING for name in NAMES])
    weights = descended(scaled, data, rising) / np.where(spread > 0, spread, 1.0)
    weights[spread == 0] = 0.0
    each = [(one.rows @ weights, one.gold) for one in (lists([some]) for some in sets)]
    slope = fmean(platt(scores, gold)[0] for scores, gold in each)
    middle = fmean(float(np.median(scores[gold])) for scores, gold in each)
    return Weights(-slope * middle, dict(zip(NAMES, (slope * weights).tolist(), strict=True)))


def descended(rows: Floats, data: Lists, rising: Bools) -> Floats:
    """The least loss, by Newton's steps; weights of rising features stay at 0 or above."""
    import numpy as np

    weights = np.zeros(rows.shape[1])
    loss, slope, curve = loss_at(weights, rows, data)
    for _ in range(STEPS):
        free = ~(rising & (weights <= 0) & (slope > 0))
        step = np.zeros_like(weights)
        step[free] = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        part, better = 1.0, False
        while part > 1e-4 and not better:
            trial = weights - part * step
            trial = np.where(rising, np.maximum(trial, 0.0), trial)
            new = loss_at(trial, rows, data)
            better = new[0] < loss
            part /= 2
        if not better:
            break
        gained, weights, (loss, slope, curve) = loss - new[0], trial, new
        if gained < CLOSE:
            break
    return weights


def loss_at(weights: Floats, rows: Floats, data: Lists) -> tuple[float, Floats, Floats]:
    """The loss, its slope and its curvature."""
    import numpy as np

    scores = rows @ weights
    top = np.maximum.reduceat(scores, data.starts)[data.question]
    grown = np.exp(scores - top)
    others = grown * ~data.gold
    rest = np.add.reduceat(others, data.starts)
    golds = np.flatnonzero(data.gold)
    of = data.question[golds]
    share = data.shares[of] / np.bincount(of, minlength=data.count)[of]
    whole = grown[golds] + rest[of]
    chance = grown[golds] / whole
    loss = float(-(share * np.log(np.maximum(chance, 1e-300))).sum())
    pulled = others * np.bincount(of, share / whole, minlength=data.count)[data.question]
    pulled[golds] += share * chance
    slope = rows.T @ pulled - rows[golds].T @ share
    # Σ p·x·xᵀ − μ·μᵀ for each turn that answers, μ being the mean of what it competes with.
    sums = np.add.reduceat(others[:, None] * rows, data.starts, axis=0)
    means = (sums[of] + grown[golds][:, None] * rows[golds]) / whole[:, None]
    curve = (rows * pulled[:, None]).T @ rows - (means * share[:, None]).T @ means
    ridge = RIDGE * np.eye(len(weights))
    return loss + RIDGE / 2 * float(weights @ weights), slope + RIDGE * weights, curve + ridge


def platt(scores: Floats, gold: Bools) -> tuple[float, float]:
    """The slope and bias with which σ(slope·s + bias) is how often an item answers."""
    import numpy as np

    rows = np.stack([scores, np.ones_like(scores)], axis=1)
    found = np.array([1.0, -4.0])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -60, 60)))
        slope = rows.T @ (chance - gold)
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + 1e-6 * np.eye(2)
        step = np.linalg.solve(curve, slope)
        found = found - np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-9:
            break
    return max(float(found[0]), 1e-6), float(found[1])


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit on all sets that may be shipped and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m storykeeper.bench.recall.fitting")
    parser.add_argument("--data", type=Path, required=True, help="longmemeval, crd3, playthroughs")
    parser.add_argument("--out", type=Path, default=Path(learned.__file__).with_name("fusion.json"))
    chosen = parser.parse_args(arguments)
    meaning, found = Meaning(MiniLM(), Drawer()), []
    for name, told in fitted_on(chosen.data).items():
        found.append([each for one in told for each in measured(one, meaning)])
        sys.stdout.write(f"{name}: {len(found[-1])} questions\n")
    chosen.out.write_bytes(learned.encoded(fitted(found)))
    sys.stdout.write(f"wrote {chosen.out}\n")


if __name__ == "__main__":
    main()
