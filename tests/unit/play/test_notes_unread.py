"""A note that the prose leaves unread, or that is sealed, has not been read."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from strategies.parlour import engine, parlour, tell

NOTE = "I hand Tom a note that reads “Meet me at dawn.”"
SEALED = "I hand Tom a sealed letter that says “Meet me at dawn.”"


def having(line, prose):
    """Who has the words; all are in the parlour."""
    story = parlour()
    cast = tuple(structs.replace(each, at="parlour") for each in story.cast)
    keeper = engine(structs.replace(story, cast=cast))
    tell(keeper, "Rain falls. Eve waves.")
    tell(keeper, prose, line)
    keeper.end_scene()
    assert keeper.replay()
    roles = (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
    atoms = [r for e in keeper.ledger.read(keeper.run) if isinstance(r := e.record, a.Atom)]
    said = [x for x in atoms if isinstance(x.what, a.SpeechUttered)]
    parts = [p for x in said if "at dawn" in x.what.words for p in x.participants]
    return {getattr(p.entity, "entity", "") for p in parts if p.role in roles}


@pytest.mark.parametrize(
    ("line", "prose"),
    [
        (NOTE, "Tom does not open the note. He puts it in his pocket unread."),
        (NOTE, "Tom drops the note into the fire unread."),
        (NOTE, "Tom hands it back without looking at it."),
        (NOTE, "Tom refuses to read it."),
        (NOTE, "He didn't unfold it."),
        (NOTE, "Tom pocketed the unopened letter."),
        (NOTE, "Tom will read it later."),
        (NOTE, "Tom tears the note up without reading it."),
        ("I pass Tom a note saying that we meet at dawn.", "Tom never unfolds the note."),
        (SEALED, "Tom takes it."),
        (SEALED, "Tom does not break the seal."),
        (SEALED, "Tom turns it over in his hands."),
        ("I hand Tom a note in an envelope: “Meet me at dawn.”", "Tom nods."),
    ],
)
def test_what_is_left_unread_nobody_has(line, prose):
    assert having(line, prose) == {"ann"}


@pytest.mark.parametrize(
    ("line", "prose"),
    [
        (NOTE, "He reads it without a word."),
        (NOTE, "He has not read anything so bold."),
        (NOTE, "Unread books line the wall. Tom reads the note."),
        (NOTE, "Tom takes it."),
        (NOTE, "Eve does not look at the note."),
        (NOTE, "Tom does not open it at once. Then he reads the note."),
        (NOTE, "Tom reads it without looking up."),
        (NOTE, "“I will not read it,” says Eve."),
        (NOTE, "The sealed jars stand in a row. Tom nods."),
        ("I pass Tom a note saying that we meet at dawn.", "Tom nods."),
        (SEALED, "Tom opens it."),
        (SEALED, "Tom broke the seal and read the letter."),
        ("I open the sealed letter. I hand Tom the letter: “Meet me at dawn.”", "Tom nods."),
    ],
)
def test_what_is_read_who_gets_it_has(line, prose):
    assert having(line, prose) == {"ann", "tom"}


@pytest.mark.parametrize(
    ("prose", "who"),
    [
        ("Eve hands Tom a note. It reads: “Meet me at dawn.” Tom nods.", {"ann", "tom"}),
        ("Eve hands Tom a note. It reads: “Meet me at dawn.” Tom does not read it.", {"ann"}),
        ("Tom opens the sealed letter. It reads: “Meet me at dawn.”", {"ann", "tom"}),
    ],
)
def test_so_it_is_in_prose(prose, who):
    assert having("I wait", prose) == who
