"""Reveals by telling: what is so is known, what is not is believed; who was there sees it."""

import pytest

from storykeeper.events.changes import BeliefFormed, SecretRevealed
from storykeeper.play.knowing import Level
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Reveal
from strategies.runs import go, records, unkept
from strategies.worlds import changed, house

ASKED = Condition(did=Did(who="player", act="ask", to="bob"))
LINES = ("I ask Bob about the key.", "I ask Bob about the letter.", "I wait.")


def run(fact, *, to=("player",), how="told by bob", known_by=None):
    reveal = Reveal(when=ASKED, how=how, to=to)
    known = {} if known_by is None else {"known_by": known_by}
    keeper = unkept(changed(house(), "facts", fact, revealed_by=(reveal,), **known))
    go(keeper, *LINES)
    keeper.end_scene()
    return keeper


@pytest.mark.parametrize("fact", ["lie", "rumour"])
def test_what_is_told_and_is_not_so_is_believed_once(fact):
    keeper = run(fact)
    assert [r.who for r in records(keeper, BeliefFormed)] == ["ann"]
    held = keeper.knows("ann")[fact]
    assert (held.level, held.how, held.liar is not None) == (
        Level.BELIEVES, "told by bob", fact == "lie",
    )  # fmt: skip


def test_what_is_told_and_is_so_is_known():
    keeper = run("secret")
    assert records(keeper, BeliefFormed) == []
    assert keeper.knows("ann")["secret"].level is Level.KNOWS


def test_what_is_seen_is_known_so_or_not():
    assert run("lie", how="saw").knows("ann")["lie"].level is Level.KNOWS


def test_who_knew_it_and_is_there_sees_it_come_out():
    keeper = run("secret", to=("present",), how="saw", known_by={"bob": "saw"})
    (shown,) = records(keeper, SecretRevealed)
    assert (shown.to, shown.seen_by) == (("ann",), ("bob",))
    assert list(keeper.knows("ann", thinker="bob")) == ["secret"]
