"""A character's brief: what it perceives reaches it, and what is done elsewhere does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.errors import UnknownAudience

STORY = Path(__file__).parents[3] / "examples" / "the-lamp-at-harrow"


@pytest.fixture
def keeper(tmp_path: Path):
    with Storykeeper.open(tmp_path / "run.db", story=STORY) as keeper:
        keeper.render(keeper.opening(), "The causeway.")
        yield keeper


def test_what_it_perceives_is_in_its_brief(keeper: Storykeeper):
    brief = keeper.brief("mara", "a knock at the door")
    assert "a knock at the door" in brief.text
    assert "Mara knocks" not in brief.text  # she hears it; she does not do it
    assert brief.tokens <= 2500


def test_a_brief_changes_nothing(keeper: Storykeeper):
    before = keeper.ledger.head(keeper.run)
    keeper.brief("mara", "a knock at the door")
    assert keeper.ledger.head(keeper.run) == before
    assert keeper.world().now == 0


def test_the_narrator_does_not_perceive_it(keeper: Storykeeper):
    keeper.brief("mara", "a knock at the door")
    assert "knock" not in keeper.turn().window.text


def test_a_brief_for_nobody(keeper: Storykeeper):
    with pytest.raises(UnknownAudience, match="nix"):
        keeper.brief("nix", "a knock at the door")
