"""A model of entailment: whether a claim contradicts a premise.

None comes with us. Whoever has one in ONNX names its file: a cross-encoder over BERT's uncased
pieces, as `models.reranker` takes them, that answers three numbers for a pair.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders.wordpiece import pieces
from storykeeper.models.reranker import QUERY_PIECES, PairReader

LABELS = ("contradiction", "entailment", "neutral")  # in which order a model answers


class Entailment(Protocol):
    """What reads a premise with a claim."""

    def contradiction(self, *, premise: str, claim: str) -> float:
        """How sure it is that the claim contradicts the premise, from 0 to 1."""
        ...


class OnnxEntailment:
    """A model of entailment in an ONNX file, on onnxruntime."""

    def __init__(self, path: str | Path, *, labels: tuple[str, ...] = LABELS) -> None:
        self._reader = PairReader(Path(path))
        if sorted(labels) != sorted(LABELS):
            raise ModelUnavailable(f"{path}: its labels are {', '.join(LABELS)}, in some order")
        self._at = labels.index("contradiction")

    def contradiction(self, *, premise: str, claim: str) -> float:
        """The softmax of three logits, the contradiction's."""
        import numpy as np

        pair = PairReader.pair(pieces(premise)[:QUERY_PIECES], pieces(claim))
        logits = self._reader.logits([pair]).reshape(-1)
        if logits.size != len(LABELS) or not np.isfinite(logits).all():
            raise ModelUnavailable(
                f"{self._reader.path.name} is no model of entailment: it answers {logits.size}"
                " numbers for a pair, not three"
            )
        chances = np.exp(logits - logits.max())
        return float(chances[self._at] / chances.sum())
