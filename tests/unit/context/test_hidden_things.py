"""Nobody has anything of a thing that the author hid, until it is found or they know of it."""

from __future__ import annotations

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.history import PresentTurn
from storykeeper.context.window import assemble
from storykeeper.language.tokens import counter
from storykeeper.story.knowledge import Fact
from storykeeper.story.layers import Layer, LayerKind
from storykeeper.story.model import NARRATOR
from storykeeper.story.people import Scope
from storykeeper.story.places import Form, Thing
from storykeeper.story.scenes import Scene
from storykeeper.story.tuning import LayerOverride, Overrides
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.state import LayerState
from strategies.flips import all_shown
from strategies.parlour import engine, parlour, tell, with_things

EVERYBODY = (NARRATOR, "ann", "mara", "tom", "eve")
SECRET = ("quarlstone", "brimmel", "vextor", "zundar", "oddle", "hathor")
STONE = Thing(
    id="oddle", name="the Quarlstone", aliases=("the brimmel",), at="parlour", hidden=True,
    description="A vextor, cold to the hand", symbolism="Of zundar", themes=("loss",),
    forms={"tale": Form(name="the Hathor", description="A hathor of glass")},
)  # fmt: skip
LINES = (
    "I look around.", "I look at the Quarlstone.", "I take the brimmel.", "I ask Tom about it.",
    "I ask Mara about the quarlstone.", "I use oddle.", "I search the cellar.",
    "I go to the attic.", "I give Tom the Quarlstone.", "I phone Eve.",
)  # fmt: skip


def house(*things: Thing, facts: tuple[Fact, ...] = (), scope: dict[str, tuple[str, ...]] = {}):  # noqa: B006
    story = with_things(parlour(), *things)
    tale = Layer(id="tale", name="A tale", kind=LayerKind.FRAME, scenes=("told",), themes=("loss",))
    cast = tuple(
        structs.replace(each, scope=Scope(entities=scope.get(each.id, ()))) for each in story.cast
    )
    keeper = engine(
        structs.replace(
            story, cast=cast, facts=facts, layers=(tale,),
            scenes=(*story.scenes, Scene(id="told", title="Told")),
            overrides=Overrides(layers={"tale": LayerOverride(permeability=0.9)}),
        )
    )  # fmt: skip
    tell(keeper, "“It rains,” says Tom.")
    return keeper


def shown(keeper, who: str) -> str:
    return repr(all_shown(keeper, who, LINES)).casefold()


@pytest.mark.parametrize("who", EVERYBODY)
def test_nobody_has_a_word_of_it(who):
    typed = {"quarlstone", "brimmel", "oddle"}  # what a line says itself is no leak
    said = repr([shown(house(STONE), who)])
    assert not [word for word in SECRET if word not in typed and word in said]


@pytest.mark.parametrize("who", EVERYBODY)
def test_typing_its_name_is_as_if_there_were_none(who):
    """The same bytes with it, with another in its place, without it, and in another room."""
    other = Thing(
        id="other", name="the Rain", aliases=("the cellar wall",), at="parlour", hidden=True,
        description="A wall", forms={"tale": Form(name="a door")}, themes=("loss",),
    )  # fmt: skip
    worlds = [house(STONE), house(other), house(), house(structs.replace(STONE, at="cellar"))]
    one, *others = (shown(each, who) for each in worlds)
    assert all(each == one for each in others)


def test_who_hid_it_knows_of_it():
    keeper = house(STONE, scope={"mara": ("oddle",)})
    assert "vextor" in shown(keeper, "mara")
    assert not [who for who in EVERYBODY if who != "mara" and "vextor" in shown(keeper, who)]


def test_who_knows_a_fact_about_it_knows_of_it_and_where():
    told = Fact(id="where", full="It is here.", about=("oddle",), known_by={"tom": "saw"})
    keeper = house(STONE, facts=(told,))
    assert "vextor" in shown(keeper, "tom")
    assert "vextor" not in shown(keeper, NARRATOR)


def test_a_bridge_object_that_is_hidden_is_not_here_even_to_who_knows_of_it():
    keeper = house(STONE, scope={"ann": ("oddle",), "mara": ("oddle",)})
    assert "vextor" in shown(keeper, NARRATOR)  # they know that there is one
    assert "zundar" not in felt(keeper.world())
    tell(keeper, "The rain goes on.", "I search the room.")
    keeper.begin("I wait.")
    assert "zundar" in felt(keeper.world())


def felt(world) -> str:
    """What the narrator has of a turn in which a tale that was entered leans in."""
    world = structs.replace(world, layers=Map({"tale": LayerState(visits=1)}))
    turn = PresentTurn(TurnNo(9), EntityId("ann"), "I wait.")
    return assemble(
        world, (), turn, audience=NARRATOR, tokens=None, count=counter("o200k")
    ).text  # fmt: skip


def test_the_author_sees_who_has_not_found_it():
    keeper = house(STONE)
    assert keeper.knows("ann").unfound == ("oddle",)
    tell(keeper, "The rain goes on.", "I search the room.")
    keeper.begin("I wait.")
    assert keeper.knows("ann").unfound == ()
    assert keeper.knows("eve").unfound == ()
