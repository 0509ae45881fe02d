"""What the table and the learned signs come to together."""

import pytest

from storykeeper.language.prose import ProseReader
from storykeeper.language.reading import Somebody
from storykeeper.staging.reader import LearnedReader, TableReader
from storykeeper.staging.stage_set import Told
from storykeeper.story.called import gender_of
from storykeeper.units import EntityId
from strategies.parlour import engine

PROSE = ProseReader()


def cued(reader, text, line=""):
    world = engine().world()
    people = tuple(EntityId(who) for who in world.plan.cast)
    cast = tuple(
        Somebody((world.plan.cast[who].name,), gender_of(world.plan.cast[who].pronouns))
        for who in people
    )
    return reader.cued(world, Told(PROSE.read(text, cast=cast), people, EntityId("ann"), line))


def moves(reader, text):
    found = cued(reader, text).cues
    return [(cue.kind, cue.who[0], cue.to) for cue in found if cue.kind != "doubts"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Tom leaves.", [("departs", "tom", None)]),
        ("Tom left the parlour.", [("departs", "tom", None)]),
        ("Tom went into the garden.", [("departs", "tom", "garden")]),
        ("Eve came into the parlour.", [("arrives", "eve", "parlour")]),
        ("Mara leads Tom into the cellar.",
         [("departs", "mara", "cellar"), ("departs", "tom", "cellar")]),
        ("Tom falls asleep.", [("sleeps", "tom", None)]),
        ("Tom goes out. Tom comes back.",
         [("departs", "tom", None), ("arrives", "tom", "parlour")]),
        ("Mara reads the letter.", [("reads", "mara", None)]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("reader", [TableReader(), LearnedReader()], ids=["table", "learned"])
def test_what_is_regular(reader, text, wanted):
    assert moves(reader, text) == wanted


@pytest.mark.parametrize(
    "text",
    ["Tom leaves the letter on the table.", "Tom does not leave.", "Tom wants to leave.",
     "Tom stays where he is.", "Tom had left the parlour.", "“I am leaving,” says Tom.",
     "Tom often goes to the garden.", "You left the parlour."],
)  # fmt: skip
def test_what_only_sounds_so(text):
    assert moves(TableReader(), text) == []


def test_who_stays_is_not_read_to_leave():
    assert cued(LearnedReader(), "Tom stays where he is.").cues == ()


def test_a_whisper_in_your_ear_is_for_you():
    text = "Mara leans close. “The gold is in the well,” she whispers in your ear."
    for reader in (TableReader(), LearnedReader()):
        (private,) = cued(reader, text).privates
        assert private.to == ("ann",)


def test_a_text_is_read_once():
    reader = LearnedReader()
    first = cued(reader, "Tom leaves.")
    reader._read = None  # whatever reads the text is not asked again
    assert cued(reader, "Tom leaves.") == first
