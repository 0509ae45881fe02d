"""Whatever a player types of what is hidden, it stays where it is, and stays unseen."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from storykeeper.play.narrate import offline
from storykeeper.story.knowledge import Fact
from storykeeper.story.places import Thing
from strategies.parlour import engine, parlour, tell
from strategies.sizes import times

GEM = Thing(id="gem", name="the Sunstone", aliases=("the gem",), at="parlour", hidden=True)
DESK = Thing(id="desk", name="the desk", at="parlour")
HEARD = Fact(id="heard", full="There is a Sunstone, the gem of gems.", about=(),
             known_by={"ann": "told"})  # fmt: skip
BEFORE = ("", "I ", "i grab mara's cup and ", "lol ok then ", "I said I ", "can i ", "*", "mara. ")
DONE = (
    "take {}", "pick up {}", "hold up {}", "give {} to Tom", "show Mara {}", "put {} on the desk",
    "throw {} at Tom", "yell GIVE ME {} OR ELSE", "pull out {}", "drop {}", "eat {}", "open {}",
    "say that I hold {}", "use {} on the desk", "point at {}", "hand {} over", "uncover {}",
)  # fmt: skip
CALLED = ("the Sunstone", "THE GEM", "gem", "my Sunstone", "Mara's gem", "it, the gem,")
AFTER = ("", ".", " and it falls out", "*", " n show it to tom", ", which lies on the desk", "?!")
LINES = st.builds(
    lambda before, done, called, after: before + done.format(called) + after,
    st.sampled_from(BEFORE), st.sampled_from(DONE), st.sampled_from(CALLED), st.sampled_from(AFTER),
)  # fmt: skip


@settings(max_examples=times(6, 150), deadline=None)
@given(st.lists(LINES, min_size=1, max_size=3))
def test_a_line_changes_nothing_of_what_is_hidden(lines):
    """Told by a narrator that says what was typed, and no more."""
    keeper = engine(structs.replace(parlour(), things=(GEM, DESK), facts=(HEARD,)))
    tell(keeper, "Mara stirs her tea. Tom sits by the window.")
    for line in lines:
        turn = keeper.begin(line)
        keeper.render(turn, offline(turn.world, turn.present, keeper.history()))
    keeper.end_scene()
    world = keeper.world()
    assert world.hidden == ("gem",)
    assert world.places["gem"] == "parlour"
    assert "gem" not in {*world.holders, *world.containers}
