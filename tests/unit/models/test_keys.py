"""Where a key comes from."""

import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.models.keys import API_KEY, api_key


def test_a_file_counts_before_the_variable_and_the_variable_before_its_file(tmp_path, monkeypatch):
    monkeypatch.delenv(API_KEY, raising=False)
    monkeypatch.delenv(f"{API_KEY}_FILE", raising=False)
    assert api_key() is None
    (tmp_path / "one").write_text(" k-1\n")
    (tmp_path / "two").write_text("k-2")
    monkeypatch.setenv(f"{API_KEY}_FILE", str(tmp_path / "two"))
    assert api_key() == "k-2"
    monkeypatch.setenv(API_KEY, "k-3")
    monkeypatch.setenv("MINE", "k-4")
    assert api_key() == "k-3"
    assert api_key(env="MINE") == "k-4"
    assert api_key(file=str(tmp_path / "one")) == "k-1"
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        api_key(file=str(tmp_path / "none"))
