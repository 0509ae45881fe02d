"""Fitting a network: it learns, and the same seed gives the same bytes."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest

from storykeeper.bench.mentions.fitting import fit_choices
from storykeeper.bench.mentions.training import Batch, Fitter, Recipe
from storykeeper.language.coref.model import Model, load, save

RECIPE = Recipe(hidden=(8, 4), rows=16, epochs=30, rate=0.02, dropout=0.0, row_dropout=0.0)


def choices(count=60):
    """In each group the candidate of row 3 is right, unless its number is high."""
    random = np.random.default_rng(5)
    groups = []
    for _ in range(count):
        rows = random.permutation(5)[:, None]
        numbers = np.zeros((5, 1), np.float32)
        right = rows[:, 0] == 3
        if random.random() < 0.5:
            numbers[right] = 1
            right = rows[:, 0] == 1
        groups.append((rows, numbers, right))
    return groups


def test_it_learns_to_choose():
    net = fit_choices(choices(), RECIPE, at_once=8)
    for rows, numbers, right in choices(20):
        assert right[net.scores(rows, numbers)[:, 0].argmax()]


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    written = []
    for name in ("one.npz", "two.npz"):
        net = fit_choices(choices(), RECIPE, at_once=8)
        save(Model(net, net, net, floor=0.5, shyness=-0.25), tmp_path / name)
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]


def test_the_bytes_know_no_time(tmp_path):
    net = fit_choices(choices(4), RECIPE, at_once=8)
    save(Model(net, net, net, floor=0.5, shyness=0.0), tmp_path / "model.npz")
    with zipfile.ZipFile(tmp_path / "model.npz") as archive:
        assert {info.date_time[0] for info in archive.infolist()} == {1980}


@pytest.mark.parametrize("which", range(7))
def test_gradients_are_what_small_changes_say(which):
    random = np.random.default_rng(3)
    rows = random.integers(0, 6, (9, 3))
    numbers = random.standard_normal((9, 4)).astype(np.float32)
    aim = random.standard_normal((9, 2)).astype(np.float32)
    recipe = Recipe(hidden=(5, 4), rows=6, dropout=0.0, row_dropout=0.0)
    fitter = Fitter(recipe, numbers=4, outputs=2)
    fitter.weights = [w + np.float32(0.05) for w in fitter.weights]
    weight = fitter.weights[which]
    said = fitter.gradients(Batch(rows, numbers, lambda scores: scores - aim))[which]

    def loss():
        table, first, bias1, second, bias2, last, bias3 = fitter.weights
        h1 = np.maximum(table[rows].sum(axis=1) + numbers @ first + bias1, 0)
        scores = np.maximum(h1 @ second + bias2, 0) @ last + bias3
        return 0.5 * ((scores.astype(np.float64) - aim) ** 2).sum()

    for place in list(np.ndindex(weight.shape))[:6]:
        kept, step = weight[place], np.float32(1e-3)
        weight[place] = kept + step
        up = loss()
        weight[place] = kept - step
        down = loss()
        weight[place] = kept
        assert said[place] == pytest.approx((up - down) / (2 * step), rel=0.02, abs=0.02)


def test_another_seed_gives_others():
    one = fit_choices(choices(), RECIPE, at_once=8)
    other = fit_choices(choices(), Recipe(hidden=(8, 4), rows=16, epochs=30, seed=2), at_once=8)
    assert not np.array_equal(one.first, other.first)


def test_a_model_comes_back_as_it_was_saved(tmp_path):
    net = fit_choices(choices(), RECIPE, at_once=8)
    save(Model(net, net, net, 0.4, -0.25, ("emma", "kim")), tmp_path / "model.npz")
    back = load(tmp_path / "model.npz")
    assert (back.floor, back.shyness, back.seen) == (0.4, -0.25, ("emma", "kim"))
    rows, numbers, _ = choices(1)[0]
    assert np.array_equal(back.links.scores(rows, numbers), net.scores(rows, numbers))
