"""The whole landscape of small worlds."""

import pytest

from storykeeper.events import changes as ch
from storykeeper.gravity.landscape import Landscape, landscape
from storykeeper.gravity.pull import Band
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.layers import (
    Layer,
    LayerKind,
    Permeability,
    Portal,
    Prophecy,
    Reinforcement,
    Waypoint,
)
from storykeeper.story.scenes import SceneType
from storykeeper.story.tuning import (
    GravityTuning,
    LayerOverride,
    Overrides,
    SceneOverride,
    Tuning,
)
from storykeeper.world.state import Inside, LayerState
from strategies.hills import done, gate, knows, learned, place, scene, story, world_of
from strategies.worlds import scene_changed


def pulls(world):
    return {each.scene: round(each.pull, 4) for each in landscape(world).attractors}


def heavy(name, *to, weight=0.5, far=0.0, **more):
    return scene(name, *to, mass=weight, **more), {name: SceneOverride(distance=far)}


def near_story(*pairs, **more):
    """Scenes of stated distances."""
    stated = {name: each for _, own in pairs for name, each in own.items()}
    return story(*(s for s, _ in pairs), overrides=Overrides(scenes=stated), **more)


def test_a_single_scene_is_flat():
    assert landscape(world_of(story(scene("a", mass=1.0)))) == Landscape(0, "a")


def test_a_story_without_any_gravity_has_no_strongest():
    world = world_of(story(scene("a", "b"), scene("b")), connective_turns=9)
    found = landscape(world)
    assert [each.scene for each in found.attractors] == ["b"]
    assert pulls(world) == {"b": 0.0}  # turns of waiting make nothing out of nothing
    assert found.strongest is None


def test_mass_is_felt_in_full_on_arrival_and_fades_along_the_way():
    told = near_story(heavy("a", "b", "c"), heavy("b", "d"), heavy("c", far=0.25),
                      heavy("d", weight=1.0))  # fmt: skip
    assert pulls(world_of(told, scene="a")) == {"d": 0.8, "b": 0.5, "c": 0.25}
    assert pulls(world_of(told, scene="b")) == {"d": 1.0, "c": 0.2}  # c is beside: two steps


def test_equal_pulls_are_in_the_order_of_their_names():
    told = near_story(heavy("m", "c", "a", "b"), heavy("c"), heavy("b"), heavy("a"))
    found = landscape(world_of(told, scene="m"))
    assert [each.scene for each in found.attractors] == ["a", "b", "c"]
    assert found.strongest.scene == "a"


def test_it_rises_on_the_way_and_is_gone_once_it_is_over():
    settings = (place("p", ("q", 1.0)), place("q", ("r", 3.0)), place("r"))
    told = story(
        scene("a", "b", setting="p"), scene("b", "c", setting="q"),
        scene("c", "d", setting="r", mass=1.0), scene("d", setting="p", mass=0.2),
        settings=settings,
    )  # fmt: skip
    far = landscape(world_of(told, scene="a", places={"ann": "p"}))
    near = landscape(world_of(told, scene="b", places={"ann": "q"}, scenes={"a": done()}))
    there = landscape(world_of(told, scene="b", places={"ann": "r"}, scenes={"a": done()}))
    felt = [each.strongest.pull for each in (far, near, there)]
    assert [each.strongest.scene for each in (far, near, there)] == ["d", "c", "c"]
    assert next(a.pull for a in far.attractors if a.scene == "c") < felt[1] < felt[2] == 1.0
    assert [a.band for a in near.attractors] == [Band.DISTANT, Band.APPROACHING]
    assert there.strongest.band is Band.IMMINENT
    before = {"a": done(), "b": done()}
    in_it = landscape(world_of(told, scene="c", places={"ann": "r"}, scenes=before))
    assert [each.scene for each in in_it.attractors] == ["d"]
    after = world_of(told, scene="d", scenes={"a": done(), "b": done(), "c": done()})
    assert landscape(after).attractors == ()


