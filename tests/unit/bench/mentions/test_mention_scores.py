"""The scores, against examples worked by hand."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from storykeeper.bench.mentions.assignment import assignment
from storykeeper.bench.mentions.scores import Score, Tally, b3, ceaf, mentions, muc, score

A, B, C, D, X = ((n, n + 1) for n in range(5))


def parts(*clusters):
    return [frozenset(cluster) for cluster in clusters]


GOLD = parts({A, B, C}, {D})
FOUND = parts({A, B}, {C, D})


def test_muc_counts_links():
    tally = muc(GOLD, FOUND)
    assert (tally.there_right, tally.there) == (1, 2)  # abc falls in two parts; d has no link
    assert (tally.found_right, tally.found) == (1, 2)  # ab holds, cd does not
    assert tally.f1 == pytest.approx(50)


def test_b3_goes_by_mention():
    tally = b3(GOLD, FOUND)
    assert tally.recall == pytest.approx(100 * (2 / 3 + 2 / 3 + 1 / 3 + 1) / 4)
    assert tally.precision == pytest.approx(100 * (1 + 1 + 1 / 2 + 1 / 2) / 4)


def test_ceaf_pairs_clusters_one_to_one():
    tally = ceaf(GOLD, FOUND)
    assert tally.there_right == pytest.approx(4 / 5 + 2 / 3)
    assert (tally.found, tally.there) == (2, 2)


def test_ceaf_takes_the_best_pairing_and_not_the_greediest():
    gold, found = parts({A, B, C}, {D}), parts({A, B, C, D}, {X})
    assert ceaf(gold, found).there_right == pytest.approx(6 / 7)
    both = parts({A, B}, {C, D}), parts({A, C, D}, {B})
    assert ceaf(*both).there_right == pytest.approx(2 / 3 + 4 / 5)


def test_what_is_missed_and_what_is_invented_costs():
    gold, found = parts({A, B}, {C}), parts({A, X})
    assert mentions(gold, found) == Tally(1, 2, 1, 3)
    assert muc(gold, found) == Tally(0, 1, 0, 1)
    assert b3(gold, found) == Tally(0.5, 2, 0.5, 3)
    assert ceaf(gold, found) == Tally(0.5, 1, 0.5, 2)


def test_perfect_and_empty():
    whole = score(gold=GOLD, found=GOLD, pronouns=[B])
    assert whole.average == pytest.approx(100)
    assert whole.mentions.f1 == 100
    assert whole.pronouns.recall == 100
    nothing = score(gold=GOLD, found=[], pronouns=[B])
    assert nothing.average == 0
    assert nothing.pronouns.recall == 0


def test_a_pronoun_is_right_with_its_nearest_antecedent():
    gold = parts({A, B, C}, {D})  # a is a name, b and c are pronouns
    nearest = score(gold=gold, found=parts({A}, {B, C}, {D}), pronouns=[B, C])
    assert nearest.pronouns == Tally(1, 2, 1, 2)  # c with b; b without a
    assert nearest.pronouns_named == Tally(0, 2, 0, 2)  # neither with the name
    joined = score(gold=gold, found=parts({A, C}, {B}), pronouns=[B, C])
    assert joined.pronouns == Tally(0, 2, 0, 2)
    assert joined.pronouns_named == Tally(1, 2, 1, 2)


def test_a_first_pronoun_does_not_count():
    assert score(gold=GOLD, found=GOLD, pronouns=[A, D]).pronouns.there == 0


def test_books_add_up_by_their_counts():
    one, two = Score(mentions=Tally(1, 1, 1, 1)), Score(mentions=Tally(0, 3, 0, 1))
    assert (one + two).mentions == Tally(1, 4, 1, 2)
    assert (one + two).figures()["mention_f1"] == pytest.approx(33.33)


@pytest.mark.parametrize("seed", range(30))
def test_assignment_is_the_best_there_is(seed):
    random = Random(seed)
    rows, columns = random.randint(1, 5), random.randint(1, 5)
    worth = [[random.choice([0, random.random()]) for _ in range(columns)] for _ in range(rows)]
    few, many = sorted((rows, columns))
    best = max(
        sum(
            worth[i][j] if rows <= columns else worth[j][i]
            for i, j in zip(range(few), chosen, strict=True)
        )
        for chosen in permutations(range(many), few)
    )
    assert assignment(worth) == pytest.approx(best)


def test_assignment_of_nothing():
    assert assignment([]) == 0
