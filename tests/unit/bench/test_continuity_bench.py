"""`bench continuity`: when a fact is in a text, what plain history has, and what is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from storykeeper.bench.continuity.baselines import plain, plain_summary, written
from storykeeper.bench.continuity.data import Needed, NoPlaythroughs, load, together
from storykeeper.bench.continuity.evaluation import BUDGETS, measure
from storykeeper.bench.registry import BENCHES, Setup
from storykeeper.context.parts import Part
from storykeeper.language.tokens import counter
from strategies.short_playthroughs import bells, needed, playthrough

COUNT = counter("o200k")
TOLD = bells(12)


@pytest.mark.parametrize(
    ("text", "words", "there"),
    [
        ("The brass keys turned.", ("brass", "key"), True),  # a simple ending
        ("BRASS and a KEY", ("brass", "key"), True),
        ("brassy keyhole", ("brass", "key"), False),  # whole words
        (f"brass {'x ' * 150} key", ("brass", "key"), True),
        (f"brass {'x ' * 250} key", ("brass", "key"), False),  # further apart than 400
        ("brass", ("brass", "key"), False),
    ],
)
def test_all_words_of_a_list_stand_near_each_other(text, words, there):
    assert together(text, words) is there


def test_one_list_is_enough():
    fact = Needed("x", 1, (("brass", "key"), ("iron", "ring")), (12,))
    assert fact.within("an iron ring")
    assert not fact.within("an iron key")


def test_plain_history_is_the_newest_whole_turns():
    text = plain(TOLD, tokens=500, count=COUNT)
    assert text.endswith(TOLD[-1].prose)
    assert written(TOLD[-2]) in text
    assert "bell 1." not in text
    assert COUNT(text) <= 500


def test_with_a_summary_something_of_every_part_is_there():
    text = plain_summary(TOLD, tokens=900, count=COUNT)
    assert COUNT(text) <= 900
    assert "rang 1 times" in text
    assert text.endswith(TOLD[-1].prose)


def test_data_that_is_not_there_is_said(tmp_path: Path):
    with pytest.raises(NoPlaythroughs, match="--data"):
        load(tmp_path)


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    facts = [
        needed("lately", 10, [["bell", "10"]], 12),
        needed("never", 1, [["purple", "elephant"]], 12),
    ]
    playthrough(data, TOLD, facts)
    return measure(Setup(say=lambda _: None, data=data, quick=True))


def test_what_is_there_counts_and_what_is_not_does_not(figures):
    ours = figures["storykeeper"]
    assert {ours["coverage"][str(b)] for b in BUDGETS} == {50.0}
    assert ours["by_age"]["3300"] == {"under_10": 100.0, "10_to_20": 0.0}
    assert sum(ours["by_source"]["3300"].values()) == 100.0
    assert figures["plain"]["coverage"]["3300"] == 50.0
    assert figures["plain_summary"]["coverage"]["16000"] == 50.0


def test_every_part_is_left_out_once(figures):
    assert set(figures["storykeeper"]["without"]) == set(Part)
    assert figures["storykeeper"]["playthroughs"]["mini"]["coverage"]["5000"] == 50.0


def test_it_can_be_asked_for_by_name():
    assert BENCHES["continuity"].module == "storykeeper.bench.continuity.evaluation"
