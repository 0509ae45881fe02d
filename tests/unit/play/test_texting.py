"""What is texted, typed or mailed nobody hears; who is told to read it has it, anywhere."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from strategies.parlour import engine, parlour, tell

WORDS = "Meet me at dawn."


def having(
    line, prose, *, elsewhere=("mara",), roles=(a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
):
    """Who has the words, if they were told; all but some are in the parlour."""
    story = parlour()
    cast = tuple(
        structs.replace(each, at="kitchen" if each.id in elsewhere else "parlour")
        for each in story.cast
    )
    keeper = engine(structs.replace(story, cast=cast))
    tell(keeper, "Rain falls. Eve waves. Mara is in the kitchen.")
    tell(keeper, prose, line)
    keeper.end_scene()
    assert keeper.replay()
    atoms = [r for e in keeper.ledger.read(keeper.run) if isinstance(r := e.record, a.Atom)]
    said = [x for x in atoms if isinstance(x.what, a.SpeechUttered) and WORDS in x.what.words]
    assert said
    return {getattr(p.entity, "entity", "") for x in said for p in x.participants
            if p.role in roles}  # fmt: skip


TYPED = [
    "I text Mara: “Meet me at dawn.”",
    "I send Mara a text message: “Meet me at dawn.”",
    "I email Mara “Meet me at dawn.”",
    "I type “Meet me at dawn.” into my phone",
    "I message Mara “Meet me at dawn.”",
    "I post “Meet me at dawn.” online",
    "I take out my phone. I text Mara. “Meet me at dawn.”",
]


@pytest.mark.parametrize("line", TYPED)
def test_nobody_hears_what_is_sent(line):
    assert having(line, "Rain falls on.") == {"ann"}


@pytest.mark.parametrize(
    ("prose", "readers"),
    [
        ("In the kitchen, Mara reads the message.", {"mara"}),
        ("Mara looks at her phone and reads it.", {"mara"}),
        ("A phone hums. Mara reads the text twice.", {"mara"}),
        ("Tom reads the message over your shoulder.", {"tom"}),
        ("Mara does not look at her phone.", set()),
        ("Mara will read it later.", set()),
        ("Tom looks at you.", set()),
        ("Mara is reading in the kitchen.", set()),
    ],
)
def test_who_is_told_to_read_it_has_it(prose, readers):
    assert having(TYPED[0], prose) == {"ann", *readers}


@pytest.mark.parametrize(
    "line",
    [
        "I say “Meet me at dawn.” and text Mara",
        "I put my phone down and say “Meet me at dawn.”",
    ],
)
def test_what_is_said_beside_it_all_hear(line):
    assert {"ann", "tom", "eve"} <= having(line, "Rain falls on.")


@pytest.mark.parametrize(
    ("prose", "who"),
    [
        ("Tom puts his phone away. “Meet me at dawn.” he says.", {"ann", "tom", "eve"}),
        ("“Meet me at dawn.” says Tom, texting Mara.", {"ann", "tom", "eve"}),
    ],
)  # fmt: skip
def test_so_it_is_in_prose(prose, who):
    assert having("I wait", prose) - {"eve" if "Eve texts" in prose else ""} == who


def test_what_is_whispered_to_who_is_not_there_the_only_one_near_does_not_hear():
    gone, line = ("mara", "eve"), "I whisper to Mara “Meet me at dawn.”"
    assert "tom" not in having(line, "Rain falls on.", elsewhere=gone)
    assert "tom" in having("I whisper “Meet me at dawn.”", "Rain falls on.", elsewhere=gone)


@pytest.mark.parametrize(
    ("line", "whom"),
    [
        ("I phone Mara and tell her “Meet me at dawn.”", set()),
        ("I ring Mara and ask her: “Meet me at dawn.”", set()),
        ("I go to Tom and tell him “Meet me at dawn.”", {"tom"}),
        ("I look at Tom and tell him “Meet me at dawn.”", {"tom"}),
    ],
)
def test_who_is_told_on_the_telephone_is_nobody_in_the_room(line, whom):
    gone = ("mara", "eve")
    told = having(line, "Rain falls on.", elsewhere=gone, roles=(a.Role.TARGET,))
    assert told - {"mara"} == whom


@pytest.mark.parametrize(
    ("prose", "readers"),
    [
        ("Tom takes it and reads it.", {"tom"}),
        ("Tom unfolds the note.", {"tom"}),
    ],
)
def test_what_is_written_and_then_handed_over_is_read_as_told(prose, readers):
    line = "I write “Meet me at dawn.” on a note and hand it to Tom"
    assert having(line, prose) == {"ann", *readers}
