"""Where sentences end is looked for once, also in nothing but stops."""

from __future__ import annotations

import pytest

from storykeeper.language.reading import Reading
from storykeeper.language.tagger.scene import _stretches
from storykeeper.play.unfolding import Unfolding
from storykeeper.staging.pieces import cut
from strategies.nasty import NASTY, repeated, too_much

pytestmark = pytest.mark.long  # it takes the time of the processor, which others share


@pytest.mark.parametrize("text", [repeated("?"), NASTY["stops"], repeated(".”")])
def test_ends(text):
    def cuts(prose: str) -> None:
        cut(Reading(prose), named=lambda _: False)
        list(_stretches(prose, ()))

    assert not too_much(cuts, text, small=2_000, large=12_000)


def test_where_sentences_end():
    prose = "Rain?! falls… “No.” He went...away. So."
    pieces = cut(Reading(prose), named=lambda _: False)
    assert [prose[p.start : p.end] for p in pieces] == [
        "Rain?! falls…", "“No.”", "He went...away.", "So.",
    ]  # fmt: skip
    assert [prose[s.start : s.end].strip() for s in _stretches(prose, ())] == [
        "Rain?!", "falls…", "“No.”", "He went...away.", "So.",
    ]  # fmt: skip


def test_atoms_are_not_gathered_again():
    assert not isinstance(vars(Unfolding).get("atoms"), property)
