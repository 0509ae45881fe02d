"""Fits `language.injection`: which sentences give orders to a model.

    python -m storykeeper.bench.injections.fitting [--data DIR] [--out weights.npz]

Every part of a harmless text is an example, and every sentence of our patterns. Classes weigh the
same, whatever their number. `--fit` of the benchmark fits without a group and measures it.
"""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from storykeeper.bench.injections import data
from storykeeper.bench.injections.data import Sample
from storykeeper.language.coref.network import save_arrays
from storykeeper.language.injection.detector import LEAST_FEATURES, SIZES, Detector, parts
from storykeeper.language.injection.features import NOTHING, ROWS, Read, read

DECAY = 3e-7  # λ of the penalty λ/2·|w|², beside the mean loss
STEPS = 150
PACE, MEAN, SPREAD = 0.15, 0.9, 0.99
BAD_SHARE = 0.3  # of the loss that attacks are, whatever their number
LEAST_SEEN = 3  # a feature seen less often is chance
MOST_STORIES = 60  # of SQuALITY

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Examples:
    """Parts of texts: the rows of their features end to end, and of which sample each is."""

    rows: npt.NDArray[np.int32]
    values: Floats
    of: npt.NDArray[np.int32]  # the example that each row is of
    bad: Floats
    weight: Floats
    groups: npt.NDArray[np.str_]

    def scores(self, table: Floats, bias: float) -> Floats:
        """X·w + b."""
        weights = table[self.rows] * self.values
        return np.bincount(self.of, weights, len(self.bad)).astype(float) + bias


def examples(samples: Iterable[Sample]) -> Examples:
    """All parts of harmless texts; of an attack its longest sentence."""
    rows: list[npt.NDArray[np.int32]] = []
    bad: list[bool] = []
    groups: list[str] = []
    for sample in samples:
        seen = read(sample.text)
        for at, end in _taken(seen, bad=sample.bad):
            found = seen.rows[at:end].ravel()
            rows.append(found[found != NOTHING].astype(np.int32))
            bad.append(sample.bad)
            groups.append(f"{sample.source} {sample.group}")
    sizes = np.array([len(each) for each in rows])
    value = 1 / np.sqrt(np.maximum(LEAST_FEATURES, sizes))
    is_bad = np.array(bad, float)
    shares = np.where(is_bad > 0, BAD_SHARE / is_bad.sum(), (1 - BAD_SHARE) / (1 - is_bad).sum())
    return Examples(
        np.concatenate(rows), np.repeat(value, sizes),
        np.repeat(np.arange(len(rows), dtype=np.int32), sizes), is_bad, shares, np.array(groups),
    )  # fmt: skip


def _taken(seen: Read, *, bad: bool) -> Iterable[tuple[int, int]]:
    if bad:
        first, end = max(seen.sentences, key=lambda each: each[1] - each[0])
        least = min(end - first, SIZES[0])
        return [(at, to) for at, to in parts(first, end) if to - at >= least]
    return [part for sentence in seen.sentences for part in parts(*sentence)]


def learn(seen: Examples, *, without: npt.NDArray[np.bool_] | None = None) -> tuple[Floats, float]:
    """Weights and bias, by Adam on the whole: rare features are learned as fast as common ones."""
    weight = seen.weight if without is None else np.where(without, 0.0, seen.weight)
    table = np.zeros(ROWS + 1)  # the last is the bias
    often = np.bincount(seen.rows, minlength=ROWS) >= LEAST_SEEN
    mean, spread = np.zeros_like(table), np.zeros_like(table)
    for step in range(1, STEPS + 1):
        chance = 1 / (1 + np.exp(-seen.scores(table[:-1], table[-1])))
        error = weight * (chance - seen.bad)
        slope = np.bincount(seen.rows, error[seen.of] * seen.values, ROWS)
        slope = np.where(often, slope + DECAY * table[:-1], 0.0)
        slope = np.append(slope, error.sum())
        mean += (1 - MEAN) * (slope - mean)
        spread += (1 - SPREAD) * (slope**2 - spread)
        fair = mean / (1 - MEAN**step) / (np.sqrt(spread / (1 - SPREAD**step)) + 1e-9)
        table -= PACE * (1 - step / STEPS) * fair
    return table[:-1], float(table[-1])


def detector(table: Floats, bias: float) -> Detector:
    """One with these weights, as they are shipped."""
    return Detector(io.BytesIO(written(table, bias)))


def written(table: Floats, bias: float) -> bytes:
    """The weights as a file; the same weights give the same bytes."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "weights.npz"
        save_arrays(file, table=table.astype(np.float16), bias=np.array([bias], np.float32))
        return file.read_bytes()


def samples(folder: Path) -> list[Sample]:
    """What may be learned from."""
    return [
        *data.ours(), *data.novels(folder), *data.tables(folder), *data.asked(folder),
        *data.narrated(folder),
        *data.old_stories(folder, most=MOST_STORIES),
    ]  # fmt: skip


def fit(texts: Sequence[Sample]) -> bytes:
    """The weights for these texts."""
    return written(*learn(examples(texts)))


def main() -> None:
    """Write weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("STORYKEEPER_DATA"))
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.write_bytes(fit(samples(Path(given.data))))


if __name__ == "__main__":
    main()
