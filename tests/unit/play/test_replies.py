"""What is so, as the player's character knows it: said without a turn, and nothing withheld."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.play import narrate
from storykeeper.story.knowledge import Fact
from storykeeper.world.state import whose_turn
from strategies.runs import go, kept, unkept
from strategies.tables import table
from strategies.worlds import EXAMPLE, house

HIDDEN = "The will is sewn into the mattress."


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory):
    """The kitchen at Harrow, entered."""
    keeper = kept(tmp_path_factory.mktemp("replies") / "run.db", story=EXAMPLE)
    turn = keeper.opening()
    for line in ("I go on to Harrow.", ""):
        prose = narrate.offline(turn.world, turn.present)
        stage = narrate.stage(turn.world, turn.present)
        keeper.render(turn, prose, narrator=narrate.NAME, stage=stage)
        if line:
            turn = keeper.begin(line)
    yield keeper
    keeper.close()


@table(
    "line, answer",
    [
        ("who's here?", "Mara and Pell are here."),
        ("is there someone else here", "Mara and Pell are here."),
        ("What have I got on me?", "You have the order and the inventory."),
        ("do I have the key", "No, you have not got the brass key."),
        ("do i have the order?", "Yes, you have the order."),
        ("where am I", "The kitchen. The whole ground floor"),
        ("where is Mara?", "Mara is here."),
        ("where is the plate?", "The blue plate is here."),
        ("how do I get to the watch room?", "By way of the yard: go to the watch room."),
        ("where can I go", "From here one can go to the yard."),
        ("who is Pell?", "Pell Rudd: The keeper's sister"),
        ("who am i", "You are Coyle."),
        ("is the plate here?", "The blue plate is here."),
        ("what is on the plate", "The blue plate. A heron, badly drawn"),
        ("what do I know about the Perpetua", "The lugger Perpetua, Daniel Orme master"),
        ("can I sit down?", "Nobody here forbids it"),
        ("((is this an AI or what))", "This is a program, and no AI is set to it"),
        ("(ooc: is it canned text?)", "This is a program"),
        ("are you a bot?", "This is a program"),
        ("undo", "What is no part of the story begins with a stroke"),
    ],
)
def test_what_is_so_is_answered_without_a_turn(kitchen, line, answer):
    before = kitchen.ledger.head(kitchen.run)
    found = kitchen.guidance(line)
    assert found is not None, line
    assert found.text.startswith(answer)
    assert kitchen.ledger.head(kitchen.run) == before


WORDS = ("who is {}?", "what is {}?", "where is {}?", "what happened to {}?", "whose is {}?",
         "what do i know about {}?", "how do i get to {}?", "do i have {}?", "is {} here?",
         "what is in {}?", "ask Bob about {}")  # fmt: skip


def withheld(plain):
    """The house, where nobody but Eve knows something about everybody and everything."""
    story = house()
    about = (*(c.id for c in story.cast), *(t.id for t in story.things))
    fact = Fact(id="the-will", full=HIDDEN, hint="Sewn, says the hint.", about=about, secret=True,
                known_by={"eve": "lived"})  # fmt: skip
    return story if plain else structs.replace(story, facts=(*story.facts, fact))


@pytest.mark.parametrize("words", WORDS)
def test_nothing_withheld_is_answered_nor_changes_an_answer(words):
    """The same world but for a secret: every answer is the same to the letter."""
    answers = []
    for plain in (True, False):
        keeper = unkept(withheld(plain))
        go(keeper)
        world = keeper.world(shown=True)
        named = (*world.plan.cast.values(), *world.plan.things.values())
        lines = [words.format(each.name) for each in named if each.id != whose_turn(world)]
        answers.append([str(keeper.guidance(line)) for line in lines])
    assert answers[0] == answers[1]
    assert not any(part in " ".join(answers[1]) for part in ("sewn", "Sewn"))
