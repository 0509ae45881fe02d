"""What relates to a scene, what resonates with it, and what that does to an item."""

import pytest

from storykeeper.events import changes as ch
from storykeeper.gravity.landscape import landscape
from storykeeper.gravity.modifier import WEIGHTLESS, Field, Pulls
from storykeeper.gravity.ties import Subject, ties
from storykeeper.story.conditions import Condition, Threshold
from storykeeper.story.layers import Layer, LayerKind, Portal, Prophecy
from storykeeper.story.places import Form, Path, Thing
from storykeeper.story.scenes import SceneCast
from storykeeper.story.tuning import (
    GravityTuning,
    LayerOverride,
    Overrides,
    SceneOverride,
    Tuning,
)
from storykeeper.world.state import LayerState
from strategies.hills import asks, happened, knows, never, place, scene, story, world_of


def related(told, **about):
    return set(ties(world_of(told).plan).related(Subject(**about)))


def resonant(told, *themes):
    return set(ties(world_of(told).plan).resonant(Subject(themes=themes)))


def cast(*required, contingent=()):
    return SceneCast(required=required, contingent=contingent)


# ── relates ──────────────────────────────────────────────────────────────────────────────────


def test_required_and_contingent_cast_tie():
    told = story(scene("a", cast=cast("bob")), scene("b", cast=cast(contingent=("eve",))),
                 scene("c"))  # fmt: skip
    assert related(told, entities=("bob",)) == {"a"}
    assert related(told, entities=("eve",)) == {"b"}
    assert related(told, entities=("bob", "eve", "nobody")) == {"a", "b"}
    assert related(told) == set()


@pytest.mark.parametrize(("in_some", "scenes", "ties_"), [
    (1, 1, True), (1, 2, True), (2, 2, False), (1, 3, True), (2, 3, False), (2, 5, False),
    (2, 6, True),
])  # fmt: skip
def test_those_in_several_and_more_than_a_third_of_the_scenes_tie_nothing(in_some, scenes, ties_):
    told = story(*(scene(f"s{i}", cast=cast("bob") if i < in_some else cast())
                   for i in range(scenes)))  # fmt: skip
    assert bool(related(told, entities=("bob",))) is ties_


def test_players_tie_nothing():
    told = story(scene("a", cast=cast("ann", "cid")), scene("b"), scene("c"), scene("d"),
                 players=("ann", "cid"))  # fmt: skip
    assert related(told, entities=("ann", "cid")) == set()


def test_its_setting_and_those_next_to_it_tie():
    well = place("well", Path(to="hall", one_way=True))
    row = (place("hall", "yard"), place("yard", "road"), place("road"))
    settings = (*row, well, place("loft", within="hall"))
    told = story(scene("a", setting="hall"), scene("b"), settings=settings)
    near = {name for name in ("hall", "yard", "road", "well", "loft")
            if related(told, entities=(name,)) == {"a"}}  # fmt: skip
    assert near == {"hall", "yard", "well", "loft"}


def test_what_a_way_of_coming_asks_for_ties():
    either = Condition(threshold=Threshold(at_least=1, of=(knows("f2"), Condition(holds="f3"))))
    told = story(scene("a", approach=(asks(knows("f1")), asks(happened("e1"), either))),
                 scene("b", approach=(asks(never(knows("f4"))),)))  # fmt: skip
    for name in ("f1", "f2", "f3", "e1"):
        assert related(told, about=(name,)) == {"a"}
    assert related(told, about=("f4", "e2")) == set()


def test_an_item_of_a_scene_itself_is_tied_to_it():
    assert related(story(scene("a")), scenes=("a",)) == {"a"}


# ── resonates ────────────────────────────────────────────────────────────────────────────────


def test_a_theme_in_common_or_joined_by_the_lexicon_both_ways():
    told = story(scene("a", themes=("sacrifice",)), scene("b", themes=("duty",)), scene("c"),
                 themes={"sacrifice": ("loss", "duty")})  # fmt: skip
    assert resonant(told, "sacrifice") == {"a", "b"}
    assert resonant(told, "loss") == {"a"}
    assert resonant(told, "duty") == {"a", "b"}
    assert resonant(told, "joy") == set()
    assert resonant(told) == set()


def test_joined_themes_are_not_joined_further():
    told = story(scene("a", themes=("x",)), themes={"x": ("y",), "y": ("z",)})
    assert resonant(told, "y") == {"a"}
    assert resonant(told, "z") == set()


# ── gravity ──────────────────────────────────────────────────────────────────────────────────


def far_story(**more):
    """A cave that weighs 2.1 and is here, a hill of half a pull, a fairy tale, a prophecy."""
    tale = Layer(
        id="tale", name="Tale", kind=LayerKind.FRAME, scenes=("t",), themes=("wood",),
        portals=(Portal(from_="a", to="t"),), exits=(Portal(from_="t", to="a"),),
    )  # fmt: skip
    given = {
        "layers": (tale,),
        "things": (Thing(id="flower", name="flower", forms={"tale": Form(name="bell")}),
                   Thing(id="knife", name="knife", themes=("sacrifice",))),
        "prophecies": (Prophecy(id="dream", source="e1", target="cave", themes=("fire",)),),
        "themes": {"sacrifice": ("loss",)},
        "overrides": Overrides(
            scenes={"cave": SceneOverride(mass=2.1, distance=0.0),
                    "hill": SceneOverride(mass=1.0, distance=0.25)},
            layers={"tale": LayerOverride(mass=0.8, permeability=0.8)},
            prophecies={"dream": 0.5},
        ),
        **more,
    }  # fmt: skip
    return story(
        scene("a", "cave", "hill"), scene("t"),
        scene("cave", cast=cast("eve"), themes=("sacrifice",)),
        scene("hill", cast=cast("bob"), themes=("sacrifice", "wind")), **given,
    )  # fmt: skip


