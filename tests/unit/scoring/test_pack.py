"""The packer: its laws, and the two policies."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from storykeeper.scoring.pack import NO_ROOM, STOPPED, TOO_MANY, Form, Offer, Packed, pack
from storykeeper.story.tuning import Policy


def offer(item: str, *costs: int, score: float = 1.0) -> Offer[str]:
    names = ("full", "brief", "hint")
    forms = tuple(Form(name, tokens) for name, tokens in zip(names, costs, strict=False))
    return Offer(item, forms, score, tie=(item,))


def taken(packed: Packed[str]) -> list[tuple[str, str]]:
    return [(each.item, each.form) for each in packed.taken]


def test_mandatory_items_come_first_and_in_order():
    packed = pack([offer("b", 5), offer("a", 5)], [offer("z", 5, score=9.0)], budget=15)
    assert taken(packed) == [("b", "full"), ("a", "full"), ("z", "full")]


def test_a_long_mandatory_item_does_not_crowd_out_the_hint_of_the_next():
    packed = pack([offer("a", 90, 40, 5), offer("b", 30, 20, 5)], [], budget=60)
    assert taken(packed) == [("a", "brief"), ("b", "brief")]


def test_mandatory_items_stop_at_the_first_whose_hint_does_not_fit():
    packed = pack([offer("a", 5), offer("b", 9), offer("c", 1)], [], budget=8)
    assert taken(packed) == [("a", "full")]
    assert [(left.item, left.reason, left.lacking) for left in packed.left] == [
        ("b", NO_ROOM, 6),
        ("c", STOPPED, 0),
    ]


def test_one_ranking_by_score_then_by_the_tie():
    packed = pack([], [offer("b", 1, score=0.5), offer("c", 1), offer("a", 1)], budget=3)
    assert [item for item, _ in taken(packed)] == ["a", "c", "b"]


def test_fill_tries_the_next_and_prefix_stops():
    wanted = [offer("long", 50, score=0.9), offer("short", 5, score=0.8)]
    assert taken(pack([], wanted, budget=20)) == [("short", "full")]
    packed = pack([], wanted, budget=20, policy=Policy.PREFIX)
    assert taken(packed) == []
    assert [(left.item, left.reason) for left in packed.left] == [
        ("long", NO_ROOM),
        ("short", STOPPED),
    ]


def test_the_largest_form_that_fits_is_taken():
    packed = pack([], [offer("a", 50, 20, 5)], budget=20)
    assert taken(packed) == [("a", "brief")]
    assert packed.spent == 20


def test_at_most_so_many():
    packed = pack([offer("m", 1)], [offer("a", 1), offer("b", 1)], budget=99, most=2)
    assert [item for item, _ in taken(packed)] == ["m", "a"]
    assert [(left.item, left.reason) for left in packed.left] == [("b", TOO_MANY)]


def test_an_item_without_forms_is_left_out_and_stops_nothing():
    packed = pack([offer("empty"), offer("a", 3)], [offer("also")], budget=3)
    assert taken(packed) == [("a", "full")]
    assert [left.item for left in packed.left] == ["empty", "also"]


costs = st.lists(st.integers(0, 40), min_size=0, max_size=3).map(lambda c: sorted(c, reverse=True))
offers = st.lists(st.tuples(costs, st.floats(0, 2)), max_size=8)


def numbered(drawn: list[tuple[list[int], float]], prefix: str) -> list[Offer[str]]:
    return [offer(f"{prefix}{i}", *c, score=s) for i, (c, s) in enumerate(drawn)]


@given(offers, offers, st.integers(0, 200), st.sampled_from(Policy), st.none() | st.integers(0, 6))
def test_the_laws_of_packing(first, rest, budget, policy, most):
    mandatory, others = numbered(first, "m"), numbered(rest, "o")
    packed = pack(mandatory, others, budget=budget, policy=policy, most=most)
    assert packed.spent <= budget
    out = [each.item for each in packed.taken] + [each.item for each in packed.left]
    assert sorted(out) == sorted(o.item for o in (*mandatory, *others))
    got = [each.item for each in packed.taken]
    ranked = sorted(others, key=lambda o: (-o.score, o.tie))
    order = [o.item for o in (*mandatory, *ranked)]
    assert got == sorted(got, key=order.index)
    if most is not None:
        assert len(got) <= most
    for each in packed.taken:
        wanted = next(o for o in (*mandatory, *others) if o.item == each.item)
        assert Form(each.form, each.tokens) in wanted.forms


@given(offers, st.integers(0, 200), st.integers(0, 200))
@example([([31], 0.0), ([], 0.0), ([1], 0.0)], 1, 30)  # one with nothing to say, in between
def test_a_larger_budget_never_loses_a_mandatory_item(first, budget, more):
    mandatory = numbered(first, "m")
    small, large = (pack(mandatory, [], budget=b) for b in (budget, budget + more))
    assert {t.item for t in small.taken} <= {t.item for t in large.taken}


@given(offers, offers, st.integers(0, 200))
def test_packing_again_with_what_was_spent_gives_the_same(first, rest, budget):
    """The layout relies on it: what mandatory items took once is what they take again."""
    mandatory = numbered(first, "m")
    once = pack(mandatory, [], budget=budget)
    again = pack(mandatory, numbered(rest, "o"), budget=once.spent)
    assert again.taken[: len(once.taken)] == once.taken
