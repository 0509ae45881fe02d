"""The seed's worked values: half-lives, weights, tables, thresholds, presets."""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf, isclose, log, nan

import msgspec
import pytest

from storykeeper.errors import SettingsInvalid
from storykeeper.scoring.authority import authority, frequency
from storykeeper.scoring.clusters import cluster_count, cluster_index, clusters
from storykeeper.scoring.diversity import diverse_order
from storykeeper.scoring.hybrid import Hybrid, Mixture, normalised, quality
from storykeeper.scoring.prefixes import prefix, stopping_tier, stops
from storykeeper.scoring.preservation import (
    Preservation,
    confidence,
    cosine,
    decay_rate,
    decoder_confidence,
    preservation,
)
from storykeeper.scoring.scopes import Scope, fading, half_life, nearness, recency
from storykeeper.scoring.settings import SEED, STORY, SearchSettings
from storykeeper.scoring.temporal import (
    Candidate,
    Projected,
    anchor_density,
    indicator,
    is_temporal,
    marginal_coverage,
    recovery,
    select,
    signs,
    slots_met,
)
from storykeeper.scoring.two_pass import Final, Hop, Ranked, coarse, hops, keyword_coverage, merged
from strategies.tables import table

HOUR, DAY = 3_600, 86_400


# ── F5.1–F5.5: one pass ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("scope", "half", "near"),
    [
        (Scope.SESSION, 1.9 * HOUR, 1.0),
        (Scope.DURABLE, 19 * HOUR, 0.6),
        (Scope.GLOBAL, 4 * DAY, 0.3),
        (Scope.SCENE, 50, 1.0),
        (Scope.RUN, 500, 0.6),
        (Scope.CANON, inf, 0.3),
    ],
)
def test_scopes_have_the_half_lives_and_weights_of_the_table(scope, half, near):
    assert nearness(scope) == near
    assert isclose(half_life(fading(scope)), half, rel_tol=0.02)
    assert isclose(recency(half, rate=fading(scope)), 1.0 if half == inf else 0.5, rel_tol=0.02)


def test_what_comes_from_the_future_has_no_age():
    assert recency(-5.0, rate=1e-4) == recency(0.0, rate=1e-4) == 1.0
    assert recency(inf, rate=1e-4) == 0.0
    assert recency(inf, rate=0.0) == 1.0


def test_weights_are_clamped_and_brought_to_one():
    assert normalised(Mixture(2.0, 1.0, -3.0)) == Mixture(0.5, 0.5, 0.0)
    assert normalised(Mixture(0.0, nan, -1.0)) == Mixture() == Mixture(0.7, 0.2, 0.1)
    assert normalised(Mixture(0.0, 0.0, 0.2)) == Mixture(0.0, 0.0, 1.0)


def test_the_hybrid_score_and_its_corners():
    found = Hybrid(likeness=0.8, recency=0.5, nearness=0.6, quality=quality(0.4))
    assert isclose(found.base, 0.7 * 0.8 + 0.2 * 0.5 + 0.1 * 0.6)
    assert isclose(found.score, 0.72 * 0.8)
    corner = {"likeness": 0.3, "recency": 0.5, "nearness": 0.6}
    assert Hybrid(**corner, weights=Mixture(1.0, 0.0, 0.0)).score == 0.3
    assert Hybrid(**corner, weights=Mixture(0.0, 1.0, 0.0)).score == 0.5
    assert Hybrid(**corner, weights=Mixture(0.0, 0.0, 1.0)).score == 0.6
    assert Hybrid(likeness=-0.4, recency=0.0, nearness=0.3).base == pytest.approx(0.03)


def test_rounding_does_not_lift_a_score_above_one():
    weights = normalised(Mixture(0.1, 0.4, 0.1))
    assert weights.likeness + weights.recency + weights.nearness > 1.0
    assert Hybrid(1.0, 1.0, 1.0, weights=weights).base == 1.0


def test_quality_takes_off_as_much_as_delta_says():
    assert quality(1.0) == 0.5
    assert quality(0.0) == 1.0
    assert quality(0.9, delta=0.0) == 1.0
    assert quality(1.0, delta=1.0) == 0.0


