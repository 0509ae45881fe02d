"""A source that is trusted less never comes first where it answers no better."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storykeeper.canon.provenance import joined, outdated
from storykeeper.scoring.trust import Standing, by_trust, diverse, shares

UNITS = st.floats(0, 1)
PLACES = st.tuples(st.sampled_from("abc"), st.integers(1, 9))
FOUND = st.lists(st.builds(Standing, UNITS, UNITS, PLACES), max_size=12)


@given(FOUND)
def test_less_trust_never_outranks_on_equal_relevance(found: list[Standing]):
    order = by_trust(found)
    assert sorted(order) == list(range(len(found)))
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if found[i].share == found[j].share:
                assert found[i].trust >= found[j].trust


def test_trust_multiplies():
    """A little better and half believed comes behind; much better comes before."""
    plain, rumour = Standing(0.8, 1.0, ("a", 1)), Standing(0.9, 0.5, ("b", 1))
    assert by_trust([rumour, plain]) == [1, 0]
    assert by_trust([Standing(0.2, 1.0), rumour]) == [1, 0]
    assert plain.score == 0.7 * 0.8


@given(FOUND, st.integers(1, 8), st.data())
def test_diversity_keeps_the_order_and_the_limit(found, most, data):
    pairs = {(i, j) for i in range(len(found)) for j in range(i)}
    against = data.draw(st.sets(st.sampled_from(sorted(pairs)), max_size=3)) if pairs else set()

    def opposed(i: int, j: int) -> bool:
        return (i, j) in against or (j, i) in against

    chosen = diverse(found, lambda i, j: 1.0, opposed, most=most)
    assert len(chosen) == min(most, len(found))
    assert chosen == [i for i in by_trust(found) if i in chosen]
    if chosen and most > 1:  # what is said against the best of all is there beside it
        first = chosen[0]
        others = {j for j in range(len(found)) if opposed(first, j)}
        assert not others or others & set(chosen)


@given(st.lists(UNITS, max_size=6))
def test_shares(relevances: list[float]):
    found = shares(relevances)
    assert all(0 <= each <= 1 for each in found)
    assert not any(relevances) or max(found) == 1


CITES = st.lists(st.sampled_from(["a@1", "a@2", "b@1", "c@1"]), max_size=4)


@given(st.lists(CITES, max_size=4), st.sets(st.sampled_from(["a@1", "a@2", "b@1", "c@1"])))
def test_what_is_made_of_several_comes_from_all_of_them(several, in_force):
    made = joined(*several)
    assert set(made) == {cite for each in several for cite in each}
    assert bool(outdated(made, in_force)) == any(outdated(each, in_force) for each in several)
