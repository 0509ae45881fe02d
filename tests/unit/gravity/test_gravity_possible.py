"""What may yet hold, what holds for good, and how far something holds."""

import pytest
from immutables import Map

from storykeeper.gravity.possible import degree, for_good, inside, names, possible
from storykeeper.story.conditions import At, Condition, Since, Threshold, Within
from storykeeper.world.conditions import holds
from storykeeper.world.plan import key
from storykeeper.world.state import Mark
from strategies.hills import done, happened, knows, learned, never, scene, story, world_of
from strategies.tables import table

HERE = Condition(at=At(who="player", place="hall"))
TOLD = story(scene("a", setting="hall"), scene("b"))


def world(*events, **fields):
    return world_of(TOLD, **{"happened": dict.fromkeys(events, 1), "now": 5, **fields})


def all_of(*of):
    return Condition(all_=of)


def any_of(*of):
    return Condition(any_=of)


def at_least(n, *of):
    return Condition(threshold=Threshold(at_least=n, of=of))


E1, E2, E3 = map(happened, ("e1", "e2", "e3"))


@table(
    "condition, before, after",
    [
        (E1, True, True),
        (HERE, True, True),
        (never(E1), True, False),
        (never(HERE), True, True),
        (never(never(E1)), True, True),
        (never(never(never(E1))), True, False),
        (all_of(E2, never(E1)), True, False),
        (any_of(E2, never(E1)), True, True),
        (any_of(never(E1)), True, False),
        (at_least(2, E2, never(E1)), True, False),
        (at_least(1, E2, never(E1)), True, True),
        (never(all_of(E1, E2)), True, True),  # the other may stay undone
        (never(any_of(E1, HERE)), True, False),  # one of them is so for good
        (never(at_least(1, E1, HERE)), True, False),
        (never(at_least(2, E1, HERE)), True, True),
        (Condition(happened="e2", not_=E1), True, False),
        (Condition(since=Since(turns=2, of=never(E1))), True, False),
        (Condition(within=Within(turns=2, of=never(E1))), True, False),
        (never(Condition(within=Within(turns=2, of=E1))), True, False),
        (all_of(E1, never(E1)), False, False),  # it contradicts itself
        (never(all_of(E1, never(E1))), True, True),
    ],
)
def test_what_was_done_is_not_undone(condition, before, after):
    assert possible(world(), condition) is before
    assert possible(world("e1"), condition) is after


@pytest.mark.parametrize("lasting", [
    knows("f1"), E1, Condition(told="a/x"), Condition(visited="a"), Condition(completed="a"),
    Condition(opened="g"),
])  # fmt: skip
def test_every_lasting_thing_lasts(lasting):
    after = world("e1", known=learned("f1"), told={"a/x": 1}, scenes={"a": done()}, gates={"g": 1})
    assert for_good(after, lasting)
    assert not possible(after, never(lasting))
    assert not for_good(world(), lasting)
    assert possible(world(), never(lasting))


def test_what_is_suspected_may_yet_be_known():
    after = world(known=learned("f1", suspected=True))
    assert possible(after, never(knows("f1")))
    assert not possible(after, never(knows("f1", suspects=True)))


def test_a_time_that_is_past_is_past():
    soon = Condition(since=Since(turns=3, of=E1))
    marks = {key(E1): Mark(4, 4, holds=True)}
    young = world("e1", marks=marks)
    old = world("e1", marks=marks, now=7)
    assert possible(young, never(soon))
    assert not possible(old, never(soon))
    assert possible(young, soon)


def test_what_held_just_now_is_still_within():
    recently = Condition(within=Within(turns=3, of=never(E1)))
    marks = {key(never(E1)): Mark(0, 4, holds=False)}
    assert possible(world("e1", marks=marks), recently)
    assert not possible(world("e1", marks=marks, now=9), recently)


@pytest.mark.parametrize(
    ("turns", "may"),
    [
        ({}, True),
        ({"e1": 1}, True),
        ({"e2": 1}, False),  # the second came first
        ({"e1": 1, "e3": 2}, False),  # the second would come after the third
        ({"e1": 2, "e2": 1}, False),
        ({"e1": 1, "e2": 1, "e3": 1}, True),
    ],
)
def test_a_sequence_is_lost_by_what_came_too_early(turns, may):
    marks = {key(happened(e)): Mark(turn, turn, holds=True) for e, turn in turns.items()}
    in_order = Condition(sequence=(E1, E2, E3))
    after = world(*turns, marks=marks)
    assert possible(after, in_order) is may
    assert for_good(after, in_order) is (len(turns) == 3)
    assert possible(after, never(in_order)) is (len(turns) < 3)


def test_what_holds_is_possible_and_what_is_for_good_holds():
    after = world("e1", known=learned("f1"), places=Map({"ann": "hall"}))
    some = [E1, E2, HERE, never(E1), never(E2), all_of(E1, HERE), any_of(E2, HERE), knows("f1")]
    for each in [*some, *map(never, some)]:
        assert not holds(after, each) or possible(after, each)
        assert not for_good(after, each) or holds(after, each)


@table(
    "condition, far",
    [
        (E1, 1.0),
        (E2, 0.0),
        (knows("f1"), 1.0),
        (knows("f2"), 0.5),  # suspected
        (knows("f2", suspects=True), 1.0),
        (all_of(E1, E2), 0.5),
        (all_of(E1, knows("f2")), 0.75),
        (any_of(E2, knows("f2")), 0.5),
        (at_least(2, E1, E2, E3), 0.5),
        (at_least(1, E1, E2), 1.0),
        (at_least(2, E1, knows("f2"), E3), 0.75),
        (never(E1), 0.0),
        (never(E2), 1.0),
        (Condition(happened="e1", at=HERE.at), 0.5),  # two keys
        (Condition(), 0.0),
    ],
)
def test_how_far_something_holds(condition, far):
    known = Map({"ann": learned("f1")["ann"].update(learned("f2", suspected=True)["ann"])})
    assert degree(world("e1", known=known), condition) == far


def test_what_stands_inside_is_found_under_its_key():
    nested = all_of(E1, never(any_of(E2, Condition(since=Since(turns=2, of=E3)))))
    assert [name for name, _ in inside(nested)] == ["all_", "all_"]
    assert names(nested) == {"all_", "not_", "any_", "since", "happened"}
    assert list(inside(at_least(1, E1))) == [("threshold", E1)]
    assert list(inside(Condition(within=Within(turns=1, of=E2)))) == [("within", E2)]
