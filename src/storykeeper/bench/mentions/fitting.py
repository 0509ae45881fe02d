"""Fits the model of `language.coref` on LitBank.

    python -m storykeeper.bench.mentions.fitting --data DIR

writes the model that ships, fitted on all books there. Links are learned on mentions as they are
found in books that the finder has not seen, since mentions found in known books are too good.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from storykeeper.bench.mentions.examples import Example, Group, example, links
from storykeeper.bench.mentions.litbank import books, parsed
from storykeeper.bench.mentions.training import Batch, Gradient, Recipe, fit
from storykeeper.language import coref
from storykeeper.language.coref.detection import Found, chances, detect
from storykeeper.language.coref.model import Model, save
from storykeeper.language.coref.network import Floats, Ints, Network
from storykeeper.language.coref.traits import Flags
from storykeeper.language.parser import pipeline

HEADS = Recipe(hidden=(128, 48), rows=1 << 13, epochs=8, dropout=0.5, row_dropout=0.3)
SPANS = Recipe(hidden=(32, 16), rows=1 << 13, epochs=6, dropout=0.3, row_dropout=0.2)
LINKS = Recipe(hidden=(96, 32), rows=1 << 12, epochs=6, dropout=0.5, row_dropout=0.2)
FLOOR = 0.45
LEARNING_FLOOR = 0.4  # links are learned on doubtful mentions too
SHYNESS = -1.0
FOLDS = 5
FLAT = np.float32(-1e9)


@dataclass(frozen=True, slots=True)
class Finder:
    """The two networks that find mentions."""

    heads: Network
    spans: Network

    def find(self, one: Example, *, floor: float) -> list[Found]:
        """Mentions of a book."""
        return detect(one.doc, one.parse, heads_net=self.heads, spans_net=self.spans, floor=floor)


def fit_finder(examples: Sequence[Example]) -> Finder:
    """Learn what heads a mention and how far it reaches."""
    reaches = [group for one in examples for group in one.reaches]
    return Finder(fit_heads(examples), fit_choices(reaches, SPANS, at_once=128))


def fit_heads(examples: Sequence[Example]) -> Network:
    """Learn which words head a mention, and of what."""
    rows = np.concatenate([one.rows for one in examples])
    numbers = np.concatenate([one.numbers for one in examples])
    labels = np.concatenate([one.labels for one in examples])

    def batches(random: np.random.Generator) -> Iterable[Batch]:
        order = random.permutation(len(labels))
        for start in range(0, len(order), 512):
            those = order[start : start + 512]
            yield Batch(rows[those], numbers[those], _toward(labels[those]))

    return fit(HEADS, batches, numbers=numbers.shape[1], outputs=7)


def _toward(labels: Ints) -> Gradient:
    """The gradient of cross-entropy."""

    def gradient(scores: Floats) -> Floats:
        chance = chances(scores)
        chance[np.arange(len(labels)), labels] -= 1
        return chance / np.float32(len(labels))

    return gradient


def fit_choices(groups: Sequence[Group], recipe: Recipe, *, at_once: int) -> Network:
    """Learn to choose one of the right candidates in each group."""

    def batches(random: np.random.Generator) -> Iterable[Batch]:
        order = random.permutation(len(groups))
        for start in range(0, len(order), at_once):
            those = [groups[at] for at in order[start : start + at_once]]
            rows, numbers, right = (np.concatenate(parts) for parts in zip(*those, strict=True))
            yield Batch(rows, numbers, _choosing(right, [len(g[0]) for g in those]))

    return fit(recipe, batches, numbers=groups[0][1].shape[1], outputs=1)


def _choosing(right: Flags, sizes: list[int]) -> Gradient:
    """The gradient of −log Σ_right p, p over the candidates of each group."""
    starts = np.cumsum([0, *sizes])[:-1]

    def shares(scores: Floats) -> Floats:
        raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        whole: Floats = raised / np.repeat(np.add.reduceat(raised, starts), sizes)
        return whole

    def gradient(scores: Floats) -> Floats:
        flat = scores[:, 0]
        wanted = shares(np.where(right, flat, FLAT))
        return ((shares(flat) - wanted) / np.float32(len(sizes)))[:, None]

    return gradient


@dataclass(slots=True)
class Fitting:
    """Books in folds, and finders fitted without some of the folds, each fitted once."""

    examples: Sequence[Example]
    say: Callable[[str], None] = lambda line: None
    finders: dict[frozenset[int], Finder] = field(default_factory=dict)

    def fold(self, number: int) -> Sequence[Example]:
        """Every fifth book, so that no fold is all of one kind."""
        return self.examples[number::FOLDS]

    def finder(self, without: frozenset[int]) -> Finder:
        """What finds mentions, fitted on the other folds."""
        if without not in self.finders:
            self.say(f"  finding mentions, without folds {sorted(without)} …")
            rest = [e for at, e in enumerate(self.examples) if at % FOLDS not in without]
            self.finders[without] = fit_finder(rest)
        return self.finders[without]

    def model(self, without: frozenset[int] = frozenset()) -> Model:
        """All three networks, fitted on the other folds."""
        groups: list[Group] = []
        for number in sorted(set(range(FOLDS)) - without):
            finder = self.finder(without | {number})
            for one in self.fold(number):
                groups += links(one, finder.find(one, floor=LEARNING_FLOOR))
        self.say(f"  joining them, without folds {sorted(without)} …")
        network = fit_choices(groups, LINKS, at_once=64)
        finder = self.finder(without)
        seen = tuple(e.book.name for at, e in enumerate(self.examples) if at % FOLDS not in without)
        return Model(finder.heads, finder.spans, network, FLOOR, SHYNESS, seen)


def examples_in(data: Path | None) -> list[Example]:
    """All books of a folder, parsed."""
    return [example(book, parsed(book, pipeline())) for book in books(data)]


def main() -> None:
    """The command."""
    raw = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, required=True, help="folder with litbank in it")
    parser.add_argument("--out", type=Path, default=Path(coref.__path__[0]) / "model.npz")
    chosen = parser.parse_args()
    save(Fitting(examples_in(chosen.data), say=print).model(), chosen.out)


if __name__ == "__main__":
    main()
