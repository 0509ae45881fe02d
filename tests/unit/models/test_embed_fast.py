"""The fast embedder against the package that its files come from."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders import fast
from storykeeper.models.embedders.fast import WordLlama

LINES = (
    "Mara took the chipped cup from the shelf.",
    "Where did Mara put the cup?",
    "The ship sank in the storm.",
    "Привет, мир",
    "雪が降っている 🙂",
    "lamp " * 9_000,
)
MODEL = WordLlama()


def test_as_the_package_embeds():
    program = (
        "import json, sys, pathlib, wordllama\n"
        "home = pathlib.Path(wordllama.__file__).parent\n"
        "model = wordllama.WordLlama.load(cache_dir=home, disable_download=True)\n"
        "print(json.dumps(model.embed(json.load(sys.stdin)).tolist()))"
    )
    made = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(LINES), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    theirs = np.array(json.loads(made.stdout))
    assert np.abs(MODEL.means(LINES) - theirs).max() < 1e-4
    assert MODEL.dims == theirs.shape[1]


def test_shape_and_company():
    made = MODEL.passages(LINES)
    assert made.shape == (len(LINES), 256)
    assert made.dtype == np.int8
    assert (MODEL.passages(LINES[::-1]) == made[::-1]).all()
    assert (MODEL.queries([LINES[1]]) == made[1]).all()
    assert MODEL.tiers == (128, 256)
    assert MODEL.passages([]).shape == (0, 256)


def test_a_question_finds_its_answer():
    made = MODEL.passages(LINES).astype(float)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    found = made @ made[1]
    assert found[0] > found[2] + 0.2


def test_odd_texts():
    made = MODEL.passages(["", " \n", "\ud800"])
    assert not made[:2].any()
    assert made[2].any()


def test_another_table_under_the_same_name_is_refused(monkeypatch, tmp_path):
    other = tmp_path / "weights"
    other.write_bytes(b"another table")
    monkeypatch.setattr(fast, "_file", lambda *_: other)
    with pytest.raises(ModelUnavailable, match="not the one that this version knows"):
        WordLlama().passages(["a"])


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(fast, "find_spec", lambda _: None)
    with pytest.raises(ModelUnavailable, match=r"pip install 'storykeeper\[fast\]'"):
        WordLlama().passages(["a"])
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ModelUnavailable, match="tokenizers is not installed"):
        WordLlama().passages(["a"])
