"""Who says the words, where the tag is turned round: "…!" mutters Tom."""

import pytest

from storykeeper.events import atoms as a
from strategies.parlour import engine, tell
from strategies.tables import table


def said(prose, line=None):
    """Who says each of the quoted words, after a turn of Ann's with Mara and Tom."""
    keeper = engine()
    tell(keeper, "Rain falls.")
    tell(keeper, prose, line)
    keeper.end_scene()
    atoms = [r for e in keeper.ledger.read(keeper.run) if isinstance(r := e.record, a.Atom)]
    found = [each for each in atoms if isinstance(each.what, a.SpeechUttered)]
    return [_roles(each, a.Role.ACTOR) for each in found]


def _roles(atom, *roles):
    return [getattr(p.entity, "entity", "") for p in atom.participants if p.role in roles]


@table(
    "prose, who",
    [
        ('"Take the key!" mutters Tom.', "tom"),
        ('"Take the key!" mutters Tom. Mara nods.', "tom"),
        ('"Take the key?" muttered Tom. Mara nodded.', "tom"),
        ('"It is gone—" mumbles Mara. Tom sits down.', "mara"),
        ('"Out!" hisses Mara. Tom frowns.', "mara"),
        ('"Not yet," murmurs Tom. Mara waits.', "tom"),
        ('"Here!" calls Mara. Tom turns.', "mara"),
        ('“The lamp…” whispers Mara. Tom looks away.', "mara"),
        ('"Never!" shouts Tom. Mara laughs.', "tom"),
        ("'Take the key!' mutters Tom. Mara nods.", "tom"),
        ("'I don't know,' says Mara. Tom nods.", "mara"),
        ("'What for?' asks Tom. Mara shrugs.", "tom"),
        ("Tom looks up. 'Never saw it,' he says.", "tom"),
        ('"The key?" Tom mutters. Mara nods.', "tom"),
        ('"Take the key." mutters Tom. Mara nods.', "tom"),
    ],
)  # fmt: skip
def test_the_tag_says_who_speaks(prose, who):
    assert said(prose) == [[who]]


@pytest.mark.parametrize(
    ("prose", "who"),
    [
        ('"Take the key!" Mutters are heard. Tom nods.', ["tom"]),  # who acts there
        ('"Take the key!" the walls mutter. Tom nods.', []),
        ('"Take the key!" Mara tells Tom.', ["mara"]),
        ('"Take the key!" a voice mutters. Tom nods and Mara sits.', []),
        ('"Take the key!" mutters somebody. Tom nods.', []),
    ],
)
def test_nobody_else_is_taken_for_the_speaker(prose, who):
    assert said(prose) == [who]


@pytest.mark.parametrize(
    "prose",
    ["The boys' boat, says Tom, is Mara's.", "Tom's 'treasure' is a spoon.",
     "'Twas Tom's idea, and the dogs' bowl was his too."],
)  # fmt: skip
def test_an_apostrophe_says_nothing(prose):
    assert said(prose) == []


def test_what_is_typed_in_single_marks_is_said_whole():
    assert said("Rain.", "I say 'Meet me at dawn, Tom.'") == [["ann"]]