# ── F5.6–F5.11: two passes ───────────────────────────────────────────────────────────────────


def test_use_counts_from_the_first_time_on_and_never_divides_by_nothing():
    assert frequency(0, most=0) == 0.0
    assert isclose(frequency(1, most=1), log(2) / log(3))
    assert isclose(frequency(3, most=9), log(4) / log(11))
    assert frequency(0, most=9) == 0.0


def test_authority_of_the_two_presets():
    week = 7 * DAY
    old = authority(age=week, accesses=0, most_accesses=0, authored=0.0, settings=SEED)
    assert isclose(old.weight, 0.5 * exp(-1e-5 * week))
    assert old.weight < 0.002  # why `story` has a floor
    again = authority(age=200, accesses=0, most_accesses=0, authored=0.0, settings=STORY)
    assert isclose(again.weight, 0.5 + 0.5 * 0.5 * 0.5)
    core = authority(age=0, accesses=0, most_accesses=0, authored=1.0, settings=STORY)
    assert isclose(core.weight, 0.5 + 0.5 * 0.8)


def test_the_first_pass_refuses_what_is_unlike_however_few_there_are():
    like = {5: 0.9, 1: 0.2, 2: 0.19999, 3: -1.0, 4: nan, 7: 0.9}
    assert coarse(like, SEED) == [5, 7, 1]
    assert coarse(dict.fromkeys(range(30), 0.5), SEED) == list(range(16))


def test_keywords_cover_what_was_asked():
    assert keyword_coverage(2, asked=4) == 0.5
    assert keyword_coverage(0, asked=0) == 0.0


@pytest.mark.parametrize(
    ("gain", "none", "whole"),
    [(0.0, 1.0, 1.0), (0.5, 1 / 1.5, 1.0), (1.0, 0.5, 1.0), (0.3, 1 / 1.3, 1.0)],
)
def test_what_keywords_are_worth(gain, none, whole):
    plain = Final(authority=1.0, likeness=0.6, keywords=0.0, gain=gain)
    assert isclose(plain.score, 0.6 * none)
    assert isclose(replace(plain, keywords=1.0).score, 0.6 * whole)


def test_half_the_gain_is_a_third_of_the_ceiling():
    """κ = .5: all the keywords lift a score from two thirds of its ceiling to the whole."""
    scores = [Final(1.0, 0.9, m, 0.5).score for m in (0.0, 1.0)]
    assert isclose(1 - scores[0] / scores[1], 1 / 3)


def test_the_final_score_takes_every_term():
    assert isclose(Final(0.5, 0.8, 0.5, 0.3, 0.75).score, 0.5 * 0.8 * 1.15 / 1.3 * 0.75)
    assert Final(1.0, -0.8, 1.0, 0.3).score == 0.0


def test_hops_take_the_best_parent_one_step_and_only_into_the_rest():
    finals = {1: 0.4, 2: 0.8, 3: 0.2}
    links = {1: [10, 11, 2], 2: [11, 99], 3: [12], 10: [13]}
    found = hops(finals, links=links, rest=range(50), settings=SEED)
    assert found == [Hop(11, 2, 0.4), Hop(10, 1, 0.2)]  # 12 is below .15, 13 two steps, 99 outside
    assert hops({}, links=links, rest=range(50), settings=SEED) == []
    assert hops(finals, links={}, rest=range(50), settings=SEED) == []


def test_sigma_is_one_ranking():
    ranked = merged({4: 0.3, 2: 0.3, 1: 0.9}, [Hop(7, 1, 0.45), Hop(4, 1, 0.45)])
    assert ranked == [Ranked(1, 0.9), Ranked(7, 0.45, 1), Ranked(2, 0.3), Ranked(4, 0.3)]


# ── F5.12–F5.17: time ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("question", "xi"),
    [
        ("", 0.0),
        ("Who baked the bread?", 0.0),
        ("Who lit the lamp before dawn?", 0.2 / 1.5),
        ("When did she leave?", 0.5),
        ("How long did it take?", 0.5),
        ("How many days between the storm and the wedding?", 1.0),
        ("How  many\nDAYS before the wedding did he leave?", 0.95 / 1.5),
        ("Which came first, the letter or the fire?", 0.95 / 1.5),
        ("Which one of them was first?", 0.95 / 1.5),
    ],
)
def test_signs_of_time(question, xi):
    assert isclose(indicator((s.weight for s in signs(question)), SEED), xi)
    assert is_temporal(xi, SEED) == (xi >= 0.3)


