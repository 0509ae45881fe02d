"""Whether a summary still says what its sources said, in the space that searches use.

A decoder's own confidence says that it likes its sentence; these say that the sentence lies where
the sources lie. Neither can see a lost "not": that is the fact check's work (memory/compaction).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, fsum, hypot
from typing import TYPE_CHECKING

from storykeeper.scoring.hybrid import unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Vector = Sequence[float]
GATE = 0.65  # τ
EMBEDDING_SHARE = 0.8  # λ


class Method(StrEnum):
    """How a summary was made."""

    EXTRACTIVE = "extractive"  # sentences of the sources, word for word
    ABSTRACTIVE = "abstractive"  # a model's words, which passed the gate and the fact check
    TRIVIAL = "trivial"  # of a single source


def cosine(a: Vector, b: Vector) -> float:
    """cos(a, b), in [−1, 1].   F6.2: 0 where one of them is 0."""
    lengths = hypot(*a), hypot(*b)
    if not all(lengths):
        return 0.0
    dot = fsum((x / lengths[0]) * (y / lengths[1]) for x, y in zip(a, b, strict=True))
    return max(-1.0, min(1.0, dot))


def centroid(vectors: Sequence[Vector]) -> list[float]:
    """μ = Σ v/n.   F6.2."""
    return [fsum(column) / len(vectors) for column in zip(*vectors, strict=True)]


@dataclass(frozen=True, slots=True)
class Preservation:
    """How near a summary lies to its sources: to their middle, and to each."""

    align: float  # Q_align = cos(v_s, μ)
    cover: float  # Q_cover = Σ max(0, cos(v_s, v_i))/n

    @property
    def confidence(self) -> float:
        """clamp((Q_align + Q_cover)/2, 0, 1).   F6.2."""
        return unit((self.align + self.cover) / 2)

    def passes(self, threshold: float = GATE) -> bool:
        """Q_align ≥ τ.   F6.3: what an abstractive summary must reach."""
        return self.align >= threshold


def preservation(summary: Vector, sources: Sequence[Vector]) -> Preservation:
    """Q_align and Q_cover of a summary.   F6.2: both 0 without sources."""
    if not sources:
        return Preservation(0.0, 0.0)
    cover = fsum(max(0.0, cosine(summary, source)) for source in sources) / len(sources)
    return Preservation(cosine(summary, centroid(sources)), min(1.0, cover))


def preservation_of(summary: Floats, sources: Floats) -> Preservation:
    """The same from arrays.   F6.2."""
    import numpy as np

    if not len(sources):
        return Preservation(0.0, 0.0)
    own = _directions(summary[None, :])[0]
    middle = _directions(np.asarray(sources, dtype=np.float64).mean(axis=0)[None, :])[0]
    cover = np.clip(_directions(sources) @ own, 0.0, 1.0).mean()
    return Preservation(float(np.clip(own @ middle, -1.0, 1.0)), float(cover))


def _directions(vectors: Floats) -> Floats:
    import numpy as np

    vectors = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0))


def decoder_confidence(log_probabilities: Sequence[float]) -> float:
    """exp(Σ log p/m).   F6.4: how sure a decoder was of its words; 0 where it said none."""
    if not log_probabilities:
        return 0.0
    return unit(exp(min(0.0, fsum(log_probabilities) / len(log_probabilities))))


def confidence(
    embedding: float, *, decoder: float | None = None, share: float = EMBEDDING_SHARE
) -> float:
    """λ·conf_embedding + (1 − λ)·conf_decoder.   F6.4: the embedding's alone without a decoder.

    Without one means: an extractive or trivial summary, or a model that gives no probabilities.
    """
    if decoder is None:
        return unit(embedding)
    return unit(share * unit(embedding) + (1 - share) * unit(decoder))


def decay_rate(confidence: float) -> float:
    """1 − confidence.   F6.5: what Q (F5.4) takes off a summary's score."""
    return 1 - confidence
