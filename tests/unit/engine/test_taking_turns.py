"""The turn: begun, shown, swiped, rejected, committed; in two transactions; also by halves."""

import pytest

from storykeeper.engine import SNAPSHOT_EVERY
from storykeeper.errors import (
    InputRefused,
    LedgerReadOnly,
    NoSuchTurn,
    UnknownPerson,
    WindowRefused,
)
from storykeeper.events.atoms import Atom
from storykeeper.events.turns import (
    InputReceived,
    QuestionAnswered,
    QuestionAsked,
    Rejected,
    Rendered,
    Swiped,
    TurnCommitted,
    WindowAssembled,
)
from storykeeper.world.snapshot import dump
from strategies.runs import EVENING, go, kept, records, said, script, shown, tell, unkept
from strategies.sizes import first


@pytest.fixture
def keeper(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        yield keeper


def test_a_turn_is_not_fact_until_it_is_answered(keeper):
    go(keeper, EVENING[0])
    assert keeper.world().now == 0
    assert keeper.world().scene == "causeway"
    turn = keeper.begin(EVENING[1])
    assert (turn.number, keeper.world().now, keeper.world().scene) == (2, 1, "kitchen")


def test_the_words_are_on_disk_before_anything_is_made_of_them(keeper, tmp_path, monkeypatch):
    go(keeper, EVENING[0])
    seen = []
    monkeypatch.setattr(
        "storykeeper.engine.seen", lambda *_a, **_k: seen.append(said(kept(tmp_path / "run.db")))
    )
    with pytest.raises(AttributeError):  # None is no window
        keeper.begin("I wait.")
    assert seen == [[EVENING[0], "I wait."]]


def spied(keeper, monkeypatch):
    """The kinds of record in each transaction from here on."""
    written = []
    append = keeper.ledger.append

    def spy(run, batch, **options):
        written.append([type(record) for record in batch])
        return append(run, batch, **options)

    monkeypatch.setattr(keeper.ledger, "append", spy)
    return written


def test_two_transactions_a_turn(keeper, monkeypatch):
    written = spied(keeper, monkeypatch)
    go(keeper)
    assert written == [[InputReceived], [WindowAssembled, Rendered]]
    for line in script("two-keepers"):
        written.clear()
        go(keeper, line)
        assert written[0] == [InputReceived]
        assert written[1][0] is TurnCommitted
        assert written[1][-2:] == [WindowAssembled, Rendered]
        assert len(written) == 2
    assert any(Atom in batch for batch in written)


def test_a_question_is_one_more_and_its_answer_comes_with_the_words(monkeypatch):
    keeper = unkept()
    go(keeper)
    cups = "A red cup stands on the table. A blue cup stands on the shelf."
    keeper.render(keeper.begin("I wait."), cups)
    written = spied(keeper, monkeypatch)
    asked = keeper.begin("I smash the cup.")
    assert written == [[InputReceived], [QuestionAsked]]
    assert "red" in asked.question
    written.clear()
    answered = keeper.begin("the red one")
    assert written == [[InputReceived, QuestionAnswered]]
    assert (answered.number, answered.question, answered.replaced) == (asked.number, None, False)
    assert answered.present.text == "I smash the cup."
    written.clear()
    tell(keeper, answered)
    assert [(batch[0], *batch[-2:]) for batch in written] == [
        (TurnCommitted, WindowAssembled, Rendered)
    ]
    keeper.end_scene()
    keeper.replay()


def test_a_snapshot_is_no_part_of_a_turn(monkeypatch):
    keeper, saves = unkept(), []
    monkeypatch.setattr(keeper.ledger, "put_snapshot", lambda run, made: saves.append(made.version))
    go(keeper, *["I wait."] * (SNAPSHOT_EVERY + 2))
    assert len(saves) == 1
    keeper.close()
    assert len(saves) == 2
    keeper.close()
    assert len(saves) == 2


def test_a_swipe_replaces_what_was_shown(keeper):
    turn = go(keeper, *EVENING)
    before = dump(keeper.world())
    keeper.render(turn, "Another way.")
    keeper.render(turn.number, "A third.")
    assert keeper.world().pending.prose == "A third."
    assert [r.take for r in records(keeper, Swiped)] == [1, 2]
    assert len(records(keeper, WindowAssembled)) == 4
    assert before != dump(keeper.world())  # the prose under way is in it
    keeper.begin("I wait.")
    assert keeper.history()[-1].prose == "A third."
    keeper.replay()


def test_rejecting_drops_the_turn(keeper):
    go(keeper, *EVENING[:2])
    turn = keeper.begin(EVENING[2])
    before = dump(keeper.world(at=2))
    tell(keeper, turn)
    keeper.reject(turn, why="no")
    assert keeper.world().pending is None
    assert dump(keeper.world()) != before  # the line is gone from it
    assert [h.turn for h in keeper.history()] == [0, 1, 2]
    again = keeper.begin("I wait.")
    assert (again.number, again.replaced) == (3, False)
    tell(keeper, again)
    assert records(keeper, Rejected)[0].why == "no"
    assert keeper.window_of(3).text == again.window.text  # of the two turns 3, the one that counts
    keeper.replay()


def test_rejecting_what_was_never_shown(keeper):
    go(keeper, EVENING[0])
    keeper.begin(EVENING[1])
    keeper.reject()
    with pytest.raises(NoSuchTurn, match="no turn is under way"):
        keeper.turn()
    go(keeper, EVENING[2])
    assert keeper.replay().windows == 3


def test_beginning_twice_replaces_the_first_and_says_so(keeper):
    go(keeper, EVENING[0])
    first = keeper.begin("I wait.")
    second = keeper.begin(EVENING[1])
    assert (first.replaced, second.replaced) == (False, True)
    assert first.number == second.number == 2
    with pytest.raises(NoSuchTurn, match="begun again with other words"):
        keeper.render(first, "Too late.")
    with pytest.raises(NoSuchTurn, match="begun again with other words"):
        keeper.reject(first)
    tell(keeper, second)
    assert said(keeper) == [EVENING[0], "I wait.", EVENING[1]]
    keeper.replay()


def test_the_end_of_a_scene_commits(keeper):
    go(keeper, *EVENING)
    keeper.end_scene()
    assert keeper.world().pending is None
    assert keeper.world().now == 3
    keeper.end_scene()
    keeper.replay()


def test_ending_a_scene_before_anything_is_shown(keeper):
    keeper.end_scene()
    go(keeper, EVENING[0])
    keeper.begin(EVENING[1])
    keeper.end_scene()
    assert keeper.turn().number == 2
    keeper.replay()


def test_a_turn_that_is_not_under_way(keeper):
    with pytest.raises(NoSuchTurn, match="no turn is under way"):
        keeper.turn()
    with pytest.raises(NoSuchTurn, match=r"turn 7 is not under way \(none is\)"):
        keeper.render(7, "Prose.")
    go(keeper, EVENING[0])
    with pytest.raises(NoSuchTurn, match=r"turn 0 is not under way \(turn 1 is\); use edit"):
        keeper.render(0, "Prose.")


def test_a_player_nobody_plays(keeper):
    with pytest.raises(UnknownPerson, match="mara is not played by anybody; there is coyle"):
        keeper.begin("I wait.", player="mara")
    assert said(keeper) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "an empty line"),
        (" \t\n ", "an empty line"),
        ("x" * 65_537, "65,537 bytes, the limit is 65,536"),
        ("é" * 40_000, "80,000 bytes"),
        ("I wait\n" * 10_000, "70,000 bytes"),
        ("a\0b", r"U\+0000"),
        ("\x1b[2J", r"U\+001B"),
        ("half \ud83d", r"U\+D83D"),
        ("\x9b31m", r"U\+009B"),
    ],
)
def test_what_is_no_line(keeper, text, why):
    go(keeper, EVENING[0])
    version = keeper.ledger.head(keeper.run).version
    with pytest.raises(InputRefused, match=why):
        keeper.begin(text)
    assert keeper.ledger.head(keeper.run).version == version
    go(keeper, EVENING[1])


