"""One moment in two wordings: two beats, of which each rules the other out."""

import pytest
from msgspec import structs

from storykeeper.story.conditions import Condition, Did, Has
from storykeeper.story.scenes import Beat
from strategies.worlds import begun, house, play

RINGS, HAS = Did(who="player", act="ring"), Condition(has=Has(who="player", thing="key"))


def told(*lines):
    story = house(events=(), prophecies=())
    empty = Condition(any_=(HAS, Condition(told="hall-scene/with")))
    beats = (
        Beat(id="opening", prose="The hall."),
        Beat(id="with", prose="With the key.",
             when=Condition(did=RINGS, has=HAS.has, not_=Condition(told="hall-scene/without"))),
        Beat(id="without", prose="Without it.", when=Condition(did=RINGS, not_=empty)),
    )  # fmt: skip
    hall = structs.replace(story.scenes[0], beats=beats, leads_to=(), gates=(), done_when=None)
    story = structs.replace(story, scenes=(hall, *story.scenes[1:]), layers=())
    world = play(begun(story), ["", *lines])[1]
    return [beat for beat in ("with", "without") if f"hall-scene/{beat}" in world.told]


@pytest.mark.parametrize(
    ("lines", "which"),
    [
        (("I ring.",), ["without"]),
        (("I take the key.", "I ring."), ["with"]),
        (("I ring.", "I take the key.", "I ring."), ["without"]),
        (("I take the key.", "I ring.", "I give the key to Bob.", "I ring."), ["with"]),
    ],
)
def test_one_of_two_wordings_is_told(lines, which):
    assert told(*lines) == which
