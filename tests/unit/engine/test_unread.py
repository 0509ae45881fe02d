"""What takes too long to read is kept and left unread, on record; the run goes on from it."""

from __future__ import annotations

import itertools

import pytest

from storykeeper.engine import Engine
from storykeeper.errors import InputRefused, ProseRefused, ReadingTooLong
from storykeeper.events.atoms import PieceTold
from storykeeper.events.turns import LeftUnread, Unread
from storykeeper.language import lines
from storykeeper.language.patience import Patience, go_on
from storykeeper.language.prose import ProseReader
from storykeeper.play.accept import MAX_PROSE_BYTES
from storykeeper.play.recalling import Recollection
from storykeeper.play.replaying import replayed
from storykeeper.staging.reader import TableReader
from storykeeper.story.adopt import adoption
from storykeeper.units import MAIN
from storykeeper.world.snapshot import dump
from strategies.ledgers import memory_ledger
from strategies.parlour import parlour, tell

PLAIN = "“The well is dry,” says Mara. A chipped cup stands on the table."
SLOW = f"{PLAIN} Tom lifts the stone lamp."
SLOWLY = "stone"  # reading what has this word in it takes a minute


class Clock:
    """Stands still but while somebody reads."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Reader:
    """Reads in pieces, of which some take long."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.stager, self.reads = clock, TableReader(), 0
        self.slowly = SLOWLY

    def read(self, text, *, cast=()):
        self.reads += 1
        if self.slowly in text:
            self.clock.now += 60
            go_on()
        return ProseReader().read(text, cast=cast)


class Run:
    """A run whose ledger can be opened again and again."""

    def __init__(self) -> None:
        self.ledger = memory_ledger()
        self.ledger.begin(MAIN, [adoption(parlour())])
        self.clock = Clock()
        self.reader = Reader(self.clock)

    def opened(self, **more) -> Engine:
        patience = Patience(30, self.clock)
        return Engine(self.ledger, MAIN, reader=self.reader, patience=patience, **more)

    def records(self):
        return [entry.record for entry in self.ledger.read(MAIN)]

    def left(self):
        return [(r.turn, r.what) for r in self.records() if isinstance(r, LeftUnread)]


@pytest.fixture
def run():
    return Run()


def told_of(records, turn):
    return [
        r for r in records if r.turn == turn and isinstance(getattr(r, "what", None), PieceTold)
    ]


def test_prose_is_kept_unread_and_said_so(run):
    keeper = run.opened()
    tell(keeper, PLAIN)
    tell(keeper, SLOW, "I look at the cup")
    turn = keeper.begin("I wait.")
    (said,) = turn.unread
    assert said.startswith("turn 1: what was told is kept, and was left unread: that took too long")
    assert "Tom lifts the stone lamp." in turn.window.text
    keeper.render(turn, PLAIN)
    assert keeper.begin("I nod.").unread == ()
    keeper.end_scene()
    assert run.left() == [(1, Unread.PROSE)]
    assert told_of(run.records(), 0)
    assert keeper.history()[1].prose == SLOW
    keeper.replay()


def test_whoever_asks_why_is_told(run):
    keeper = run.opened()
    tell(keeper, PLAIN)
    tell(keeper, SLOW, "I look at the cup")
    keeper.begin("I wait.")
    (said,) = keeper.left_unread(1)
    assert said.endswith("its words (reading it took more than 30 s)")
    assert keeper.left_unread(0) == ()


def test_it_is_decided_once(run):
    """What is on record stays, whoever reads it later, and however quickly."""
    keeper = run.opened()
    tell(keeper, PLAIN)
    tell(keeper, SLOW, "I look at the cup")
    turn = keeper.begin("I wait.")
    keeper.render(turn, PLAIN)
    before, window = dump(keeper.world()), turn.window.text
    run.reader.slowly = "\0"
    again = run.opened()
    assert dump(again.world()) == before
    assert again.window_of(2).text == window
    again.replay()
    entries = list(run.ledger.read(MAIN))
    assert replayed(entries, again._state, run=MAIN).windows == 3


def test_reading_ahead_finds_it_and_nobody_waits_twice(run):
    keeper = run.opened()
    tell(keeper, SLOW)
    (said,) = keeper.read_ahead()
    assert "left unread" in said
    before = run.clock.now
    turn = keeper.begin("I wait.")
    assert run.clock.now == before
    keeper.render(turn, PLAIN)
    assert run.left() == [(0, Unread.PROSE)]
    keeper.replay()


def test_another_telling_is_read(run):
    keeper = run.opened()
    tell(keeper, SLOW)
    keeper.read_ahead()
    keeper.render(keeper.turn(), PLAIN)
    assert keeper.read_ahead() == ()
    keeper.begin("I wait.")
    keeper.render(keeper.turn(), PLAIN)
    assert told_of(run.records(), 0)
    keeper.replay()


def test_what_is_on_disk_does_not_hang_again(run):
    """The process was killed while it read; it is opened, and reads no longer than it may."""
    keeper = run.opened()
    tell(keeper, PLAIN)
    tell(keeper, SLOW, "I look at the cup")
    run.reader.clock = None  # stops with an error that nobody expects

    with pytest.raises(AttributeError):
        keeper.begin("I wait.")
    run.reader.clock = run.clock
    before = run.clock.now
    again = run.opened()
    turn = again.turn()
    assert turn.unread
    assert run.clock.now - before == 60
    again.render(turn, PLAIN)
    assert run.left() == [(1, Unread.PROSE)]
    again.replay()


