"""What the author hid: by what it is found, and by what it is not (F8.12)."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.play.acquainted import acquaintance
from storykeeper.play.narrate import offline
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact
from storykeeper.story.places import Thing
from storykeeper.units import EntityId
from storykeeper.world.finding import is_found_by
from strategies.parlour import engine, parlour, tell, with_things
from strategies.tables import table

STONE = Thing(
    id="stone", name="the Sunstone", aliases=("the gem",), at="parlour", hidden=True,
    description="Yellow, and warm to the hand",
)  # fmt: skip
DESK = Thing(id="desk", name="the desk", at="parlour")
KNOWS_OF_IT = Fact(
    id="of-it", full="There is a Sunstone, the gem of gems.", about=(), known_by={"ann": "told"}
)


def house(*things: Thing, facts: tuple[Fact, ...] = (), known_of: bool = False):
    """Ann in the parlour with Mara and Tom; she may have been told that there is such a thing."""
    story = with_things(parlour(), *(things or (STONE, DESK)))
    keeper = engine(structs.replace(story, facts=(*facts, *((KNOWS_OF_IT,) if known_of else ()))))
    tell(keeper, "It rains.")
    return keeper


def found(keeper, line: str, prose: str = "The rain goes on.") -> bool:
    """Whether the player can turn to the thing after a turn."""
    tell(keeper, prose, line)
    keeper.begin("I wait.")  # the turn before is fact now
    world = keeper.world()
    now = PresentTurn(world.now, EntityId("ann"), "")
    seen = Boundary(world, (), now, audience="ann").open("thing:stone")
    return seen and is_found_by(world, EntityId("ann"), EntityId("stone"))


# ── what a player types ──────────────────────────────────────────────────────────────────────


@table(
    "line",
    [
        "I search the parlour.",
        "I search the room.",
        "I search.",
        "Search the place",
        "I search everywhere.",
        "I ransack the room",
        "We comb the parlour for clues.",
        "I scour the parlour.",
        "I look for anything hidden.",
        "I look around for something hidden.",
        "I look carefully for clues.",
        "I am searching the parlour.",
        "I searched the parlour.",
        "I hunt for treasure.",
        "I rummage around.",
        "I go over to the window, then I search the room.",
        "I start searching the parlour.",
    ],
)
def test_who_searches_the_place_finds_it(line):
    assert found(house(), line)


@table(
    "line",
    [
        "I look around.",
        "I look at the room.",
        "I look in the parlour.",
        "I do not search the room.",
        "I refuse to search the room.",
        "I ask Mara to search the room.",
        "I tell Tom that I searched the room.",
        "I search Mara.",
        "I look for Tom.",
        "I search for words.",
        "I search his face.",
        "I search my memory.",
        "I search the cellar.",
        "I look into her eyes.",
        "I search the desk.",
        "I look under the desk.",
        "I wait for Tom.",
        "I reach for the cup.",
        "I searched the room yesterday.",
        "I wonder whether to search the room.",
        '"Search the room," I say.',
        "I find the Sunstone.",
        "I take the Sunstone.",
        "I look for a way out.",
        "I search for the right answer.",
        "I think about searching the room.",
    ],
)
def test_what_is_no_search_of_the_place_finds_nothing(line):
    assert not found(house(), line)


@pytest.mark.parametrize(
    "line",
    [
        "I look for the Sunstone.",
        "I search for the Sunstone.",
        "I hunt for the gem.",
        "I seek the Sunstone.",
        "I try to find the Sunstone.",
        "I search the parlour for the Sunstone.",
    ],
)
def test_who_knows_that_there_is_one_may_look_for_it(line):
    assert found(house(known_of=True), line)


@pytest.mark.parametrize(
    "line",
    [
        "I take the Sunstone.",
        "I pick up the Sunstone.",
        "I open the Sunstone.",
        "I show Tom the Sunstone.",
        "I pull out the Sunstone and give it to Tom.",
    ],
)
def test_nobody_takes_what_they_have_not_found(line):
    """Not even who knows that there is one."""
    keeper = house(known_of=True)
    assert not found(keeper, line)
    assert "stone" not in keeper.world().holders


def test_only_what_is_looked_for_is_found():
    lens = structs.replace(STONE, id="lens", name="the Eye", aliases=())
    fact = structs.replace(KNOWS_OF_IT, full="There are a Sunstone and an Eye.")
    keeper = house(STONE, lens, facts=(fact,))
    found(keeper, "I look for the Eye.")
    assert keeper.world().hidden == ("stone",)


def test_elsewhere_nothing_is_found():
    keeper = house(structs.replace(STONE, at="garden"))
    assert not found(keeper, "I search the room.")
    tell(keeper, "The garden.", "I go to the garden.")
    assert found(keeper, "I search the garden.")


def test_the_author_may_say_what_finds_it():
    search = Condition(did=Did(who="player", act="search", to="desk"))
    keeper = house(structs.replace(STONE, revealed_by=search), DESK)
    assert not found(keeper, "I search the room.")
    assert found(keeper, "I search the desk.")


def test_what_comes_to_light_where_nobody_is_is_seen_by_who_comes_there():
    cry = Condition(did=Did(who="player", act="sing"))
    keeper = house(structs.replace(STONE, at="garden", revealed_by=cry))
    turn = keeper.begin("I sing.")
    assert "Sunstone" not in keeper.window(text="").text
    keeper.render(turn, "The rain goes on.")
    tell(keeper, "The garden.", "I go to the garden.")
    assert "Yellow" in keeper.window(text="I look at the Sunstone.").text


def test_found_unseen_it_stays_hidden_from_the_others():
    keeper = house()
    assert found(keeper, "I secretly search the room.")
    assert keeper.world().hidden == ("stone",)
    assert "Yellow" in keeper.window(text="I think of the Sunstone.").text
    assert "Yellow" not in keeper.window("mara", text="I think of the Sunstone.").text
    found(keeper, "I take the Sunstone.")
    assert keeper.world().holders["stone"] == "ann"


def test_who_knows_a_fact_about_it_can_take_it():
    told = Fact(id="where", full="It is here.", about=("stone",), known_by={"ann": "saw"})
    keeper = house(facts=(told,))
    found(keeper, "I take the Sunstone.")
    assert keeper.world().holders["stone"] == "ann"
    hint = structs.replace(told, known_by={}, suspected_by={"ann": "saw"}, hint="Boards creak.")
    assert not found(house(facts=(hint,)), "I take the Sunstone.")


def test_a_dream_of_it_is_no_knowing_where():
    told = Fact(
        id="where", full="It is here.", about=("stone",), layer="dream", known_by={"ann": "saw"}
    )  # fmt: skip
    keeper = house(facts=(told,))
    found(keeper, "I take the Sunstone.")
    assert "stone" not in keeper.world().holders


def test_the_offline_narrator_says_what_is_found():
    keeper = house()
    turn = keeper.begin("I search the room.")
    said = offline(turn.world, turn.present, keeper.history())
    assert "You find the Sunstone. Yellow, and warm to the hand" in said
    keeper.render(turn, said)
    again = keeper.begin("I search the room.")
    assert "Sunstone" not in offline(again.world, again.present, keeper.history())


# ── what is told ─────────────────────────────────────────────────────────────────────────────


@table(
    "prose",
    [
        "You find the Sunstone under the boards.",
        "Mara pulls the Sunstone out of the ashes.",
        "Tom fishes the Sunstone out of the jar.",
        "Mara digs up the Sunstone.",
        "You spot the Sunstone behind the clock.",
        "You noticed the Sunstone.",
        "Mara shows the Sunstone to Tom.",
        "Mara uncovers the Sunstone.",
        "Tom discovered the Sunstone.",
        "Tom picks up the Sunstone.",
        "Mara took the Sunstone from its hiding place.",
        "Mara holds up the Sunstone.",
        "The Sunstone falls out of the book.",
        "Mara gives the Sunstone to Tom.",
        "Tom puts the Sunstone on the desk.",
    ],
)
def test_prose_that_takes_or_shows_it_brings_it_to_light(prose):
    assert found(house(), "I wait.", prose)


@table(
    "prose",
    [
        "Mara asks about the Sunstone.",
        "Mara thinks of the Sunstone.",
        "You do not find the Sunstone.",
        "You look for the Sunstone.",
        "Tom searches for the Sunstone.",
        "Mara wants to find the Sunstone.",
        "If you found the Sunstone, you would be rich.",
        "“Mara found the Sunstone,” says Tom.",
        "Mara hides the Sunstone.",
        "Tom dreams of the Sunstone.",
        "Eve, in the garden, finds the Sunstone.",
        "Mara might show you the Sunstone.",
        "You never see the Sunstone.",
        "Tom talks of the Sunstone.",
        "Mara misses the Sunstone.",
    ],
)
def test_prose_that_only_speaks_of_it_does_not(prose):
    assert not found(house(), "I wait.", prose)


def test_what_is_found_is_a_thing_like_any_other():
    keeper = house()
    assert found(keeper, "I search the room.")
    assert all("Yellow" in keeper.window(who, text="I look at the Sunstone.").text
               for who in ("narrator", "ann"))  # fmt: skip
    tell(keeper, "The attic.", "I go to the attic.")
    assert "Yellow" in keeper.window(text="I think of the Sunstone.").text


# ── what hangs on it ─────────────────────────────────────────────────────────────────────────


def test_nothing_is_done_to_what_is_not_found():
    """Not even by who knows that there is one: no such deed is on record."""
    keeper = house(known_of=True)
    turn = keeper.begin("I open the Sunstone.")
    assert not [each for each in turn.world.deeds if each.act == "open"]
    told = offline(turn.world, turn.present, keeper.history())
    assert told == "You do not see the Sunstone here."


def test_what_is_hidden_nowhere_is_not_anybodys_to_bring_in():
    """`check` says that it is; at run time it is closed."""
    open_ = []
    for hidden in (False, True):
        nowhere = Thing(id="stone", name="the Sunstone", hidden=hidden)
        names = acquaintance(house(nowhere).world(), EntityId("ann")).names()
        open_.append([each.entity for each in names.find("I sing to the Sunstone.")])
    assert open_ == [["stone"], []]


def test_what_comes_to_light_elsewhere_is_told_to_nobody_here():
    sung = Condition(did=Did(who="player", act="sing"))
    for at, told in (("garden", False), ("parlour", True)):
        keeper = house(structs.replace(STONE, at=at, revealed_by=sung))
        turn = keeper.begin("I sing.")
        assert ("Sunstone comes to light" in turn.window.text) is told
        assert ("Sunstone" in offline(turn.world, turn.present, keeper.history())) is told


# ── what is only said back ───────────────────────────────────────────────────────────────────


@table(
    "line, prose",
    [
        ("i grab mara's cup and yell GIVE ME THE GEM OR ELSE",
         "You grab Mara's cup and yell GIVE you THE GEM OR ELSE."),
        ("I take the Sunstone.", "You take the Sunstone."),
        ("take gem", "You try to take the gem. Rain falls."),
        ("take it, the gem, which lies on the desk",
         "The Sunstone is not here. You take it, the gem, which lies on the desk."),
        ("I put the Sunstone on the desk.", "You put the Sunstone on the desk. It lies there."),
        ("I hold up the gem and show it to Tom", "You hold up the gem and show it to Tom."),
        ("I pull out the gem.", "Ann pulls out the gem."),
    ],
)  # fmt: skip
def test_a_line_said_back_brings_nothing_to_light(line, prose):
    keeper = house(known_of=True)
    assert not found(keeper, line, prose)
    world = keeper.world()
    assert world.hidden == ("stone",)
    assert "stone" not in world.holders


@table(
    "line, prose",
    [
        ("I take the Sunstone.", "You reach under the boards and take the Sunstone."),
        ("Mara, give me the gem.", "Mara gives you the gem."),
        ("I take the gem.", "You take nothing. Mara holds up the gem."),
    ],
)
def test_what_is_told_beyond_the_line_does(line, prose):
    assert found(house(known_of=True), line, prose)
