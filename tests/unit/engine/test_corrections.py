"""The past corrected, on record: edits and retractions, and what followed derived again."""

import pytest

from storykeeper.errors import NoSuchTurn, ReplayDiffers, UnknownAudience, UnknownPerson
from storykeeper.events.atoms import Source
from storykeeper.events.turns import TurnCommitted, TurnEdited, TurnRetracted
from storykeeper.world.snapshot import dump
from strategies.runs import EVENING, go, hashes, kept, records, tell, unkept
from strategies.worlds import READER


@pytest.fixture
def keeper(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        yield keeper


def test_an_edit_is_an_event(keeper):
    go(keeper, *EVENING, "I wait.")
    before, prose, done = records(keeper), keeper.history()[1].prose, deeds(keeper)
    correction = keeper.edit(1, "Mara says nothing.")
    assert records(keeper)[: len(before)] == before
    assert [r.of for r in records(keeper, TurnEdited)] == [1]
    assert deeds(keeper) == done  # what the players did is theirs, whatever was told of it
    again = {r.turn for r in correction.records if isinstance(r, TurnCommitted)}
    assert again == {1, *correction.changed}
    told = {h.turn: h.prose for h in keeper.history()}
    assert told[1] == "Mara says nothing." != prose
    assert "Mara says nothing." in keeper.window().text
    keeper.replay()


def deeds(keeper):
    return [
        (turn.turn, atom.what)
        for turn in keeper.history()
        for atom in turn.atoms
        if atom.source is Source.PLAYER
    ]


def test_what_was_told_elsewhere_is_not_derived_again():
    keeper = unkept()
    lines = ("I wait.", "I wait.", "I wait.")
    go(keeper)
    for line in lines:
        keeper.render(keeper.begin(line), "The rain goes on.")
    assert keeper.edit(1, "Nothing at all.").changed == ()
    keeper.replay()


def test_a_name_that_is_told_earlier_now_is_no_longer_told_later():
    keeper = unkept()
    keeper.render(keeper.opening(), "Rain.")
    for prose in ("Nobody is to be seen.", "Bob laughs."):
        keeper.render(keeper.begin("I wait."), prose)
    keeper.end_scene()
    assert first_heard(keeper) == {2}
    assert keeper.edit(1, "Bob and Eve laugh.").changed == (2,)
    assert first_heard(keeper) == {1}
    keeper.replay()


def first_heard(keeper):
    """The turns that are on record for having told of Bob first."""
    told = {r.turn: r.names.heard for r in records(keeper, TurnCommitted)}  # as it stands last
    return {turn for turn, names in told.items() if any("bob" in name for name in names)}


def test_what_a_later_turn_calls_by_the_edited_one_is_derived_again():
    keeper = unkept()
    go(keeper)
    told = ("A chipped cup stands on the table.", "Bob picks up the cup.", "Bob sits down.")
    for prose in told:
        keeper.render(keeper.begin("I wait."), prose)
    keeper.end_scene()
    first = [e.mentions[0].turn for e in keeper.entities() if "cup" in e.words]
    assert first == [1]
    correction = keeper.edit(1, "Nothing at all.")
    assert 2 in correction.changed
    assert [e.mentions[0].turn for e in keeper.entities() if "cup" in e.words] == [2]
    keeper.replay()


def test_what_was_said_in_prose_changes_with_it(keeper):
    go(keeper, EVENING[0])
    keeper.render(1, "“The key is lost,” says Mara.")
    go(keeper, "I wait.")
    said = [a for a in keeper.history()[1].atoms if "lost" in str(a)]
    assert len(said) == 2  # the words, and the piece of the prose
    keeper.edit(1, "She looks away.")
    assert not [a for a in keeper.history()[1].atoms if "lost" in str(a)]
    keeper.replay()


def test_a_retraction_takes_back_what_came_of_it():
    keeper = unkept()
    go(keeper, "I ask Bob about the key.", "I wait.")
    assert not keeper.knows("ann")["secret"].suspected
    correction = keeper.retract(1, why="no")
    assert keeper.knows("ann")["secret"].suspected
    assert [r.why for r in records(keeper, TurnRetracted)] == ["no"]
    assert [h.turn for h in keeper.history()] == [0]
    assert correction.changed == ()
    keeper.replay()


def test_what_followed_is_derived_again_and_named():
    keeper = unkept()
    go(keeper, "I ring the bell.", "I go to the cellar.", "I wait.")
    assert keeper.world().places["ann"] == "cellar"
    correction = keeper.retract(1)  # without the bell the hatch is shut
    assert keeper.world().places["ann"] == "hall"
    assert 2 in correction.changed
    again = {r.turn for r in correction.records if isinstance(r, TurnCommitted)}
    assert again == set(correction.changed)
    keeper.replay()
    go(keeper, "I ring the bell.", "I go to the cellar.")
    keeper.end_scene()
    assert keeper.world().places["ann"] == "cellar"
    keeper.replay()


def test_looking_back_sees_the_corrected_past():
    keeper = unkept()
    go(keeper, "I ring the bell.", "I go to the cellar.", "I wait.")
    assert keeper.world(at=2).places["ann"] == "cellar"
    assert keeper.world(at=1).places["ann"] == "hall"
    assert "rumour" in keeper.knows("ann", at=1)
    keeper.retract(1)
    assert keeper.world(at=2).places["ann"] == "hall"
    assert "rumour" not in keeper.knows("ann", at=2)


def test_looking_back_at_a_turn_that_is_decided_and_not_written():
    keeper = unkept()
    go(keeper, "I ring the bell.")
    keeper.begin("I wait.")
    assert "rumour" in keeper.knows("ann", at=1)
    assert dump(keeper.world(at=1)) == dump(keeper.world())


@pytest.mark.parametrize("at", [-1, 3, 99])
def test_looking_where_nothing_is_fact(at):
    keeper = unkept()
    go(keeper, "I wait.", "I wait.", "I wait.")
    with pytest.raises(NoSuchTurn, match="the last that is is 2"):
        keeper.world(at=at)


def test_correcting_with_a_line_under_way(keeper):
    go(keeper, *EVENING[:2])
    turn = keeper.begin(EVENING[2])
    keeper.edit(2, "Nothing at all.")
    with pytest.raises(NoSuchTurn, match="begun in another past"):
        tell(keeper, turn)
    tell(keeper, keeper.turn())
    assert keeper.replay().windows == 4


def test_correcting_what_was_shown_before_it_is_answered(keeper):
    turn = go(keeper, *EVENING[:2])
    keeper.edit(1, "Nothing at all.")
    keeper.render(turn, "Told again.")
    go(keeper, EVENING[2])
    keeper.replay()


@pytest.mark.parametrize("turn", [-1, 2, 9])
def test_only_what_is_fact_can_be_corrected(keeper, turn):
    go(keeper, *EVENING[:2])
    with pytest.raises(NoSuchTurn, match=f"turn {turn} is not a committed turn"):
        keeper.edit(turn, "Prose.")
    keeper.begin(EVENING[2])
    keeper.retract(1)
    with pytest.raises(NoSuchTurn, match="turn 1 is not a committed turn"):
        keeper.retract(1)


def test_corrections_come_back_from_the_file(tmp_path):
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        go(keeper, *EVENING)
        keeper.edit(1, "Edited.")
        keeper.retract(2)
        world, history = dump(keeper.world()), keeper.history()
        keeper.ledger.close()
        keeper._closed = True
    for _ in range(2):  # folded, and from the snapshot that closing leaves
        with kept(path) as keeper:
            if keeper.world().pending is not None:
                assert (dump(keeper.world()), keeper.history()) == (world, history)
            keeper.replay()


def test_erased_turns_keep_what_came_of_them():
    keeper = unkept()
    go(keeper, "I ring the bell.", "I go to the cellar.", "I wait.")
    keeper.ledger.erase(keeper.run, turn=2)
    keeper = type(keeper)(keeper.ledger, keeper.run, reader=READER)
    assert keeper.replay().erased > 0
    assert keeper.edit(1, "It rang.").changed == ()
    assert keeper.world().places["ann"] == "cellar"
    keeper.replay()


def test_the_first_turn_erased_leaves_a_run_that_replays():
    keeper = unkept()
    go(keeper, "I ring the bell.", "I wait.")
    keeper.ledger.erase(keeper.run, turn=0)
    keeper = type(keeper)(keeper.ledger, keeper.run, reader=READER)
    assert keeper.replay().erased > 0


def test_a_window_that_was_tampered_with_is_found(monkeypatch):
    keeper = unkept()
    go(keeper, "I wait.")
    monkeypatch.setattr("storykeeper.context.window.Window.digest", "0" * 64)
    with pytest.raises(ReplayDiffers, match="the window of turn 0"):
        keeper.replay()


def test_a_world_that_is_not_what_folding_gives():
    keeper = unkept()
    go(keeper, "I wait.")
    keeper._state.world = keeper.world(at=0)
    with pytest.raises(ReplayDiffers, match="another world"):
        keeper.replay()


def test_windows_of_past_turns_are_the_ones_shown(keeper):
    turns = [go(keeper, line) for line in EVENING]
    windows = dict(hashes(records(keeper)))
    for turn in turns:
        made = keeper.window_of(turn.number)
        assert made.text == turn.window.text
        assert made.digest == windows[turn.number]
    with pytest.raises(NoSuchTurn, match="no window for turn 9"):
        keeper.window_of(9)


def test_a_window_of_what_might_be_typed(keeper):
    go(keeper, *EVENING[:2])
    imagined = keeper.window(text=EVENING[2]).text
    assert keeper.world().pending.text == EVENING[1]
    assert keeper.window().text == keeper.window_of(2).text
    turn = keeper.begin(EVENING[2])
    assert turn.window.text == imagined
    assert keeper.window().text == imagined
    assert keeper.window("mara").audience == "mara"
    assert keeper.brief("mara", "a knock at the door").tokens <= 900


def test_nobody_of_that_name(keeper):
    with pytest.raises(UnknownAudience, match="ghost"):
        keeper.window("ghost")
    with pytest.raises(UnknownPerson, match="ghost"):
        keeper.knows("ghost")
    with pytest.raises(UnknownPerson, match="narrator"):
        keeper.knows("narrator")
