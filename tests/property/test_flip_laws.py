"""Two whole runs that differ only in what is hidden from somebody: they get the same bytes of both.

Each seed is a pair of runs, played through the engine, and one audience that looks at both in every
turn: windows, receipts of its own and of others, refusals, and all of what it recalls.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable

import pytest

from storykeeper.bench.leaks.carriers import planted
from storykeeper.bench.leaks.detecting import Shown
from storykeeper.bench.leaks.flipping import differ, looking, twins
from storykeeper.bench.leaks.otherwise import vary
from storykeeper.bench.leaks.secrets import NARRATOR
from strategies.worlds import READER

LONG = os.environ.get("STORYKEEPER_LONG") == "1"
LOOKS = 6 if LONG else 2  # at every turn
LEAST = 125  # cases of a pair
SEEDS = range(1, 81) if LONG else (20,)  # in the long size 10,000 cases
NARRATOR_OF_TWO = 20  # of these, one in which the narrator looks, for one of two players


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> Callable[[int], list[tuple[Shown, Shown]]]:
    """All that was seen of a pair of runs; that of the first two is kept, to be asked again."""
    kept: dict[int, list[tuple[Shown, Shown]]] = {}

    def looked_at(seed: int) -> list[tuple[Shown, Shown]]:
        if seed in kept:
            return kept[seed]
        cases = list(twins(seed, tmp_path_factory.mktemp("pair"), READER, looks=LOOKS))
        if seed in SEEDS[:2]:
            kept[seed] = cases
        return cases

    return looked_at


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_hidden_shapes_nothing_that_is_shown(seed, pair):
    cases = pair(seed)
    assert len(cases) >= LEAST
    told_apart = [one for one, other in cases if differ(one, other)]
    assert not told_apart, told_apart[0]


def test_what_is_looked_at_has_a_story_so_far_and_recalled_lines(pair):
    """Else the laws above would say nothing of them."""
    origins = Counter(
        found
        for seed in SEEDS[:2]
        for one, _ in pair(seed)
        for text in one.texts
        for found in re.findall(r'"origin":"(so far|recalled|recent|standing)"', text)
    )
    assert min(origins[each] for each in ("so far", "recalled", "recent", "standing")) > 0


def test_the_narrator_of_one_of_two_players_is_among_those_who_look():
    stage = planted(NARRATOR_OF_TWO)
    assert stage.second is not None
    assert looking(stage) == NARRATOR


def test_what_moves_others_unseen_is_otherwise_and_their_own_feelings_are_not():
    def stirring(who):
        return vary(planted(1, hidden_from=who)).events["stirring"]

    for person in planted(1).cast:
        one, other = stirring(None), stirring(person.id)
        both = list(zip(one.moods, other.moods, strict=True))
        assert {a.who for a, b in both if a == b} == {person.id}
        edges = list(zip(one.relations, other.relations, strict=True))
        assert {a.from_ for a, b in edges if a == b} == {person.id}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_two_runs_differ_in_what_is_hidden_and_in_nothing_else(seed):
    for who in planted(seed).everybody:
        one, other = planted(seed), planted(seed, hidden_from=who)
        assert other.story() != one.story()
        lines = list(zip(one.script(), other.script(), strict=True))
        both = list(zip(one.spoken, other.spoken, strict=True))
        heard = [mine.wording == theirs.wording for mine, theirs in both if who in mine.heard]
        unheard = [
            mine.wording != theirs.wording
            for mine, theirs in both
            if mine.heard and who not in mine.heard
        ]
        assert all(heard)
        assert all(unheard)
        if who == "narrator":
            told = [(mine, theirs) for mine, theirs in lines if mine.player is None]
            assert all(mine.line == theirs.line for mine, theirs in told)
        else:
            assert heard or unheard


@pytest.mark.parametrize("seed", [1, 2])
def test_where_others_are_what_they_read_and_whom_they_call_is_otherwise(seed):
    one = vary(planted(seed))
    other = vary(planted(seed, hidden_from=one.bystander.id))
    assert one.unmet.at != other.unmet.at
    told = [{step.prose for step in stage.script()} for stage in (one, other)]
    mine, theirs = (" ".join(sorted(told[i] - told[1 - i])) for i in (0, 1))
    moved = f"{one.cast[-1].name} goes to the"
    assert f"{moved} {one.cells[0]}" in mine
    assert f"{moved} {one.cells[1]}" in theirs
    assert f"{one.away.name} phones {one.cast[-1].name}" in mine
    assert f"{one.away.name} unfolds a note" in mine
    assert "phones" not in theirs
    assert f"{one.away.name} unfolds a note" not in theirs
