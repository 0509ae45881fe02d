"""How near gates are to opening."""

import pytest

from storykeeper.gravity.gates import proximities, proximity
from strategies.hills import (
    done,
    gate,
    happened,
    knows,
    learned,
    never,
    scene,
    story,
    world_of,
)

FOUR = (knows("f1"), knows("f2"), knows("f3"), never(happened("e1")))


def near(*conditions, **fields):
    told = story(scene("a", gates=(gate("g", *conditions),)))
    return proximity(world_of(told, **fields), told.scenes[0].gates[0], "a")


@pytest.mark.parametrize(("facts", "share"), [((), 0.25), (("f1",), 0.5), (("f1", "f2"), 0.75),
                                              (("f1", "f2", "f3"), 1.0)])  # fmt: skip
def test_the_share_of_what_is_so(facts, share):
    found = near(*FOUR, known=learned(*facts))
    assert found.share == share
    assert found.close is (share >= 0.75)
    assert found.unmet == tuple(knows(f) for f in ("f1", "f2", "f3") if f not in facts)


@pytest.mark.parametrize(("asked", "facts", "close"), [
    (1, 0, False), (2, 0, False), (2, 1, True), (3, 1, False), (3, 2, True), (4, 2, False),
])  # fmt: skip
def test_a_small_gate_is_felt_when_one_thing_is_wanting(asked, facts, close):
    names = ("f1", "f2", "f3", "f4")
    found = near(*map(knows, names[:asked]), known=learned(*names[:facts]))
    assert found.share == facts / asked
    assert found.close is close


def test_one_that_can_never_open_any_more_is_not_near():
    found = near(*FOUR, known=learned("f1", "f2", "f3"), happened={"e1": 1})
    assert found.share == 0.0
    assert found.unmet == (never(happened("e1")),)
    assert not found.close


@pytest.mark.parametrize("fields", [{}, {"happened": {"e1": 1}}])
def test_what_contradicts_itself_is_never_near(fields):
    found = near(knows("f1"), happened("e1"), never(happened("e1")), known=learned("f1"), **fields)
    assert found.share == 0.0
    assert len(found.unmet) == 1


def test_an_open_gate_stays_open():
    found = near(*FOUR, gates={"g": 3}, happened={"e1": 1})
    assert (found.share, found.unmet) == (1.0, ())


def test_gates_of_these_scenes_that_are_not_open():
    told = story(
        scene("a", gates=(gate("g", knows("f1")), gate("h", knows("f1"), knows("f2")))),
        scene("b", gates=(gate("i", knows("f2")),)),
        scene("c", gates=(gate("j", knows("f3")),)),
    )
    world = world_of(told, gates={"g": 1}, known=learned("f2"), scenes={"a": done()})
    found = [(each.gate, each.scene, each.share) for each in proximities(world, ("b", "a"))]
    assert found == [("i", "b", 1.0), ("h", "a", 0.5)]
