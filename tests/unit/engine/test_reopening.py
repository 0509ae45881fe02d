"""A run comes back as it was: closed, killed, broken off, read by another, forked, edited."""

import signal

import pytest
from msgspec import structs

from storykeeper import Storykeeper
from storykeeper.errors import (
    NoSuchTurn,
    NotALedger,
    RunNotFound,
    StoryNotFound,
    WrongExpectedVersion,
    WrongStory,
)
from storykeeper.events.turns import StoryAdopted, TurnCommitted
from storykeeper.play.narrate import offline
from storykeeper.units import MAIN
from storykeeper.world.snapshot import dump
from strategies.ledgers import sqlite_ledger
from strategies.runs import EVENING, go, hashes, kept, records, said, script, shown, tell
from strategies.sizes import first
from strategies.worlds import changed, example, house


def die(keeper):
    """What is left of a process that was killed: its file."""
    keeper.ledger.close()
    keeper._closed = True


def test_a_process_that_died_between_begin_and_render(tmp_path):
    path = tmp_path / "run.db"
    keeper = kept(path)
    go(keeper, *EVENING[:2])
    turn = keeper.begin(EVENING[2])
    world, history = dump(keeper.world()), keeper.history()
    die(keeper)
    keeper = kept(path)
    assert len(records(keeper, TurnCommitted)) == 2  # turn 2 is decided, and not written yet
    again = keeper.turn()
    assert again.window.text == turn.window.text
    assert dump(keeper.world()) == world
    assert keeper.history() == history
    keeper.render(3, offline(again.world, again.present, history))
    keeper.close()
    with kept(path) as keeper:
        assert [h.text for h in keeper.history()] == ["", *EVENING]
        keeper.replay()


def test_a_turn_begun_in_one_process_is_rendered_in_another(tmp_path):
    path = tmp_path / "run.db"
    keeper = kept(path, tokens=3_000)
    go(keeper, EVENING[0])
    turn = keeper.begin(EVENING[1])
    die(keeper)
    with kept(path) as keeper:  # with another budget
        keeper.render(turn, "Prose.")
        assert hashes(records(keeper))[-1] == (2, turn.window.digest)
        keeper.replay()


@pytest.mark.parametrize("name", first(1, ["dark", "lit"]))
def test_reopening_in_every_turn_changes_nothing(tmp_path, name):
    with kept(tmp_path / "straight.db") as keeper:
        go(keeper, *script(name))
        keeper.end_scene()
        straight, windows = dump(keeper.world()), hashes(records(keeper))
    path = tmp_path / "run.db"
    for number, line in enumerate([None, *script(name)]):
        keeper = kept(path, story=None if number else example())
        go(keeper, *([line] if line else []))
        (die if number % 2 else Storykeeper.close)(keeper)
    with kept(path) as keeper:
        keeper.end_scene()
        assert dump(keeper.world()) == straight
        assert hashes(records(keeper)) == windows
        assert keeper.replay().windows == len(windows)


def test_closing_commits_and_can_be_done_again(tmp_path):
    keeper = kept(tmp_path / "run.db")
    go(keeper, *EVENING)
    keeper.close()
    keeper.close()
    with kept(tmp_path / "run.db", read_only=True) as keeper:
        assert keeper.world().pending is None
        assert keeper.world().now == 3
        assert keeper.ledger.snapshot(MAIN) is not None


def test_a_step_broken_off_is_read_again(tmp_path, monkeypatch):
    """Ctrl-C where it hurts most: the record is written, and the world does not know yet."""
    with kept(tmp_path / "run.db") as keeper:
        go(keeper, EVENING[0])
        with monkeypatch.context() as patched:
            patched.setattr("storykeeper.play.running.evolve", interrupted)
            with pytest.raises(KeyboardInterrupt):
                keeper.begin(EVENING[1])
        assert keeper.turn().present.text == EVENING[1]
        assert keeper.history()[-1].text == EVENING[0]
        with monkeypatch.context() as patched:
            patched.setattr("storykeeper.play.running.evolve", interrupted)
            with pytest.raises(KeyboardInterrupt):
                tell(keeper, keeper.turn())
    with kept(tmp_path / "run.db") as keeper:
        assert keeper.world().pending.take == 1  # closing a broken run writes nothing
        keeper.replay()


def interrupted(*_arguments):
    signal.raise_signal(signal.SIGINT)


def test_two_writers(tmp_path):
    one, other = kept(tmp_path / "run.db"), kept(tmp_path / "run.db")
    go(one, EVENING[0])
    with pytest.raises(WrongExpectedVersion, match=r"expected version 2, the ledger is at \d\d"):
        other.opening()
    assert other.turn().number == 1  # it has read what the first wrote
    turn = one.begin(EVENING[1])
    with pytest.raises(WrongExpectedVersion):
        other.begin("I wait.")
    assert other.begin("I wait.").replaced
    with pytest.raises(WrongExpectedVersion):
        tell(one, turn)
    with pytest.raises(NoSuchTurn, match="other words"):
        tell(one, turn)
    tell(one, one.turn())
    other.close()  # behind by now, and closes all the same
    go(one, EVENING[2])
    one.close()
    with kept(tmp_path / "run.db") as keeper:
        assert said(keeper) == [EVENING[0], EVENING[1], "I wait.", EVENING[2]]
        keeper.replay()


