"""The list of odd inputs is what its head says; what the engine makes of them is tested apart."""

from __future__ import annotations

import pytest

from strategies.odd_inputs import ANYTHING, OddInput, _read, odd_inputs
from strategies.tables import table

ALL = odd_inputs()
every_one = table("odd", ALL)


def test_there_are_more_than_a_hundred_and_no_two_are_one():
    assert len(ALL) >= 100
    assert len({odd.id for odd in ALL}) == len(ALL)
    assert len({(odd.text, odd.by) for odd in ALL}) == len(ALL)


def test_about_thirty_say_what_must_still_be_found():
    assert sum(bool(odd.must) for odd in ALL) >= 30
    assert sum(odd.by == "player" for odd in ALL) >= 10


@every_one
def test_fields_are_of_their_kind(odd: OddInput):
    assert odd.by in {"prose", "player"}
    words = (*odd.must_not, *odd.must)
    assert all(isinstance(word, str) and word == word.lower() and word for word in words)
    assert not set(odd.must) & set(odd.must_not)
    assert odd.must or odd.must_not or odd.note, "says nothing"
    if ANYTHING in odd.must_not:
        assert odd.must_not == (ANYTHING,)
        assert not odd.must


@every_one
def test_what_must_be_found_stands_in_the_text(odd: OddInput):
    assert all(word in odd.text.lower() for word in odd.must)


def test_generators():
    assert _read({"id": "x", "repeat": {"text": "ab", "times": 3}}).text == "ababab"
    around = {"before": "<", "text": "-", "times": 2, "after": ">"}
    assert _read({"id": "x", "repeat": around}).text == "<-->"
    nested = {"open": "(", "inside": "a", "close": ")", "times": 2}
    assert _read({"id": "x", "nest": nested}).text == "((a))"


@pytest.mark.parametrize(
    "entry",
    [
        {"id": "x"},
        {"id": "x", "text": "a", "repeat": {"text": "a", "times": 2}},
        {"id": "x", "text": None},
        {"id": "x", "repeat": {"text": "a"}},
        {"id": "x", "text": "a", "mustnt": []},
    ],
)
def test_an_entry_that_cannot_be_read_is_refused(entry):
    with pytest.raises(ValueError, match=r"^x: "):
        _read(entry)
