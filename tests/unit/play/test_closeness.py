"""Words told right after somebody was brought close are for the two; and only people whisper."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from strategies.parlour import engine, parlour, tell

KEY = "“Take the key,” says Mara."


def hearers(prose, line=None):
    """Who hears each of the words; Ann is played, and all the others are with her."""
    story = parlour()
    cast = tuple(structs.replace(each, at="parlour") for each in story.cast)
    keeper = engine(structs.replace(story, cast=cast))
    tell(keeper, "Rain falls.")
    tell(keeper, prose, line)
    keeper.end_scene()
    assert keeper.replay()
    atoms = [r for e in keeper.ledger.read(keeper.run) if isinstance(r := e.record, a.Atom)]
    roles = (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
    return [
        {p.entity.entity for p in each.participants
         if p.role in roles and isinstance(p.entity, a.Resolved)}
        for each in atoms if isinstance(each.what, a.SpeechUttered)
    ]  # fmt: skip


EVERYBODY = {"ann", "mara", "tom", "eve"}
TWO = {"ann", "mara", "tom"}  # the two, and the player who is told it

CLOSE = [
    "Mara pulls Tom close.",
    "Mara has drawn Tom close.",
    "Mara draws Tom near.",
    "Mara drew Tom closer.",
    "Mara beckons Tom nearer.",
    "Mara beckons Tom over.",
    "Mara beckons Tom close.",
    "Mara motions Tom closer.",
    "Mara waves Tom nearer.",
    "Mara pulls Tom to her.",
    "Mara pulls Tom towards her.",
    "Mara tugs Tom down to her.",
    "Mara takes Tom by the arm and pulls him close.",
    "Mara bends to Tom's ear.",
    "Mara leans in to Tom.",
    "Mara bends her head to Tom's.",
    "Mara cups her hand to Tom's ear.",
    "Mara crouches beside Tom and puts her mouth to his ear.",
    "Mara steps close to Tom.",
    "Mara moves closer to Tom.",
    "Mara presses close to Tom.",
    "Mara sidles up to Tom.",
    "Mara draws Tom aside.",
    "Mara and Tom huddle together.",
    "Mara and Tom huddle in the corner.",
    "Mara and Tom huddle.",
    "Mara and Tom put their heads together.",
]


@pytest.mark.parametrize("prose", CLOSE)
def test_who_was_brought_close_alone_hears_it(prose):
    assert hearers(f"{prose} {KEY}") == [TWO]


@pytest.mark.parametrize("prose", CLOSE)
def test_nobody_else_hears_it_where_no_tag_says_who_speaks(prose):
    heard = hearers(f"{prose} “Take the key.”")
    assert [each <= TWO for each in heard] == [True]


@pytest.mark.parametrize(
    "prose", ["They huddle together.", "The two of them huddle in the corner.", "Both huddle."]
)
def test_of_a_huddle_of_nobody_named_the_others_hear_nothing(prose):
    assert hearers(f"{prose} {KEY}") == [{"ann", "mara"}]


@pytest.mark.parametrize(
    "prose",
    [
        "Mara pulls the lamp close.",
        "Mara pulls her chair close.",
        "Mara pulls the curtain close.",
        "Mara pulls the plate closer and eats.",
        "Mara moves closer to the fire.",
        "Mara steps close to the window.",
        "Mara huddles by the fire.",
        "Mara huddled by the fire.",
        "Mara pulls Tom to his feet.",
        "Mara pulls Tom to the window.",
        "Mara calls Tom over.",
        "Mara holds Tom close and kisses him.",
        "Mara pulls Tom close for a hug.",
        "Mara does not pull Tom close.",
        "Mara wants to pull Tom close.",
        "Mara keeps Tom close.",
        "Mara looks close to tears.",
        "Mara waves to Tom.",
        "Mara presses her hand to the wall.",
        "Mara pulls Tom close. Then she straightens.",
        "Tom draws near.",
        "The night draws near.",
        "The sheep huddle together.",
        "The trees lean close.",
        "The leaves whisper together.",
        "The reeds murmur among themselves.",
        "The wind drops to a whisper.",
        "The waves murmur to Tom.",
        "Somewhere the wind whispers to itself.",
    ],
)
def test_what_says_nothing_of_a_voice_keeps_it_from_nobody(prose):
    assert hearers(f"{prose} {KEY}") == [EVERYBODY]


@pytest.mark.parametrize(
    "prose",
    [
        "The leaves whisper as Mara says, “Take the key.”",
        "While the sea murmurs, Mara says, “Take the key.”",
        "“Take the key,” says Mara while the curtains whisper.",
        "“Take the key,” Mara says, her skirts whispering.",
    ],
)
def test_a_thing_that_whispers_beside_the_words_keeps_them_from_nobody(prose):
    assert hearers(prose) == [EVERYBODY]


def test_somebody_who_whispers_beside_them_does():
    assert hearers("The stranger whispers as Mara says, “Take the key.”")[0] <= {"ann", "mara"}


def test_who_answers_is_heard_by_the_two_and_who_speaks_up_by_all():
    close = "Mara pulls Tom close. “Take the key.” “Now?” asks Tom. “Tea?” asks Eve."
    assert hearers(close) == [TWO, TWO, EVERYBODY]
    assert hearers(f"Mara and Tom huddle. {KEY} “Tea?” asks Eve.") == [TWO, EVERYBODY]


@pytest.mark.parametrize(
    ("line", "hear"),
    [
        ("I pull Tom close. “Take the key.”", {"ann", "tom"}),
        ("I beckon Mara nearer. “Take the key.”", {"ann", "mara"}),
        ("I draw Mara to me. “Take the key.”", {"ann", "mara"}),
        ("Tom and I huddle in the corner. “Take the key.”", {"ann", "tom"}),
        ("I pull the lamp close. “Take the key.”", EVERYBODY),
        ("I huddle by the fire. “Take the key.”", EVERYBODY),
        ("I pull Tom to his feet. “Take the key.”", EVERYBODY),
    ],
)
def test_so_it_is_of_what_a_player_types(line, hear):
    assert hearers("Rain.", line) == [hear]
