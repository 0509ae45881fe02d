"""Whatever somebody types or tells, the time it takes grows with its length and no faster."""

from __future__ import annotations

import itertools

import pytest

from storykeeper import Storykeeper
from storykeeper.language.prose import ProseReader
from strategies.nasty import NASTY, too_much
from strategies.sizes import first, times
from strategies.worlds import EXAMPLE

pytestmark = pytest.mark.long  # it takes the time of the processor, which others share
SMALL, LARGE = times(3_000, 12_000), times(18_000, 60_000)


@pytest.fixture(scope="module")
def keeper(tmp_path_factory):
    with Storykeeper.open(tmp_path_factory.mktemp("run") / "run.db", story=EXAMPLE) as keeper:
        keeper.render(keeper.opening(), "Mara waits by the lamp.")
        yield keeper


@pytest.mark.parametrize("kind", first(6, NASTY))
def test_a_line(keeper, kind):
    number = itertools.count()

    def plays(text: str) -> None:
        line = f"{next(number)} {text}"
        while len(line.encode()) > 65_536:
            line = line[: len(line) * 3 // 4]
        keeper.render(keeper.begin(line), "Mara nods.")
        keeper.begin("I nod.")

    assert not too_much(plays, NASTY[kind], small=SMALL, large=LARGE)


@pytest.mark.parametrize("kind", first(1, NASTY))
def test_what_others_see_of_it(keeper, kind):
    number = itertools.count()

    def looks(text: str) -> None:
        line = f"{next(number)} {text}"
        keeper.brief("mara", line)
        keeper.recall(line)

    assert not too_much(looks, NASTY[kind], small=SMALL // 3, large=LARGE // 3)


@pytest.mark.parametrize("kind", first(1, NASTY))
def test_prose(keeper, kind):
    number = itertools.count()
    small, large = times(1_000, 4_000), times(4_000, 16_000)

    def told(text: str) -> None:
        turn = keeper.begin("I wait.")
        keeper.render(turn, f"{next(number)} {text}")
        keeper.misfits()
        keeper.begin("I nod.")

    assert not too_much(told, NASTY[kind], small=small, large=large)


@pytest.mark.parametrize("kind", NASTY)
def test_prose_by_itself(kind):
    assert not too_much(ProseReader().read, NASTY[kind], small=16_000, large=64_000)
