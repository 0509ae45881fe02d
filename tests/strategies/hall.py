"""Four people in a hall, and one in the yard who hears them."""

from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene, SceneCast
from strategies.runs import unkept

PEOPLE = (("ann", "she/her", "hall"), ("mara", "she/her", "hall"), ("tom", "he/him", "hall"),
          ("zed", "he/him", "hall"), ("pell", "he/him", "yard"))  # fmt: skip
CAST = tuple(who for who, _, _ in PEOPLE)
ALL = {*CAST}


def hall() -> Story:
    """Ann is played; in the yard one hears the hall."""
    return Story(
        id="hall", title="Hall", version="1", voice="Plain.", start="evening", players=("ann",),
        cast=tuple(
            Character(id=who, name=who.capitalize(), pronouns=pronouns, line="Somebody.", at=at)
            for who, pronouns, at in PEOPLE
        ),
        settings=(Setting("hall", "the hall"), Setting("yard", "the yard", hears=("hall",))),
        things=(Thing(id="knife", name="the knife", at="hall"),),
        scenes=(
            Scene(id="evening", title="Evening", setting="hall", revisitable=True,
                  cast=SceneCast(contingent=CAST)),
        ),
    )  # fmt: skip


def played(prose: str, line: str = "I wait."):
    """A run after one turn."""
    keeper = unkept(hall())
    keeper.render(keeper.opening(), "Rain falls on the roof.")
    keeper.render(keeper.begin(line), prose)
    keeper.end_scene()
    return keeper


def knowing(keeper, words: str) -> set[str]:
    """Those in whose view the words stand."""
    return {who for who in CAST if words in keeper.brief(who, "a knock at the door").text}