def test_an_edit_gives_it_words_that_are_read(run):
    keeper = run.opened()
    tell(keeper, SLOW)
    tell(keeper, PLAIN, "I wait.")
    tell(keeper, PLAIN, "I nod.")
    assert run.left() == [(0, Unread.PROSE)]
    assert not told_of(run.records(), 0)
    keeper.edit(0, PLAIN)
    assert told_of(run.records(), 0)
    keeper.replay()


def test_an_edit_of_another_turn_leaves_it_unread(run):
    keeper = run.opened()
    tell(keeper, PLAIN)
    tell(keeper, SLOW, "I wait.")
    tell(keeper, PLAIN, "I nod.")
    run.reader.slowly = "\0"
    keeper.edit(0, "“A bell rings at noon,” says Tom.")
    assert not told_of(run.records(), 1)
    keeper.replay()


def test_an_edit_that_takes_too_long_is_refused(run):
    keeper = run.opened()
    tell(keeper, PLAIN)
    tell(keeper, PLAIN, "I wait.")
    keeper.end_scene()
    before = run.records()
    with pytest.raises(ReadingTooLong, match=r"turn 0 has to be read again .* nothing was changed"):
        keeper.edit(0, SLOW)
    assert run.records() == before
    tell(keeper, PLAIN, "I nod.")


def test_recall_has_its_words(run):
    keeper = run.opened()
    tell(keeper, SLOW)
    tell(keeper, PLAIN, "I wait.")
    keeper.begin("I nod.")
    assert any("stone lamp" in hit.item.text for hit in keeper.recall("the stone lamp"))
    keeper._recollection = Recollection()
    assert any("stone lamp" in hit.item.text for hit in keeper.recall("the stone lamp"))


# ── the line ─────────────────────────────────────────────────────────────────────────────────


def test_a_line_is_kept_unread(run, monkeypatch):
    keeper = run.opened()
    tell(keeper, PLAIN)
    tick(run, monkeypatch)
    turn = keeper.begin("I go to the garden.")
    (said,) = turn.unread
    assert said.startswith("turn 1: what you typed is kept, and was left unread")
    assert turn.world.places["ann"] == "parlour"
    assert "I go to the garden." in turn.window.text
    keeper.render(turn, PLAIN)
    keeper.begin("I wait.")
    keeper.end_scene()
    monkeypatch.undo()
    assert run.left() == [(1, Unread.LINE)]
    again = run.opened()
    assert again.world().places["ann"] == "parlour"
    assert again.window_of(1).text == turn.window.text
    again.replay()


def test_a_line_that_was_not_answered_yet(run, monkeypatch):
    keeper = run.opened()
    tell(keeper, PLAIN)
    keeper.begin("I go to the garden.")
    tick(run, monkeypatch)
    again = run.opened()
    assert again.turn().unread
    assert run.left() == [(1, Unread.LINE)]
    assert again.turn().window.digest == run.opened().turn().window.digest


def test_looking_writes_nothing(run, monkeypatch):
    keeper = run.opened()
    tell(keeper, PLAIN)
    keeper.begin("I go to the garden.")
    before = run.records()
    tick(run, monkeypatch)
    assert run.opened(read_only=True).turn().unread
    with pytest.raises(ReadingTooLong):
        keeper.window(text="I go to the garden and to the cellar.")
    assert run.records() == before


def tick(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on each clause of a line takes a minute."""
    real = lines.clauses_of

    def slow(typed, *more):
        run.clock.now += 60 if "garden" in typed.text else 0
        return real(typed, *more)

    monkeypatch.setattr(lines, "clauses_of", slow)


# ── how much ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("prose", "said"),
    [
        ("a" * (MAX_PROSE_BYTES + 1), "262,145 bytes, the limit is 262,144; tell it in parts"),
        ("é" * (MAX_PROSE_BYTES // 2 + 1), "262,146 bytes"),
        ("a\ud800b", r"U\+D800, half of a character; take it out"),
    ],
)
def test_what_is_no_telling_is_refused(run, prose, said):
    keeper = run.opened()
    turn = keeper.opening()
    before = run.records()
    with pytest.raises(ProseRefused, match=said):
        keeper.render(turn, prose)
    assert run.records() == before
    keeper.render(turn, PLAIN)
    keeper.begin("I wait.")
    keeper.render(keeper.turn(), PLAIN)
    with pytest.raises(ProseRefused, match=said):
        keeper.edit(0, prose)


def test_as_much_as_there_may_be(run):
    keeper = run.opened()
    turn = keeper.opening()
    keeper.render(turn, "a" * MAX_PROSE_BYTES)
    assert keeper.begin("I wait.").unread == ()
    with pytest.raises(InputRefused, match="the limit is 65,536"):
        keeper.begin("a" * 65_537)


def test_patience_is_of_one_text():
    clock = itertools.count()
    patience = Patience(3, lambda: next(clock))
    for _ in range(3):
        with patience.reading():
            go_on()
            go_on()
    with patience.reading():
        for _ in range(3):
            go_on()
        with pytest.raises(ReadingTooLong, match="more than 3 s"):
            go_on()
    go_on()


def test_what_is_unread_is_nobodys_to_have_heard(run):
    """A whisper in it stays between nobody knows whom: not even those who are there have it."""
    keeper = run.opened()
    tell(keeper, PLAIN)
    tell(keeper, f"Tom whispers to you, “The key is under the {SLOWLY}.”", "I wait.")
    tell(keeper, PLAIN, "I nod.")
    keeper.begin("I look at Mara.")
    for who in ("mara", "tom", "eve"):
        assert SLOWLY not in keeper.brief(who).text
        assert SLOWLY not in repr(keeper.recall(SLOWLY, who))
    assert SLOWLY in keeper.turn().window.text
