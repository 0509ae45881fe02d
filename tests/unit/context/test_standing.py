"""What holds stands in a window: by what it weighs and what the scene asks for, and never alone."""

from __future__ import annotations

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.gate import gate
from storykeeper.context.history import PresentTurn
from storykeeper.context.items import Tier
from storykeeper.context.sources import STANDING, proposals
from storykeeper.context.sources.entity import ENTITY, wanted
from storykeeper.context.sources.standing import standing
from storykeeper.context.window import Window, assemble
from storykeeper.story.conditions import Condition
from storykeeper.story.knowledge import Fact
from storykeeper.story.scenes import Gate, Transition
from storykeeper.story.tuning import Overrides, SceneOverride
from storykeeper.world.state import Believed, Known
from strategies.hills import asks, knows, never, world_of
from unit.context.test_sources_alone import PEAK, one, seen, told

WELL = Fact(id="f1", full="The well is dry.", hint="A dry bucket.", about=("hill",), weight=0.9)
TIDE = Fact(id="f2", full="The tide is late.", hint="Wet sand.", about=("hill",), weight=0.5)
OTHERS = told().facts[2:]
READ = Known("read", 3)


def stage(*facts, **first):
    """The story with these facts, and a first scene that is otherwise."""
    of = told(facts=(*facts, *OTHERS), peak=structs.replace(PEAK, gates=()))
    here = structs.replace(of.scenes[0], **first)
    return structs.replace(of, scenes=(here, *of.scenes[1:]))


def stands(of, *, who="narrator", text="I wait.", turn=20, **fields):
    """What stands, by id, after the gate."""
    boundary = seen(of, who=who, text=text, turn=turn, **fields)
    found, _ = gate(list(standing(boundary, wanted(boundary))), boundary)
    return {each.id: each for each in found}


def known(*facts, by="ann", suspected=False):
    return {by: Map({fact: Known("read", 3, suspected) for fact in facts})}


# ── what stands ──────────────────────────────────────────────────────────────────────────────


def test_a_heavy_fact_stands_without_being_named():
    (found,) = stands(stage(WELL), known=known("f1")).values()
    assert found.full == "- Ann has read: The well is dry."
    assert (found.origin, found.terms.relevance) == (STANDING, 0.45)
    assert stands(stage(WELL)) == {}


def test_so_does_what_is_believed_in_the_same_words():
    belief = Believed("ann", "read", 3, 1.0, fact="f1")
    (found,) = stands(stage(WELL), beliefs={"ann:f1": belief}).values()
    assert (found.id, found.full) == ("belief:ann:f1", "- Ann has read: The well is dry.")


def test_and_it_does_not_fade():
    early, late = (
        one(stands(stage(WELL), turn=turn, known=known("f1")).values()) for turn in (5, 900)
    )
    assert early.terms == late.terms


@pytest.mark.parametrize("weight", [0.2, 0.5, 0.79, 0.8, 1.0])
def test_the_floor_is_for_what_weighs_greatly(weight):
    fact = structs.replace(WELL, weight=weight)
    found = one(stands(stage(fact), known=known("f1")).values())
    assert found.terms.relevance == pytest.approx(
        max(0.4, 0.5 * weight) if weight >= 0.8 else 0.5 * weight
    )


def test_what_was_overtaken_does_not_stand_as_held_true():
    better = structs.replace(TIDE, supersedes=("f1",))
    both = known("f1", "f2")
    assert list(stands(stage(WELL, better), known=both)) == ["fact:f2"]
    asked = structs.replace(WELL, about=("bob",))
    named = stands(stage(asked, better), text="I ask Bob.", known=both)
    assert named["fact:f1"].full == "- As Ann once had it (read): The well is dry."


def test_what_is_suspected_stands_only_as_its_hint():
    (found,) = stands(stage(WELL), known=known("f1", suspected=True)).values()
    assert found.id == "hint:f1"
    assert found.forms == (("hint", "- Ann suspects: A dry bucket."),)
    unsaid = structs.replace(WELL, hint="")
    assert stands(stage(unsaid), known=known("f1", suspected=True)) == {}


def test_what_another_knows_stands_in_nobody_elses_window():
    theirs = known("f1", by="bob")
    assert stands(stage(WELL), known=theirs) == {}
    assert stands(stage(WELL), who="ann", known=theirs) == {}
    assert list(stands(stage(WELL), who="bob", known=theirs)) == ["fact:f1"]


