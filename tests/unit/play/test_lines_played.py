"""What a line of several deeds comes to, and where a way leads that no place is named for."""

from msgspec import structs

from storykeeper.story.knowledge import Fact
from storykeeper.story.places import Path, Setting, Thing
from strategies.parlour import engine, parlour, tell
from strategies.tables import table

THINGS = (
    Thing(id="key", name="the brass key", at="parlour"),
    Thing(id="spade", name="the spade", at="garden"),
    Thing(id="coin", name="the gold coin", at="parlour", hidden=True),
)
KNOWN = Fact(
    id="known", full="There are the gold coin, the spade, and Eve.", about=(),
    known_by={"ann": "told"},
)  # fmt: skip
ROOMS = (
    Setting(id="parlour", name="the parlour", within="house",
            paths=(Path(to="garden"), Path(to="cellar"))),
    Setting(id="house", name="the house"),
    Setting(id="garden", name="the garden"),
    Setting(id="cellar", name="the cellar", within="parlour", paths=(Path(to="attic"),)),
    Setting(id="attic", name="the attic"),
)  # fmt: skip


def after(*lines, rooms=None):
    """Where the player is after some lines, and what they hold."""
    story = structs.replace(parlour(), things=THINGS, facts=(KNOWN,))
    if rooms is not None:
        story = structs.replace(story, settings=rooms)
    keeper = engine(story)
    tell(keeper, "The brass key lies on the table. Tom waits.")
    for line in lines:
        tell(keeper, "Rain falls.", line)
    keeper.end_scene()
    world = keeper.world()
    held = {thing for thing, who in world.holders.items() if who == "ann"}
    return world.places["ann"], held


@table(
    "line, at, held",
    [
        ("take the key and go to the garden", "garden", {"key"}),
        ("take the key, go to the garden and take the spade", "garden", {"key", "spade"}),
        ("take the key then go to the garden n take the spade lol", "garden", {"key", "spade"}),
        ("ok take the key. garden", "parlour", {"key"}),  # by itself it comes first
        # the first that fails ends it
        ("take the spade and go to the garden", "parlour", set()),
        ("take the gold coin and go to the garden", "parlour", set()),
        ("ask Eve about the rain and take the key", "parlour", set()),
        ("go to the garden, take the key and go to the attic", "garden", set()),
        # what is only said or looked for fails nothing
        ("say hello and take the key", "parlour", {"key"}),
        ("take a breath and take the key", "parlour", {"key"}),
    ],
)  # fmt: skip
def test_each_deed_comes_to_what_it_comes_to(line, at, held):
    assert after(line) == (at, held)


OUT = tuple(structs.replace(r, within="garden") if r.id == "parlour" else r for r in ROOMS)


@table(
    "lines, at",
    [
        (["out"], "garden"),
        (["go outside"], "garden"),
        (["I leave."], "garden"),
        (["leave the parlour"], "garden"),
        (["get out of here"], "garden"),
        (["walk out the door"], "garden"),
        (["I leave for the cellar"], "cellar"),
        (["go in"], "cellar"),
        (["cellar", "out"], "parlour"),
        (["garden", "go back"], "parlour"),
        (["garden", "in"], "parlour"),
        # and not
        (["I leave the key on the table."], "parlour"),
        (["I leave Tom to his knots."], "parlour"),
        (["I step back from the table."], "parlour"),
        (["I go back to my chair."], "parlour"),
        (["go back"], "parlour"),  # there are two ways, and nobody knows which
        (["look out"], "parlour"),
    ],
)
def test_a_way_that_names_no_place(lines, at):
    assert after(*lines, rooms=OUT)[0] == at
