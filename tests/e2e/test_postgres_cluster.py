"""On a real cluster, where one is given: STORYKEEPER_CLUSTER=postgresql://owner@coordinator/db.

The database must have the extension citus and none of our tables, and `app` must be a role in it
that may log in without a password. What is tried is what the guide says.
"""

import os
import re
from pathlib import Path

import psycopg
import pytest

from storykeeper.ledger.postgres.oversight import look_over
from storykeeper.ledger.postgres.place import place
from storykeeper.ledger.postgres.preparing import prepare
from storykeeper.ledger.postgres.steps import TABLES
from storykeeper.units import MAIN, RunId
from strategies.ledgers import add, exported, shown, told
from strategies.postgres import postgres_ledger

CLUSTER = os.environ.get("STORYKEEPER_CLUSTER", "")
GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "postgresql.md"
DISTRIBUTING = re.findall(
    r"^SELECT create_distributed_table.*;$", GUIDE.read_text("utf-8"), re.MULTILINE
)


def test_the_guide_distributes_every_table_by_its_tenant():
    named = [re.search(r"\('(\w+)', 'tenant'", each)[1] for each in DISTRIBUTING]
    assert sorted(named) == sorted(TABLES)
    assert named[:2] == ["ledgers", "branches"]  # what others refer to comes first


@pytest.mark.long
@pytest.mark.skipif(not CLUSTER, reason="no cluster is given: STORYKEEPER_CLUSTER=postgresql://…")
def test_a_ledger_on_a_cluster():
    prepare(CLUSTER, partitions=0)
    with psycopg.connect(CLUSTER, autocommit=True) as owner:
        for statement in DISTRIBUTING:
            owner.execute(statement)
        owner.execute("GRANT storykeeper TO app")
    service = re.sub(r"//[^@/]*@", "//app@", CLUSTER)
    for tenant in ("ana", "ben"):
        with told(postgres_ledger(place(f"{service}#{tenant}/runs/harrow"))) as ledger:
            ledger.fork(MAIN, RunId("what-if"), at=3)
            ledger.erase(MAIN, turn=2)
            add(ledger, shown(6))
            assert ledger.verify(MAIN).good
            assert b"of 2" not in exported(ledger)
    with psycopg.connect(service) as app:
        assert app.execute("SELECT count(*) FROM records").fetchone() == (0,)
    assert look_over(CLUSTER, role="storykeeper").problems == ()
