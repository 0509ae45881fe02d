"""Fits and measures `language.tagger`.

    python -m storykeeper.bench.perception_fit.tagger FILE.jsonl … [--out tagger.npz]
        [--curve [--author NAME] …]

The files are those of `data/perception`, one author each. Figures leave one author out at a time;
the file that is written was fitted on all. The same files give the same bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from storykeeper.bench.perception_fit.backprop import Tape, read
from storykeeper.bench.perception_fit.lessons import Lesson, batch, lessons
from storykeeper.bench.perception_fit.losses import losses
from storykeeper.bench.perception_fit.trial import Figures, Thresholds, figures
from storykeeper.language.coref.network import save_arrays
from storykeeper.language.tagger.destination import AWAY, FEATURES, candidates, features
from storykeeper.language.tagger.features import MARKS, roles
from storykeeper.language.tagger.model import Model, load
from storykeeper.language.tagger.network import REACH, Floats
from storykeeper.language.tagger.numbers import NUMBERS
from storykeeper.language.tagger.tagger import DOUBT, HUSH, KINDS, SURE, Hush, Sign, signs_of
from storykeeper.models.embedders.word_vectors import WordVectors

Say = Callable[[str], None]
Read = list[tuple[Lesson, list[Sign], list[Hush]]]

SURES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
CURVE = (0.06, 0.08, 0.10, 0.12, 0.16, 0.20, 0.25, 0.30, 0.40, 0.50)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a network is fitted."""

    word: int = 64  # u
    heads: int = 4
    plain: int = 48
    state: int = 64  # of each direction
    epochs: int = 10
    rate: float = 2e-3
    batch: int = 8
    dropped: float = 0.35
    decay: float = 0.02
    longest: float = 5.0  # of a gradient
    seed: int = 1


RECIPE = Recipe()
SEEDS = (1, 2, 3)


def drawn(recipe: Recipe) -> dict[str, Floats]:
    """Weights to begin with; the biases of rare things begin low."""
    random = np.random.default_rng(recipe.seed)
    state, slot = recipe.state, 2 * recipe.state
    shapes = {
        "words": (recipe.word, 384),
        "marks": (recipe.word, len(MARKS)),
        "near": (recipe.word, (2 * REACH + 1) * recipe.word),
        "heads": (recipe.heads, recipe.word),
        "numbers": (recipe.plain, NUMBERS),
        "slot": (slot, recipe.heads * recipe.word + recipe.plain),
        "forth.in": (3 * state, 2 * slot),
        "forth.own": (3 * state, state),
        "back.in": (3 * state, 2 * slot),
        "back.own": (3 * state, state),
        "events": (len(KINDS), 2 * slot),
        "standing": (2, 2 * slot),
        "closed.first": (state, 5 * slot),
        "closed.last": (1, state),
    }
    weights: dict[str, Floats] = {}
    for name, shape in shapes.items():
        bound = (1 / (state if name.startswith(("forth", "back")) else shape[1])) ** 0.5
        weights[f"{name}.weight"] = random.uniform(-bound, bound, shape).astype(np.float32)
        if name != "marks":
            weights[f"{name}.bias"] = np.zeros(shape[0], np.float32)
    weights["events.bias"][0] = 4.0
    weights["standing.bias"][:] = (-1.5, -4.0)
    weights["closed.last.bias"][:] = -1.5
    return weights


class Adam:
    """Adam with decay, on a pace that rises for a while and then falls to nothing."""

    def __init__(self, recipe: Recipe, weights: dict[str, Floats], *, steps: int) -> None:
        self.recipe, self.weights, self.steps, self.done = recipe, weights, steps, 0
        self.means = {name: np.zeros_like(weight) for name, weight in weights.items()}
        self.squares = {name: np.zeros_like(weight) for name, weight in weights.items()}

    def pace(self) -> float:
        """A cosine up over the first seventh, and another down."""
        rise = self.steps / 7
        if self.done < rise:
            share = 0.5 - 0.5 * np.cos(np.pi * self.done / rise)
            return float(self.recipe.rate * (0.04 + 0.96 * share))
        share = (self.done - rise) / max(1.0, self.steps - rise)
        return float(self.recipe.rate * (0.5 + 0.5 * np.cos(np.pi * min(1.0, share))))

    def step(self, grads: dict[str, Floats]) -> None:
        """One step downhill, of a gradient that is not too long."""
        pace = self.pace()
        self.done += 1
        size = float(np.sqrt(sum(float((g * g).sum()) for g in grads.values())))
        scale = np.float32(min(1.0, self.recipe.longest / max(size, 1e-9)))
        down = pace * (1 - 0.999**self.done) ** 0.5 / (1 - 0.9**self.done)
        for name in sorted(grads):
            gradient, mean, square = grads[name] * scale, self.means[name], self.squares[name]
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            self.weights[name] *= np.float32(1 - pace * self.recipe.decay)
            self.weights[name] -= np.float32(down) * mean / (np.sqrt(square) + np.float32(1e-8))


