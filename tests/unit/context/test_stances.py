"""How one stands to another, in a sentence."""

import pytest
from tests.strategies.hills import scene, story

from storykeeper.context.stances import short_name, stands
from storykeeper.story.adopt import adoption
from storykeeper.story.people import Character
from storykeeper.world.plan import plan
from storykeeper.world.state import Standing

LIVIA = Character(id="livia", name="Livia Cergol", aliases=("Livia",), pronouns="she/her", line="A")
NIVES = Character(id="nives", name="Nives Cergol", aliases=("Nonna", "Nives"), line="B")
OLD = Character(id="old", name="Old Cergol", aliases=("Cergol",), line="C", pronouns="")
PLAN = plan(adoption(story(scene("a"), players=("livia",), cast=(LIVIA, NIVES, OLD))))


@pytest.mark.parametrize(
    ("who", "short"), [("livia", "Livia"), ("nives", "Nives"), ("old", "Old Cergol")]
)
def test_a_short_name_is_a_part_of_the_name_that_means_nobody_else(who, short):
    assert short_name(PLAN, who) == short


@pytest.mark.parametrize(
    ("of", "to", "held", "said"),
    [
        ("nives", "livia", Standing(affection=0.9), "Nives is deeply fond of Livia"),
        ("nives", "livia", Standing(affection=-0.3, debt=0.5),
         "Nives rather dislikes Livia and feels indebted to her"),
        ("livia", "old", Standing(competence=0.8, benevolence=-0.5),
         "Livia thinks Old Cergol very able and takes Old Cergol to mean harm"),
        ("livia", "nives", Standing(affection=0.1), ""),
    ],
)  # fmt: skip
def test_a_standing_is_a_sentence_that_names_both(of, to, held, said):
    assert stands(PLAN, of, to, held) == said


def test_of_a_standing_the_strongest_can_be_said_alone():
    held = Standing(affection=0.3, reliability=-0.8)
    assert stands(PLAN, "livia", "nives", held, most=1) == "Livia does not rely on Nives at all"