def test_forks_go_their_own_ways(tmp_path):
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        go(keeper, *EVENING)
        there = keeper.fork(at=1, name="what-if")
        assert there.parent == MAIN
        keeper.fork(at=3, name="now")
    with kept(f"{path}@what-if") as fork, kept(path) as keeper, kept(f"{path}@now") as now:
        assert [h.text for h in fork.history()] == [""]
        assert fork.turn().present.text == EVENING[0]
        assert now.turn().present.text == EVENING[2]
        fork.render(1, "Told in another way.")
        go(fork, "I go to the landing.", "I ask Tobit about the Perpetua.")
        go(keeper, "I wait.")
        go(now, "I go to the landing.")
    for name, words in (("", "I wait."), ("@what-if", "I ask Tobit about the Perpetua."),
                        ("@now", "I go to the landing.")):  # fmt: skip
        with kept(f"{path}{name}", story=None) as keeper:
            assert said(keeper)[-1] == words
            assert ("Told in another way." in shown(keeper)) == (name == "@what-if")
            keeper.replay()
            assert keeper.ledger.verify(keeper.run).good


def test_a_fork_with_a_turn_under_way(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        go(keeper, EVENING[0])
        turn = keeper.begin(EVENING[1])
        keeper.fork(at=2, name="other")
        tell(keeper, turn)
        keeper.replay()
    with kept(f"{tmp_path / 'run.db'}@other") as keeper:
        assert keeper.turn().window.text == turn.window.text
        keeper.render(2, "Prose.")
        keeper.replay()


def test_a_story_edited_under_a_running_game(tmp_path):
    path, edited = tmp_path / "run.db", structs.replace(example(), voice="Quite another voice.")
    with kept(path) as keeper:
        go(keeper, *EVENING[:2])
        assert not keeper.story_changed
    with kept(path, story=edited) as keeper:
        assert keeper.story_changed
        assert "Quite another voice." not in keeper.window().text
    with kept(path, story=edited, adopt=True) as keeper:
        assert not keeper.story_changed
        assert "Quite another voice." in keeper.window().text
        go(keeper, EVENING[2])
        assert keeper.replay().windows == 4
    with kept(path) as keeper:  # the files as they were are now the ones that differ
        assert keeper.story_changed
        assert len(records(keeper, StoryAdopted)) == 2


def test_an_adoption_while_a_line_waits(tmp_path):
    path = tmp_path / "run.db"
    keeper = kept(path)
    go(keeper, EVENING[0])
    turn = keeper.begin(EVENING[1])
    die(keeper)
    edited = structs.replace(example(), voice="Quite another voice.")
    with kept(path, story=edited, adopt=True) as keeper:
        with pytest.raises(NoSuchTurn, match="begun in another past"):
            keeper.render(turn, "Prose.")
        keeper.render(2, "Prose.")
        keeper.replay()


def test_a_scene_that_the_edited_story_has_no_more(tmp_path):
    with kept(tmp_path / "run.db", story=house()) as keeper:
        go(keeper, "I go to the attic.")
    kept_scenes = tuple(s for s in house().scenes if s.id != "attic-scene")
    without = changed(
        structs.replace(house(), scenes=kept_scenes, prophecies=()), "scenes", "hall-scene",
        leads_to=(),
    )  # fmt: skip
    without = changed(without, "events", "bell", mass={})
    with kept(tmp_path / "run.db", story=without, adopt=True) as keeper:
        assert keeper.scene_lost == "attic-scene"
        go(keeper, "I wait.", "I ring the bell.")
        keeper.replay()


def test_another_story(tmp_path):
    kept(tmp_path / "run.db").close()
    with pytest.raises(WrongStory, match="'the-lamp-at-harrow', not 'house'"):
        kept(tmp_path / "run.db", story=house())


def test_what_is_no_run(tmp_path):
    with pytest.raises(StoryNotFound, match="there is no run at"):
        Storykeeper.open(tmp_path / "run.db")
    with pytest.raises(StoryNotFound, match="there is no run at"):
        kept(tmp_path / "run.db", read_only=True)
    with pytest.raises(RunNotFound, match="no what-if in it"):
        kept(f"{tmp_path / 'run.db'}@what-if")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "notes").write_text("no ledger")
    with pytest.raises(NotALedger):
        kept(tmp_path / "notes")
    with pytest.raises(NotALedger, match="a folder"):
        kept(tmp_path)
    kept(tmp_path / "run.db").close()
    with pytest.raises(RunNotFound, match="no run 'what-if'"):
        kept(f"{tmp_path / 'run.db'}@what-if")


def test_a_file_that_was_made_and_not_begun(tmp_path):
    sqlite_ledger(tmp_path / "run.db").close()
    with pytest.raises(RunNotFound):
        Storykeeper.open(tmp_path / "run.db")
    with kept(tmp_path / "run.db") as keeper:
        go(keeper, EVENING[0])
        keeper.replay()