def fit_network(given: Sequence[Lesson], recipe: Recipe) -> dict[str, Floats]:
    """Weights fitted to lessons, rounded as they ship; without what only learning needs."""
    weights = drawn(recipe)
    random = np.random.default_rng(recipe.seed + 1)
    known = [each for each in given if each.scene.stretches and each.scene.words]
    starts = range(0, len(known), recipe.batch)
    adam = Adam(recipe, weights, steps=recipe.epochs * len(starts))
    for _ in range(recipe.epochs):
        order = random.permutation(len(known))
        for start in starts:
            tape = Tape(weights, random, recipe.dropped)
            some = [known[n] for n in order[start : start + recipe.batch]]
            outputs = read(tape, batch([each.given for each in some]))
            for node, gradient in zip(outputs, losses(some, *outputs), strict=True):
                node.add(gradient)
            tape.back()
            adam.step(tape.grads)
    return {
        name: weight.astype(np.float16).astype(np.float32)
        for name, weight in weights.items()
        if not name.startswith("standing")
    }


def fit_destinations(given: Sequence[Lesson]) -> Floats:
    """Where those go who depart or arrive: a choice among places, by gradient descent."""
    choices: list[list[tuple[Floats, int]]] = [[], []]
    for each in given:
        scene = each.scene
        places_now = [person.place for person in scene.people]
        for event in sorted(each.events, key=lambda event: event.stretches):
            who = event.who
            if event.kind > 2 or event.to not in (*scene.places, AWAY):
                continue
            at = next((n for n in event.stretches if roles(scene, scene.stretches[n])[who]),
                      event.stretches[-1])  # fmt: skip
            now, places_now[who] = places_now[who], event.to
            places = candidates(scene, kind=event.kind, at=at, now=now)
            rows = [features(scene, at=at, who=who, now=now, place=place) for place in places]
            right = places.index(event.to if event.to in places else AWAY)
            choices[event.kind - 1].append((np.array(rows), right))
    return np.array([_chosen(some) for some in choices], np.float32)


def _chosen(choices: Sequence[tuple[Floats, int]]) -> Floats:
    """Weights under which the right places are likely, and that are not large."""
    weights = np.zeros(FEATURES, np.float32)
    for _ in range(150):
        gradient = np.float32(0.01) * weights
        for rows, right in choices:
            scores = rows @ weights
            share = np.exp(scores - scores.max())
            share /= share.sum()
            share[right] -= 1
            gradient += share @ rows / len(choices)
        weights = weights - np.float32(0.5) * gradient
    return weights


def packed(
    given: Sequence[Lesson], *, seeds: Sequence[int] = SEEDS, recipe: Recipe = RECIPE
) -> bytes:
    """A model fitted on some lessons, as it ships."""
    arrays = {
        f"{number}.{name}": weight.astype(np.float16)
        for number, seed in enumerate(seeds)
        for name, weight in fit_network(given, replace(recipe, seed=seed)).items()
    }
    arrays["destinations."] = fit_destinations(given).astype(np.float16)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tagger.npz"
        save_arrays(path, **arrays)
        return path.read_bytes()


def fit(paths: Sequence[Path]) -> bytes:
    """What is shipped, fitted on all passages of some files; the same files, the same bytes."""
    return packed(lessons(paths, WordVectors()))


def tagged(given: Sequence[Lesson], model: Model) -> Read:
    """The signs of passages that are read already."""
    return [(each, *signs_of(each.scene, each.given, model)) for each in given]


def left_out(
    given: Sequence[Lesson],
    *,
    authors: Sequence[str] = (),
    seeds: Sequence[int] = SEEDS,
    say: Say = print,
) -> Read:
    """Every passage of some authors, or of all, tagged by a model that has not seen its author."""
    found: Read = []
    for author in authors or sorted({each.author for each in given}):
        rest = [each for each in given if each.author != author]
        model = load(BytesIO(packed(rest, seeds=seeds)))
        own = tagged([each for each in given if each.author == author], model)
        say(f"{author}  {figures(own, Thresholds(SURE, DOUBT, HUSH))}")
        found += own
    return found


def curve(read: Read) -> list[tuple[str, Figures]]:
    """Leak against miss as words are closed sooner or later; gone against stayed likewise."""
    return [
        *((f"hush {p:.2f}", figures(closing(read, p), Thresholds(SURE, DOUBT, p))) for p in CURVE),
        *((f"sure {p:.2f}", figures(read, Thresholds(p, min(p, DOUBT), HUSH))) for p in SURES),
    ]


def closing(read: Read, hush: float) -> Read:
    """The same hushes as they would be with another threshold."""
    return [
        (lesson, signs, [replace(h, to=tuple(w for w, p in enumerate(h.closed) if p < hush))
                         for h in hushes])
        for lesson, signs, hushes in read
    ]  # fmt: skip


def main() -> None:
    """The command."""
    raw = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--curve", action="store_true", help="leave one author out at a time")
    parser.add_argument("--author", action="append", default=[], help="only these, for --curve")
    chosen = parser.parse_args()
    given = lessons(chosen.files, WordVectors())
    if chosen.curve:
        read_ = left_out(given, authors=chosen.author)
        print(f"all  {figures(read_, Thresholds(SURE, DOUBT, HUSH))}")
        for name, found in curve(read_):
            print(f"{name}  {found}")
    if chosen.out:
        chosen.out.write_bytes(packed(given))


if __name__ == "__main__":
    main()
