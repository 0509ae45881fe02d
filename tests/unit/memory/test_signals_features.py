"""What is measured of a query and its candidates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from storykeeper.memory.items import Item
from storykeeper.memory.meaning import _before
from storykeeper.memory.signals import asks, learned
from storykeeper.memory.signals.features import (
    ABOUT,
    MOST_TELLING,
    NAMES,
    RISING,
    SHOWN_BESIDE,
    STEPS,
    Looked,
    above,
    gains,
    measured,
    rarity,
)
from storykeeper.memory.signals.pieces import (
    LENGTH,
    MOST_PIECES,
    Telling,
    best,
    equal,
    piece_weights,
    telling,
    whole_numbers,
    word_weights,
)
from storykeeper.memory.signals.query import MOST_TERMS, Question, named_in, read
from storykeeper.scoring.fusion import likenesses


def question(text: str, *speakers: str) -> Question:
    return read(text, speakers=speakers, visible=10, having=lambda terms: [1] * len(terms))


def looked(rows: int, *, terms: int = 1, session: int = 0) -> Looked:
    """Rows of one session, all candidates, nothing measured yet."""
    here = np.arange(rows)
    beside = np.stack([here + step for step in STEPS], axis=1)
    beside[(beside < 0) | (beside >= rows)] = -1
    return Looked(
        here, beside, np.zeros((rows, terms)), np.zeros(rows), np.full(rows, session),
        np.zeros(rows), np.zeros(rows, np.bool_), np.zeros(rows),
    )  # fmt: skip


def column(found: np.ndarray, name: str) -> list[float]:
    return found[:, NAMES.index(name)].tolist()


# ── the query ────────────────────────────────────────────────────────────────────────────────


def test_a_name_says_who_and_is_no_term():
    asked = question("When did Ana paint the boat?", "Ana", "Ben")
    assert asked.named == ("Ana",)
    assert asked.terms == ("paint", "boat")


def test_a_name_is_known_by_any_of_its_words():
    assert named_in(["what", "did", "kima", "want"], ["Lady Kima", "Scanlan"]) == ("Lady Kima",)
    assert named_in(["what", "did", "they", "want"], ["The", "Ana"]) == ()


def test_a_query_of_ten_thousand_words_keeps_the_rarest():
    text = " ".join(f"word{n}" for n in range(10_000))
    asked = read(
        text, speakers=(), visible=100, having=lambda ts: [0 if t == "word7" else 9 for t in ts]
    )
    assert len(asked.terms) == MOST_TERMS
    assert "word7" in asked.terms


def test_an_empty_query_has_no_terms():
    assert question("", "Ana").weighted == []


# ── questions ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Have you been there?", True),
        ("Where is it? I looked everywhere.", True),
        ("你吃了吗？", True),
        ("Why? " + "I walked on and said nothing more of it. " * 3, False),
        ("", False),
    ],
)
def test_what_ends_on_a_question_asks(text, is_one):
    assert asks(Item("m1", text, 1)) is is_one


# ── features ─────────────────────────────────────────────────────────────────────────────────


def test_every_feature_is_named_once_and_explained():
    assert len(set(NAMES)) == len(NAMES)
    assert set(ABOUT) == {*NAMES, SHOWN_BESIDE}
    assert set(NAMES) - {"asks"} == RISING


def test_a_neighbour_gains_only_what_it_adds():
    at = replace(looked(3, terms=2), impacts=np.array([[1.0, 0.5], [1.0, 0.0], [0.0, 0.2]]))
    own, before, after = gains(at.impacts, at, steps=(-1, 1))
    assert own.tolist() == [[1.0, 0.5], [1.0, 0.0], [0.0, 0.2]]
    assert before.tolist() == [[0.0, 0.0], [0.0, 0.5], [1.0, 0.0]]
    assert after.tolist() == [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]


def test_words_are_weighed():
    asked = question("lamp")
    at = replace(looked(3), impacts=np.array([[0.0], [2.0], [0.0]]))
    found = measured(asked, at)
    value = 2 * asked.weights[0]
    assert column(found, "words") == [0, pytest.approx(value), 0]
    assert column(found, "words_beside") == [pytest.approx(value), 0, pytest.approx(value)]


def test_words_two_lines_off_count_as_well():
    at = replace(looked(4), impacts=np.array([[0.0], [0.0], [2.0], [0.0]]))
    found = column(measured(question("lamp"), at), "words_beside")
    assert found == [pytest.approx(max(found)), pytest.approx(max(found)), 0, max(found)]


def test_no_neighbour_of_another_session():
    at = looked(3, terms=1)
    at = replace(at, beside=np.full((3, len(STEPS)), -1), impacts=np.array([[0.0], [1.0], [0.0]]))
    assert column(measured(question("lamp"), at), "words_beside") == [0, 0, 0]


def test_the_nearest_of_a_session():
    at = replace(looked(4), cosines=np.array([0.1, 0.9, 0.2, 0.3]), sessions=np.array([7, 7, 9, 9]))
    assert column(measured(question("lamp"), at), "meaning_session") == [0.9, 0.9, 0.3, 0.3]


def test_what_stands_out_in_meaning_counts_however_near_the_rest_is():
    far, near = np.array([0.1, 0.1, 0.1, 0.2]), np.array([0.7, 0.7, 0.7, 0.8])
    found = [
        column(measured(question("lamp"), replace(looked(4), cosines=each)), "meaning")
        for each in (far, near)
    ]
    assert found[0] == pytest.approx(found[1])
    assert found[0] == pytest.approx([0, 0, 0, 3**0.5])


@pytest.mark.parametrize("cosines", [[], [0.4], [0.4, 0.4, 0.4]])
def test_where_nothing_stands_out_nothing_counts(cosines):
    assert above(np.array(cosines)).tolist() == [0.0] * len(cosines)


def test_who_speaks_counts_as_much_as_it_tells():
    at = replace(looked(2, terms=0), named=np.array([0.7, 0.0]))
    assert column(measured(question("what did Ana do", "Ana", "Ben"), at), "speaker") == [0.7, 0]
    assert rarity(said=50, visible=101) == pytest.approx(np.log(2))
    assert rarity(said=1, visible=101) == MOST_TELLING
    assert rarity(said=7, visible=7) == 0


def test_an_answer_follows_a_question():
    at = replace(looked(2, terms=0), asks=np.array([True, False]))
    found = measured(question("when"), at)
    assert column(found, "asks") == [1, 0]
    assert column(found, "answers") == [0, 1]


def test_without_pieces_they_count_for_nothing():
    asked = question("lamp")
    assert column(measured(asked, looked(2)), "pieces") == [0, 0]
    at = replace(looked(2), likeness=np.array([[0.4, 0.8], [0.0, 0.0]]),
                 piece_weights=np.array([0.5, 0.5]))  # fmt: skip
    assert column(measured(asked, at), "pieces") == [pytest.approx(0.6), 0]
    assert column(measured(asked, at), "pieces_beside") == [0, pytest.approx(0.6)]


def test_nothing_to_judge():
    empty = looked(0)
    assert measured(question("lamp"), empty).shape == (0, len(NAMES))


# ── pieces ───────────────────────────────────────────────────────────────────────────────────


def test_telling_pieces_and_their_places():
    found = telling(["the", "lamp", "ana", "pottery", "!"],
                    cut=lambda w: 2 if w == "pottery" else 1, leave={"ana"})  # fmt: skip
    assert found.places == (1, 3, 4)
    assert found.words == ("lamp", "pottery", "pottery")
    assert found.parts == (1, 2, 2)


def test_of_a_long_text_the_rarest_words_stay_in_order():
    text = ["go"] * 100 + ["zyzzyva"] + ["go"] * 100
    found = telling(text, cut=lambda _: 1)
    assert len(found.places) == MOST_PIECES
    assert 100 in found.places
    assert list(found.places) == sorted(found.places)


def test_pieces_beyond_what_was_read_are_dropped():
    assert _before(Telling((0, 5), ("a", "b"), (1, 1)), 5) == Telling((0,), ("a",), (1,))


def test_weights_of_pieces_are_of_the_sum_one():
    found = telling(["lamp", "pottery"], cut=lambda w: 2 if w == "pottery" else 1)
    weights = piece_weights(found, {"lamp": 0.6, "potteri": 0.6}.__getitem__)
    assert weights.tolist() == pytest.approx([0.5, 0.25, 0.25])
    assert len(piece_weights(telling([], cut=len), lambda _: 1.0)) == 0
    assert piece_weights(found, lambda _: 0.0).tolist() == pytest.approx([0.5, 0.25, 0.25])


def of_length(*rows):
    return whole_numbers(np.array(rows, np.float32))


def test_pieces_are_of_one_length_but_for_rounding():
    chance = np.random.default_rng(4)
    rows = whole_numbers(chance.normal(size=(50, 64)).astype(np.float32)).astype(np.float64)
    assert np.abs(np.linalg.norm(rows, axis=1) - LENGTH).max() < 5
    assert whole_numbers(np.zeros((1, 64), np.float32)).tolist() == [[0] * 64]


def test_the_best_of_each_item():
    wide = [1.0] * 32  # so that no number is over half the length
    query = of_length([*wide, *[0.0] * 32], [*[0.0] * 32, *wide])
    items = of_length([*wide, *wide], [*wide, *[0.0] * 32], [*[-1.0] * 32, *[0.0] * 32])
    found = best(query, items, np.array([2, 0, 1]))
    assert found[0].tolist() == pytest.approx([1, 0.707], abs=0.02)
    assert found[1:].tolist() == [[0, 0], [0, 0]]
    assert best(query[:0], items, np.array([2, 0, 1])).shape == (3, 0)
    assert best(query, items[:0], np.array([0, 0])).tolist() == [[0, 0], [0, 0]]


def test_words_that_are_there_are_the_best_where_nothing_shows_its_pieces():
    assert equal(np.array([[0.0, 1.3], [0.2, 0.0]])).tolist() == [[0.4, 1.0], [1.0, 0.4]]
    assert word_weights([0.9, 0.1]).tolist() == pytest.approx([0.857, 0.143], abs=1e-3)
    assert len(word_weights([])) == 0


def test_zero_vectors_are_like_nothing():
    zeros = np.zeros((1, 2), np.int8)
    assert best(zeros, zeros, np.array([1])).tolist() == [[0]]


# ── the weights ──────────────────────────────────────────────────────────────────────────────


def test_the_shipped_weights_rise_where_they_should():
    weights = learned.shipped()
    assert tuple(weights.of) == NAMES
    assert all(weights.of[name] >= 0 for name in RISING)
    assert weights.of["words"] > 0 < weights.of["pieces"]


def test_more_of_what_speaks_for_an_item_never_lowers_its_likeness():
    weights = learned.shipped()
    base = np.full((1, len(NAMES)), 0.3)
    for name in sorted(RISING):
        more = base.copy()
        more[0, NAMES.index(name)] += 0.2
        assert likenesses(more, weights)[0] >= likenesses(base, weights)[0]


def test_weights_there_and_back():
    weights = learned.shipped()
    assert learned.decoded(learned.encoded(weights)) == weights


def test_weights_of_other_features_are_refused():
    with pytest.raises(ValueError, match="fit again"):
        learned.decoded(b'{"bias": 0, "weights": {"words": 1}}')
