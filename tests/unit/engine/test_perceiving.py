"""Who perceives what, from the text of a turn to what stands in each one's view."""

import pytest

from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.layers import EntityMap, Layer, LayerKind, Portal
from storykeeper.story.model import Soft, Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene, SceneCast
from strategies.runs import unkept

SAID = "“Marzipan,” says Jon."
DONE = "Jon takes the ruby."
ALL = ("ada", "tanya", "jon", "vic", "wim", "bea")
HERE = {"ada", "tanya", "jon"}
PEOPLE = (("ada", "she/her", "kitchen"), ("tanya", "she/her", "kitchen"),
          ("jon", "he/him", "kitchen"), ("vic", "he/him", "hall"), ("wim", "he/him", "yard"),
          ("bea", "she/her", "attic"), ("fox", "he/him", "kitchen"))  # fmt: skip


def _did(act):
    return Condition(did=Did(who="player", act=act))


def house() -> Story:
    """In the hall, behind the door, one hears the kitchen; in the yard one sees it."""
    return Story(
        id="house", title="House", version="1", voice="Plain.", start="evening", players=("ada",),
        soft=(Soft("The house", "Ada, Tanya, Jon, Vic, Wim and Bea live under one roof."),),
        cast=tuple(
            Character(id=who, name=who.capitalize(), pronouns=pronouns, line="Somebody.", at=at)
            for who, pronouns, at in PEOPLE
        ),
        settings=(
            Setting("kitchen", "the kitchen"), Setting("hall", "the hall", hears=("kitchen",)),
            Setting("yard", "the yard", sees=("kitchen",)), Setting("attic", "the attic"),
        ),
        things=(Thing(id="ruby", name="the ruby", at="kitchen"),),
        facts=(
            Fact(id="debt", full="Somebody owes money.", known_by={"bea": "lived"},
                 revealed_by=(Reveal(when=_did("ring"), to=("bea", "vic")),)),
        ),
        layers=(
            Layer(id="dream", name="The dream", kind=LayerKind.DREAM, scenes=("dreaming",),
                  portals=(Portal(from_="evening", to="dreaming", when=_did("listen")),),
                  exits=(Portal(from_="dreaming", to="evening", when=_did("wake")),),
                  entity_map=EntityMap(discrete=("fox",))),
        ),
        scenes=(
            Scene(id="evening", title="Evening", setting="kitchen", revisitable=True,
                  cast=SceneCast(contingent=ALL)),
            Scene(id="dreaming", title="Dreaming"),  # nowhere else than where the dreamer is
        ),
    )  # fmt: skip


def played(*turns):
    """A run after these turns, each a prose or a line and a prose."""
    keeper = unkept(house())
    keeper.render(keeper.opening(), "Rain falls on the roof.")
    for turn in turns:
        line, prose = turn if isinstance(turn, tuple) else ("I wait.", turn)
        keeper.render(keeper.begin(line), prose)
    keeper.end_scene()
    return keeper


def seeing(keeper, words, among=ALL):
    """Those in whose view the words stand; the narrator's has all that was told."""
    assert words in keeper.window().text
    return {who for who in among if words in keeper.brief(who, "a knock at the door").text}


# ── words ────────────────────────────────────────────────────────────────────────────────────

