"""To whom words are said, and whom a pronoun means, does not hang on words that were not heard."""

import pytest
from msgspec import structs

from storykeeper.story.people import Character
from strategies.flips import all_shown
from strategies.parlour import engine, parlour, tell

LEA = Character(id="lea", name="Lea", pronouns="she/her", line="A guest.", at="parlour")
SAM = Character(id="sam", name="Sam", pronouns="he/him", line="A guest.", at="parlour")


def house(*players):
    story = parlour()
    return structs.replace(story, cast=(*story.cast, LEA, SAM), players=players or ("ann",))


def told(*proses):
    keeper = engine(house())
    for prose in proses:
        tell(keeper, prose)
    keeper.end_scene()
    return keeper


@pytest.mark.parametrize("low", [
    "“Go,” whispers Lea to Tom. ", "“Go,” Tom whispers to Lea. ",
    "“Go,” Tom whispers to Lea. “When?” Lea whispers. ",
])  # fmt: skip
@pytest.mark.parametrize("aloud", [
    "“It rains again today,” says Mara.", "“It rains,” Mara says. “Indeed,” says Tom.",
])  # fmt: skip
@pytest.mark.parametrize("before", ["", "“Good evening,” says Ann. "])
def test_who_whispered_before_is_not_told_by_whom_the_next_words_answer(before, low, aloud):
    with_it, without = told(before + low + aloud), told(before + aloud)
    assert all_shown(with_it, "sam") == all_shown(without, "sam")


def test_an_answer_is_to_who_spoke_aloud():
    keeper = told("“Good evening,” says Lea. “Go,” Tom whispers to Ann. “It rains,” says Mara.")
    assert "Mara says to Lea" in keeper.brief("sam", "a knock").text
