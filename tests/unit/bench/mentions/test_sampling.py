"""A sample of tracked things, as somebody reads it who is to judge."""

import random

from storykeeper.bench.mentions.following import Followed
from storykeeper.bench.mentions.sampling import SENTENCES, Drawn, _drawn, lines
from storykeeper.events.vocabulary import Sort
from storykeeper.world.state import Entity

CUP = Entity(words="the cup", head="cup", sort=Sort.THING, scene="s0", total=0.81, events=2,
             mentions=3)  # fmt: skip


class Kept(Followed):
    """A run that tracks what it is given."""

    def __init__(self, things) -> None:
        self._things = things

    def entries(self, tier):
        return list(self._things)


def test_a_thing_is_shown_with_what_speaks_of_it():
    shown = list(lines(3, Drawn("book x", CUP, ("She took the cup.",), ("Mara", "the lamp"))))
    assert shown == [
        "#3 [book x] «the cup» thing, weight 0.81 in 2 events, called 3, by the player 0.00",
        "    beside: Mara; the lamp",
        "    - She took the cup.",
    ]


def test_sentences_are_those_with_its_noun():
    texts = ["The lamp was lit. She took the CUP. It fell.", "Cups! " + "The cup. " * 20]
    (drawn,) = _drawn("book x", Kept([CUP]), texts, random.Random(1), most=3)
    assert drawn.sentences[:2] == ("She took the CUP.", "Cups!")
    assert len(drawn.sentences) == SENTENCES


def test_no_more_than_so_many_of_one_text_and_always_the_same():
    things = [Entity(words=f"cup {i}", head="cup", scene="s0") for i in range(9)]
    one, two = (
        list(_drawn("book x", Kept(things), [], random.Random(7), most=2)) for _ in range(2)
    )
    assert one == two
    assert len(one) == 2
    assert all(len(each.beside) == 8 for each in one)
