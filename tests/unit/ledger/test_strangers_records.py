"""Records that no run of ours would have, with a chain that holds: refused, or lived with."""

import pytest
from msgspec import structs

from storykeeper import Storykeeper
from storykeeper.errors import StorykeeperError
from storykeeper.events.atoms import Atom
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import StoryAdopted
from storykeeper.story.adopt import adoption
from storykeeper.units import MAIN
from strategies.ledgers import sqlite_ledger
from strategies.runs import EVENING, go, kept
from strategies.small import read
from strategies.tables import table


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> list[AnyRecord]:
    path = tmp_path_factory.mktemp("played") / "run.db"
    with kept(path) as keeper:
        go(keeper, *EVENING)
    with sqlite_ledger(path, read_only=True) as ledger:
        return [entry.record for entry in ledger.read(MAIN)][1:]


@table("name", ["", "nowhere", "²", "9" * 5_000, "-2"])
def test_events_of_any_name_are_lived_with(records, tmp_path, name):
    changed = [
        structs.replace(each, id=f"{n}.{name}") if isinstance(each, Atom) else each
        for n, each in enumerate(records)
    ]
    assert changed != records
    path = tmp_path / f"{len(name)}.db"
    with sqlite_ledger(path) as ledger:
        ledger.begin(MAIN, changed)
    with Storykeeper.open(path) as keeper:
        assert keeper.window(text="I look around").text
        assert all(keeper.brief(who).text for who in ("mara", "tobit", "coyle"))


@table("body", ["", "{}", "[" * 100_000, '{"id": 3}', "null"])
def test_a_story_that_is_none_is_refused_by_name(tmp_path, body):
    path = tmp_path / f"{len(body)}.db"
    story = adoption(read().story)
    assert isinstance(story, StoryAdopted)
    with sqlite_ledger(path) as ledger:
        ledger.begin(MAIN, [structs.replace(story, body=body)])
    with pytest.raises(StorykeeperError, match="the story 'small' in this ledger cannot be read"):
        Storykeeper.open(path)