WORDS = {
    "same room, and behind the door": ([SAID], HERE | {"vic"}),
    "a whisper": (["“Marzipan,” Jon whispers to Tanya."], {"jon", "tanya"}),
    "a whisper to nobody said": (["“Well?” says Tanya. “It is marzipan,” Jon whispers."], {"jon"}),
    "whom it is said to is asleep": (["Tanya is asleep. “Marzipan,” says Jon to Tanya."],
                                     HERE - {"tanya"} | {"vic"}),
    "asleep, and awake again": (["Tanya is asleep.", f"Tanya woke up. {SAID}"], HERE | {"vic"}),
    "asleep behind the door": ([f"Vic fell fast asleep. {SAID}"], HERE),
    "gone to sleep": ([f"Tanya goes to sleep. {SAID}"], HERE - {"tanya"} | {"vic"}),
    "awake": (["Tanya lies asleep on the floor.", f"Tanya is awake. {SAID}"], HERE | {"vic"}),
    "stepped out": ([f"Tanya goes out. {SAID}"], HERE - {"tanya"} | {"vic"}),
    "stepped out, and called after": (["Tanya goes out. “Tanya, marzipan! Marzipan!” says Jon."],
                                      HERE - {"tanya"} | {"vic"}),
    "left": ([f"Tanya left the kitchen. {SAID}"], HERE - {"tanya"} | {"vic"}),
    "left by talk": ([f"“I have to run,” says Tanya. {SAID}"], HERE - {"tanya"} | {"vic"}),
    "left by talk a turn ago": (["“I have to run,” says Tanya.", SAID], HERE - {"tanya"} | {"vic"}),
    "went to another room": ([f"Tanya went to the attic. {SAID}"], HERE - {"tanya"} | {"vic"}),
    "said to somebody elsewhere": (["“Marzipan,” says Jon to Bea."], {"ada", "jon"}),
    "spoken by somebody invisible": ([f"Jon is invisible. {SAID}"], HERE | {"vic"}),
    "heard by somebody hidden": ([f"Tanya hid behind the door. {SAID}"], HERE | {"vic"}),
    "on the telephone": ([f"Jon phoned Bea. She answered. {SAID}"], HERE | {"vic", "bea"}),
    "on the telephone, to them": (["Jon phoned Bea. “Marzipan,” says Jon to Bea."],
                                  HERE | {"vic", "bea"}),
    "hung up": (["Jon phoned Bea. She answered.", f"Jon hung up. {SAID}"], HERE | {"vic"}),
    "the player aloud": ([('I say "Marzipan"', "Rain.")], HERE | {"vic"}),
    "the player aloud, one gone by talk": (
        ["“I have to run,” says Tanya.", ('I say "Marzipan"', "Rain.")], HERE - {"tanya"} | {"vic"}
    ),
    "the player whispers": ([('I whisper to Jon "Marzipan"', "Rain.")], {"ada", "jon"}),
    "the player to themselves": ([('I say to myself "Marzipan"', "Rain.")], {"ada"}),
}  # fmt: skip


@pytest.mark.parametrize(("turns", "who"), WORDS.values(), ids=WORDS)
def test_words(turns, who):
    assert seeing(played(*turns), "arzipan") == who


# ── deeds ────────────────────────────────────────────────────────────────────────────────────

DEEDS = {
    "same room, and through the window": ([DONE], HERE | {"wim"}),
    "asleep": ([f"Tanya is asleep. {DONE}"], HERE - {"tanya"} | {"wim"}),
    "stepped out": ([f"Tanya goes out. {DONE}"], HERE - {"tanya"} | {"wim"}),
    "left by talk": ([f"“I have to run,” says Tanya. {DONE}"], HERE - {"tanya"} | {"wim"}),
    "done by somebody invisible": ([f"Jon is invisible. {DONE}"], {"ada", "jon"}),
    "done by somebody hidden": ([f"Jon hid behind the door. {DONE}"], {"ada", "jon"}),
    "seen by somebody hidden": ([f"Tanya hid behind the door. {DONE}"], HERE | {"wim"}),
    "secretly": (["Unseen, Jon takes the ruby."], {"ada", "jon"}),
    "on the telephone": ([f"Jon phoned Bea. She answered. {DONE}"], HERE | {"wim"}),
}  # fmt: skip


@pytest.mark.parametrize(("turns", "who"), DEEDS.values(), ids=DEEDS)
def test_deeds(turns, who):
    places = {
        each: [p.place for p in played(*turns).knows(each).places if p.what == "ruby"]
        for each in ALL
    }
    assert {each for each, found in places.items() if found == ["jon"]} == who


# ── a tale within the tale ───────────────────────────────────────────────────────────────────


def test_nobody_in_the_room_perceives_the_dream():
    keeper = played(("I listen.", "A fox."), ('I say "Marzipan"', "“Nougat,” says Fox."))
    assert keeper.world().inside
    assert seeing(keeper, "Marzipan", (*ALL, "fox")) == {"ada", "fox"}
    assert seeing(keeper, "Nougat", (*ALL, "fox")) == {"ada", "fox"}


def test_nobody_in_the_dream_perceives_the_room():
    for words in (SAID, "“Marzipan,” says Jon to Fox."):
        keeper = played(("I listen.", "A fox."), words)
        assert seeing(keeper, "Marzipan", (*ALL, "fox")) == HERE | {"vic"}


def test_awake_again_one_is_in_the_room():
    keeper = played(("I listen.", "A fox."), ("I wake.", "Morning."), ('I say "Marzipan"', "Rain."))
    assert not keeper.world().inside
    assert {"ada", "tanya", "jon", "vic"} <= seeing(keeper, "Marzipan", (*ALL, "fox"))


# ── the author's word ────────────────────────────────────────────────────────────────────────


def test_the_author_may_tell_anybody_anywhere():
    keeper = played(("I ring.", "Ding."))
    assert {who for who in ALL if "debt" in keeper.knows(who)} == {"bea", "vic"}
    assert keeper.knows("vic")["debt"].how == "revealed"
