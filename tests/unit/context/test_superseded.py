"""What somebody held true until they knew better is said as past; and what is known in a tale alone
is not called a suspicion.
"""

from __future__ import annotations

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.sources.entity import wanted
from storykeeper.context.sources.standing import standing
from storykeeper.play.knowing import knowledge
from storykeeper.story.knowledge import Fact
from storykeeper.world.state import Believed, Known
from unit.context.test_sources_alone import seen, told

LIT = Fact(id="f1", full="It was lit.", about=("bob",))
DARK = Fact(id="f2", full="It was dark.", hint="A gap.", about=("bob",), supersedes=("f1",))
STORY = told(facts=(LIT, DARK, *told().facts[2:]))
BELIEVED = {"beliefs": {"ann:f1": Believed("ann", "read", 0, 1.0, "f1")}}


def said(*, who="narrator", story=STORY, **fields):
    boundary = seen(story, text="I ask Bob.", who=who, **fields)
    found = standing(boundary, wanted(boundary))
    return {c.id: c.full or c.hint for c in found if c.full or c.hint}


def known(suspected=False, **more):
    held = {"f2": Known("told by bob", 3, suspected=suspected), **more}
    return {"known": {"ann": Map(held)}}


def test_a_belief_is_past_once_its_holder_knows_better():
    assert said(**BELIEVED) == {"belief:ann:f1": "- Ann has read: It was lit."}
    assert said(**BELIEVED, **known()) == {
        "belief:ann:f1": "- As Ann once had it (read): It was lit.",
        "fact:f2": "- Ann has it from Bob: It was dark.",
    }


def test_so_is_what_they_took_for_known():
    both = known(f1=Known("saw", 1))
    assert said(**both)["fact:f1"] == "- As Ann once had it (saw): It was lit."


@pytest.mark.parametrize("fields", [
    known(suspected=True), {"known": {"bob": Map({"f2": Known("saw", 3)})}},
])  # fmt: skip
def test_to_suspect_better_or_that_another_knows_it_is_not_enough(fields):
    assert said(**BELIEVED, **fields)["belief:ann:f1"] == "- Ann has read: It was lit."


def test_without_the_authors_word_two_facts_stand_side_by_side():
    plain = told(facts=(LIT, structs.replace(DARK, supersedes=("f2",)), *told().facts[2:]))
    assert said(story=plain, **BELIEVED, **known())["belief:ann:f1"].startswith("- Ann has read:")
    assert said(story=plain, **known())["fact:f2"].startswith("- Ann has it from")  # nor by itself


def test_what_somebody_knows_lists_it_as_former():
    world = seen(STORY, **BELIEVED, **known()).world
    theirs = knowledge(world, "ann")
    assert [each.fact for each in theirs.former] == ["f1"]
    before = knowledge(seen(STORY, **BELIEVED).world, "ann")
    assert before.former == ()


@pytest.mark.parametrize(("suspected", "head"), [(False, "dimly knows"), (True, "suspects")])
def test_what_is_known_in_a_tale_and_hardly_crosses_is_no_suspicion(suspected, head):
    of_the_tale = structs.replace(DARK, layer="tale", supersedes=())
    story = told(psi=0.6, facts=(LIT, of_the_tale, *told().facts[2:]))
    assert said(story=story, **known(suspected=suspected)) == {"hint:f2": f"- Ann {head}: A gap."}
