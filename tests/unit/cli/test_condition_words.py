"""What a condition asks for, in words; every key of a condition has some."""

import pytest

from storykeeper.drawing.condition_words import in_words
from storykeeper.events.vocabulary import Dimension
from storykeeper.story.conditions import (
    At,
    Condition,
    Did,
    Has,
    Knows,
    MoodNear,
    RelationRange,
    Since,
    Threshold,
    Within,
)
from strategies.worlds import begun

RANG = Condition(happened="bell")
WENT = Condition(visited="attic-scene")
SAID = [
    (Condition(all_=(RANG, WENT)), "(bell has happened and attic-scene has been visited)"),
    (Condition(any_=(RANG, WENT)), "(bell has happened or attic-scene has been visited)"),
    (Condition(not_=RANG), "not (bell has happened)"),
    (
        Condition(threshold=Threshold(at_least=1, of=(RANG, WENT))),
        "at least 1 of (bell has happened; attic-scene has been visited)",
    ),
    (Condition(since=Since(turns=1, of=RANG)), "1 turn since bell has happened"),
    (Condition(sequence=(RANG, WENT)), "(bell has happened, then attic-scene has been visited)"),
    (Condition(within=Within(turns=3, of=RANG)), "bell has happened in the last 3 turns"),
    (Condition(knows=Knows(who="player", fact="secret")), "the player knows secret"),
    (Condition(knows=Knows(who="bob", fact="lie", suspects=True)), "Bob suspects lie"),
    (Condition(holds="rumour"), "rumour is so"),
    (
        Condition(relation=RelationRange(from_="bob", to="player", at_least=0.2,
                                         dimension=Dimension.AFFECTION)),
        "Bob toward the player: affection ≥ 0.2",
    ),
    (
        Condition(relation=RelationRange(from_="bob", to="eve", at_least=-0.5, at_most=0.5,
                                         dimension=Dimension.DEBT)),
        "Bob toward Eve: debt ≥ -0.5 and ≤ 0.5",
    ),
    (
        Condition(mood=MoodNear(who="eve", valence=-0.4, arousal=0.8)),
        "the mood of Eve within 0.3 of valence -0.4, arousal 0.8",
    ),
    (Condition(at=At(who="player", place="attic")), "the player is at the attic"),
    (Condition(present="eve"), "Eve is in the scene"),
    (Condition(has=Has(who="player", thing="key")), "the player has the key"),
    (
        Condition(did=Did(who="player", act="ask", to="bob", about="key")),
        "the player asks Bob about the key",
    ),
    (RANG, "bell has happened"),
    (Condition(told="hall-scene/door"), "the beat hall-scene/door has been told"),
    (WENT, "attic-scene has been visited"),
    (Condition(completed="attic-scene"), "attic-scene is completed"),
    (Condition(opened="hatch"), "the gate hatch is open"),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "words"), SAID, ids=lambda each: str(each)[:40])
def test_in_words(condition, words):
    assert in_words(begun().plan, condition) == words


def test_several_keys_are_joined():
    both = Condition(happened="bell", opened="hatch")
    assert in_words(begun().plan, both) == "bell has happened and the gate hatch is open"


def test_every_key_has_words():
    asked = {name for each, _ in SAID for name in each.__struct_fields__ if getattr(each, name)}
    assert asked == set(Condition.__struct_fields__)
