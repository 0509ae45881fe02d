"""Folding: from nothing, on from a world, and with edits and retractions taken in."""

import pytest

from storykeeper.errors import LedgerDamaged
from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.story.adopt import adoption
from storykeeper.world.fold import Step, bundle, checkpoints, fold, fold_all, straightened
from strategies.records import KINDS
from strategies.worlds import atom, begun, house

ADOPTED = adoption(house())


def turn(number, *, act="wait", to="hall"):
    """Received, shown and committed, with one deed and one movement."""
    return [
        t.InputReceived(number, "ann", f"I {act}."),
        t.Rendered(number, 1, "Prose."),
        *committed(number, act=act, to=to),
    ]


def committed(number, *, act="wait", to="hall"):
    moved = atom(a.Moved(to), turn=number, number=2, actor="ann")
    return [
        t.TurnCommitted(number, 1),
        atom(a.ActionTaken(act), turn=number, actor="ann"),
        moved,
        ch.BeatTold(number, "hall-scene", act),
    ]


def test_a_run_begins_with_its_story():
    assert fold([t.RunBegun(0, "main"), ADOPTED]) == begun()
    assert fold([t.RunBegun(0, "main"), ADOPTED, *turn(1)]) == fold(turn(1), begun())


@pytest.mark.parametrize("records", [[], [t.RunBegun(0, "main")], turn(1), [*turn(1), ADOPTED]])
def test_a_run_without_a_story_is_damaged(records):
    with pytest.raises(LedgerDamaged, match="verify"):
        fold(records)


def test_records_without_an_edit_are_left_as_they_are():
    records = [ADOPTED, *turn(1), *turn(2)]
    assert straightened(records) is records


def test_what_ends_a_bundle_is_every_step_of_a_run_and_no_change():
    steps = {kind for kind in KINDS if kind.__module__ == t.__name__}
    assert set(Step.__args__) == steps


def test_a_bundle_is_the_commit_and_what_came_of_it():
    records = [*turn(1), *turn(2)]
    assert bundle(records, 2) == committed(1)


@pytest.mark.parametrize(
    "after",
    [t.Corrected(1, "secret", "no"), t.RunForked(1, "other", "main", 5), t.TextErased(1, 1, ()),
     t.Rendered(1, 2, "x"), t.InputReceived(1, "ann", "x")],
    ids=lambda r: type(r).__name__,
)  # fmt: skip
def test_a_step_of_the_same_turn_is_not_in_its_bundle(after):
    assert bundle([*committed(1), after], 0) == committed(1)


BEFORE = [ADOPTED, *turn(1, act="sing"), *turn(2, act="dance"), *turn(3, act="rest")]


def test_an_edited_turn_counts_once_in_its_first_place():
    fresh = committed(2, act="fall", to="cellar")
    records = [*BEFORE, t.TurnEdited(3, 2, "Other."), *fresh]
    as_if = [ADOPTED, *turn(1, act="sing"), *turn(2, act="fall", to="cellar"),
             *turn(3, act="rest")]  # fmt: skip
    assert [r for r in straightened(records) if not isinstance(r, t.TurnEdited)] == [
        r if not isinstance(r, t.InputReceived) or r.turn != 2 else turn(2, act="dance")[0]
        for r in as_if
    ]
    world = fold_all(records)
    assert world == fold(straightened(records))
    assert world.places["ann"] == "hall"  # the third turn comes after the second, as before
    assert set(world.told) == {f"hall-scene/{act}" for act in ("sing", "fall", "rest")}
    assert world.now == 3


def test_the_last_edit_of_a_turn_counts():
    records = [
        *BEFORE,
        t.TurnEdited(3, 2, "A."), *committed(2, act="fall"),
        t.TurnEdited(3, 2, "B."), *committed(2, act="rise"),
    ]  # fmt: skip
    told = fold_all(records).told
    assert "hall-scene/rise" in told
    assert "hall-scene/fall" not in told


def test_nothing_comes_of_a_retracted_turn_but_that_it_was_played():
    world = fold_all([*BEFORE, t.TurnRetracted(3, 2)])
    assert set(world.told) == {"hall-scene/sing", "hall-scene/rest"}
    assert world.now == 3
    assert world.pending is None
    assert world.answered is None


def test_a_retracted_turn_that_is_written_again_counts_again():
    world = fold_all([*BEFORE, t.TurnRetracted(3, 2), t.TurnEdited(3, 2, "C."), *committed(2)])
    assert set(world.told) == {"hall-scene/sing", "hall-scene/wait", "hall-scene/rest"}


def test_retracting_the_last_turn_leaves_the_world_before_it_but_for_the_clock():
    without = fold(BEFORE[:-3])  # its commit, and nothing that came of it
    assert fold_all([*BEFORE, t.TurnRetracted(3, 3)]) == without


def test_corrections_and_adoptions_stay_where_they_were_written():
    """A correction right behind the bundle of the turn that is edited is not taken out with it."""
    correction = t.Corrected(2, "secret", "no", "secret", ("bob",))
    newer = adoption(house(version="2"), turn=2)
    records = [ADOPTED, *turn(1), *turn(2), correction, newer, t.TurnEdited(2, 2, "x"),
               *committed(2, act="fall")]  # fmt: skip
    world = fold_all(records)
    assert "secret" not in world.known["bob"]
    assert world.plan.story.version == "2"
    assert "hall-scene/fall" in world.told


def test_a_turn_received_and_shown_after_an_edit_is_still_under_way():
    records = [*BEFORE, t.TurnEdited(3, 1, "x"), *committed(1, act="fall"),
               t.InputReceived(4, "ann", "I go."), t.Rendered(4, 1, "P.")]  # fmt: skip
    assert fold_all(records).pending.turn == 4


def test_checkpoints_are_the_worlds_after_each_turn():
    after = t.Corrected(2, "secret", "no", "secret", ("bob",))
    points = list(checkpoints([*BEFORE[:-6], after, *BEFORE[-6:]]))
    assert [turn for turn, _ in points] == [1, 2, 3]
    assert points[0][1] == fold(BEFORE[:7])
    assert points[1][1] == fold(BEFORE[:13])
    assert "secret" in points[1][1].known["bob"]  # the correction came after that turn
    assert "secret" not in points[2][1].known["bob"]
    assert list(checkpoints([ADOPTED])) == []


def test_checkpoints_take_in_edits():
    records = [*BEFORE, t.TurnEdited(3, 2, "x"), *committed(2, act="fall")]
    worlds = dict(checkpoints(records))
    assert set(worlds[2].told) == {"hall-scene/sing", "hall-scene/fall"}
    assert worlds[3] == fold_all(records)
