"""A note that a player hands over is read by whom it is handed to, and by nobody else."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from strategies.parlour import engine, parlour, tell
from strategies.tables import table


def said(line):
    """The player's words, whether they are written, and who has them; all are in the parlour."""
    story = parlour()
    cast = tuple(structs.replace(each, at="parlour") for each in story.cast)
    keeper = engine(structs.replace(story, cast=cast))
    tell(keeper, "Rain falls. Eve waves.")
    tell(keeper, "Rain falls on.", line)
    keeper.end_scene()
    assert keeper.replay()
    roles = (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
    atoms = [r for e in keeper.ledger.read(keeper.run) if isinstance(r := e.record, a.Atom)]
    return [
        (each.what.words, each.what.written,
         {getattr(p.entity, "entity", "") for p in each.participants if p.role in roles})
        for each in atoms
        if isinstance(each.what, a.SpeechUttered) and each.source is a.Source.PLAYER
    ]  # fmt: skip


@table(
    "line, reader",
    [
        ("I pass Mara a note: “Meet me at dawn.”", "mara"),
        ("I pass Mara a note: 'Meet me at dawn.'", "mara"),
        ("I pass Mara a note: ‘Meet me at dawn.’", "mara"),
        ("I passed Mara a note: “Meet me at dawn.”", "mara"),
        ("I slip Tom a note that says “Meet me at dawn.”", "tom"),
        ("I slip a note to Tom: “Meet me at dawn.”", "tom"),
        ("I slide the card across to Eve: “Meet me at dawn.”", "eve"),
        ("I hand Tom a letter which reads “Meet me at dawn.”", "tom"),
        ("I press a letter into Tom's hand: “Meet me at dawn.”", "tom"),
        ("I give Eve a folded slip with the words “Meet me at dawn.”", "eve"),
        ("I show Mara the message: “Meet me at dawn.”", "mara"),
    ],
)
def test_who_gets_it_reads_it(line, reader):
    assert said(line) == [("Meet me at dawn.", True, {"ann", reader})]


@pytest.mark.parametrize(
    "line",
    [
        "I write a note: “Meet me at dawn.”",
        "I keep the note: “Meet me at dawn.”",
        "I hide a note: “Meet me at dawn.”",
        "I burn the note: “Meet me at dawn.”",
        "I drop a note: “Meet me at dawn.”",
        "I fold the note: “Meet me at dawn.”",
    ],
)
def test_what_is_not_handed_over_nobody_reads(line):
    assert [who for _, _, who in said(line)] == [{"ann"}]


@pytest.mark.parametrize(
    "line",
    ["I keep the note saying that the key is gone.", "I burn the letter that says the key is gone.",
     "I hide a note saying that the key is gone from Tom."],
)  # fmt: skip
def test_nor_what_it_says_without_marks(line):
    assert said(line) == []


def test_words_with_something_that_is_not_written_on_are_said():
    everybody = {"ann", "mara", "tom", "eve"}
    assert said("I pass Mara the salt: “At dawn.”") == [("At dawn.", False, everybody)]
    assert said("I hand Tom the lamp and say “At dawn.”") == [("At dawn.", False, everybody)]
