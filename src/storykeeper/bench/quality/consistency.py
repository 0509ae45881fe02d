"""Persona consistency: how near what somebody gives as reasons is to what they believe.

    raw(a)   = max over sentences s of the reasons, beliefs b:  cos(s, b)
    score(a) = 0 at c₀, .75 at c₁, 1 from c₂ on, straight lines between           F9.2

Raw cosine rewards parroting: a paraphrase of a belief is .5, the belief word for word 1. So the
scale is set by paraphrases: c₀ is what 95 % of unrelated pairs stay below, c₁ and c₂ what three
quarters and a half of independent paraphrases reach (`paraphrases.txt`, by the embedder in use). A
sentence that contradicts a belief counts as none. Of an actor without beliefs there is no figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Protocol

import numpy as np
import numpy.typing as npt

from storykeeper.language.shortening import sentences
from storykeeper.play.contradiction import contradictions

UNRELATED, QUARTER, HALF = 0.95, 0.25, 0.50
AT_A_QUARTER = 0.75
OWN = "always"  # how somebody came by a belief that is of their card

Floats = npt.NDArray[np.float32]


class Reads(Protocol):
    """What turns texts into vectors."""

    def means(self, texts: Sequence[str]) -> Floats:
        """A row a text."""
        ...


@dataclass(frozen=True, slots=True)
class Scale:
    """Where cosines stand between unrelated texts and paraphrases."""

    unrelated: float  # c₀
    quarter: float  # c₁
    half: float  # c₂

    def __call__(self, cosine: float) -> float:
        """0 at c₀, .75 at c₁, 1 from c₂ on.   F9.2"""
        points = (self.unrelated, self.quarter, self.half)
        return float(np.interp(cosine, points, (0.0, AT_A_QUARTER, 1.0)))


class Consistency:
    """Scores reasons against beliefs; vectors are kept."""

    def __init__(self, reader: Reads) -> None:
        self._reader = reader
        self._kept: dict[str, Floats] = {}
        self.scale = self._scaled(pairs())

    def raw(self, reasons: str, beliefs: Sequence[str]) -> float:
        """The largest cosine of a sentence and a belief that it does not contradict."""
        said = [each for each in sentences(reasons) if each.strip()]
        allowed = [(s, b) for s in said for b in beliefs if not any(contradictions(s, b))]
        self._read([text for pair in allowed for text in pair])
        return max((float(self._kept[s] @ self._kept[b]) for s, b in allowed), default=0.0)

    def score(self, reasons: str, beliefs: Sequence[str]) -> float:
        """On the scale."""
        return self.scale(self.raw(reasons, beliefs))

    def _read(self, texts: Sequence[str]) -> None:
        fresh = list(dict.fromkeys(text for text in texts if text not in self._kept))
        if fresh:
            rows = self._reader.means(fresh)
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            self._kept.update(zip(fresh, rows / np.maximum(lengths, 1e-8), strict=True))

    def _scaled(self, known: Sequence[tuple[str, str]]) -> Scale:
        self._read([text for pair in known for text in pair])
        first = np.stack([self._kept[one] for one, _ in known])
        other = np.stack([self._kept[another] for _, another in known])
        every = first @ other.T
        same = np.diag(every)
        others = every[~np.eye(len(known), dtype=bool)]
        low = float(np.quantile(others, UNRELATED))
        quarter = max(float(np.quantile(same, QUARTER)), low + 1e-3)
        return Scale(low, quarter, max(float(np.quantile(same, HALF)), quarter + 1e-3))


@lru_cache(maxsize=1)
def pairs() -> tuple[tuple[str, str], ...]:
    """Beliefs, and the same said independently."""
    text = files(__package__).joinpath("paraphrases.txt").read_text("utf-8")
    lines = (line.split(" | ") for line in text.splitlines() if " | " in line)
    return tuple((one.strip(), other.strip()) for one, other in lines)