def test_scenes_beside_pull_and_those_behind_do_not():
    told = near_story(heavy("a", "b", "c"), heavy("b"), heavy("c", weight=1.0))
    found = landscape(world_of(told, scene="b", scenes={"a": done()}))
    assert [(each.scene, each.way.lateral) for each in found.attractors] == [("c", True)]
    assert found.strongest.pull == pytest.approx(0.8)


def test_the_band_counts_nearness_and_not_mass():
    told = near_story(heavy("a", "b", "c", "d"), heavy("b", weight=0.01), heavy("c", far=0.25),
                      heavy("d", weight=1.0, far=1.0))  # fmt: skip
    found = {each.scene: each.band for each in landscape(world_of(told, scene="a")).attractors}
    assert found == {"b": Band.IMMINENT, "c": Band.APPROACHING, "d": Band.DISTANT}


def test_softening_is_the_authors_to_turn():
    tuning = Tuning(gravity=GravityTuning(softening=0.5))
    told = near_story(heavy("a", "b"), heavy("b", weight=1.0, far=0.5), tuning=tuning)
    assert pulls(world_of(told)) == {"b": 0.5}


# ── events, overrides, connective space ──────────────────────────────────────────────────────


def test_events_change_masses_for_good():
    events = (StoryEvent(id="e1", summary="x", mass={"b": 0.5, "c": -2.0}),)
    told = near_story(heavy("a", "b", "c"), heavy("b"), heavy("c"), events=events)
    assert pulls(world_of(told)) == {"b": 0.5, "c": 0.5}
    assert pulls(world_of(told, ch.EventHappened(1, "e1"))) == {"b": 1.0, "c": 0.0}


def test_the_published_cave():
    overrides = Overrides(scenes={"cave": SceneOverride(mass=2.1, distance=0.0)})
    told = story(scene("a", "cave"), scene("cave", mass=1.0), overrides=overrides)
    found = landscape(world_of(told, masses={"cave": 0.7}, connective_turns=5)).strongest
    assert (found.pull, found.nearness, found.band) == (2.1, 1.0, Band.IMMINENT)


def test_connective_space_adds_to_the_strongest_alone():
    told = near_story(heavy("a", "b", "c"), heavy("b", weight=0.6), heavy("c"))
    found = landscape(world_of(told, connective_turns=2)).attractors
    assert [(each.scene, each.mass.connective) for each in found] == [("b", 0.1), ("c", 0.0)]
    assert found[0].pull == pytest.approx(0.7)
    assert pulls(world_of(told)) == {"b": 0.6, "c": 0.5}


def test_turns_are_counted_through_connective_scenes():
    told = near_story(heavy("a", "b"), heavy("b", "c"), heavy("c", type=SceneType.GATE))
    world = world_of(told, scene_changed("a", "entered"), connective_turns=4)
    assert landscape(world).strongest.mass.connective > 0
    in_gate = world_of(told, scene_changed("c", "entered"))
    assert in_gate.connective_turns == 0


# ── prophecies ───────────────────────────────────────────────────────────────────────────────

OMENS = (
    Prophecy(id="dream", source="e1", target="b", base=0.2,
             reinforced_by=(Reinforcement(event="e3", amount=0.2),)),
    Prophecy(id="song", source="e2", target="b", base=0.9),
)  # fmt: skip


def foretold(*records, **more):
    told = near_story(heavy("a", "b", "c"), heavy("b"), heavy("c"), prophecies=OMENS, **more)
    return landscape(world_of(told, *records))


def test_prophecies_on_one_scene_add_and_each_is_bounded():
    born = ch.ProphecyBorn(0, "dream", "e1")
    assert [each.mass.prophetic for each in foretold().attractors] == [0.0, 0.0]
    found = foretold(born)
    assert (found.strongest.scene, found.strongest.mass.prophetic) == ("b", 0.2)
    both = foretold(born, ch.ProphecyBorn(0, "song", "e2"))
    assert both.strongest.mass.prophetic == pytest.approx(0.45)  # .2 + .25
    assert [(each.prophecy, each.magnitude) for each in both.prophecies] == [
        ("dream", 0.2), ("song", 0.9),
    ]  # fmt: skip


