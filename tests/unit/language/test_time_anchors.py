"""Anchors of time in an item, and the events of a question."""

import pytest

from storykeeper.language.time import anchors, slots


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("She laughed before the others, first of all.", 0),
        ("We met on 8 May 2023.", 1),
        ("We met on May 8th; yes, on the 8th of May.", 1),  # the same day twice
        ("Yesterday at 5 pm, and on Friday, and 2023-05-08.", 3),
        ("It took three weeks.", 0),  # how long is no anchor
        ("Two sessions ago you said so.", 0),
        ("stamp 1696932000", 1),
    ],
)
def test_anchors(text, count):
    assert anchors(text) == count


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many days before the wedding did Tom leave for Paris?",
         ("wedding", "Tom leave", "Paris")),
        ("Which came first, the flood or the fire?", ("came", "flood", "fire")),
        ("What did we talk about on 8 May 2023?", ()),
        ("", ()),
        ("When did Ana, Bo, Cleo, Dan and Eve meet?", ("Ana", "Bo", "Cleo", "Dan")),
    ],
)  # fmt: skip
def test_slots(question, found):
    assert slots(question) == found
    assert len(slots(question)) <= 4