def test_each_stands_once_however_it_came_to_mind():
    fact = structs.replace(WELL, about=("bob", "ring"))
    boundary = seen(stage(fact), text="I show Bob the ring.", known=known("f1"))
    found = [c.id for c in proposals(boundary, told_above=frozenset()) if c.origin == STANDING]
    assert found.count("fact:f1") == 1


# ── what the scene asks for ──────────────────────────────────────────────────────────────────

ASKS = {
    "a gate": {"gates": (Gate(id="way", conditions=(knows("f2"),)),)},
    "a way on": {"leads_to": (Transition(to="peak", when=knows("f2")),)},
    "its pull": {"approach": (asks(knows("f2")),)},
    "that it is not known": {"gates": (Gate(id="way", conditions=(never(knows("f2")),)),)},
    "one of several": {
        "gates": (Gate(id="way", conditions=(Condition(any_=(knows("f3"), knows("f2"))),)),)
    },
}


@pytest.mark.parametrize("how", ASKS)
def test_what_the_present_scene_asks_for_weighs_more(how):
    facts, knowing = (WELL, TIDE), {"known": known("f1", "f2")}
    plain, asked = stands(stage(*facts), **knowing), stands(stage(*facts, **ASKS[how]), **knowing)
    assert plain["fact:f2"].terms.relevance == pytest.approx(0.25)
    assert asked["fact:f2"].terms.relevance == pytest.approx(0.45)
    assert asked["fact:f1"].terms == plain["fact:f1"].terms


def test_what_another_scene_asks_for_does_not():
    of = stage(WELL, TIDE)
    peak = structs.replace(of.scenes[1], **ASKS["a gate"])
    of = structs.replace(of, scenes=(of.scenes[0], peak, *of.scenes[2:]))
    found = stands(of, known=known("f2"))
    assert found["fact:f2"].terms.relevance == pytest.approx(0.25)


def test_what_is_at_stake_is_the_narrators():
    """A character may not feel what its scene is about."""
    theirs = known("f2", by="bob")
    felt = [
        stands(stage(WELL, TIDE, **more), who="bob", known=theirs)["fact:f2"].terms.relevance
        for more in ({}, ASKS["a gate"])
    ]
    assert felt[0] == felt[1]


# ── in a window ──────────────────────────────────────────────────────────────────────────────

MANY = tuple(
    Fact(id=f"k{i}", full=f"The {i}. boat lies on the sand below the wall, and is Bob’s. " * 2,
         about=("bob",), weight=1.0)
    for i in range(30)
)  # fmt: skip


def window(*, tokens: int, near: float = 0.0) -> Window:
    """Ann knows thirty things of Bob, and the peak is near, or far."""
    peak = structs.replace(PEAK, gates=(), stakes="Who pays for the light, and with what. " * 6)
    of = told(facts=MANY, peak=peak,
              overrides=Overrides(scenes={"peak": SceneOverride(distance=near)}))  # fmt: skip
    held = Map({fact.id: READ for fact in MANY})
    world = world_of(of, scene="first", now=19, known={"ann": held})
    present = PresentTurn(20, "ann", "I wait.")
    return assemble(world, (), present, audience="narrator", tokens=tokens,
                    count=lambda text: len(text) // 4)  # fmt: skip


def spent(made: Window, *origins: str) -> int:
    shown = [each for each in made.items if each.candidate.tier is Tier.RETRIEVED]
    return sum(each.tokens for each in shown if each.candidate.origin in origins)


@pytest.mark.parametrize("tokens", [500, 700])
def test_gravity_keeps_its_room_beside_all_that_is_known(tokens):
    """Thirty facts that score higher do not crowd it out: of them at most half, at first."""
    made = window(tokens=tokens)
    assert "gravity:peak" in made.shown
    assert any(each.reason == "no room" for each in made.receipt.left_out)
    gravity = next(each for each in made.items if each.candidate.id == "gravity:peak")
    best = next(each for each in made.items if each.candidate.origin == STANDING)
    assert gravity.form == "full"
    assert gravity.candidate.terms.score < best.candidate.terms.score


def test_where_nothing_else_wants_it_they_have_more_than_half():
    made = window(tokens=700)
    total = sum(e.tokens for e in made.items if e.candidate.tier is Tier.RETRIEVED)
    assert spent(made, STANDING, ENTITY) > total / 2
    assert made.tokens > 0.9 * 700
