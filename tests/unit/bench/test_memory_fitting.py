"""Fitting the weights of memory, on questions made up here."""

from __future__ import annotations

import numpy as np
import pytest

from storykeeper.bench.recall import fitting
from storykeeper.bench.recall.measuring import Measured, ranked
from storykeeper.memory.search import ASKS_BESIDE, BESIDE
from storykeeper.memory.signals.features import NAMES, RISING
from storykeeper.scoring.fusion import Weights


def questions_of(count: int, *, good: str, seed: int = 7) -> list[Measured]:
    """Questions whose answer is where one feature is high, the rest being noise."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        rows = chance.normal(size=(12, len(NAMES)))
        rows[:, NAMES.index("timely")] = 0.0
        best = int(np.argmax(rows[:, NAMES.index(good)]))
        alone = np.full((12, 2), -1)
        made.append(Measured("a", "single_hop", (best,), np.arange(12), rows, alone))
    return made


def test_fitting_finds_what_tells():
    weights = fitting.fitted([questions_of(80, good="words")])
    assert max(weights.of, key=lambda name: weights.of[name]) == "words"
    assert weights.of["timely"] == 0.0
    assert all(weights.of[name] >= 0 for name in RISING)
    new = questions_of(20, good="words", seed=8)
    assert np.mean([ranked(one, weights, most=1)[0] in one.gold for one in new]) > 0.8


def test_every_set_counts_alike_however_many_questions_it_has():
    few, many = questions_of(20, good="meaning"), questions_of(200, good="words")
    weights = fitting.fitted([few, many])
    assert weights.of["meaning"] > 0.6 * weights.of["words"]
    assert fitting.lists([few, many]).shares[:20].sum() == pytest.approx(0.5)


def test_the_slope_of_the_loss_is_its_slope():
    data = fitting.lists([questions_of(6, good="words"), questions_of(3, good="pieces")])
    at = np.linspace(-0.5, 0.5, len(NAMES))
    _, slope, curve = fitting.loss_at(at, data.rows, data)
    for column in (0, 5, len(NAMES) - 1):
        step = np.zeros(len(NAMES))
        step[column] = 1e-5
        up, down = (fitting.loss_at(at + s * step, data.rows, data) for s in (1, -1))
        assert slope[column] == pytest.approx((up[0] - down[0]) / 2e-5, abs=1e-6)
        assert curve[column].tolist() == pytest.approx(
            ((up[1] - down[1]) / 2e-5).tolist(), abs=1e-5
        )


def test_likeness_is_calibrated():
    scores = np.repeat([-1.0, 1.0], 100)
    gold = np.array([n % 10 == 0 for n in range(100)] + [n % 2 == 0 for n in range(100)])
    slope, bias = fitting.platt(scores, gold)
    assert 1 / (1 + np.exp(slope - bias)) == pytest.approx(0.1, abs=1e-6)
    assert 1 / (1 + np.exp(-slope - bias)) == pytest.approx(0.5, abs=1e-6)


def of_words(*words: float, asks: tuple[int, ...] = ()) -> Measured:
    """Lines of one talk, in order, with so many words of the query."""
    rows = np.zeros((len(words), len(NAMES)))
    rows[:, NAMES.index("words")] = words
    rows[list(asks), NAMES.index("asks")] = 1.0
    here = np.arange(len(words))
    beside = np.stack([here - 1, np.where(here + 1 < len(words), here + 1, -1)], axis=1)
    return Measured("a", "made", (0,), here, rows, beside)


def test_what_stands_beside_what_is_found_comes_later():
    weights = Weights(0.0, dict.fromkeys(NAMES, 0.0) | {"words": 1.0})
    close = 3 - BESIDE / 2
    assert ranked(of_words(3.0, close, 0.0, close - 0.01), weights, most=3) == [0, 3, 1]
    far = 3 - 2 * BESIDE
    assert ranked(of_words(3.0, close, 0.0, far), weights, most=3) == [0, 1, 3]
    assert ASKS_BESIDE > 2 * BESIDE
    assert ranked(of_words(3.0, close, 0.0, far, asks=(1,)), weights, most=3) == [0, 3, 1]
