"""Laws of a search: bounds, order, degenerate cases, and arrays that agree with one at a time."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from storykeeper.scoring.authority import authorities, authority, frequency
from storykeeper.scoring.diversity import apart, diverse_order, diverse_rows
from storykeeper.scoring.hybrid import Hybrid, Mixture, hybrid_scores, normalised, quality
from storykeeper.scoring.prefixes import prefix, prefixes, stopping_tier
from storykeeper.scoring.preservation import decay_rate
from storykeeper.scoring.scopes import Scope, fading, nearness, recencies, recency
from storykeeper.scoring.settings import SEED, STORY, SearchSettings
from storykeeper.scoring.two_pass import (
    Final,
    coarse,
    coarse_rows,
    final_scores,
    hops,
    keyword_coverage,
    merged,
    top,
)

UNIT = st.floats(0.0, 1.0)
SIMILARITY = st.floats(-1.0, 1.0)
ANY = st.floats()  # also what is not a number
AGE = st.one_of(st.floats(-1e9, 1e12), st.just(float("inf")))
RATE = st.one_of(st.sampled_from([fading(scope) for scope in Scope]), st.floats(0.0, 10.0))
PRESETS = st.sampled_from([SEED, STORY])
MIXTURES = st.builds(Mixture, ANY, ANY, ANY)


@st.composite
def settings_of(draw):
    """Settings anywhere in their ranges."""
    coarse_most = draw(st.integers(1, 20))
    final_most = draw(st.integers(1, coarse_most))
    floor = draw(st.floats(-0.9, 1.0))
    r, f = sorted((draw(UNIT), draw(UNIT)))
    return SearchSettings(
        coarse_most=coarse_most,
        final_most=final_most,
        cover_most=draw(st.integers(1, final_most)),
        coarse_floor=floor,
        recovery_floor=draw(st.floats(-1.0, floor, exclude_max=True)),
        keyword_gain=draw(st.floats(0.0, 100.0)),
        hop_share=draw(st.floats(0.01, 0.99)),
        hop_floor=draw(UNIT),
        recency_weight=r,
        frequency_weight=f - r,
        authored_weight=1.0 - f,
        fading=draw(st.floats(1e-9, 1.0)),
        authority_floor=draw(UNIT),
    )


def columns(*kinds, most=30):
    """Rows of one number of each kind."""
    return st.lists(st.tuples(*kinds), max_size=most).map(
        lambda rows: (
            [np.array(column, float) for column in zip(*rows, strict=True)]
            or [np.zeros(0) for _ in kinds]
        )
    )


# ── recency ──────────────────────────────────────────────────────────────────────────────────


@given(age=AGE, later=st.floats(0.0, 1e12), rate=RATE)
def test_fresher_never_scores_lower(age, later, rate):
    assert 0.0 <= recency(age + later, rate=rate) <= recency(age, rate=rate) <= 1.0


@given(age=ANY, rate=RATE)
def test_recency_is_always_a_share(age, rate):
    assert 0.0 <= recency(age, rate=rate) <= 1.0
    assert age > 0 or recency(age, rate=rate) == 1.0


@given(many=columns(AGE, RATE))
def test_recency_of_many(many):
    ages, rates = many
    alone = [recency(age, rate=rate) for age, rate in zip(ages, rates, strict=True)]
    np.testing.assert_allclose(recencies(ages, rates=rates), alone, rtol=1e-12, atol=0)


# ── one pass ─────────────────────────────────────────────────────────────────────────────────


@given(weights=MIXTURES)
def test_weights_always_mix(weights):
    mixed = normalised(weights)
    shares = (mixed.likeness, mixed.recency, mixed.nearness)
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert abs(sum(shares) - 1.0) < 1e-12


@given(
    weights=MIXTURES, like=ANY, age=ANY, scope=st.sampled_from(list(Scope)), decay=UNIT, delta=UNIT
)
def test_the_score_of_one_pass_is_a_share(weights, like, age, scope, decay, delta):
    found = Hybrid(
        like, recency(age, rate=fading(scope)), nearness(scope),
        quality(decay, delta=delta), normalised(weights),
    )  # fmt: skip
    assert 0.0 <= found.score <= found.base <= 1.0
    assert 1.0 - delta <= found.quality <= 1.0


@given(weights=MIXTURES, like=SIMILARITY, near=UNIT, ages=st.tuples(AGE, AGE), rate=RATE)
def test_of_two_alike_the_fresher_is_not_lower(weights, like, near, ages, rate):
    fresh, old = (
        Hybrid(like, recency(age, rate=rate), near, weights=normalised(weights)).score
        for age in sorted(ages)
    )
    assert fresh >= old


@given(weights=MIXTURES, likes=st.tuples(SIMILARITY, SIMILARITY), new=UNIT, near=UNIT)
def test_of_two_as_fresh_the_liker_is_not_lower(weights, likes, new, near):
    less, more = (
        Hybrid(like, new, near, weights=normalised(weights)).score for like in sorted(likes)
    )
    assert more >= less


@given(many=columns(ANY, ANY, ANY, UNIT), weights=MIXTURES)
def test_the_score_of_many_is_that_of_each_bit_by_bit(many, weights):
    like, new, near, good = many
    mixed = normalised(weights)
    alone = [Hybrid(*row, mixed).score for row in zip(like, new, near, good, strict=True)]
    scores = hybrid_scores(likeness=like, recency=new, nearness=near, quality=good, weights=mixed)
    assert scores.tolist() == alone


# ── quality: higher confidence, higher score ─────────────────────────────────────────────────

EXACT = st.fractions(Fraction(0), Fraction(1), max_denominator=10**6)
ABOVE = st.fractions(Fraction(1, 10**6), Fraction(1), max_denominator=10**6)


@given(pair=st.tuples(EXACT, EXACT), delta=ABOVE, base=ABOVE, omega=ABOVE, words=EXACT)
def test_higher_confidence_is_a_higher_score_exactly(pair, delta, base, omega, words):
    """The very functions, on exact numbers: no rounding hides a step the wrong way."""
    assume(pair[0] != pair[1])
    low, high = (quality(decay_rate(c), delta=delta) for c in sorted(pair))
    assert low < high
    assert base * low < base * high
    finals = [Final(omega, base, words, Fraction(3, 10), q).score for q in (low, high)]
    assert isinstance(finals[0], Fraction)
    assert finals[0] < finals[1]


@given(pair=st.tuples(UNIT, UNIT), delta=UNIT, like=SIMILARITY, omega=UNIT, words=UNIT)
def test_nor_does_rounding_turn_it_round(pair, delta, like, omega, words):
    low, high = (quality(decay_rate(c), delta=delta) for c in sorted(pair))
    assert Hybrid(like, 0.5, 0.6, low).score <= Hybrid(like, 0.5, 0.6, high).score
    assert Final(omega, like, words, 0.3, low).score <= Final(omega, like, words, 0.3, high).score
    if max(pair) - min(pair) > 1e-9 and delta > 1e-3 and like > 1e-3:
        assert Hybrid(like, 0.5, 0.6, low).score < Hybrid(like, 0.5, 0.6, high).score


# ── authority ────────────────────────────────────────────────────────────────────────────────

COUNT = st.integers(0, 10**6)


@given(accesses=COUNT, most=COUNT)
def test_use_is_a_share_and_nothing_for_nothing(accesses, most):
    assert 0.0 <= frequency(accesses, most=most) < 1.0
    assert frequency(0, most=most) == 0.0
    most = max(most, accesses + 1)
    assert frequency(accesses, most=most) < frequency(accesses + 1, most=most)


@given(age=ANY, accesses=COUNT, most=COUNT, authored=ANY, settings=settings_of())
def test_authority_is_a_share_above_its_floor(age, accesses, most, authored, settings):
    one = authority(
        age=age, accesses=accesses, most_accesses=most, authored=authored, settings=settings
    )
    assert settings.authority_floor <= one.weight <= 1.0


@given(ages=st.tuples(AGE, AGE), accesses=COUNT, authored=UNIT, settings=settings_of())
def test_authority_never_grows_with_age(ages, accesses, authored, settings):
    fresh, old = (
        authority(
            age=age, accesses=accesses, most_accesses=accesses, authored=authored, settings=settings
        ).weight
        for age in sorted(ages)
    )
    assert fresh >= old


@given(many=columns(AGE, COUNT, ANY), most=COUNT, settings=settings_of())
def test_authority_of_many(many, most, settings):
    ages, accesses, authored = many
    alone = [
        authority(age=d, accesses=n, most_accesses=most, authored=a, settings=settings).weight
        for d, n, a in zip(ages, accesses, authored, strict=True)
    ]
    together = authorities(
        ages=ages, accesses=accesses, most_accesses=most, authored=authored, settings=settings
    )
    np.testing.assert_allclose(together, alone, rtol=1e-12, atol=0)


# ── two passes ───────────────────────────────────────────────────────────────────────────────

SCORES = st.dictionaries(st.integers(0, 60), st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.5, 0.9, 1.0]))
LINKS = st.dictionaries(st.integers(0, 60), st.lists(st.integers(0, 60), max_size=5))


@given(like=st.lists(st.one_of(SIMILARITY, st.sampled_from([0.2, 0.3, float("nan")]))),
       settings=settings_of())  # fmt: skip
def test_the_first_pass(like, settings):
    found = coarse(dict(enumerate(like)), settings)
    assert len(found) <= settings.coarse_most
    assert all(like[row] >= settings.coarse_floor for row in found)
    left = [v for row, v in enumerate(like) if row not in found and v >= settings.coarse_floor]
    assert not left or (len(found) == settings.coarse_most and max(left) <= like[found[-1]])
    assert found == sorted(found, key=lambda row: (-like[row], row))
    assert coarse_rows(np.array(like, float), settings).tolist() == found


@given(found=st.integers(0, 50), asked=st.integers(0, 50))
def test_keyword_coverage_is_a_share(found, asked):
    assert 0.0 <= keyword_coverage(found, asked=asked) <= 1.0
    assert asked or keyword_coverage(found, asked=asked) == 0.0


@given(omega=UNIT, like=ANY, words=UNIT, gain=st.floats(0.0, 1e6), good=UNIT)
def test_the_final_score_is_at_most_its_authority(omega, like, words, gain, good):
    score = Final(omega, like, words, gain, good).score
    assert 0.0 <= score <= omega
    assert isfinite(score)


@given(omega=UNIT, like=SIMILARITY, words=st.tuples(UNIT, UNIT), gain=st.floats(0.0, 100.0))
def test_more_keywords_never_score_lower(omega, like, words, gain):
    fewer, more = (Final(omega, like, m, gain).score for m in sorted(words))
    assert fewer <= more


@given(omega=UNIT, like=SIMILARITY)
def test_without_gain_it_is_likeness_alone(omega, like):
    assert Final(omega, like, 0.7, 0.0).score == omega * max(like, 0.0)


@given(many=columns(UNIT, ANY, UNIT, UNIT), gain=st.floats(0.0, 100.0))
def test_the_final_score_of_many_is_that_of_each_bit_by_bit(many, gain):
    omega, like, words, good = many
    alone = [
        Final(o, s, m, gain, q).score for o, s, m, q in zip(omega, like, words, good, strict=True)
    ]
    together = final_scores(authority=omega, likeness=like, keywords=words, gain=gain, quality=good)
    assert together.tolist() == alone


@given(finals=SCORES, links=LINKS, rest=st.sets(st.integers(0, 60)), settings=settings_of())
def test_hops(finals, links, rest, settings):
    found = hops(finals, links=links, rest=rest, settings=settings)
    assert len({hop.row for hop in found}) == len(found)
    for hop in found:
        assert hop.row in rest
        assert hop.row not in finals
        assert hop.row in links[hop.parent]
        parents = [p for p in finals if hop.row in links.get(p, ())]
        assert finals[hop.parent] == max(finals[p] for p in parents)
        assert settings.hop_floor <= hop.score < 1.0
    missed = {r for p in finals for r in links.get(p, ())} - {h.row for h in found} - set(finals)
    for row in missed & rest:
        best = max(finals[p] for p in finals if row in links.get(p, ()))
        assert settings.hop_share * best < settings.hop_floor


@given(finals=SCORES, links=LINKS, settings=PRESETS)
def test_sigma_falls_and_names_nothing_twice(finals, links, settings):
    ranked = merged(finals, hops(finals, links=links, rest=range(61), settings=settings))
    assert [(-r.sigma, r.row) for r in ranked] == sorted((-r.sigma, r.row) for r in ranked)
    assert len({r.row for r in ranked}) == len(ranked)
    assert {r.row for r in ranked if r.parent is None} == set(finals)


@given(scores=SCORES, most=st.integers(-1, 70), other=st.integers(0, 60))
def test_the_top_does_not_depend_on_what_is_not_in_it(scores, most, other):
    found = top(scores, most)
    without = {row: score for row, score in scores.items() if row in found or row != other}
    assert top(without, most) == found


# ── order, prefixes ──────────────────────────────────────────────────────────────────────────

EIGHTHS = st.lists(st.integers(-8, 8), min_size=3, max_size=3).map(lambda v: [x / 8 for x in v])
RANKING = st.lists(st.tuples(st.integers(0, 8).map(lambda n: n / 8), EIGHTHS), max_size=12)


@given(ranking=RANKING, weight=st.integers(0, 8).map(lambda n: n / 8))
def test_diversity_orders_everything_once(ranking, weight):
    scores = np.array([score for score, _ in ranking])
    vectors = np.array([vector for _, vector in ranking]).reshape(len(ranking), 3)
    order = diverse_order(scores.tolist(), (vectors @ vectors.T).tolist(), weight=weight)
    assert sorted(order) == list(range(len(ranking)))
    assert diverse_rows(scores, vectors, weight=weight) == order  # eighths: exact in both
    if ranking:
        assert order[0] == int(np.argmax(scores)) or weight == 0.0
    plain = sorted(range(len(ranking)), key=lambda i: (-scores[i], i))
    assert diverse_order(scores.tolist(), (vectors @ vectors.T).tolist(), weight=1.0) == plain


@given(
    sums=st.lists(st.integers(-8, 8), max_size=12),
    loses=st.sampled_from([0.0, 0.5, 3.0]),
    most=st.integers(0, 12),
)
def test_what_stands_apart_is_taken_by_what_it_is_worth_then(sums, loses, most):
    here = np.arange(len(sums))
    beside = np.stack([here - 1, np.where(here + 1 < len(sums), here + 1, -1)], axis=1)
    scores = np.stack([np.array(sums, np.float64) - loses * n for n in range(3)])
    order = apart(scores, beside, most=most)
    places = [place for place, _ in order]
    assert len(places) == len({*places}) == min(most, len(sums))
    for step, (place, shown) in enumerate(order):
        before = {*places[:step]}
        assert shown == len(before & {*beside[place].tolist()} - {-1})
        worth = {
            i: sums[i] - loses * len(before & {*beside[i].tolist()} - {-1})
            for i in {*here.tolist()} - before
        }
        assert place == min(worth, key=lambda i: (-worth[i], i))
    found = [scores[shown, place] for place, shown in order]
    assert found == sorted(found, reverse=True)


@given(
    vectors=st.lists(
        st.lists(
            st.one_of(st.floats(-1e150, 1e150), SIMILARITY, st.just(0.0)), min_size=6, max_size=6
        ),
        min_size=1,
        max_size=5,
    ),
    size=st.integers(0, 8),
)
def test_prefixes_are_at_most_one_long_and_numbers(vectors, size):
    together = prefixes(np.array(vectors), size)
    for row, vector in zip(together, vectors, strict=True):
        alone = prefix(vector, size)
        assert np.linalg.norm(alone) <= 1.0 + 1e-12
        np.testing.assert_allclose(row, alone, rtol=1e-12, atol=1e-300)
        if max(map(abs, vector[:size]), default=0.0) > 1e-3:
            assert np.linalg.norm(alone) > 1.0 - 1e-9


@given(best=st.lists(st.one_of(st.none(), UNIT, st.just(float("nan"))), max_size=3))
def test_the_cascade_always_ends(best):
    tier = stopping_tier(best, [0.65, 0.75])
    assert 0 <= tier <= 2
    assert tier == 2 or best[tier] > [0.65, 0.75][tier]
