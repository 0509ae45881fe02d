"""Words that are not for all: thought, written, not said, said apart or low; told and typed."""

import pytest

from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene, SceneCast
from strategies.runs import unkept

PEOPLE = (("ann", "she/her", "hall"), ("mara", "she/her", "hall"), ("tom", "he/him", "hall"),
          ("zed", "he/him", "hall"), ("pell", "he/him", "yard"))  # fmt: skip
CAST = tuple(who for who, _, _ in PEOPLE)
ALL, NOBODY = {*CAST}, set()
ROOM = ALL - {"pell"}


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


TOLD = {
    # no utterance
    'Mara thinks, "Marzipan."': NOBODY,
    '"Marzipan," Mara thinks.': NOBODY,
    '"Well," Mara thinks, "marzipan."': NOBODY,
    '"Well?" Mara thinks. "Marzipan."': NOBODY,
    '"Tom, marzipan," Mara thinks.': NOBODY,
    '"Marzipan," Mara tells herself.': NOBODY,
    'Mara does not say, "Marzipan."': NOBODY,
    'Mara never says, "Marzipan."': NOBODY,
    'Mara almost says, "Marzipan."': NOBODY,
    'Mara wants to say, "Marzipan."': NOBODY,
    'Mara nods as if to say, "Marzipan."': NOBODY,
    'Mara would have said, "Marzipan," if Tom were not there.': NOBODY,
    'Mara dreams that she says, "Marzipan."': NOBODY,
    'You remember Mara saying, "Marzipan."': NOBODY,
    'Years ago Mara said, "Marzipan."': NOBODY,
    '"Marzipan," Mara had said.': NOBODY,
    # for the player told, or whom it is plainly said to
    'Mara writes in her book, "Marzipan."': {"ann", "mara"},
    'Mara writes in her book, "Tom, it is marzipan."': {"ann", "mara"},
    '"Marzipan," Mara says to herself.': {"ann", "mara"},
    '"Marzipan," says Mara, while Tom is about to speak.': {"ann", "mara"},
    'Mara draws Ann aside, away from Tom, and says, "Marzipan."': {"ann", "mara"},
    'Mara draws you aside. "Marzipan," she says.': {"ann", "mara"},
    'Mara draws Tom aside and says, "Marzipan."': {"mara", "tom"},
    'Mara draws Tom aside. "It is marzipan," says Tom.': {"mara", "tom"},
    'Mara says, so that only you can hear, "Marzipan."': {"ann", "mara"},
    '"Marzipan," Mara says, too softly for Tom to hear.': {"ann", "mara"},
    'Out of Tom\'s hearing, Mara says, "Marzipan."': {"ann", "mara"},
    'Mara says, once they are alone, "Marzipan."': {"ann", "mara"},
    'Once they are alone, Mara says to Tom, "Marzipan."': {"mara", "tom"},
    '"Marzipan," Mara says, for your ears only.': {"ann", "mara"},
    '"Well," Mara says, for your ears only. "Marzipan," she adds.': {"ann", "mara"},
    '"Marzipan," Mara says to Tom in a low voice.': {"mara", "tom"},
    '"Marzipan," Mara says under her breath to Tom.': {"mara", "tom"},
    '"Marzipan," Mara says quietly to you.': {"ann", "mara"},
    '"Marzipan," Mara says quietly.': ROOM,
    # for all
    'Mara says, "Marzipan."': ALL,
    '"Marzipan," says Mara to Tom.': ALL,
    '"Marzipan!" Mara calls.': ALL,
    '"I think you never say marzipan," says Mara.': ALL,
    'Mara thinks of the sea. "Marzipan," she says.': ALL,
    '"Well?" Mara thinks. "Marzipan," she says.': ALL,
    '"Well," Mara says quietly. "Marzipan!" she shouts.': ALL,
    'Mara does not look up, and says, "Marzipan."': ALL,
    '"Marzipan," says Tom. Mara thinks of the sea.': ALL,
    '"Marzipan," says Tom.\n\n"Well," Mara thinks.': ALL,
    '"She took me aside," says Tom. "Marzipan."': ALL,
    'Mara draws Tom aside.\n\n"Marzipan," says Zed.': ALL,
}  # fmt: skip


@pytest.mark.parametrize(("prose", "who"), TOLD.items(), ids=TOLD)
def test_told(prose, who):
    assert knowing(played(prose), "arzipan") == who


TYPED = {
    'I think "Marzipan"': NOBODY,
    '"Marzipan," I think': NOBODY,
    'I do not say "Marzipan"': NOBODY,
    'I almost say "Marzipan"': NOBODY,
    'I want to say "Marzipan"': NOBODY,
    'I dream "Marzipan"': NOBODY,
    'If Tom were gone I would say "Marzipan"': NOBODY,
    'I remember that Zed said "Marzipan"': NOBODY,
    'I mutter "Marzipan"': {"ann"},
    'I say "Marzipan" so Tom cannot hear': {"ann"},
    'I mutter "Marzipan" to Mara': {"ann", "mara"},
    'I mouth "Marzipan" to Mara': {"ann", "mara"},
    'I quietly tell Mara "Marzipan"': {"ann", "mara"},
    "I quietly tell Mara I'm sorry for the marzipan": {"ann", "mara"},
    'I take Mara aside and say "Marzipan"': {"ann", "mara"},
    'I take Mara aside, away from Tom, and say "Marzipan"': {"ann", "mara"},
    'I text Mara "Marzipan"': {"ann"},
    'I say so only Mara hears: "Marzipan"': {"ann", "mara"},
    'I whisper in Mara\'s ear: "Marzipan"': {"ann", "mara"},
    'I secretly tell Mara "Marzipan"': {"ann", "mara"},
    'I say quietly "Marzipan"': ROOM,
    'I say "Marzipan"': ALL,
    'I tell Mara "Marzipan"': ALL,
    'I open my mouth and say "Marzipan"': ALL,
    'I think "Well". I say "Marzipan"': ALL,
    'I whisper to Tom "Well". I say "Marzipan" to Mara': ALL,
    'I think about the sea and say "Marzipan"': ALL,
}


@pytest.mark.parametrize(("line", "who"), TYPED.items(), ids=TYPED)
def test_typed(line, who):
    assert knowing(played("Rain.", line), "arzipan") == who


TOPICS = {
    "I whisper to Mara about the knife": {"ann", "mara"},
    "I ask Mara about the knife in a whisper": {"ann", "mara"},
    "I quietly ask Mara about the knife": {"ann", "mara"},
    "I secretly tell Mara about the knife": {"ann", "mara"},
    'I quietly ask Mara "Where is the knife?"': {"ann", "mara"},
    'I want to ask Mara "Where is the knife?"': NOBODY,
    "I ask Mara about the knife": ROOM,
    "I quietly close the door. I ask Mara about the knife.": ROOM,
    'I do not say "Well". I ask Mara about the knife.': ROOM,
}


@pytest.mark.parametrize(("line", "who"), TOPICS.items(), ids=TOPICS)
def test_what_it_is_about(line, who):
    assert knowing(played("Rain.", line), "knife") == who


HIDDEN = {
    "Mara hides.": ("mara",),
    "Mara hides a cup.": (),
    "Mara hides the knife.": ("knife",),
    "Mara hides. Mara takes a cup.": ("mara",),
    "Mara hides. Mara emerges.": (),
}


@pytest.mark.parametrize(("prose", "who"), HIDDEN.items(), ids=HIDDEN)
def test_who_is_hidden(prose, who):
    assert played(prose).world().hidden == who
