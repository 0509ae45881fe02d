"""Somebody whom nobody has met nor heard of changes nothing of what words are taken to mean.

Two runs of one story: in one there is somebody more, upstairs, with names that get in the way of
others. Whoever has not heard of them sees the same bytes of both.
"""

from functools import cache

import pytest
from msgspec import structs

from storykeeper.play.narrate import offline
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import Soft
from storykeeper.story.people import Character
from storykeeper.story.places import Thing
from strategies.flips import all_shown, bytes_of
from strategies.parlour import engine, parlour, tell
from strategies.sizes import thinned

HIDDEN = {
    "plain": {"name": "Greta Voss", "aliases": ("the Grey Lady", "the doctor")},
    "a namesake": {"name": "Mara Voss", "aliases": ("Mara", "Tom", "Greta")},
    "a longer name": {"name": "Tom Greta", "aliases": ("old Mara", "Mara Greta", "the old doctor")},
    "one letter off": {"name": "Gretta", "aliases": ("Marra", "Voss")},
    "words of the line": {"name": "Wait", "aliases": ("the key", "garden", "Quiet", "grey")},
}
LINES = (
    "I ask Mara about Greta Voss.", "I ask Greta about the key.", "I talk to the doctor.",
    "I tell Tom about the Grey Lady.", "I look at Greta.", "I ask Mara about Voss.",
    "I say: “Greta, where are you?”", "“Is the doctor here, Mara?”", "I whisper “Voss” to Tom.",
    "I call Gretta.", "I look for old Mara.", "I go to Greta.", "I follow the Grey Lady.",
    "I take the dagger.", "I look at the silver dagger.", "I wait for Mara.",
    "I give Greta a rose.",
)  # fmt: skip


def with_hidden(kind: str | None, story=None):
    """The story, with somebody and something more upstairs, whom nobody here knows of."""
    story = parlour() if story is None else story
    if kind is None:
        return story
    greta = Character(id="greta", pronouns="she/her", line="Hides.", at="attic", **HIDDEN[kind])
    dagger = Thing(id="dagger", name="the silver dagger", aliases=("the rose",), at="attic",
                   description="There is blood on it.")  # fmt: skip
    fact = Fact(id="she-did", full="Greta Voss did it.", about=("greta", "dagger"))
    return structs.replace(story, cast=(*story.cast, greta), things=(dagger,), facts=(fact,))


def played(kind: str | None, *turns):
    keeper = engine(with_hidden(kind))
    tell(keeper, "Mara and Tom sit by the fire.")
    for line, prose in turns:
        tell(keeper, prose, line)
    keeper.end_scene()
    return keeper


@cache
def looked_at(kind: str | None, *turns):
    """The same, for tests that only look."""
    return played(kind, *turns)


@cache
def seen(kind: str | None, turns: tuple, audience: str, lines: tuple[str, ...]):
    return all_shown(looked_at(kind, *turns), audience, lines)


def told(keeper, line):
    """What the narrator gets of a line, what is asked, and how the offline narrator tells it."""
    turn = keeper.begin(line)
    return *bytes_of(turn.window, "narrator"), turn.question, offline(turn.world, turn.present)


@pytest.mark.parametrize("kind", HIDDEN)
def test_what_is_typed(kind):
    one, other = played(None), played(kind)
    for line in LINES:
        assert told(one, line) == told(other, line), line


@pytest.mark.parametrize("kind", thinned(HIDDEN, every=2))
@pytest.mark.parametrize("audience", ["narrator", "ann", "mara", "tom"])
def test_what_anybody_sees_after_it_was_played(kind, audience):
    turns = tuple((line, "Mara shrugs. Tom looks at the fire.") for line in LINES)
    assert seen(None, turns, audience, LINES[:6]) == seen(kind, turns, audience, LINES[:6])


@pytest.mark.parametrize("kind", ["plain", "a longer name", "one letter off"])
@pytest.mark.parametrize("audience", ["narrator", "ann", "mara"])
def test_a_narrator_that_says_a_guess_back_tells_nothing(kind, audience):
    turns = [
        ("I ask Mara about Greta Voss.", "“Greta Voss?” says Mara. “I know no Greta Voss.”"),
        ("I look for Greta.", "Greta is nowhere to be seen."),
        ("I call “Voss!”", "No Voss answers."),
        ("I ask Tom about Greta.", "Tom has never heard of Greta."),
    ]
    one, other = played(None, *turns), played(kind, *turns)
    lines = ("I ask Mara about Greta.", "I look at Greta Voss.")
    assert all_shown(one, audience, lines) == all_shown(other, audience, lines)
    assert told(one, lines[0]) == told(other, lines[0])


@pytest.mark.parametrize("kind", ["plain", "a namesake", "a longer name"])
@pytest.mark.parametrize("audience", ["narrator", "ann", "mara"])
def test_a_stranger_of_the_narrators_own(kind, audience):
    """A doctor comes by whom the narrator made up: not the one upstairs."""
    turns = [
        (None, "A doctor comes in. “Who is ill here?” says the doctor."),
        ("I ask the doctor about Mara.", "The doctor nods. “Mara is ill,” the doctor says."),
        (None, "The old doctor puts a silver dagger on the table."),
        ("I take the silver dagger.", "You have the silver dagger now."),
    ]
    one, other = looked_at(None, *turns), looked_at(kind, *turns)
    lines = ("I ask the doctor about the dagger.", "I look at the silver dagger.")
    assert all_shown(one, audience, lines) == all_shown(other, audience, lines)
    assert "blood" not in str(all_shown(other, audience, lines))


# ── and those one knows of ───────────────────────────────────────────────────────────────────


def asked_about(keeper, line="I ask Mara about Greta."):
    keeper.begin(line)
    (act,) = [a for a in keeper.turn().present.decided if getattr(a, "what", None) is not None][-1:]
    return getattr(act.what, "about", None)


def test_who_was_told_of_is_known_by_the_name_that_was_told():
    keeper = played("plain", (None, "“I saw the Grey Lady on the stairs,” says Mara."))
    assert asked_about(keeper, "I ask Mara about the Grey Lady.") == "greta"
    text = keeper.turn().window.text
    assert "Greta" not in text
    assert "Voss" not in text
    assert asked_about(keeper, "I ask Mara about Greta Voss.") is None


def test_who_was_met_is_known_by_all_their_names_from_then_on():
    keeper = played("plain", ("I go to the attic.", "Dust."), ("I go to the parlour.", "Fire."))
    for line in ("I ask Tom about Greta.", "I ask Tom about the doctor."):
        assert asked_about(keeper, line) == "greta"


def test_a_name_that_the_author_lets_the_narrator_read_is_known():
    lore = Soft(heading="The house", text="Greta Voss built it, long ago.")
    story = structs.replace(with_hidden("plain"), soft=(lore,))
    keeper = engine(story)
    tell(keeper, "Mara sits by the fire.")
    assert asked_about(keeper, "I ask Mara about Greta Voss.") == "greta"


def test_prose_may_bring_in_somebody_by_name():
    keeper = played("plain", (None, "Greta Voss comes in."))
    assert asked_about(keeper) == "greta"
