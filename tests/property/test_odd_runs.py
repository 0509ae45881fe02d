"""Odd stories and runs: a legal window, or a refusal in plain words; never a breach.

No facts, six hundred turns, turns of one word and of four thousand, facts longer than a window,
everything overtaken, and windows from 50 tokens to 128,000.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from msgspec import structs

from storykeeper.context.history import PastTurn
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.window import Window, assemble
from storykeeper.errors import WindowRefused
from storykeeper.language.tokens import counter
from storykeeper.play.commit import commit, read_prose
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId, SceneId, TurnNo
from strategies import windows as playing
from strategies.long_runs import LongRun, Unread, long_run
from strategies.sizes import first
from strategies.windows import Played
from strategies.worlds import house

SIZES = (50, 89, 150, 300, 700, 1_500, 3_300, 8_000, 32_000, 128_000)
REFUSED = re.compile(
    r"a window of [\d,]+ tokens is [\d,]+ too small for what must be in it: rules, the last turn"
    r" and the player's words; allow at least [\d,]+"
)


def seen(run: LongRun, audience: str, tokens: int) -> Window | None:
    """A window that fits, or a refusal that says how many tokens would do; and so many do."""
    try:
        window = made(run, audience, tokens)
    except WindowRefused as refused:
        assert_plain(refused)
        made(run, audience, tokens + refused.shortfall)
        return None
    return window


def made(run: LongRun, audience: str, tokens: int) -> Window:
    count, (world, present) = counter("o200k"), run.moment()
    history = run.played.history
    window = assemble(world, history, present, audience=audience, tokens=tokens, count=count)
    assert count(window.text) <= tokens
    return window


def assert_plain(refused: WindowRefused) -> None:
    assert REFUSED.fullmatch(str(refused))
    assert refused.shortfall > 0


def everybody(run: LongRun, *sizes: int) -> list[Window]:
    """Everybody's windows in every size that there are; most of them there must be."""
    asked = [(who, tokens) for who in run.audiences for tokens in sizes or SIZES]
    found = [window for each in asked if (window := seen(run, *each)) is not None]
    assert len(found) >= len(asked) / 3
    return found


def told(texts: list[tuple[str, str]]) -> list[PastTurn]:
    """Turns of the house: what was typed, and the prose."""
    return [
        PastTurn(TurnNo(i), SceneId("hall-scene"), EntityId("ann"), typed, prose)
        for i, (typed, prose) in enumerate(texts)
    ]


def house_run(*texts: tuple[str, str], **changes) -> LongRun:
    played = Played.of(house(**changes))
    played.history += told([*texts])
    return LongRun(played)


@pytest.fixture(scope="module")
def many() -> LongRun:
    """Six hundred short turns, played with a reader that finds nothing."""
    played = Played.of(house())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(playing, "committed", unread)
        played.play("", "It begins.")
        for i in range(1, 600):
            played.play("I wait.", f"Rain, {i}.")
    return LongRun(played)


def unread(world, pending):
    return commit(world, pending, read_prose(world, pending, Unread()))


def test_six_hundred_short_turns(many: LongRun):
    windows = everybody(many)
    mine = {w.receipt.spent.budget: w for w in windows if w.audience == NARRATOR}
    assert any(item.candidate.origin == SO_FAR for item in mine[1_500].items)
    assert "Rain, 599." in mine[300].text
    assert "Rain, 420." in mine[128_000].text


@pytest.mark.parametrize("facts", [(), None])
def test_a_story_without_facts_or_events(facts):
    changes = {"facts": (), "events": (), "prophecies": (), "scenes": _bare()}
    run = long_run(house(**changes), Random(1), turns=40) if facts is None else house_run(**changes)
    everybody(run)


def _bare():
    """The scenes of the house without what leads from one to another."""
    return tuple(
        structs.replace(each, gates=(), leads_to=(), done_when=None, beats=())
        for each in house().scenes
    )


@pytest.mark.parametrize("words", [1, 4_000])
def test_turns_of_one_word_and_of_four_thousand(words: int):
    sentence = "So it was said of the mill, and again on the 4th of May. "
    prose = "Dust." if words == 1 else sentence * (words // len(sentence.split()))
    everybody(house_run(*[("Go", prose)] * 12))


@pytest.mark.parametrize("place", first(1, [10, 0, 19]))
def test_one_long_turn_among_short_ones(place: int):
    long = " ".join(f"Sentence {i} is about the {i}th lamp." for i in range(600))
    turns = [("I wait.", "Rain.")] * 20
    texts = [*turns[:place], ("I read", long), *turns[place + 1 :]]
    everybody(house_run(*texts))


@pytest.mark.parametrize(
    "prose",
    ["word " * 4_000, "“" + "No. " * 900, "x" * 20_000, "?" * 500, "\n" * 300 + "So.", " … " * 200],
    ids=["no sentence", "no end of a quote", "one word", "marks", "air", "gaps"],
)
def test_prose_that_is_no_prose(prose: str):
    everybody(house_run(*[("I wait.", prose), ("Well?", "So.")] * 6))


def test_a_fact_longer_than_the_window():
    long = " ".join(f"Stone {i} of the wall was laid in {1600 + i}." for i in range(400))
    facts = (
        Fact(id="long", full=long, weight=1.0, about=("bob",), known_by={"ann": "saw"}),
        Fact(id="wordy", full="stone " * 3_000, about=("bob",), known_by={"ann": "saw"}),
        Fact(id="short", full="It is so.", about=("bob",), known_by={"ann": "saw"}),
    )
    run = house_run(*[("I ask Bob about the wall", "He nods.")] * 20, facts=facts)
    run.text = "I ask Bob about the wall"
    windows = everybody(run)
    narrated = [w for w in windows if w.audience == NARRATOR and w.receipt.spent.budget >= 1_500]
    assert narrated
    assert all("fact:short" in w.shown for w in narrated)


def test_everything_superseded():
    facts = tuple(
        Fact(id=f"f{i}", full=f"It is number {i}.", about=("bob",), known_by={"ann": "saw"},
             supersedes=(f"f{i - 1}",) if i else ())
        for i in range(30)
    )  # fmt: skip
    run = house_run(*[("I wait.", "Rain.")] * 20, facts=facts)
    run.text = "I wait."
    for window in everybody(run):
        held = [name for name in window.shown if name.startswith("fact:")]
        assert set(held) <= {"fact:f29"}


@pytest.mark.parametrize("seed", first(1, range(4)))
def test_every_size_of_a_long_run(seed: int):
    """From the smallest: no size between two legal ones is a breach."""
    run = long_run(house(), Random(seed), turns=60, most=6)
    for tokens in range(50, 1_000, 23):
        for audience in (NARRATOR, "ann", "bob"):
            seen(run, audience, tokens)
