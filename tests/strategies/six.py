"""Six people under one roof, whom walls and doors part."""

from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.layers import EntityMap, Layer, LayerKind, Portal
from storykeeper.story.model import Soft, Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene, SceneCast
from strategies.runs import unkept

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


def played(*turns, stage=None):
    """A run after these turns, each a prose or a line and a prose."""
    keeper = unkept(house())
    keeper.render(keeper.opening(), "Rain falls on the roof.")
    for turn in turns:
        line, prose = turn if isinstance(turn, tuple) else ("I wait.", turn)
        keeper.render(keeper.begin(line), prose, stage=stage)
    keeper.end_scene()
    return keeper


def seeing(keeper, words, among=ALL):
    """Those in whose view the words stand; the narrator's has all that was told."""
    assert words in keeper.window().text
    return {who for who in among if words in keeper.brief(who, "a knock at the door").text}
