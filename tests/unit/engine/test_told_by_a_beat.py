"""What a beat tells is learned as its fact says it is, and the next window says so."""

from msgspec import structs

from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Bearing, Fact, Reveal
from storykeeper.story.scenes import Beat
from strategies.parlour import engine, parlour, tell

WAITS = Condition(did=Did(who="player", act="wait"))
ASKS = Condition(did=Did(who="player", act="ask", to="tom"))


def keeper_of(*ways: Reveal):
    story = parlour()
    fact = Fact(
        id="page", full="The page was cut.", secret=True, revealed_by=ways, weight=1.0,
        bears_on=(Bearing(from_="mara", to="tom", note="She never forgave it."),),
    )  # fmt: skip
    first, *others = story.scenes
    beat = Beat(id="read", prose="You read the page.", when=WAITS, reveals=("page",))
    first = structs.replace(first, beats=(*first.beats, beat))
    return engine(structs.replace(story, scenes=(first, *others), facts=(fact,)))


def test_it_stands_in_the_window_after_it():
    keeper = keeper_of(Reveal(when=ASKS, how="read"))
    tell(keeper, "Mara and Tom sit by the fire.")
    assert "was cut" not in tell(keeper, "You read the page.", "I wait.").window.text
    after = keeper.begin("I look at the fire.").window.text
    assert (
        "- Ann knows now (read), though it was not told in so many words: The page was cut."
        in after
    )
    assert "Between Mara and Tom now: She never forgave it" in after
    keeper.render(keeper.turn(), "It burns.")
    assert "Just now known" not in keeper.begin("I look at the fire.").window.text


def test_where_there_are_several_ways_and_none_holds_it_is_only_revealed():
    asks_mara = Condition(did=Did(who="player", act="ask", to="mara"))
    keeper = keeper_of(Reveal(when=ASKS, how="told by tom"), Reveal(when=asks_mara, how="read"))
    tell(keeper, "Mara and Tom sit by the fire.")
    tell(keeper, "You read the page.", "I wait.")
    keeper.begin("I look at the fire.")
    assert keeper.world().known["ann"]["page"].how == "revealed"