@pytest.mark.parametrize(
    "text",
    first(
        3,
        ["x" * 65_536, "I say /quit to her.\r\n\tThen I wait.", "👩‍🚀 héllo", "I wait\n" * 9_000],
    ),
)
def test_what_is_a_line(keeper, text):
    keeper.tokens = 60_000
    go(keeper, EVENING[0], text, EVENING[1])
    assert text in said(keeper)
    keeper.replay()


def test_a_window_that_cannot_be_made_leaves_the_run_playable(tmp_path):
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        go(keeper, EVENING[0])
        keeper.tokens = 50
        with pytest.raises(WindowRefused, match="50 tokens"):
            keeper.begin(EVENING[1])
        with pytest.raises(WindowRefused):
            keeper.turn()
    with kept(path) as keeper:
        turn = tell(keeper, keeper.turn())
        assert turn.present.text == EVENING[1]
        go(keeper, EVENING[2])
        assert keeper.replay().windows == 4


def test_opening_is_once(keeper):
    assert keeper.opening().number == 0
    tell(keeper, keeper.opening())
    assert len(records(keeper, InputReceived)) == 1
    go(keeper, EVENING[0])
    assert keeper.opening().number == 1  # the turn under way


def test_beginning_without_an_opening(keeper):
    turn = tell(keeper, keeper.begin(EVENING[0]))
    assert turn.number == 1
    go(keeper, EVENING[1])
    keeper.replay()


def test_only_looking_writes_nothing(tmp_path):
    path = tmp_path / "run.db"
    with kept(path) as keeper:
        go(keeper, *EVENING)
        keeper.ledger.close()  # gone without a word
        keeper._closed = True
    with kept(path, read_only=True) as keeper:
        version = keeper.ledger.head(keeper.run).version
        assert keeper.turn().number == 3
        keeper.window("mara")
        keeper.window(text="I wait.")
        keeper.brief("pell", "a knock at the door")
        keeper.knows("mara", at=2)
        keeper.replay()
        for write in (
            lambda: keeper.begin("I wait."),
            lambda: keeper.render(3, "x"),
            lambda: keeper.reject(),
            lambda: keeper.edit(1, "x"),
            lambda: keeper.retract(1),
            lambda: keeper.end_scene(),
            lambda: keeper.fork(at=1, name="other"),
        ):
            with pytest.raises(LedgerReadOnly):
                write()
    with kept(path, read_only=True) as keeper:
        assert keeper.ledger.head(keeper.run).version == version
        assert keeper.ledger.snapshot(keeper.run) is None
        assert shown(keeper)[-1] == keeper.world().pending.prose
