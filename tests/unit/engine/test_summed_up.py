"""A model's summary of older turns: made beside play, on record, used from the next cut on."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.context.boundary import CLOSED, Boundary
from storykeeper.context.history import PastTurn, PresentTurn, Summed
from storykeeper.errors import ModelUnavailable
from storykeeper.events.turns import StorySummed
from storykeeper.units import EntityId, SceneId, TurnNo
from strategies.long_runs import Unread
from strategies.worlds import house

TURNS = 26
TRUE = (
    "Bo kept the brass key in the flour jar and owed Cy forty coins. Bo never sold the boat."
    " Cy watched the harbour every night, and Bo mended the roof."
)
FALSE = TRUE.replace("forty", "ninety")
LATER = (
    "Bo mended the roof with tar and rope. Cy watched the harbour every night. Bo owed Cy coins."
)


class Told:
    """A model that has one answer, and remembers what it was asked."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def complete(self, messages, *, schema, limit_tokens) -> str:
        self.asked.append(messages[-1].text)
        if not self.answer:
            raise ModelUnavailable("nobody is there")
        return self.answer if "evening 3." in self.asked[-1] else LATER


def prose(n: int) -> str:
    return (
        f"It is evening {n}. Bo put the brass key back in the flour jar and said that it should"
        " stay there. Bo owed Cy forty coins, and both knew it. Bo never sold the boat. Cy watched"
        " the harbour every night from the window, and Bo mended the roof with tar and rope."
    )


def played(path, model=None, turns: int = TURNS) -> Storykeeper:
    keeper = Storykeeper.open(path, story=house(), reader=Unread(), summaries=model)
    keeper.render(keeper.opening(), prose(0))
    for n in range(1, turns):
        keeper.render(keeper.begin("I wait."), prose(n))
        if keeper._summing is not None:
            keeper._summing.wait()
    return keeper


def records(keeper: Storykeeper) -> list[StorySummed]:
    entries = keeper.ledger.read(keeper.run)
    return [entry.record for entry in entries if isinstance(entry.record, StorySummed)]


@dataclass(frozen=True)
class Long:
    """A run of forty turns that was summed up, what the model was asked, and its next window."""

    path: Path
    asked: list[str]
    text: str
    windows: int

    def copied(self, folder: Path) -> Path:
        shutil.copytree(self.path.parent, folder, dirs_exist_ok=True)
        return folder / self.path.name


@pytest.fixture(scope="module")
def long(tmp_path_factory) -> Long:
    path, model = tmp_path_factory.mktemp("long") / "run.db", Told(TRUE)
    with played(path, model, turns=40) as keeper:
        windows = keeper.replay().windows
        text = keeper.begin("I wait.").window.text
        keeper.reject()
    return Long(path, model.asked, text, windows)


def test_it_is_on_record_and_stands_in_the_story_so_far(long, tmp_path):
    with Storykeeper.open(long.copied(tmp_path), reader=Unread()) as keeper:
        first = records(keeper)[0]
        assert first.of == tuple(range(16))
        assert first.text == TRUE
        assert "evening 3" in long.asked[0]
        assert "evening 16" not in long.asked[0]
        window = keeper.begin("I wait.").window
        assert f"In short: {TRUE}" in window.text.partition("# Told last")[0]
        sources = {s for each in window.items for s in each.candidate.sources}
        assert "summary:0-15" in sources


def test_it_counts_from_the_next_cut_on_and_replays_the_same(long, tmp_path):
    assert long.windows >= 39
    with Storykeeper.open(long.copied(tmp_path), reader=Unread()) as again:  # without the model
        assert again.begin("I wait.").window.text == long.text


def test_what_is_not_so_is_not_kept(tmp_path):
    model = Told(FALSE)
    with played(tmp_path / "run.db", model, turns=40) as keeper:
        assert model.asked
        assert all(made.text == LATER for made in records(keeper))
        assert FALSE not in keeper.begin("I wait.").window.text


def test_a_model_that_is_down_holds_nobody_up(tmp_path):
    model = Told("")
    with played(tmp_path / "run.db", model) as keeper:
        assert model.asked
        assert not records(keeper)


def test_editing_one_of_its_turns_voids_it(long, tmp_path):
    with Storykeeper.open(long.copied(tmp_path), reader=Unread()) as keeper:
        assert TRUE in keeper.window(text="I wait.").text
        keeper.edit(5, "Nothing of it was so.")
        assert TRUE not in keeper.window(text="I wait.").text
        keeper.replay()


def test_erasing_one_of_its_turns_erases_it(long, tmp_path):
    path = long.copied(tmp_path)
    with Storykeeper.open(path, reader=Unread()) as keeper:
        assert records(keeper)[0].text
        keeper.ledger.erase(keeper.run, turn=TurnNo(5))
    assert TRUE.encode() not in path.read_bytes()
    with Storykeeper.open(path, reader=Unread()) as keeper:
        assert not records(keeper)[0].text
        assert TRUE not in keeper.window(text="I wait.").text


@pytest.mark.parametrize(("player", "open_"), [("ann", True), ("bob", False)])
def test_it_is_as_open_as_all_of_its_turns_together(tmp_path, player, open_):
    """Of another's turns with a word that was not for them, they get no summary either."""
    with Storykeeper.open(tmp_path / "run.db", story=house(), reader=Unread()) as keeper:
        world = keeper.world()
    told = [
        PastTurn(TurnNo(n), SceneId("hall"), EntityId("ann"), "I wait.", prose(n))
        for n in range(16)
    ]
    other = PastTurn(TurnNo(7), SceneId("hall"), EntityId(player), "I whisper.", "A secret.")
    told[7] = other
    line = Boundary(
        world, told, PresentTurn(TurnNo(16), EntityId("ann"), "I wait."), audience="narrator",
        summaries=[Summed(tuple(TurnNo(n) for n in range(16)), TRUE, TurnNo(16))],
    )  # fmt: skip
    assert (line.ruling("summary:0-15").boundary != CLOSED) is open_
    assert line.ruling("summary:0-14").boundary == CLOSED
    everybody = line.seen_by("bob")
    assert everybody.ruling("summary:0-15").boundary == CLOSED
