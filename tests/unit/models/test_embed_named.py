"""Embedders by name."""

from __future__ import annotations

import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders import named
from storykeeper.models.embedders.endpoint import EmbeddingEndpoint
from storykeeper.models.embedders.fast import WordLlama
from storykeeper.models.embedders.minilm import MiniLM
from storykeeper.models.embedders.named import embedder


def test_names():
    assert isinstance(embedder(), MiniLM)
    assert isinstance(embedder("minilm"), MiniLM)
    assert isinstance(embedder("fast"), WordLlama)
    assert embedder("none") is None


def test_an_endpoint():
    made = embedder("http://127.0.0.1:1/v1", model="tiny", api_key="k-123")
    assert isinstance(made, EmbeddingEndpoint)
    assert (made.url, made.model, made.api_key) == ("http://127.0.0.1:1/v1", "tiny", "k-123")
    assert "k-123" not in repr(made)


@pytest.mark.parametrize(
    ("name", "model", "said"),
    [
        ("http://127.0.0.1:1/v1", None, "which model"),
        ("http://me:word@x/v1", "tiny", "may not hold a name"),
        ("MiniLM-L12", None, "use minilm, fast, none"),
        ("", None, "use minilm, fast, none"),
        ("minilm", "tiny", "has one model"),
    ],
)
def test_names_that_are_none(name, model, said):
    with pytest.raises(ModelUnavailable, match=said):
        embedder(name, model=model)


@pytest.mark.parametrize(
    ("name", "said"), [("minilm", "pip install 'storykeeper'"), ("fast", r"'storykeeper\[fast\]'")]
)
def test_what_is_not_installed_is_refused_at_once(name, said, monkeypatch):
    monkeypatch.setattr(named, "find_spec", lambda _: None)
    with pytest.raises(ModelUnavailable, match=said):
        embedder(name)
