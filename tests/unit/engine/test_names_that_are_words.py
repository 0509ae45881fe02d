"""Who is called by a common word, and is unmet, changes nothing of what that word is taken for.

Two runs of one story: in both there is somebody upstairs, in one of them by names that the author's
texts, the prose or the player's lines have as plain words.
"""

import pytest
from msgspec import structs

from storykeeper.language.names import Names
from storykeeper.story.model import Soft
from storykeeper.story.people import Character
from storykeeper.units import EntityId
from strategies.flips import all_shown
from strategies.parlour import engine, parlour, tell
from unit.engine.test_unmet_names import asked_about, told

HIDDEN = {  # their names; what the author wrote; what was told
    "a stranger": (("Greta Voss", "the stranger"), "A stranger came by.", "No stranger comes."),
    "the captain": (("Greta Voss", "the captain"), "The captain is feared.", "The captain nods."),
    "small": (("the captain", "the old one"), "Every captain is feared.", "A captain comes in."),
    "small letters": (("Rain", "Quiet"), "It is quiet when the rain falls.", "The rain goes on."),
    "at the head": (("Rain", "Quiet"), "Quiet! Rain falls.", "Rain falls. Quiet now. “Rain!”"),
    "a first name": (("Hope", "Rose"), "Hope is for fools.", "Mara has no hope. Hope dies last."),
    "a thing": (("Table", "Cup"), "Each cup is on the table.", "Mara puts a cup on the table."),
    "a verb": (("Wait", "Look"), "Wait and look.", "You wait. Look, the fire is low."),
    "a quality": (("Late", "Silent"), "Late is late.", "Late it is. Silent, the fire burns low."),
    "two words": (("Old Fire", "Low Fire"), "An old fire burns.", "The old fire is a low fire."),
}  # fmt: skip
LINES = (
    "I ask Mara about the stranger.", "I ask the captain about Tom.", "I ask Tom about the rain.",
    "I keep quiet.", "I hope it will rain.", "I put the cup on the table.", "I look at the fire.",
    "I wait.", "I tell Mara about the old fire.", "I give Mara the rose.",
    'I say: "It is late, and all is silent."',
)  # fmt: skip


def played(names, wrote, prose):
    lore = Soft(heading="The house", text=wrote)
    hidden = {"name": names[0], "aliases": names[1:]}
    unmet = Character(id="greta", pronouns="she/her", line="Hides.", at="attic", **hidden)
    story = parlour()
    keeper = engine(structs.replace(story, cast=(*story.cast, unmet), soft=(lore,)))
    tell(keeper, "Mara and Tom sit by the fire.")
    for line in ("I wait.", "I listen."):
        tell(keeper, prose, line)
    keeper.end_scene()
    return keeper


@pytest.mark.parametrize("kind", HIDDEN)
def test_nothing_is_taken_for_them(kind):
    names, wrote, prose = HIDDEN[kind]
    one, other = (played(called, wrote, prose) for called in (("Xanthe", "Zylla"), names))
    for audience in ("narrator", "ann", "mara"):
        assert all_shown(one, audience, LINES) == all_shown(other, audience, LINES)
    for line in LINES:
        assert told(one, line) == told(other, line), line


@pytest.mark.parametrize(
    ("names", "wrote", "prose", "called"),
    [
        (("Greta Voss", "the doctor"), "", "Greta comes in.", "Greta"),
        (("Bob", "Bobby"), "", "Bob comes in.", "Bob"),
        (("Rain", "Rainy"), "", "“Where is Rain?” says Tom.", "Rain"),
        (("Rose", "Rosie"), "They call her Rose.", "Dust.", "Rose"),
        (("the captain", "the old one"), "The captain is feared.", "Dust.", "the captain"),
        (("the Grey Lady", "the ghost"), "", "The Grey Lady walks.", "the Grey Lady"),
        (("the Grey Lady", "the ghost"), "", "The grey lady walks, a ghost.", None),
    ],
)  # fmt: skip
def test_who_is_told_of_by_name_is_known(names, wrote, prose, called):
    keeper = played(names, wrote, prose)
    line = f"I ask Mara about {called or names[0]}."
    assert asked_about(keeper, line) == ("greta" if called else None)


@pytest.mark.parametrize("name", ["Aria", "Magpie", "Lantern"])
@pytest.mark.parametrize(
    ("prose", "named"),
    [
        ("{} opens the door.", True), ("“No.” {} nodded.", True), ("Dust. {} enters.", True),
        ("{} falls.", False), ("{} in hand, Mara waits.", False), ("{} of the old kind.", False),
    ],
)  # fmt: skip
def test_a_noun_at_the_head_is_a_name_if_it_acts(name, prose, named):
    others = Names(((EntityId("x"), (name,)),))
    found = Names((), others=others).find_in_prose(prose.format(name))
    assert bool(found) == named