@pytest.mark.parametrize(
    "word", ["before", "after", "since", "first", "earlier", "last", "ago", "until", "later"]
)
def test_a_weak_word_alone_changes_nothing(word):
    found = signs(f"the one {word} the gate")
    assert [s.weight for s in found] == [0.2]
    assert not is_temporal(indicator([s.weight for s in found], SEED), SEED)
    assert not signs(f"x{word}y")


def test_a_very_long_question_is_read_to_a_limit():
    assert signs("la " * 100_000 + "when did it end") == ()


def test_three_anchors_are_full():
    assert [anchor_density(n, SEED) for n in (0, 1, 3, 9)] == [0.0, 1 / 3, 1.0, 1.0]


def test_coverage_counts_what_is_new():
    assert slots_met([0.5, 0.49, 0.9], SEED) == {0, 2}
    assert marginal_coverage({0, 2}, set(), slots=4) == 0.5
    assert marginal_coverage({0, 2}, {2}, slots=4) == 0.25
    assert marginal_coverage({0, 2}, {0, 2}, slots=4) == 0.0
    assert marginal_coverage(set(), set(), slots=0) == 0.0


def test_the_projected_score():
    terms = Projected(final=0.5, anchors=1.0, cover=0.5, xi=0.5)
    assert isclose(terms.score(SEED), 0.5 * 0.5 + 0.5 * (0.3 + 0.2 + 0.1))


def test_recovery_takes_the_anchored_below_the_first_pass():
    like = {1: 0.9, 2: 0.16, 3: 0.1, 4: 0.18, 5: 0.16}
    anchors = {1: 0.0, 2: 1.0, 3: 1.0, 4: 1.0, 5: 1 / 3}
    found = recovery(like, anchors=anchors, chosen={1}, settings=SEED)
    assert found == [4, 2, 5]  # 3 is too far away, 1 is chosen already


def test_two_dates_are_chosen_together():
    """One turn is nearest on its own; two that each meet a slot beat a second of the same."""
    pool = [
        Candidate(1, final=0.60, anchors=0.0, met=frozenset({0})),
        Candidate(2, final=0.58, anchors=0.0, met=frozenset({0})),
        Candidate(3, final=0.30, anchors=1.0, met=frozenset({1})),
    ]
    chosen = select(pool, xi=1.0, slots=2, settings=SEED)
    assert [each.row for each in chosen] == [3, 1, 2]
    assert [round(each.sigma, 3) for each in chosen] == [0.48, 0.46, 0.348]
    assert [each.terms.cover for each in chosen] == [0.5, 0.5, 0.0]


def test_the_selector_stops_early_and_takes_few():
    weak = [Candidate(row, final=0.12) for row in range(9)]
    assert [each.row for each in select(weak, xi=0.0, slots=0, settings=SEED)] == [0, 1, 2]
    assert select(weak, xi=1.0, slots=0, settings=SEED) == []  # .6·.12 < .1
    assert select([], xi=1.0, slots=2, settings=SEED) == []
    just = [Candidate(1, final=SEED.stop_below)]
    assert len(select(just, xi=0.0, slots=0, settings=SEED)) == 1  # at the threshold it is in


# ── F5.18–F5.20: order, prefixes ─────────────────────────────────────────────────────────────


def test_diversity_puts_the_second_of_a_kind_later():
    alike = [[1.0, 0.95, 0.1], [0.95, 1.0, 0.1], [0.1, 0.1, 1.0]]
    assert diverse_order([0.9, 0.88, 0.6], alike, weight=0.7) == [0, 2, 1]
    assert diverse_order([0.9, 0.88, 0.6], alike, weight=1.0) == [0, 1, 2]


def test_prefixes_of_nothing_are_nothing():
    assert prefix([0.0] * 8, 4) == [0.0] * 4
    assert prefix([], 4) == []
    assert prefix([3.0, 4.0, 12.0], 2) == pytest.approx([0.6, 0.8])
    assert max(prefix([1e-12, 1e-12], 2)) < 1e-3


