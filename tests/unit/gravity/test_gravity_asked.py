"""Answers are kept as long as what they rest on is the same."""

from dataclasses import dataclass

import pytest
from msgspec import structs

from storykeeper.events.vocabulary import Dimension
from storykeeper.gravity.asked import Asked, asked, lost_by, rests_on, same
from storykeeper.story import conditions as c
from storykeeper.world.state import World
from strategies.hills import happened, knows, learned, never, scene, story, world_of

ONE_OF_EACH = {
    "knows": c.Knows(who="player", fact="f1"), "holds": "f1",
    "relation": c.RelationRange(from_="player", to="bob", dimension=Dimension.DEBT),
    "mood": c.MoodNear(who="player", valence=0.0), "at": c.At(who="player", place="hall"),
    "present": "bob", "has": c.Has(who="player", thing="key"),
    "did": c.Did(who="player", act="ask"), "happened": "e1", "told": "a/x", "visited": "a",
    "completed": "a", "opened": "g", "since": c.Since(turns=1, of=happened("e1")),
    "within": c.Within(turns=1, of=happened("e1")), "sequence": (happened("e1"),),
}  # fmt: skip


def test_every_question_rests_on_something():
    combining = {"all_", "any_", "not_", "threshold"}
    assert {*ONE_OF_EACH} | combining == {*c.Condition.__struct_fields__}
    for name, value in ONE_OF_EACH.items():
        rests = rests_on(c.Condition(**{name: value}))
        assert rests
        assert rests <= {*World.__struct_fields__}


def test_what_stands_inside_counts():
    nested = never(c.Condition(any_=(happened("e1"), knows("f1"))))
    assert rests_on(nested) == {"happened", "known", "truths"}


def test_a_condition_is_lost_only_by_what_it_wants_undone_or_in_time():
    both = c.Condition(all_=(knows("f1"), never(happened("e1"))))
    assert lost_by(knows("f1")) == frozenset()
    assert lost_by(both) == {"happened"}
    assert lost_by(c.Condition(any_=(both, c.Condition(sequence=(knows("f2"),))))) == {
        "happened", "known", "truths", "marks",
    }  # fmt: skip
    recently = c.Condition(within=c.Within(turns=2, of=knows("f1")))
    assert lost_by(recently) == {"known", "truths", "marks", "now"}


def test_equal_conditions_become_one():
    assert same(knows("f1")) is same(knows("f1"))
    assert same(knows("f1")) is not same(knows("f2"))


@dataclass
class Counting:
    """How often the world is really asked."""

    times: int = 0


@pytest.fixture
def counting(monkeypatch):
    from storykeeper.gravity import asked as module

    found, real = Counting(), module.holds

    def holds(world, condition):
        found.times += 1
        return real(world, condition)

    monkeypatch.setattr(module, "holds", holds)
    return found


def test_each_question_is_asked_once_and_again_when_its_ground_has_moved(counting):
    world = world_of(story(scene("a")), known=learned("f1"))
    first = Asked(world)
    assert [first.holds(knows("f1")) for _ in range(3)] == [True] * 3
    assert first.unmet((knows("f1"), happened("e1"))) == (happened("e1"),)
    assert counting.times == 2
    later = Asked(structs.replace(world, now=9), first)
    assert later.holds(knows("f1"))
    assert counting.times == 2
    after = Asked(world_of(world.plan.story, happened={"e1": 2}), later)
    assert after.holds(happened("e1"))
    assert not after.holds(knows("f1"))  # another world's knowing
    assert counting.times == 4


def test_another_story_is_asked_anew():
    world = world_of(story(scene("a")), known=learned("f1"))
    first = Asked(world)
    assert first.holds(knows("f1"))
    others = world_of(story(scene("a"), players=("cid",))).plan
    assert not Asked(structs.replace(world, plan=others), first).holds(knows("f1"))


def test_the_answers_of_the_last_world_are_at_hand():
    world = world_of(story(scene("a")))
    assert asked(world) is asked(world)
    assert asked(structs.replace(world, now=1)) is not asked(world)
