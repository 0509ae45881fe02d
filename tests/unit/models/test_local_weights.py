"""The weights of the local model are those that we know, or they are not loaded."""

import hashlib

import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.models import local


def test_other_weights_in_the_package_are_refused(tmp_path, monkeypatch):
    (tmp_path / "weights_of_somebody").mkdir()
    file = tmp_path / "weights_of_somebody" / "tiny.gguf"
    file.write_bytes(b"GGUF and more")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(local, "WEIGHTS", "weights_of_somebody")
    with pytest.raises(ModelUnavailable, match=r"tiny\.gguf .* is not the model"):
        local.weights()
    monkeypatch.setattr(local, "DIGEST", hashlib.sha256(b"GGUF and more").hexdigest())
    assert local.weights() == file
    monkeypatch.setattr(local, "WEIGHTS", "nobody_has_this")
    with pytest.raises(ModelUnavailable, match="make local"):
        local.weights()
