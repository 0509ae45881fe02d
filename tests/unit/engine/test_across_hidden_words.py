"""To whom words are said, and whom a pronoun means, does not hang on words that were not heard."""

import pytest
from msgspec import structs

from storykeeper.story.people import Character
from strategies.flips import all_shown, bytes_of
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


LOW = [
    ("“Lea knows it,” Tom whispers to you.", "“Mara knows it,” Tom whispers to you."),
    ("“She took the cup,” Mara whispers to you.", "“She took the lamp,” Lea whispers to you."),
    ("Mara whispers to Tom: “Go now.”", "Lea whispers to Tom: “Go now.”"),
]
AFTER = [
    ("I ask her about the fire.", "“Fine,” she says to him."),
    ("I tell her a joke.", "She laughs."),
    ("I wait.", "“It is late,” she says. “Indeed,” says Tom."),
    ("I take it.", "You take it."),
    ("I take the cup.", "You have the cup."),
    ("I look at the woman.", "The woman smiles at him."),
]


@pytest.mark.parametrize("low", LOW)
@pytest.mark.parametrize("after", AFTER)
def test_what_one_player_was_told_aside_means_nothing_in_the_words_of_another(low, after):
    seen = []
    for aside in low:
        keeper = engine(house("ann", "sam"))
        tell(keeper, "Mara, Lea and Tom sit by the fire.")
        keeper.render(keeper.begin("I wait.", player="ann"), aside)
        shown = []
        for _ in range(2):
            turn = keeper.begin(after[0], player="sam")
            shown += [*bytes_of(turn.window, "narrator"), turn.question]
            keeper.render(turn, after[1])
        keeper.end_scene()
        seen.append([*shown, *all_shown(keeper, "sam")])
    assert seen[0] == seen[1]


def test_to_who_was_told_it_does():
    keeper = engine(house("ann", "sam"))
    tell(keeper, "Mara, Lea and Tom sit by the fire.")
    keeper.render(keeper.begin("I wait.", player="ann"), LOW[0][0])
    keeper.begin("I wait.", player="sam")
    assert "Ann asks Lea" in keeper.window("narrator", text="I ask her about it.").text
