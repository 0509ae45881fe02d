"""What a prediction of intents is given."""

import pytest
from msgspec import structs

from storykeeper.play.features import NEAR_A_GATE, features
from storykeeper.story.conditions import Condition, Did, RelationRange
from storykeeper.story.people import Character
from storykeeper.story.places import Setting
from storykeeper.story.scenes import Gate, MoodTarget, SceneCast
from storykeeper.story.tuning import Overrides, SceneOverride
from storykeeper.world.state import Mood, Standing
from strategies.hills import asks, happened, scene, story, world_of

CAST = tuple(Character(id=who, name=who.title(), line="x", at="hall") for who in ("ann", "bob"))
FAR = tuple(Character(id=who, name=who.title(), line="x", at="hill") for who in ("eve", "cy", "di"))
TRUSTS = Condition(relation=RelationRange(from_="bob", to="eve", dimension="affection",
                                          at_least=0.9))  # fmt: skip


def told(*, gate=None, mood=None, mass=2.0):
    peak = scene("peak", cast=SceneCast(required=("eve",)), gates=() if gate is None else (gate,),
                 approach=(asks(mood=mood),) if mood else ())  # fmt: skip
    others = [scene(name) for name in ("one", "two", "three")]
    return story(
        scene("first", "peak", setting="hall"), peak, *others, cast=(*CAST, *FAR),
        settings=(Setting(id="hall", name="hall"), Setting(id="hill", name="hill")),
        overrides=Overrides(scenes={"peak": SceneOverride(mass=mass, distance=0.0)}),
    )  # fmt: skip


def of_bob(story_, **fields):
    found = features(world_of(story_, scene="first", **fields))
    assert [each.who for each in found] == ["bob"]  # Ann is played, the others are elsewhere
    return found[0]


LIKES = {("bob", "eve"): Standing(affection=0.5), ("bob", "cy"): Standing(affection=0.5)}


def test_an_edge_toward_what_lies_ahead_counts_for_more():
    eve, cy = of_bob(told(), standings=LIKES).edges
    assert (eve.toward, cy.toward) == ("eve", "cy")
    assert eve.weight / cy.weight == pytest.approx(1.6)  # 1 + .3·2
    assert eve.weight + cy.weight == pytest.approx(1.0)
    flat = of_bob(told(mass=0.0), standings=LIKES).edges
    assert [each.weight for each in flat] == [0.5, 0.5]


def test_nobody_toward_whom_nothing_is_felt():
    held = {**LIKES, ("bob", "di"): Standing()}
    assert {e.toward for e in of_bob(told(), standings=held).edges} == {"eve", "cy"}
    assert of_bob(told()).edges == ()


def test_the_mood_leans_toward_what_lies_ahead():
    grim = MoodTarget(valence=-0.8)
    framing = of_bob(told(mood=grim), moods={"bob": Mood(valence=0.2)}).framing
    assert (framing.mood.valence, framing.toward, framing.lean) == (0.2, grim, 1.0)
    assert of_bob(told()).framing.toward is None


def test_who_could_open_a_gate_that_is_nearly_open():
    door = Gate(id="door", conditions=(*map(happened, ("e1", "e2", "e3")), TRUSTS))
    events = {"e1": 1, "e2": 1, "e3": 1}
    bob = of_bob(told(gate=door), standings=LIKES, happened=events)
    assert [(g.gate, g.share, g.unmet) for g in bob.gates] == [("door", 0.75, (TRUSTS,))]
    weights = {e.toward: e.weight for e in bob.edges}
    assert weights["eve"] / weights["cy"] == pytest.approx(1.6 * NEAR_A_GATE)


def test_others_gates_and_far_gates_are_not_theirs():
    lit = Condition(did=Did(who="cy", act="light"))
    door = Gate(id="door", conditions=(*map(happened, ("e1", "e2", "e3")), lit))
    assert of_bob(told(gate=door), happened={"e1": 1, "e2": 1, "e3": 1}).gates == ()
    far = structs.replace(door, conditions=(*door.conditions[:3], TRUSTS))
    assert of_bob(told(gate=far), happened={"e1": 1}).gates == ()