def test_the_cascade_stops_only_above_its_threshold():
    assert not stops(None, threshold=0.65)
    assert not stops(0.65, threshold=0.65)
    assert stops(0.66, threshold=0.65)
    assert not stops(nan, threshold=0.65)
    assert stopping_tier([0.4, 0.8], [0.65, 0.75]) == 1
    assert stopping_tier([0.7, 0.8], [0.65, 0.75]) == 0
    assert stopping_tier([None, None], [0.65, 0.75]) == 2


# ── F6: compaction ───────────────────────────────────────────────────────────────────────────


def test_clusters_are_contiguous_and_of_about_one_size():
    assert clusters(0) == []
    assert clusters(7) == [range(7)]
    assert clusters(41) == [range(14), range(14, 28), range(28, 41)]
    assert clusters(5, size=0) == clusters(5, size=-3) == clusters(5)
    assert cluster_count(0) == cluster_count(20) == 1
    assert cluster_count(21) == 2
    assert cluster_index(0, turns=0, count=1) == 0


def test_preservation_and_its_gate():
    found = preservation([1.0, 0.0], [[1.0, 0.0], [0.0, 1.0]])
    assert found.align == pytest.approx(2**-0.5)
    assert found.cover == 0.5
    assert found.confidence == pytest.approx((2**-0.5 + 0.5) / 2)
    assert Preservation(0.65, 0.0).passes()
    assert not Preservation(0.6499, 1.0).passes()
    assert preservation([1.0], []) == Preservation(0.0, 0.0)
    assert cosine([0.0, 0.0], [1.0, 0.0]) == 0.0
    assert Preservation(-1.0, 0.0).confidence == 0.0


def test_confidence_by_how_a_summary_was_made():
    assert confidence(0.9) == 0.9
    assert confidence(0.9, decoder=0.4) == pytest.approx(0.8)
    assert decoder_confidence([log(0.5), log(0.5)]) == pytest.approx(0.5)
    assert decoder_confidence([]) == 0.0
    assert decay_rate(0.9) == pytest.approx(0.1)


# ── the presets ──────────────────────────────────────────────────────────────────────────────


def test_the_seed_preset_is_the_table():
    assert (SEED.coarse_most, SEED.final_most, SEED.recovery_most, SEED.cover_most) == (
        16,
        8,
        10,
        3,
    )
    assert (SEED.coarse_floor, SEED.recovery_floor, SEED.keyword_gain) == (0.2, 0.15, 0.3)
    assert (SEED.hop_share, SEED.hop_floor, SEED.stop_below, SEED.slot_floor) == (
        0.5, 0.15, 0.1, 0.5,
    )  # fmt: skip
    assert (SEED.recency_weight, SEED.frequency_weight, SEED.authored_weight) == (0.5, 0.2, 0.3)
    assert (SEED.final_weight, SEED.anchor_weight, SEED.cover_weight) == (0.6, 0.2, 0.2)
    assert SEED.fading == 1e-5
    assert isclose(half_life(STORY.fading), 200)
    assert STORY.authority_floor == 0.5


@table(
    "field, value",
    [
        ("coarse_most", 0), ("final_most", 17), ("cover_most", 9), ("recovery_most", -1),
        ("coarse_floor", 1.1), ("recovery_floor", 0.2), ("keyword_gain", -0.1),
        ("keyword_gain", inf), ("hop_share", 1.0), ("hop_share", 0.0), ("hop_floor", nan),
        ("recency_weight", 0.6), ("authored_weight", -0.3), ("anchor_weight", 0.3),
        ("fading", 0.0), ("fading", nan), ("temporal_sum", 0.0), ("anchors_full", -1.0),
        ("temporal_from", 0.0), ("diversity", 1.5), ("decay_share", nan), ("authority_floor", 2.0),
    ],
)  # fmt: skip
def test_a_setting_that_cannot_be_is_refused_by_name(field, value):
    with pytest.raises(SettingsInvalid, match=field):
        SearchSettings(**{field: value})


def test_settings_can_be_written_and_read():
    assert msgspec.json.decode(msgspec.json.encode(STORY), type=SearchSettings) == STORY
