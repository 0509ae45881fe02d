"""Telling and giving to somebody who is elsewhere: nothing is learned, nothing changes hands."""

import pytest
from msgspec import structs

from storykeeper.play.narrate import offline
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, Reveal
from strategies.runs import unkept
from strategies.six import house

TOLD = Condition(did=Did(who="player", act="tell", about="ruby"))


def begun(line, *, players=("ada",), player="ada", holder="ada"):
    """The turn of a line, where a player holds the ruby and telling of it reveals the debt."""
    told = Reveal(when=TOLD, to=("bea", "tanya", "wim"), how="told by ada")
    story = structs.replace(
        house(), players=players,
        scenes=tuple(structs.replace(each, setting=None) for each in house().scenes),
        facts=(Fact(id="debt", full="Marzipan owes money.", about=("ruby",),
                    known_by={"ada": "saw"}, revealed_by=(told,)),),
        things=(structs.replace(house().things[0], at=None, held_by=holder),),
    )  # fmt: skip
    keeper = unkept(story)
    keeper.render(keeper.opening(), "Rain.")
    turn = keeper.begin(line, player=player)
    prose = offline(turn.world, turn.present)
    keeper.render(turn, prose)
    keeper.end_scene()
    return keeper, prose


@pytest.mark.parametrize(
    "line",
    ["I tell Bea about the ruby.", "I tell Bea that the ruby is gone.", "I give Bea the ruby.",
     "I give the ruby to Bea.", "I hand Bea the ruby.", "I show Bea the ruby.",
     'I tell Bea "The ruby is gone."'],
)  # fmt: skip
def test_who_is_elsewhere_gets_nothing_and_the_player_hears_why(line):
    keeper, prose = begun(line)
    assert "You do not see Bea here." in prose
    assert keeper.world().holders["ruby"] == "ada"
    assert "debt" not in keeper.knows("bea")
    assert "ruby" not in keeper.brief("bea", "a knock").text.casefold()


def test_who_is_there_gets_it():
    keeper, prose = begun("I tell Tanya about the ruby. I give Tanya the ruby.")
    assert "is not here" not in prose
    assert keeper.world().holders["ruby"] == "tanya"
    assert keeper.knows("tanya")["debt"].how == "told by ada"


@pytest.mark.parametrize("line", ["I tell Tanya about the ruby.", "I give Tanya the ruby."])
def test_where_the_first_player_is_does_not_count(line):
    keeper, prose = begun(line, players=("ada", "wim"), player="wim", holder="wim")
    assert "You do not see Tanya here." in prose
    assert keeper.world().holders["ruby"] == "wim"
    assert "debt" not in keeper.knows("tanya")
