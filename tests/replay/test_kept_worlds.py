"""Ledgers of older schemas fold to the worlds that were recorded with them: newer code does not
change the past.
"""

import json
from pathlib import Path

import pytest

from storykeeper.bootstrap import Storykeeper
from storykeeper.ledger.transfer import import_file
from storykeeper.world.snapshot import dump

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("name", ["ledger-v2"])
def test_an_old_ledger_folds_to_its_recorded_world(name, tmp_path):
    import_file(DATA / f"{name}.jsonl", tmp_path / "run.db")
    recorded = json.loads((DATA / f"{name}.world.json").read_bytes())
    with Storykeeper.open(tmp_path / "run.db", read_only=True) as keeper:
        folded = json.loads(dump(keeper.world()))
        assert {"mara"} <= set(recorded["asleep"])  # a verb of before did something
        assert folded | {"schema": 0} == recorded | {"schema": 0}
