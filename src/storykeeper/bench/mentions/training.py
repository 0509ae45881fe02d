"""Fitting a network of `language.coref.network`: Adam, dropout, a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from storykeeper.language.coref.network import Floats, Ints, Network

Gradient = Callable[[Floats], Floats]  # of the loss, at given scores


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a network is fitted."""

    hidden: tuple[int, int] = (64, 32)
    rows: int = 1 << 13
    epochs: int = 8
    rate: float = 2e-3
    dropout: float = 0.3
    row_dropout: float = 0.1  # words forgotten at random, so that the network leans on no word
    number_dropout: float = 0.0
    decay: float = 1e-5
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Batch:
    """Input, and what the gradient of the loss is at given scores."""

    rows: Ints
    numbers: Floats
    gradient: Gradient


class Fitter:
    """Weights under way, with Adam's two averages of each."""

    def __init__(self, recipe: Recipe, *, numbers: int, outputs: int) -> None:
        self.recipe = recipe
        self.random = np.random.default_rng(recipe.seed)
        one, two = recipe.hidden
        self.weights = [
            self._drawn(recipe.rows, one, scale=0.1),
            self._drawn(numbers, one, scale=(1.0 / numbers) ** 0.5),
            np.zeros(one, np.float32),
            self._drawn(one, two, scale=(2.0 / one) ** 0.5),
            np.zeros(two, np.float32),
            self._drawn(two, outputs, scale=(1.0 / two) ** 0.5),
            np.zeros(outputs, np.float32),
        ]
        self.means = [np.zeros_like(w) for w in self.weights]
        self.squares = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def _drawn(self, *shape: int, scale: float) -> Floats:
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def _kept(self, shape: tuple[int, ...], dropped: float) -> Floats:
        return (self.random.random(shape) >= dropped).astype(np.float32) / np.float32(1 - dropped)

    def step(self, batch: Batch, *, rate: float) -> None:
        """One step downhill."""
        self._adam(self.gradients(batch), rate)

    def gradients(self, batch: Batch) -> list[Floats]:
        """Of the loss by each weight, with some of the network left out at random."""
        table, first, bias1, second, bias2, last, bias3 = self.weights
        recipe = self.recipe
        keep_rows = self._kept(batch.rows.shape, recipe.row_dropout)
        numbers = batch.numbers
        if recipe.number_dropout:
            numbers = numbers * self._kept(numbers.shape, recipe.number_dropout)
        h1 = numbers @ first + bias1
        for k in range(batch.rows.shape[1]):
            h1 += table[batch.rows[:, k]] * keep_rows[:, k, None]
        mask1 = (h1 > 0) * self._kept(h1.shape, recipe.dropout)
        h1 = h1 * mask1
        h2 = h1 @ second + bias2
        mask2 = (h2 > 0) * self._kept(h2.shape, recipe.dropout / 2)
        h2 = h2 * mask2
        d3 = batch.gradient(h2 @ last + bias3)
        d2 = (d3 @ last.T) * mask2
        d1 = (d2 @ second.T) * mask1
        return [
            _by_row(batch.rows, keep_rows, d1, len(table)),
            numbers.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ d3, d3.sum(0),
        ]  # fmt: skip

    def _adam(self, gradients: list[Floats], rate: float) -> None:
        self.steps += 1
        pace = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for weight, mean, square, gradient in zip(
            self.weights, self.means, self.squares, gradients, strict=True
        ):
            mean *= np.float32(0.9)
            mean += np.float32(0.1) * gradient
            square *= np.float32(0.999)
            gradient *= gradient
            gradient *= np.float32(0.001)
            square += gradient
            np.sqrt(square, out=gradient)
            gradient += np.float32(1e-8)
            np.divide(mean, gradient, out=gradient)
            gradient *= np.float32(pace)
            weight *= np.float32(1 - self.recipe.decay)
            weight -= gradient

    def network(self) -> Network:
        """The weights, rounded as they ship."""
        return Network(*(w.astype(np.float16).astype(np.float32) for w in self.weights))


def _by_row(rows: Ints, kept: Floats, gradient: Floats, size: int) -> Floats:
    """Of each row of the table, the gradients of the inputs that used it, added up."""
    used, place = np.unique(rows, return_inverse=True)
    count = len(used)
    flat = np.arange(len(rows))[:, None] * count + place.reshape(rows.shape)
    uses = np.bincount(flat.ravel(), kept.ravel(), minlength=len(rows) * count)
    summed = np.zeros((size, gradient.shape[1]), np.float32)
    summed[used] = uses.astype(np.float32).reshape(len(rows), count).T @ gradient
    return summed


def fit(
    recipe: Recipe, batches: Callable[[np.random.Generator], Iterable[Batch]], *,
    numbers: int, outputs: int,
) -> Network:  # fmt: skip
    """A network fitted to batches drawn anew each epoch; the pace falls to a tenth."""
    fitter = Fitter(recipe, numbers=numbers, outputs=outputs)
    for epoch in range(recipe.epochs):
        pace = recipe.rate * (1 - 0.9 * epoch / max(1, recipe.epochs - 1))
        for batch in batches(fitter.random):
            fitter.step(batch, rate=pace)
    return fitter.network()
