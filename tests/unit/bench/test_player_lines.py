"""How lines are held against what they are labelled to do."""

from pathlib import Path

from storykeeper.bench.continuity.data import load
from storykeeper.bench.continuity.player_lines import compared, done, labelled

DATA = Path(__file__).parents[2] / "data"


def test_what_is_missed_and_what_is_false_are_counted():
    labels = {("p", 1): frozenset({"ask bo", "tell bo"}), ("p", 3): frozenset({"ask cy"})}
    bo, cy, none = frozenset({"ask bo"}), frozenset({"ask cy"}), frozenset()
    found = {("p", 1): (bo, frozenset({"ask bo", "tell bo"})), ("p", 2): (bo, none),
             ("p", 3): (cy, none), ("p", 4): (cy, cy), ("p", 5): (none, none)}  # fmt: skip
    wanted = {"matched": 66.7, "false": 40.0, "acts": 3, "lines": 5, "awaited": 2,
              "awaited_matched": 50.0, "awaited_false": 20.0}  # fmt: skip
    assert compared(found, labels) == wanted


def test_every_label_is_of_a_turn_that_there_is():
    ours = {p.name: {turn.number for turn in p.turns} for p in load(DATA)}
    for name, turn in labelled(DATA / "player_lines.jsonl"):
        assert name not in ours or turn in ours[name]


def test_a_playthrough_is_played():
    (halyard,) = (p for p in load(DATA) if p.name == "halyard")
    assert set(done(halyard, most=2)) == {1, 2}