def test_a_prophecy_grows_and_ends():
    born = ch.ProphecyBorn(0, "dream", "e1")
    grown = foretold(born, ch.ProphecyReinforced(0, "dream", "e3", 0.2))
    assert grown.prophecies[0].magnitude == pytest.approx(0.3)
    over = foretold(born, ch.ProphecyFulfilled(0, "dream", "b"))
    assert over.prophecies == ()
    assert over.strongest.mass.prophetic == 0.0


def test_a_stated_magnitude_counts_from_its_birth_to_its_end():
    overrides = Overrides(
        scenes={name: SceneOverride(distance=0.0) for name in "bc"}, prophecies={"song": 0.5}
    )
    told = story(scene("a", "b"), scene("b"), prophecies=OMENS, overrides=overrides)
    born = ch.ProphecyBorn(0, "song", "e2")
    assert landscape(world_of(told)).prophecies == ()
    assert landscape(world_of(told, born)).prophecies[0].magnitude == 0.5
    assert landscape(world_of(told, born, ch.ProphecyFulfilled(0, "song", "b"))).prophecies == ()


# ── layers and gates ─────────────────────────────────────────────────────────────────────────


def tale(psi=0.4, **more):
    flat = Permeability(waypoints=(Waypoint(progress=0.0, value=psi),))
    return Layer(
        id="tale", name="Tale", kind=LayerKind.FRAME, scenes=("t",), permeability=flat,
        base_mass=0.3, portals=(Portal(from_="a", to="t"),),
        exits=(Portal(from_="t", to="a"),), **more,
    )  # fmt: skip


def felt(state=None, *, layer=None, overrides=None, **fields):
    told = story(scene("a", "b"), scene("b"), scene("t"), layers=(layer or tale(),),
                 overrides=overrides or Overrides())  # fmt: skip
    layers = {} if state is None else {"tale": state}
    return landscape(world_of(told, layers=layers, **fields)).layers


def test_a_tale_is_felt_once_it_was_entered():
    assert felt() == ()
    assert felt(LayerState()) == ()
    (found,) = felt(LayerState(visits=1))
    assert (found.layer, found.psi, found.active) == ("tale", 0.4, False)
    assert found.strength == pytest.approx(0.5 * 0.4)
    (found,) = felt(inside=(Inside("tale", "a"),))
    assert found.active
    (found,) = felt(LayerState(merged=True))
    assert found.psi == 1.0


def test_a_hidden_tale_is_felt_once_it_is_known_of_and_entered():
    hidden = tale(hidden=True, revealed_by=knows("f1"))
    assert felt(layer=hidden, known=learned("f1")) == ()
    assert felt(LayerState(visits=1), layer=hidden)[0].layer == "tale"


@pytest.mark.parametrize(("psi", "strength"), [(0.1, 0.08), (0.7, 0.56), (0.8, 0.64)])
def test_the_published_strengths_of_a_tale(psi, strength):
    overrides = Overrides(layers={"tale": LayerOverride(mass=0.8, permeability=psi)})
    (found,) = felt(LayerState(visits=3, completed=True), overrides=overrides)
    assert found.strength == pytest.approx(strength)


def test_gates_here_and_ahead_are_seen_while_they_are_shut():
    told = story(
        scene("a", "b", gates=(gate("here", knows("f1")), gate("open", knows("f2")))),
        scene("b", gates=(gate("there", knows("f1"), knows("f2")),)),
        scene("c", gates=(gate("nowhere", knows("f1")),)),
    )
    world = world_of(told, scene="a", known=learned("f1"), gates={"open": 1})
    found = [(each.gate, each.share) for each in landscape(world).gates]
    assert found == [("here", 1.0), ("there", 0.5)]


def test_the_digest_tells_landscapes_apart():
    told = near_story(heavy("a", "b"), heavy("b"))
    first, same = landscape(world_of(told)), landscape(world_of(told))
    other = landscape(world_of(told, masses={"b": 0.1}))
    assert first.digest == same.digest != other.digest
    assert len(first.digest) == 64
