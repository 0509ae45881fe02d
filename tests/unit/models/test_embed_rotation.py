"""A turn that keeps cosines and sorts what it turns; how it is fitted, kept and shipped."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.models.embedders.corpora import NoData, sentences, texts
from storykeeper.models.embedders.rotation import directions, evened, main, save
from storykeeper.models.embedders.turning import Rotation, orthogonal, shipped

SEEDS = st.integers(0, 2**32 - 1)


def vectors(seed: int, *, count: int = 200, dims: int = 24):
    """Vectors that vary much in a few directions, which are no axes."""
    rng = np.random.default_rng(seed)
    turn, _ = np.linalg.qr(rng.standard_normal((dims, dims)))
    spread = rng.standard_normal((count, dims)) * 0.6 ** np.arange(dims)
    return (spread @ turn).astype(np.float32)


def cosines(rows):
    unit = rows.astype(float) / np.linalg.norm(rows.astype(float), axis=1, keepdims=True)
    return unit @ unit.T


@given(SEEDS)
def test_cosines_are_kept_and_the_front_says_the_most(seed):
    made = vectors(seed)
    turn = Rotation("x", directions(made).astype(np.float32))
    turned = turn.turned(made)
    assert np.abs(cosines(turned) - cosines(made)).max() < 1e-5
    unit = turned / np.linalg.norm(turned, axis=1, keepdims=True)
    variances = (unit**2).sum(axis=0)
    assert (np.diff(variances) <= 1e-3).all()
    # No other six axes hold more than the first six: so it is for any rotation, here the plain one.
    plain = (made / np.linalg.norm(made, axis=1, keepdims=True)) ** 2
    assert variances[:6].sum() >= np.sort(plain.sum(axis=0))[-6:].sum() - 1e-3


@given(SEEDS)
def test_mixing_within_tiers_keeps_their_cosines_and_evens_their_numbers(seed):
    made = vectors(seed)
    rows = directions(made)
    mixed = evened(rows, blocks=(8, 24))
    plain, even = made @ rows.T, made @ mixed.T
    for size in (8, 24):
        assert np.abs(cosines(plain[:, :size]) - cosines(even[:, :size])).max() < 1e-5
    assert np.abs(mixed @ mixed.T - np.eye(24)).max() < 1e-12
    assert np.abs(even).max(axis=1).mean() < np.abs(plain).max(axis=1).mean()


def test_tiers_that_cannot_be_mixed():
    with pytest.raises(AssertionError, match="no power of two"):
        evened(np.eye(24), blocks=(7, 24))


@given(SEEDS)
def test_what_half_floats_lose_is_made_good(seed):
    exact = directions(vectors(seed))
    rough = exact.astype(np.float16).astype(float)
    assert np.abs(rough @ rough.T - np.eye(24)).max() > 1e-6
    mended = orthogonal(rough)
    assert np.abs(mended @ mended.T - np.eye(24)).max() < 1e-12
    assert np.abs(mended - exact).max() < 2e-3


@given(SEEDS)
def test_a_vector_is_turned_as_if_it_were_alone(seed):
    made = vectors(seed, count=9)
    turn = Rotation("x", directions(made).astype(np.float32))
    together = turn.turned(made)
    assert all((turn.turned(made[i : i + 1]) == together[i]).all() for i in range(9))
    assert turn.turned(made[:0]).shape == (0, 24)
    assert not turn.turned(np.zeros((2, 24), np.float32)).any()


def test_signs_are_fixed():
    made = vectors(5)
    assert (directions(made) == directions(-made)).all()
    assert (directions(made)[np.arange(24), np.abs(directions(made)).argmax(axis=1)] > 0).all()


def test_what_is_shipped_is_orthogonal():
    turn = shipped("minilm")
    assert turn.rows.shape == (384, 384)
    assert turn.rows.dtype == np.float32
    exact = turn.rows.astype(float)
    assert np.abs(exact @ exact.T - np.eye(384)).max() < 1e-6
    assert shipped("minilm") is turn


def data(folder):
    """A little of each source, in words of our own."""
    novels = folder / "litbank" / "coref" / "tsv"
    episodes = folder / "crd3" / "episodes"
    stories = folder / "squality"
    for made in (novels, episodes, stories):
        made.mkdir(parents=True)
    (novels / "b.txt").write_text("The lamp was out .\nNobody came .\n\n", "utf-8")
    (novels / "a.txt").write_text("It snowed .\n", "utf-8")
    turn = {"NAMES": ["X"], "UTTERANCES": ["I open", "the door."], "NUMBER": 0}
    (episodes / "e.json").write_text(json.dumps({"METADATA": {}, "TURNS": [turn, turn]}), "utf-8")
    line = json.dumps({"document": "He ran.\n“Stop!” she cried. Then  silence.", "questions": []})
    (stories / "s.jsonl").write_text(f"{line}\n", "utf-8")
    return folder


def test_texts_to_fit_on(tmp_path):
    assert texts(data(tmp_path)) == [
        "It snowed .", "The lamp was out .", "Nobody came .", "I open the door.",
        "He ran.", "“Stop!”", "she cried.", "Then silence.",
    ]  # fmt: skip
    assert sentences("") == []


def test_no_texts_to_fit_on(tmp_path):
    with pytest.raises(NoData, match="litbank, crd3 or squality"):
        main(["--data", str(tmp_path)])


def test_the_fitting_command(tmp_path, capsys):
    out = tmp_path / "made.npy"
    main(["--data", str(data(tmp_path)), "--out", str(out)])
    first = out.read_bytes()
    assert "8 of 8 texts" in capsys.readouterr().out
    made = np.load(out)
    assert made.shape == (384, 384)
    assert made.dtype == np.float16
    save(made.astype(float), out)
    assert out.read_bytes() == first


def test_the_bytes_of_a_turn_do_not_depend_on_threads():
    program = (
        "import numpy as np, sys\n"
        "from storykeeper.models.embedders.turning import shipped\n"
        "v = np.random.default_rng(1).standard_normal((7, 384)).astype(np.float32)\n"
        "sys.stdout.write(shipped('minilm').turned(v).tobytes().hex())"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
            env={"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads},
        ).stdout
        for threads in ("1", "2")
    }  # fmt: skip
    assert len(made) == 1
