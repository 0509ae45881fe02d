"""The same words said anew are said; the same words told again are not."""

import pytest
from msgspec import structs

from storykeeper.events.atoms import SpeechUttered
from storykeeper.story.people import Character
from strategies.flips import all_shown, bytes_of
from strategies.parlour import engine, parlour, tell

WORDS = "The key is under the old mat"


def spoken(keeper):
    keeper.end_scene()
    return [a for turn in keeper.history() for a in turn.atoms if isinstance(a.what, SpeechUttered)]


def run(*proses, story=None):
    keeper = engine(story)
    for prose in proses:
        tell(keeper, prose)
    return keeper


def knows(keeper, who):
    return WORDS in keeper.brief(who, "a knock at the door").text


@pytest.mark.parametrize(
    "aloud",
    [f"“{WORDS},” Tom says.", f"“{WORDS},” says Tom loudly.", f"“{WORDS}!” shouts Tom."],
)
@pytest.mark.parametrize(
    "low",
    [f"“{WORDS},” Tom whispers to you.", f"“{WORDS},” Tom whispers into your ear."],
)
def test_after_a_whisper_of_it(low, aloud):
    keeper = run(low)
    keeper.end_scene()
    assert not knows(keeper, "mara")
    tell(keeper, aloud)
    assert len(spoken(keeper)) == 2
    assert knows(keeper, "mara")


def test_by_somebody_else():
    keeper = run(f"“{WORDS},” Tom says.", f"“{WORDS},” Mara says.")
    assert len(spoken(keeper)) == 2


@pytest.mark.parametrize(
    "prose",
    [f"“{WORDS},” Tom says.", f"“{WORDS},” Tom whispers.", f"“{WORDS},” Tom says quietly."],
)
def test_told_again_word_for_word_it_is_no_new_event(prose):
    assert len(spoken(run(prose, prose))) == 1


def two_players():
    story = parlour()
    bob = Character(id="bob", name="Bob", pronouns="he/him", line="You too.", at="garden")
    return structs.replace(story, players=("ann", "bob"), cast=(*story.cast, bob))


@pytest.mark.parametrize("now", [f"“{WORDS},” Tom says.", f"“{WORDS},” Tom says to Mara."])
def test_what_another_player_was_told_aside_is_new_to_this_one(now):
    """Whether Ann was told it or not: what Bob gets to see is the same."""
    seen = []
    for before in (WORDS, "There is nothing at all of the sort"):
        keeper = engine(two_players())
        tell(keeper, f"“{before},” Tom whispers to you.")
        for _ in range(2):
            keeper.render(keeper.begin("I wait.", player="bob"), now)
        keeper.end_scene()
        turn = keeper.begin("I ask Tom about the key.", player="bob")
        seen.append([bytes_of(turn.window, "narrator"), *all_shown(keeper, "bob")])
        assert knows(keeper, "bob")
    assert seen[0] == seen[1]
