"""Who has left, sleeps or is dead hears nothing more, until they plainly are there again."""

import pytest

from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene, SceneCast
from strategies.runs import unkept

PEOPLE = (("ann", "she/her", "hall"), ("mara", "she/her", "hall"), ("tom", "he/him", "hall"),
          ("pell", "he/him", "yard"), ("zed", "he/him", "cellar"))  # fmt: skip
SAYS = 'Mara says: "Marzipan."'
OUT = "Tom goes out."


def house() -> Story:
    """A hall with three people in it, a yard and a cellar; what Mara knows she tells if asked."""
    asked = Did(who="player", act="ask", to="mara", about="knife")
    return Story(
        id="house", title="House", version="1", voice="Plain.", start="evening", players=("ann",),
        cast=tuple(
            Character(id=who, name=who.capitalize(), pronouns=pronouns, line="Somebody.", at=at)
            for who, pronouns, at in PEOPLE
        ),
        settings=(Setting("hall", "the hall"), Setting("yard", "the yard"),
                  Setting("cellar", "the cellar")),
        things=(Thing(id="knife", name="the knife", at="hall"),),
        facts=(
            Fact(id="here", full="The knife is from Bergen.", known_by={"mara": "lived"},
                 revealed_by=(Reveal(when=Condition(present="mara", did=Did("player", "wait")),
                                     to=("ann",)),)),
            Fact(id="asked", full="The knife was stolen.", known_by={"mara": "lived"},
                 revealed_by=(Reveal(when=Condition(did=asked), to=("ann",)),)),
        ),
        scenes=(Scene(id="evening", title="Evening", setting="hall", revisitable=True,
                      cast=SceneCast(contingent=tuple(who for who, _, _ in PEOPLE))),),
    )  # fmt: skip


def played(*proses):
    """A run after these proses."""
    keeper = unkept(house())
    keeper.render(keeper.opening(), "Rain falls on the roof.")
    for prose in proses:
        keeper.render(keeper.begin("I listen."), prose)
    keeper.end_scene()
    return keeper


def hearing(*proses):
    """Those of the hall in whose view Mara's word stands."""
    keeper = played(*proses)
    assert "arzipan" in keeper.window().text
    return {w for w in ("ann", "mara", "tom") if "arzipan" in keeper.brief(w, "a knock").text}


GONE = [
    "Tom has gone.", "Tom is gone.", "Tom hurries off.", "Tom slips out of the room.",
    "Tom steps outside.", "Tom disappears through the door.", "Tom rides away.",
    "Tom goes upstairs.", "Mara sends Tom away.", "Tom is out in the stable.",
    "Tom storms out, slamming the door.", "Tom leaves the room.", "Tom is out in the yard.",
    "Tom faints.", "Tom is dead.", "Tom dies.", "Tom is unconscious.", "Mara kills Tom.",
    "Tom falls asleep. Mara breaks the cup. Mara sings.",
    "Tom goes out. Mara sings. Rain falls. Ann waits.",
    f"{OUT} Ann imagines that Tom comes in.", f"{OUT} Yesterday Tom took the knife.",
    f"{OUT} Yesterday Tom came in.", f"{OUT} Tom, out in the stable, feeds the horse.",
    f"{OUT} Tom is cold.",
]  # fmt: skip
BACK = [
    "Rain falls.", "Tom waits.", "Tom sits down.", "Tom looks away.", "Tom steps away.",
    "Tom steps out of the shadows.", "Tom goes to the window.", "Tom is dead tired.",
    "Tom walks over to Mara.", "Tom is out of breath.", "Mara sends for Tom.",
    "Mara throws the cup to the floor.", "Mara waits before Tom goes upstairs.",
    f"{OUT} Tom comes in.", f"{OUT} Tom returns.", f"{OUT} Tom walks back into the room.",
    f"{OUT} Tom takes the knife.", f'{OUT} "Here," says Tom to Mara.', f"{OUT} Tom kisses Mara.",
]  # fmt: skip


@pytest.mark.parametrize("prose", GONE)
def test_who_is_gone_hears_nothing(prose):
    assert hearing(f"{prose} {SAYS}") == {"ann", "mara"}
    assert hearing(prose, SAYS) == {"ann", "mara"}


@pytest.mark.parametrize("prose", BACK)
def test_who_is_there_hears(prose):
    assert hearing(prose, SAYS) == {"ann", "mara", "tom"}


@pytest.mark.parametrize(
    "prose",
    ['With Tom gone, Mara says: "Marzipan."', 'Once Tom had gone, Mara said, "Marzipan."',
     'After Tom has left the room, Mara says: "Marzipan."',
     'When Tom had left the room, "Marzipan," said Mara.'],
)  # fmt: skip
def test_who_is_gone_in_the_same_sentence_neither_hears_nor_speaks(prose):
    assert hearing(prose) == {"ann", "mara"}
    assert played(prose).world().away == ("tom",)


@pytest.mark.parametrize("prose", ["Mara goes out.", "Mara is dead.", "Mara has gone."])
def test_who_is_gone_tells_nothing(prose):
    for fact, line in (("here", "I wait."), ("asked", "I ask Mara about the knife.")):
        for before, learned in (("Rain falls.", True), (prose, False)):
            keeper = unkept(house())
            keeper.render(keeper.opening(), "Rain falls on the roof.")
            keeper.render(keeper.begin("I listen."), before)
            keeper.render(keeper.begin(line), "Rain.")
            keeper.end_scene()
            assert (fact in keeper.knows("ann")) is learned
