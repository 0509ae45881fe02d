"""Several players at a table: each is an audience of their own."""

import pytest

from storykeeper.errors import UnknownPerson
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Path, Setting
from storykeeper.story.scenes import Scene, SceneCast
from strategies.runs import unkept

SECRET = "the vineyard is mortgaged"
PEOPLE = (("ann", "Ann", "parlour"), ("cid", "Cid", "parlour"), ("mara", "Mara", "parlour"))


def table() -> Story:
    """Ann and Cid are played; Mara is with them."""
    return Story(
        id="table", title="Table", voice="Plain.", start="evening", players=("ann", "cid"),
        cast=tuple(Character(id=i, name=n, line="Somebody.", at=at) for i, n, at in PEOPLE),
        settings=(Setting("parlour", "the parlour", paths=(Path(to="garden"),)),
                  Setting("garden", "the garden")),
        facts=(Fact(id="debt", full="Ann is in debt.", about=("mara",), known_by={"ann": "lived"}),
               Fact(id="love", full="Cid is in love.", about=("mara",),
                    known_by={"cid": "lived"})),
        scenes=(Scene(id="evening", title="Evening", setting="parlour",
                      cast=SceneCast(contingent=("mara",))),),
    )  # fmt: skip


@pytest.fixture
def keeper():
    keeper = unkept(table())
    keeper.render(keeper.opening(), "Rain falls on the roof.")
    return keeper


def played(keeper, player, line, prose="Nothing more is said."):
    keeper.render(keeper.begin(line, player=player), prose)
    keeper.end_scene()


def sees(keeper, who, words):
    """Whether anything shown to somebody has these words: a window, its receipt, a recollection."""
    window = keeper.window(who)
    shown = [window.text, str(window.receipt), keeper.brief(who, "a knock at the door").text]
    hits = keeper.recall("What of the vineyard and the mortgage?", who)
    return any(words in each for each in (*shown, *(hit.item.text for hit in hits)))


def test_each_plays_their_own_character(keeper):
    played(keeper, "ann", 'I say "Good evening."')
    played(keeper, "cid", 'I say "Is it?"')
    assert [turn.player for turn in keeper.history()][-2:] == ["ann", "cid"]
    for who in ("ann", "cid", "mara"):
        assert sees(keeper, who, "Good evening")
        assert sees(keeper, who, "Is it?")


def test_what_one_whispers_reaches_no_other_player(keeper):
    played(keeper, "ann", f'I whisper to Mara "{SECRET}"')
    assert [sees(keeper, who, SECRET) for who in ("ann", "mara", "cid")] == [True, True, False]
    played(keeper, "cid", "I look at Mara.")
    assert not sees(keeper, "cid", SECRET)


@pytest.mark.parametrize(
    "prose",
    [f"“Ann, {SECRET},” Mara whispers to Ann.", f"You remember that {SECRET}.",
     "In the drawer you find a mortgage deed, unseen by anyone."],
)  # fmt: skip
def test_what_one_is_told_alone_reaches_no_other_player(keeper, prose):
    played(keeper, "ann", "I wait.", prose)
    assert not sees(keeper, "cid", "mortgage")


def test_what_is_said_aloud_reaches_those_who_are_there(keeper):
    played(keeper, "ann", "I wait.", f"“{SECRET.capitalize()},” says Mara.")
    assert sees(keeper, "cid", SECRET.capitalize())


def test_a_player_elsewhere_perceives_nothing_of_it(keeper):
    played(keeper, "cid", "I go to the garden.")
    assert keeper.world().places["cid"] == "garden"
    played(keeper, "ann", f'I say "{SECRET}"', f"“So {SECRET},” says Mara.")
    assert [sees(keeper, who, SECRET) for who in ("ann", "cid")] == [True, False]


def test_each_knows_their_own(keeper):
    assert set(keeper.knows("ann")) == {"debt"}
    assert set(keeper.knows("cid")) == {"love"}
    assert "in debt" not in keeper.window("cid", text="I look at Mara.").text


def test_who_is_not_played_is_refused(keeper):
    with pytest.raises(UnknownPerson, match="mara is not played by anybody; there is ann, cid"):
        keeper.begin("I wait.", player="mara")
