"""What players of text games type: g, take all, drop all."""

from msgspec import structs

from storykeeper.story.places import Thing
from strategies.parlour import engine, parlour, tell
from strategies.tables import table

THINGS = (
    Thing(id="key", name="the brass key", at="parlour"),
    Thing(id="book", name="the visitors' book", at="parlour"),
    Thing(id="spade", name="the spade", at="garden"),
    Thing(id="coin", name="the gold coin", at="parlour", hidden=True),
)


def run(*lines):
    keeper = engine(structs.replace(parlour(), things=THINGS))
    tell(keeper, "The brass key and the visitors' book lie on the table. Tom waits.")
    for line in lines:
        tell(keeper, "Rain falls.", line)
    keeper.end_scene()
    return keeper


def held(keeper):
    return {thing for thing, who in keeper.world().holders.items() if who == "ann"}


@table(
    "lines, mine",
    [
        (["take all"], {"key", "book"}),
        (["get everything"], {"key", "book"}),
        (["take all", "drop all"], set()),
        (["take the key", "take all"], {"key", "book"}),
        (["look", "g"], set()),
        (["take the key", "drop the key", "take the key.", "again"], {"key"}),
        (["drop all"], set()),
    ],
)
def test_what_one_holds_then(lines, mine):
    keeper = run(*lines)
    assert held(keeper) == mine
    assert keeper.replay()


def test_again_is_the_last_line_anew():
    keeper = run("I ask Tom about the brass key.", "g", "AGAIN!")
    assert [turn.text for turn in keeper.history()][-2:] == ["I ask Tom about the brass key."] * 2


def test_again_with_nothing_before_it_is_what_was_typed():
    assert run("again").history()[-1].text == "again"
