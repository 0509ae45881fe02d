"""How many rows a tier must keep, and when it is enough: measured on real text.

    python -m storykeeper.memory.index.calibration --data DIR

embeds sentences of LitBank, CRD3 and SQuALITY with the default embedder and writes `cascade.json`
beside this file. Some sentences are queries, the others rows; larger sets are sentences mixed in
pairs, (1 − a)·u + a·v with a in [0, .6), because there are not enough real ones. For every true
neighbour among the ten nearest its rank by each prefix is taken. What a tier hands on or rescores
is N = c·n^p: p from the quantiles of those ranks in sets of real sentences alone (mixtures are
easier the more there are of them), c so that no set is short; θ is the least at which the queries
that would end the search had found nearly all of their ten.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from storykeeper.memory.index.cascade import PER_WANTED, Cascade, Tier
from storykeeper.memory.index.segments import inverse_norms
from storykeeper.memory.index.values import Floats, Int8, Shape

TIERS = (128,)  # the default embedder's, its whole vectors apart
K = 10
QUERIES = 400
SENTENCES = 24_000  # all cosines of all sets are held at once: some 700 MB
SIZES = (3_000, 6_000, 12_000, 100_000)
SCAN_ALL = 8_192
KEPT = 0.997  # share of true neighbours that the first tier must hand on
RESCORED = (0.9, 0.997)  # and that each tier is to rescore
EXITS = 0.997  # share found by the queries that end a search at a tier
NEVER = 2.0  # no difference of cosines is larger

Ranks = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One set of rows, asked."""

    rows: int
    real: bool  # sentences as they were written, not mixtures
    full: Floats  # queries × rows: full cosines
    prefix: tuple[Floats, ...]  # the same by each tier
    nearest: Ranks  # queries × K

    def ranks(self, tier: int) -> Ranks:
        """Where the true neighbours stand by this tier, from 0."""
        scores = self.prefix[tier]
        theirs = np.take_along_axis(scores, self.nearest, axis=1)
        return np.stack([(scores > each[:, None]).sum(axis=1) for each in theirs.T], axis=1)


def mixed(vectors: Int8, count: int, *, seed: int) -> Int8:
    """Sentences mixed in pairs, as many as wanted."""
    chance = np.random.default_rng(seed)
    made = np.empty((count, vectors.shape[1]), np.int8)
    for start in range(0, count, 10_000):
        end = min(start + 10_000, count)
        one, other = chance.integers(0, len(vectors), (2, end - start))
        share = chance.uniform(0, 0.6, (end - start, 1)).astype(np.float32)
        both = (1 - share) * _unit(vectors[one]) + share * _unit(vectors[other])
        largest = np.abs(both).max(axis=1, keepdims=True)
        made[start:end] = np.rint(127 * both / np.maximum(largest, 1e-12)).astype(np.int8)
    return made


def sample(queries: Int8, rows: Int8, tiers: tuple[int, ...], *, real: bool) -> Sample:
    """Every query against every row."""
    shape = Shape("", rows.shape[1], tiers)
    wanted, norms = inverse_norms(queries, shape), inverse_norms(rows, shape)
    asked, held = queries.astype(np.float32), rows.astype(np.float32)
    found = [
        (asked[:, :end] @ held[:, :end].T) * one[:, None] * other
        for end, one, other in zip((*tiers, shape.dims), wanted, norms, strict=True)
    ]
    nearest = np.argsort(-found[-1], axis=1, kind="stable")[:, :K]
    return Sample(len(rows), real, found[-1], tuple(found[:-1]), nearest)


def calibrated(vectors: Int8, tiers: tuple[int, ...], sizes: Sequence[int] = SIZES) -> Cascade:
    """The numbers of a cascade for vectors like these."""
    samples = list(samples_of(vectors, tiers, sizes))
    keep = _power(samples, tier=0, share=KEPT)
    chosen = []
    for tier, wanted in enumerate(RESCORED[: len(tiers)]):
        share, power = _power(samples, tier=tier, share=wanted)
        chosen.append(Tier(share, power, _margin(samples, tier, share=share, power=power)))
    return Cascade(SCAN_ALL, *keep, chosen)


