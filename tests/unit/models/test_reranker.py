"""The cross-encoder port on a real onnxruntime, with a model of a few hundred bytes."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from storykeeper import Memory
from storykeeper.errors import ModelUnavailable
from storykeeper.memory.evidence import evidence
from storykeeper.memory.library import Library
from storykeeper.models.reranker import CrossEncoder
from strategies.canon import base_of
from strategies.onnx_models import overlap_model

PASSAGES = ["the mill wheel turns", "a heron stands", "the mill"]


def sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


@pytest.mark.parametrize("outputs", [1, 2])
def test_it_reads_each_passage_with_the_query(tmp_path: Path, outputs: int):
    path = tmp_path / "overlap.onnx"
    path.write_bytes(overlap_model(outputs=outputs))
    found = CrossEncoder(path).relevance("the mill wheel", PASSAGES)
    # The mark that ends both is shared by all; then three, none and two pieces.
    assert found == pytest.approx([sigmoid(2), sigmoid(-1), sigmoid(1)])
    again = CrossEncoder(path).relevance("the mill wheel", PASSAGES * 20)
    assert again == pytest.approx(found * 20)


def test_what_is_no_cross_encoder_says_so(tmp_path: Path):
    with pytest.raises(ModelUnavailable, match=r"none\.onnx cannot be read"):
        CrossEncoder(tmp_path / "none.onnx")
    path = tmp_path / "bad.onnx"
    path.write_bytes(b"not a model")
    with pytest.raises(ModelUnavailable, match=r"bad\.onnx is no model"):
        CrossEncoder(path)


def test_it_decides_what_evidence_comes_first(tmp_path: Path):
    model = tmp_path / "overlap.onnx"
    model.write_bytes(overlap_model())
    text = "Wheel, wheel, wheel and wheel.\n\nWho keeps the mill wheel of oak in order."
    base = base_of(tmp_path / "b", {"mill.txt": text})
    with Memory.open(tmp_path / "l.db", embedder="none") as memory:
        library = Library(memory)
        library.fill(base)
        query = "who keeps the mill wheel in order"
        read = evidence(library, query, base.registry.stable, reranker=CrossEncoder(model))
    assert [each.id for each in read] == ["mill@1#2", "mill@1#1"]
    assert read[0].share == 1.0
