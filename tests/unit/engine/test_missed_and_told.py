"""What somebody missed they learn by being told it: from whom, and since when."""

from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.language.prose import ProseReader
from storykeeper.staging.reader import StagedProse, TableReader
from storykeeper.story.model import Story
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.scenes import Scene, SceneCast

READER = StagedProse(ProseReader(), TableReader())
SECRET = "The key is in the tin"


def quay() -> Story:
    people = [("cy", "Cy"), ("ana", "Ana"), ("bo", "Bo")]
    return Story(
        id="quay", title="Quay", version="1", voice="Plain.", start="evening", players=("cy",),
        cast=tuple(Character(id=i, name=n, line="Somebody.", at="shed") for i, n in people),
        settings=(Setting("shed", "the shed"), Setting("pier", "the pier")),
        things=(Thing(id="key", name="the key"), Thing(id="tin", name="the tin", at="shed")),
        scenes=(Scene(id="evening", title="Evening", setting="shed",
                      cast=SceneCast(("ana", "bo"))),),
    )  # fmt: skip


@pytest.fixture
def keeper(tmp_path: Path):
    with Storykeeper.open(tmp_path / "run.db", story=quay(), reader=READER) as keeper:
        keeper.render(keeper.opening(), "Rain falls.")
        yield keeper


def told(keeper, prose):
    keeper.render(keeper.begin("I wait."), prose)
    keeper.end_scene()


def thinks(keeper, who, **at):
    """Where somebody thinks the key is, whom they have it from, and since when."""
    found = [p for p in keeper.knows(who, about="key", **at).places if p.what == "key"]
    return [(p.place, p.teller, p.since) for p in found]


def has_words(keeper, who):
    return SECRET in keeper.brief(who, "a knock at the door").text


@pytest.mark.parametrize(
    "prose",
    [
        f"Bo goes out. “{SECRET},” says Ana. Bo comes back.",
    ],
)
def test_missed_while_away_and_told_later(keeper, prose):
    told(keeper, prose)
    assert thinks(keeper, "bo") == []
    assert not has_words(keeper, "bo")
    assert thinks(keeper, "cy") == [("tin", "ana", 1)]
    told(keeper, f"“{SECRET},” says Ana to Bo.")
    assert thinks(keeper, "bo") == [("tin", "ana", 2)]
    assert has_words(keeper, "bo")
    assert thinks(keeper, "bo", at=1) == []


def test_missed_over_several_turns(keeper):
    for prose in ("Bo goes out.", f"“{SECRET},” says Ana.", "Bo comes back."):
        told(keeper, prose)
    assert thinks(keeper, "bo") == []
    assert not has_words(keeper, "bo")
    told(keeper, "“The key is in the tin, as I said,” says Ana.")  # to all there: he is, again
    assert thinks(keeper, "bo") == [("tin", "ana", 4)]


def test_it_is_the_same_after_it_is_closed_and_read_again(keeper, tmp_path):
    told(keeper, f"Bo goes out. “{SECRET},” says Ana.")
    keeper.close()
    with Storykeeper.open(tmp_path / "run.db", reader=READER) as again:
        assert "bo" not in again.world().places
        assert thinks(again, "bo") == []
        assert again.replay()