def samples_of(vectors: Int8, tiers: tuple[int, ...], sizes: Sequence[int]) -> Iterator[Sample]:
    """Real sentences as far as they go, then mixtures."""
    order = np.random.default_rng(1).permutation(len(vectors))
    queries, rest = vectors[order[:QUERIES]], vectors[order[QUERIES:]]
    for size in sorted({*sizes, len(rest)}):
        rows = rest[:size] if size <= len(rest) else mixed(rest, size, seed=size)
        for start in range(0, QUERIES, 50):  # few at once: queries × rows × tiers are large
            yield sample(queries[start : start + 50], rows, tiers, real=size <= len(rest))


def _power(samples: Sequence[Sample], *, tier: int, share: float) -> tuple[float, float]:
    """c and p of c·n^p: the slope of the quantiles of real sets, raised until no set is short."""
    sizes = sorted({each.rows for each in samples})
    real = [each in {s.rows for s in samples if s.real} for each in sizes]
    ranks = [[each.ranks(tier).ravel() for each in samples if each.rows == s] for s in sizes]
    counts = [np.quantile(np.concatenate(some), share) + 1 for some in ranks]
    x, y = np.log(sizes), np.log(counts)
    power = float(np.clip(np.polyfit(x[real], y[real], 1)[0], 0.0, 1.0))
    return round(float(np.exp((y - power * x).max())), 4), round(power, 4)


def _margin(samples: Sequence[Sample], tier: int, *, share: float, power: float) -> float:
    """The least θ at which those that pass found their ten."""
    gaps: list[float] = []
    found: list[float] = []
    for each in samples:
        count = max(int(share * each.rows**power), PER_WANTED * K)
        scores = each.prefix[tier]
        cut = np.partition(scores, -count, axis=1)[:, -count]
        full = np.where(scores >= cut[:, None], each.full, -1.0)
        kth = np.partition(full, -K, axis=1)[:, -K]
        gaps.extend(kth - cut)
        found.extend(np.take_along_axis(scores, each.nearest, 1).__ge__(cut[:, None]).mean(axis=1))
    order = np.argsort(-np.array(gaps))
    passing = np.cumsum(np.array(found)[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(passing >= EXITS)
    return round(float(gaps[order[good[-1]]]), 4) if len(good) else NEVER


def _unit(vectors: Int8) -> Floats:
    real = vectors.astype(np.float32)
    return np.asarray(real / np.maximum(np.linalg.norm(real, axis=1, keepdims=True), 1e-6))


def main(arguments: Sequence[str] | None = None) -> None:
    """Calibrate the default embedder's cascade."""
    parser = argparse.ArgumentParser(prog="python -m storykeeper.memory.index.calibration")
    parser.add_argument("--data", type=Path, help="litbank, crd3, squality")
    parser.add_argument("--vectors", type=Path, help="int8 .npy made by an earlier run")
    parser.add_argument("--save", type=Path, help="keep the vectors for another run")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("cascade.json"))
    chosen = parser.parse_args(arguments)
    if chosen.vectors is None and chosen.data is None:
        parser.error("one of --data and --vectors is needed")
    vectors = np.load(chosen.vectors) if chosen.vectors else _embedded(chosen.data)
    if chosen.save:
        np.save(chosen.save, vectors)
    made = calibrated(vectors, TIERS)
    chosen.out.write_bytes(msgspec.json.format(msgspec.json.encode(made)) + b"\n")
    sys.stdout.write(f"{len(vectors):,} sentences; wrote {chosen.out}\n")


def _embedded(data: Path) -> Int8:
    from storykeeper.models.embedders.corpora import texts
    from storykeeper.models.embedders.minilm import MiniLM

    found = [text for text in texts(data) if 4 <= len(text.split()) <= 80]
    wanted = min(SENTENCES, len(found))
    some = [found[len(found) * number // wanted] for number in range(wanted)]
    return MiniLM().passages(some)


if __name__ == "__main__":
    main()
