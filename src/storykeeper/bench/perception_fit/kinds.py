"""Fits and measures `language.piece_kinds`: what a piece without quotation marks is.

    python -m storykeeper.bench.perception_fit.kinds FILE.jsonl … [--out weights.npz]

The files are those of `data/perception`, one author each. Examples are the segments of the four
kinds, and each sentence of a segment that has several. Figures leave one author out at a time.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from storykeeper.language.coref.network import save_arrays
from storykeeper.language.piece_kinds.classifier import KINDS, PRIVATE_FROM
from storykeeper.language.piece_kinds.features import ROWS, Rows, Values, features
from storykeeper.language.shortening import sentences

DECAY = 0.7  # λ of the penalty λ/2·|W|²
STEPS = 100
LEAKS = (0.02, 0.05, 0.08, 0.10, 0.15, 0.20, 0.25, 0.30)  # of the curve
ALLOWED = 0.10  # of private pieces may be taken for outward ones

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_PERSONS = {"first": 1, "second": 2, "third": 3}
_MARKS = re.compile(r"[\"“”]")
_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]")


@dataclass(frozen=True, slots=True)
class Example:
    """A piece, what it is, and what is known around it."""

    author: str
    kind: int
    whole: bool  # a segment as it was labelled
    single: bool  # a sentence
    text: str
    before: str
    after: str
    person: int
    names_someone: bool

    def features(self) -> tuple[Rows, Values]:
        """What the classifier sees of it."""
        return features(
            self.text, before=self.before, after=self.after, person=self.person,
            names_someone=self.names_someone,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sparse:
    """Rows and values of many examples, end to end; `starts` says where each begins."""

    rows: Rows
    values: Floats
    starts: Rows

    @classmethod
    def of(cls, seen: Sequence[tuple[Rows, Values]]) -> Sparse:
        """Put end to end."""
        sizes = [len(rows) for rows, _ in seen]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        return cls(np.concatenate([r for r, _ in seen]), np.concatenate([v for _, v in seen]),
                   starts)  # fmt: skip

    def times(self, table: Floats) -> Floats:
        """X·W."""
        sums: Floats = np.add.reduceat(table[self.rows] * self.values[:, None], self.starts)
        return sums

    def back(self, errors: Floats, rows: int) -> Floats:
        """Xᵀ·E."""
        sizes = np.diff(np.append(self.starts, len(self.rows)))
        which = np.repeat(np.arange(len(self.starts)), sizes)
        columns = [np.bincount(self.rows, column[which] * self.values, rows) for column in errors.T]
        return np.stack(columns, axis=1)


def fit(paths: Sequence[Path]) -> bytes:
    """The weights for these files; the same files give the same bytes."""
    examples = [one for path in paths for one in read(path)]
    table, bias = learn([one.features() for one in examples], [one.kind for one in examples])
    with TemporaryDirectory() as folder:
        file = Path(folder) / "weights.npz"
        save_arrays(file, table=table.astype(np.float16), bias=bias.astype(np.float16))
        return file.read_bytes()


def read(path: Path) -> Iterator[Example]:
    """The examples of one author."""
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield from _examples(path.stem, json.loads(line))


def _examples(author: str, passage: dict[str, Any]) -> Iterator[Example]:
    segments = passage["segments"]
    person = _person(passage["style"], "".join(each["text"] for each in segments))
    names = _pattern([name for one in passage["cast"] for name in one["names"]])
    parts = [tuple(sentences(each["text"])) for each in segments]
    flat = ["", *(part for several in parts for part in several), ""]
    at = 1
    for segment, several in zip(segments, parts, strict=True):
        spans = [(segment["text"].strip(), at - 1, at + len(several))]
        if len(several) > 1:
            spans += [(part, at + i - 1, at + i + 1) for i, part in enumerate(several)]
        at += len(several)
        if segment["kind"] not in KINDS:
            continue
        kind = KINDS.index(segment["kind"])
        for i, (text, last, following) in enumerate(spans):
            if text and not _MARKS.search(text):
                yield Example(
                    author, kind, i == 0, i > 0 or len(several) < 2, text, flat[last],
                    flat[following], person, names.search(text) is not None,
                )  # fmt: skip


def _person(style: str, prose: str) -> int:
    """As the style says, or else as the narration has it."""
    named = next((number for word, number in _PERSONS.items() if f"{word} person" in style), 0)
    words = {word.lower() for word in re.findall(r"\w+", _QUOTED.sub(" ", prose))}
    return named or (2 if "you" in words else 1 if "i" in words else 3)


def _pattern(names: Sequence[str]) -> re.Pattern[str]:
    longest = sorted(names, key=len, reverse=True)
    return re.compile("|".join(rf"\b{re.escape(name)}\b" for name in longest) or r"(?!)")


# ── learning ─────────────────────────────────────────────────────────────────────────────────


def learn(seen: Sequence[tuple[Rows, Values]], kinds: Sequence[int]) -> tuple[Floats, Floats]:
    """The table and the bias, by accelerated gradient descent on the whole."""
    data = Sparse.of(seen)
    used, rows = np.unique(data.rows, return_inverse=True)
    data = Sparse(rows.astype(np.int64), data.values, data.starts)
    wanted = np.eye(len(KINDS))[np.asarray(kinds)]
    table = np.zeros((len(used) + 1, len(KINDS)))  # the last row is the bias
    ahead, pace = table, 1.0
    step = 1 / (0.5 * _steepest(data, len(used)) + DECAY)
    for _ in range(STEPS):
        errors = _chances(data.times(ahead[:-1]) + ahead[-1]) - wanted
        slope = np.vstack([data.back(errors, len(used)) + DECAY * ahead[:-1], errors.sum(0)])
        new = ahead - step * slope
        quicker = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
        ahead = new + (pace - 1) / quicker * (new - table)
        table, pace = new, quicker
    whole = np.zeros((ROWS, len(KINDS)))
    whole[used] = table[:-1]
    return whole, table[-1]


def _steepest(data: Sparse, rows: int) -> float:
    """The largest eigenvalue of XᵀX with a column of ones, from slightly above."""
    direction = np.ones((rows + 1, 1))
    largest = 1.0
    for _ in range(20):
        direction /= np.sqrt((direction**2).sum())
        there = data.times(direction[:-1]) + direction[-1]
        direction = np.vstack([data.back(there, rows), there.sum(0)])
        largest = float(np.sqrt((direction**2).sum()))
    return 1.05 * largest


def _chances(scores: Floats) -> Floats:
    chances: Floats = np.exp(scores - scores.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    return chances


# ── measuring ────────────────────────────────────────────────────────────────────────────────


def left_out(examples: Sequence[Example]) -> Floats:
    """For each example the chances by weights that were fitted without its author."""
    seen = [one.features() for one in examples]
    kinds = [one.kind for one in examples]
    chances = np.zeros((len(examples), len(KINDS)))
    for author in sorted({one.author for one in examples}):
        ours = [i for i, one in enumerate(examples) if one.author == author]
        others = [i for i, one in enumerate(examples) if one.author != author]
        table, bias = learn([seen[i] for i in others], [kinds[i] for i in others])
        table, bias = table.astype(np.float16), bias.astype(np.float16)
        scores = Sparse.of([seen[i] for i in ours]).times(table.astype(np.float64))
        chances[ours] = _chances(scores + bias.astype(np.float64))
    return chances


def threshold(score: Floats, private: Flags, leak: float) -> float:
    """The highest from which pieces are kept private so that no more than this share leaks."""
    ordered = np.sort(score[private])
    return float(ordered[int(leak * len(ordered))])


def area(score: Floats, private: Flags) -> float:
    """The chance that a private piece scores above an outward one."""
    outward = np.sort(score[~private])
    return float(np.searchsorted(outward, score[private]).mean() / len(outward))


@dataclass(frozen=True, slots=True)
class Figures:
    """Scores of pieces by weights that have not seen their authors."""

    score: Floats  # of being private
    kinds: Rows
    right: Flags  # the likeliest kind is the kind
    authors: npt.NDArray[np.str_]
    persons: Rows
    whole: Flags
    single: Flags

    @classmethod
    def of(cls, examples: Sequence[Example], chances: Floats) -> Figures:
        """Side by side."""
        kinds = np.array([one.kind for one in examples])
        return cls(
            chances[:, 2:].sum(1), kinds, chances.argmax(1) == kinds,
            np.array([one.author for one in examples]), np.array([one.person for one in examples]),
            np.array([one.whole for one in examples]), np.array([one.single for one in examples]),
        )  # fmt: skip

    @property
    def private(self) -> Flags:
        """Which are thoughts or asides."""
        return self.kinds >= 2

    def from_where(self, those: Flags, leak: float) -> float:
        """The threshold for these pieces."""
        return threshold(self.score[those], self.private[those], leak)

    def rates(self, those: Flags, at: float) -> str:
        """What leaks and what is missed of these pieces at a threshold."""
        hidden, open_ = self.score[those & self.private], self.score[those & ~self.private]
        return f"leak {(hidden < at).mean():.3f} miss {(open_ >= at).mean():.3f}"


def report(figures: Figures) -> Iterator[str]:
    """The figures, line by line."""
    for unit, those in (("segments", figures.whole), ("sentences", figures.single)):
        yield f"## {unit}: leak and miss (of actions, of descriptions) by threshold"
        for leak in LEAKS:
            at = figures.from_where(those, leak)
            kept = [
                (figures.score >= at)[those & (figures.kinds == kind)].mean() for kind in (0, 1)
            ]
            yield f"{at:.3f}: {figures.rates(those, at)} ({kept[0]:.3f}, {kept[1]:.3f})"
        yield f"## {unit} at {PRIVATE_FROM}; by author also at what the others would choose"
        yield _line("all", figures, those)
        for number in (1, 2, 3):
            yield _line(f"person {number}", figures, those & (figures.persons == number))
        for author in np.unique(figures.authors):
            ours = figures.authors == author
            nested = figures.from_where(those & ~ours, ALLOWED)
            line = _line(str(author), figures, those & ours)
            yield f"{line} | {nested:.3f}: {figures.rates(those & ours, nested)}"


def _line(name: str, figures: Figures, those: Flags) -> str:
    private = figures.private[those]
    return (
        f"{name:9} n {len(private):4} private {private.sum():4} "
        f"area {area(figures.score[those], private):.3f} "
        f"right kind {figures.right[those].mean():.3f} {figures.rates(those, PRIVATE_FROM)}"
    )


def main() -> None:
    """Print figures; write weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--no-figures", action="store_true")
    given = parser.parse_args()
    if not given.no_figures:
        examples = [one for path in given.files for one in read(path)]
        for line in report(Figures.of(examples, left_out(examples))):
            print(line)
    if given.out is not None:
        given.out.write_bytes(fit(given.files))


if __name__ == "__main__":
    main()
