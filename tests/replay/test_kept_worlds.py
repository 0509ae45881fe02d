"""Kept ledgers, of older schemas and of this one, fold to the worlds that were recorded with them:
newer code does not change the past.
"""

import json
from pathlib import Path

import pytest

from storykeeper.bootstrap import Storykeeper
from storykeeper.ledger.transfer import import_file
from storykeeper.world.snapshot import dump

DATA = Path(__file__).parents[1] / "data"


# What a verb of before did, and what declarations and corrections do.
ASLEEP = {"ledger-v2": "mara", "ledger-v3": "dov"}


@pytest.mark.parametrize("name", ASLEEP)
def test_a_kept_ledger_folds_to_its_recorded_world(name, tmp_path):
    import_file(DATA / f"{name}.jsonl", tmp_path / "run.db")
    recorded = json.loads((DATA / f"{name}.world.json").read_bytes())
    with Storykeeper.open(tmp_path / "run.db", read_only=True) as keeper:
        folded = json.loads(dump(keeper.world()))
        assert ASLEEP[name] in recorded["asleep"]
        since = folded.keys() - recorded.keys()  # what worlds have had since: here, nothing
        assert {name: folded[name] for name in recorded} | {"schema": 0} == recorded | {"schema": 0}
        assert not any(folded[name] for name in since)
