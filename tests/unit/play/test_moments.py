"""Any moment of a run is what folding from zero gives, and any window the one that was shown."""

from __future__ import annotations

import pytest

from storykeeper.errors import NoSuchTurn
from storykeeper.play import moments as moments_module
from storykeeper.play.moments import Moments
from strategies.runs import EVENING, go, kept, script
from strategies.worlds import READER

LINES = script("two-keepers")[:9]
PEOPLE = ("narrator", "mara", "coyle")


def of(keeper) -> Moments:
    made = Moments(READER)
    made.take([entry.record for entry in keeper.ledger.read(keeper.run)])
    return made


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    with kept(tmp_path_factory.mktemp("run") / "run.db") as keeper:
        go(keeper, *LINES)
        yield keeper


def test_every_world_is_the_one_that_folding_gives(played):
    made = of(played)
    assert made.last == len(LINES) - 1
    for turn in range(len(LINES)):
        assert made.world(turn) == played.world(at=turn), turn
        assert made.presence(turn, "mara") == played.presence("mara", at=turn), turn


def test_every_window_is_the_one_that_was_shown(played):
    made = of(played)
    for turn in (0, 1, 4, 8, len(LINES)):
        for who in PEOPLE:
            assert made.window(turn, who).text == played.window_of(turn, who).text, (turn, who)
        recorded = played.window_of(turn)
        assert made.window(turn, "narrator").receipt_digest == recorded.receipt_digest


def test_a_window_of_another_size_is_smaller(played):
    small = of(played).window(8, "narrator", tokens=900)
    assert small.tokens <= 900 < of(played).window(8, "narrator").tokens


def test_taken_in_bit_by_bit_it_is_the_same(played):
    records = [entry.record for entry in played.ledger.read(played.run)]
    whole, parts = of(played), Moments(READER)
    ends = [i for i, r in enumerate(records) if type(r).__name__ == "InputReceived"]
    for start, end in zip((0, *ends), (*ends, len(records)), strict=True):
        parts.take(records[start:end])
    for turn in range(len(LINES)):
        assert parts.world(turn) == whole.world(turn)
    assert parts.line.stood == whole.line.stood
    assert parts.window(8, "mara").text == whole.window(8, "mara").text


def test_corrections_are_taken_in_and_windows_are_of_their_day(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        go(keeper, *EVENING, "I wait.", "I look at the plate.")
        before = keeper.window_of(4).text
        keeper.edit(1, "You walk to Harrow in the rain, and nobody is at the door.")
        keeper.retract(3)
        go(keeper, "I sit down.", "I wait.")
        made = of(keeper)
        last = int(keeper.world().now)
        for turn in range(last + 1):
            assert made.world(turn) == keeper.world(at=turn), turn
        for turn in range(last + 2):
            assert made.window(turn, "narrator").text == keeper.window_of(turn).text, turn
        assert made.window(4, "narrator").text == before
        assert made.edited == {1: "You walk to Harrow in the rain, and nobody is at the door."}
        assert made.gone == {3}


def test_what_is_not_fact_is_refused(played):
    made = of(played)
    with pytest.raises(NoSuchTurn, match="not fact"):
        made.world(len(LINES) + 3)
    with pytest.raises(NoSuchTurn):
        made.window(len(LINES) + 9, "narrator")
    assert Moments(READER).last is None


def test_however_seldom_moments_are_put_aside(played, monkeypatch):
    usual = [of(played).world(turn) for turn in range(len(LINES))]
    monkeypatch.setattr(moments_module, "EVERY", 1_000)
    seldom = of(played)
    assert [seldom.world(turn) for turn in range(len(LINES))] == usual
