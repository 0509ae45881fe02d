"""Laws of questions of time, of clusters, and of what a summary preserves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.scoring.clusters import cluster_count, cluster_index, clusters
from storykeeper.scoring.hybrid import quality
from storykeeper.scoring.preservation import (
    confidence,
    decay_rate,
    decoder_confidence,
    preservation,
    preservation_of,
)
from storykeeper.scoring.settings import SEED, STORY, SearchSettings
from storykeeper.scoring.temporal import (
    Candidate,
    Projected,
    anchor_densities,
    anchor_density,
    covering,
    indicator,
    is_temporal,
    marginal_coverage,
    recovery,
    recovery_rows,
    select,
    signs,
)
from storykeeper.scoring.two_pass import hops, merged

UNIT = st.floats(0.0, 1.0)
SLOTS = st.frozensets(st.integers(0, 3))
PRESETS = st.sampled_from([SEED, STORY])


@st.composite
def weighted(draw):
    """Settings with μ, ν, ρ anywhere."""
    low, high = sorted((draw(UNIT), draw(UNIT)))
    return SearchSettings(
        final_weight=low, anchor_weight=high - low, cover_weight=1.0 - high,
        stop_below=draw(UNIT), cover_most=draw(st.integers(1, 8)),
    )  # fmt: skip


POOLS = st.lists(
    st.builds(Candidate, st.integers(0, 50), UNIT, UNIT, SLOTS), unique_by=lambda c: c.row
)


@given(weights=st.lists(st.floats(allow_nan=True)), more=UNIT)
def test_the_indicator_is_a_share_and_grows(weights, more):
    xi = indicator(weights, SEED)
    assert 0.0 <= xi <= 1.0
    assert indicator([*weights, more], SEED) >= xi
    assert indicator([], SEED) == 0.0


@given(question=st.text())
def test_any_text_may_be_asked(question):
    found = signs(question)
    assert 0.0 <= indicator((s.weight for s in found), SEED) <= 1.0


@given(counts=st.lists(st.floats(), min_size=1))
def test_anchor_density_is_a_share(counts):
    alone = [anchor_density(n, SEED) for n in counts]
    assert all(0.0 <= each <= 1.0 for each in alone)
    assert anchor_densities(np.array(counts), SEED).tolist() == alone


@given(met=SLOTS, covered=SLOTS, more=SLOTS, slots=st.integers(0, 4))
def test_coverage_never_grows_as_more_is_chosen(met, covered, more, slots):
    before = marginal_coverage(met, covered, slots=slots)
    after = marginal_coverage(met, covered | more, slots=slots)
    assert 0.0 <= after <= before <= 1.0
    assert slots or before == 0.0
    assert marginal_coverage(met, range(4), slots=slots) == 0.0
    full = len([s for s in met if s < slots]) / max(slots, 1)
    assert marginal_coverage(met, (), slots=slots) == full


@given(final=UNIT, anchors=UNIT, cover=UNIT, xi=UNIT, settings=weighted())
def test_the_projected_score_is_a_share_between_its_two(final, anchors, cover, xi, settings):
    score = Projected(final, anchors, cover, xi).score(settings)
    assert 0.0 <= score <= 1.0
    other = covering(final, anchors=anchors, cover=cover, settings=settings)
    assert abs(score - ((1 - xi) * final + xi * other)) < 1e-12


@given(final=UNIT, anchors=UNIT, cover=UNIT, xi=UNIT, settings=weighted())
def test_without_time_it_is_the_final_score(final, anchors, cover, xi, settings):
    assert Projected(final, anchors, cover, 0.0).score(settings) == final
    only = SearchSettings(final_weight=1.0, anchor_weight=0.0, cover_weight=0.0)
    assert Projected(final, anchors, cover, xi).score(only) == final


@given(pool=POOLS, xi=UNIT, slots=st.integers(0, 4), settings=weighted())
def test_the_selector(pool, xi, slots, settings):
    chosen = select(pool, xi=xi, slots=slots, settings=settings)
    rows = [each.row for each in chosen]
    assert len(rows) == len(set(rows)) <= settings.cover_most
    assert set(rows) <= {c.row for c in pool}
    by_row, covered = {c.row: c for c in pool}, set()
    for place, each in enumerate(chosen):
        assert settings.stop_below <= each.sigma <= 1.0
        # σ is S_proj given those chosen before, and nobody left had more.
        left = [c for c in pool if c.row not in rows[:place]]
        scores = {
            c.row: Projected(
                c.final, c.anchors, marginal_coverage(c.met, covered, slots=slots), xi
            ).score(settings)
            for c in left
        }
        best = max(scores.values())
        assert each.sigma == scores[each.row] == best
        assert each.row == min(row for row, score in scores.items() if score == best)
        covered |= by_row[each.row].met
    assert select(list(reversed(pool)), xi=xi, slots=slots, settings=settings) == chosen


@given(pool=POOLS, xi=UNIT, slots=st.integers(0, 4), settings=weighted())
def test_the_scores_of_those_chosen_never_rise(pool, xi, slots, settings):
    sigmas = [each.sigma for each in select(pool, xi=xi, slots=slots, settings=settings)]
    assert sigmas == sorted(sigmas, reverse=True)


@given(
    rows=st.lists(st.tuples(st.floats(-1.0, 1.0), st.sampled_from([0.0, 1 / 3, 2 / 3, 1.0]))),
    chosen=st.sets(st.integers(0, 30)), settings=PRESETS,
)  # fmt: skip
def test_recovery(rows, chosen, settings):
    like, anchors = {i: s for i, (s, _) in enumerate(rows)}, {i: a for i, (_, a) in enumerate(rows)}
    found = recovery(like, anchors=anchors, chosen=chosen, settings=settings)
    assert len(found) <= settings.recovery_most
    assert not chosen & set(found)
    assert all(like[row] >= settings.recovery_floor for row in found)
    arrays = np.array([s for s, _ in rows], float), np.array([a for _, a in rows], float)
    assert recovery_rows(arrays[0], anchors=arrays[1], chosen=chosen, settings=settings) == found


@given(pool=POOLS, links=st.dictionaries(st.integers(0, 50), st.lists(st.integers(0, 50))), xi=UNIT)
def test_the_projection_stays_inside_the_rest(pool, links, xi):
    """Pool ⊆ V_rest, hops ⊆ V_rest: nothing else can come in, whatever is linked."""
    rest = {c.row for c in pool}
    finals = {c.row: c.final for c in pool}
    if is_temporal(xi, SEED):
        chosen = {s.row: s.sigma for s in select(pool, xi=xi, slots=2, settings=SEED)}
    else:
        chosen = finals
    ranked = merged(chosen, hops(finals, links=links, rest=rest, settings=SEED))
    assert {r.row for r in ranked} <= rest
    assert all(0.0 <= r.sigma <= 1.0 for r in ranked)


# ── clusters ─────────────────────────────────────────────────────────────────────────────────


@given(turns=st.integers(-5, 3_000), size=st.integers(-5, 300))
def test_clusters_are_all_the_turns_in_order(turns, size):
    found = clusters(turns, size=size)
    assert [i for cluster in found for i in cluster] == list(range(max(0, turns)))
    assert all(found)
    assert len(found) == (cluster_count(turns, size=size) if turns > 0 else 0)
    sizes = [len(cluster) for cluster in found]
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert max(sizes, default=0) <= (size if size > 0 else 20)
    for j, cluster in enumerate(found):
        assert {cluster_index(i, turns=turns, count=len(found)) for i in cluster} == {j}


# ── preservation ─────────────────────────────────────────────────────────────────────────────

VECTOR = st.lists(st.floats(-10.0, 10.0).map(lambda x: round(x, 3)), min_size=4, max_size=4)


@given(summary=VECTOR, sources=st.lists(VECTOR, max_size=6))
def test_preservation_is_bounded_and_the_same_of_arrays(summary, sources):
    alone = preservation(summary, sources)
    assert -1.0 <= alone.align <= 1.0
    assert 0.0 <= alone.cover <= 1.0
    assert 0.0 <= alone.confidence <= 1.0
    arrays = preservation_of(np.array(summary), np.array(sources, float).reshape(-1, 4))
    assert abs(arrays.align - alone.align) < 1e-9
    assert abs(arrays.cover - alone.cover) < 1e-12


@given(source=VECTOR, times=st.integers(1, 5))
def test_what_says_the_same_is_wholly_preserved(source, times):
    found = preservation(source, [source] * times)
    expected = 1.0 if any(source) else 0.0
    assert abs(found.align - expected) < 1e-9
    assert found.passes() == bool(expected)


@given(
    embedding=st.floats(), decoder=st.one_of(st.none(), st.floats()), share=UNIT, delta=UNIT,
    logs=st.lists(st.floats(-1e6, 0.0)),
)  # fmt: skip
def test_confidence_is_a_share_and_so_is_quality(embedding, decoder, share, delta, logs):
    sure = confidence(embedding, decoder=decoder, share=share)
    assert 0.0 <= sure <= 1.0
    assert 1.0 - delta <= quality(decay_rate(sure), delta=delta) <= 1.0
    assert 0.0 <= decoder_confidence(logs) <= 1.0


@given(terms=st.builds(Projected, UNIT, UNIT, UNIT, UNIT), more=UNIT, settings=weighted())
def test_a_higher_final_score_never_projects_lower(terms, more, settings):
    higher = replace(terms, final=min(1.0, terms.final + more))
    assert higher.score(settings) >= terms.score(settings)