def field(*records, told=None, layers=None):
    visited = {"tale": LayerState(visits=1)} if layers is None else layers
    world = world_of(told or far_story(), *records, layers=visited)
    return Field(world.plan, landscape(world))


BORN = ch.ProphecyBorn(0, "dream", "e1")


def test_the_published_modifiers():
    ahead = field(BORN)
    cave = ahead.pulls(Subject(entities=("eve",)))
    assert cave.scene == pytest.approx(0.63)
    assert cave.gravity == pytest.approx(1.63)
    wood = ahead.pulls(Subject(themes=("wood",)))
    assert wood == Pulls(layer=pytest.approx(0.16))
    fire = ahead.pulls(Subject(themes=("fire",)))
    assert fire == Pulls(prophecy=pytest.approx(0.10))
    assert fire.gravity == pytest.approx(1.10)


def test_the_terms_do_not_add_up_the_strongest_counts():
    found = field(BORN).pulls(Subject(entities=("eve",), themes=("wood",)))
    assert (found.scene, found.theme) == (pytest.approx(0.63), 0.0)
    assert (found.layer, found.prophecy) == (pytest.approx(0.16), pytest.approx(0.10))
    assert found.gravity == pytest.approx(1.63)


def test_of_several_scenes_the_strongest_pull():
    ahead = field()
    assert ahead.pulls(Subject(entities=("bob",))).scene == pytest.approx(0.3 * 0.5)
    assert ahead.pulls(Subject(entities=("bob", "eve"))).scene == pytest.approx(0.63)
    assert ahead.related(Subject(entities=("bob", "eve"))) == {"cave", "hill"}


def test_what_only_resonates_counts_half():
    ahead = field()
    assert ahead.pulls(Subject(themes=("loss",))) == Pulls(theme=pytest.approx(0.15 * 2.1))
    both = ahead.pulls(Subject(entities=("eve",), themes=("loss",)))
    assert both.scene == pytest.approx(0.63)
    assert both.theme == pytest.approx(0.15 * 0.5)  # the hill: to the cave it relates


def test_a_thing_brings_its_themes_along():
    ahead = field()
    assert ahead.pulls(Subject(entities=("knife",))).theme == pytest.approx(0.15 * 2.1)
    assert ahead.resonates(Subject(entities=("knife",)), ("loss",))
    assert not ahead.resonates(Subject(entities=("flower",)), ("loss",))


def test_a_bridge_object_is_felt_as_its_tale_is():
    assert field().pulls(Subject(entities=("flower",))) == Pulls(layer=pytest.approx(0.16))
    assert field(layers={}).pulls(Subject(entities=("flower",))) == WEIGHTLESS


def test_a_prophecy_leans_by_cast_themes_and_bridge_objects():
    aimed = far_story(prophecies=(Prophecy(id="dream", source="e1", target="t"),))
    assert field(BORN, told=aimed).pulls(Subject(entities=("flower",))).prophecy == 0.1
    ahead = field(BORN)
    for subject in (
        Subject(entities=("eve",)),
        Subject(themes=("loss",)),
        Subject(themes=("fire",)),
    ):
        assert ahead.pulls(subject).prophecy == pytest.approx(0.1)
    assert ahead.pulls(Subject(entities=("bob", "flower"))).prophecy == 0.0
    assert field().pulls(Subject(themes=("fire",))) == WEIGHTLESS  # not spoken yet


def test_prophecies_compound():
    two = (Prophecy(id="dream", source="e1", target="cave"),
           Prophecy(id="song", source="e2", target="cave", base=0.4))  # fmt: skip
    found = field(BORN, ch.ProphecyBorn(0, "song", "e2"), told=far_story(prophecies=two))
    assert found.pulls(Subject(entities=("eve",))).prophecy == pytest.approx(0.2 * 0.9)


def test_weights_are_the_authors_to_turn():
    tuning = Tuning(gravity=GravityTuning(attractor_weight=1.0, thematic_weight=0.5,
                                          layer_weight=0.0, prophetic_weight=0.0))  # fmt: skip
    ahead = field(BORN, told=far_story(tuning=tuning))
    found = ahead.pulls(Subject(entities=("eve",), themes=("wood", "wind")))
    assert (found.scene, found.theme) == (pytest.approx(2.1), pytest.approx(0.25))
    assert (found.layer, found.prophecy) == (0.0, 0.0)


def test_what_has_to_do_with_nothing_weighs_nothing():
    assert field(BORN).pulls(Subject()) == WEIGHTLESS
    assert field(BORN).pulls(Subject(("ann", "gone"), ("joy",), ("f1",), ("gone",))) == WEIGHTLESS
    assert WEIGHTLESS.gravity == 1.0


def test_a_scene_that_is_here_or_over_pulls_nothing():
    world = world_of(far_story(), scene="cave")
    found = Field(world.plan, landscape(world)).pulls(Subject(entities=("eve",)))
    assert found == WEIGHTLESS
