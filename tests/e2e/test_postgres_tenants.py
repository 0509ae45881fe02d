"""Tenants in one database: a role that tries to see another's rows, by every way it has."""

from contextlib import closing

import psycopg
import pytest

from storykeeper import Memory, Storykeeper
from storykeeper.ledger.port import Kept
from storykeeper.ledger.postgres.database import Begin, Database, naming
from storykeeper.ledger.postgres.steps import TABLES
from storykeeper.units import MAIN, RunId
from strategies.ledgers import told
from strategies.postgres import new_place, postgres_ledger, server

SECRET = "prose of 2"


@pytest.fixture(scope="module")
def theirs():
    """A tenant with something in every table."""
    at = new_place("runs/theirs")
    with told(postgres_ledger(at)) as ledger:
        ledger.fork(MAIN, RunId("what-if"), at=2)
        ledger.erase(MAIN, turn=1)
        with closing(ledger.vectors()) as vectors:
            vectors.put("s", [Kept(b"k", b"v", 2, 2)])
    with psycopg.connect(server().url(), autocommit=True) as c, c.transaction():
        c.execute(naming(at.tenant))
        for row in (
            "snapshots VALUES (%s, 'runs/theirs', 'main', 3, '', '', '')",
            "notes VALUES (%s, 'n', 'x', 1)",
            "answers (tenant, key, fingerprint, at, begun_ms) VALUES (%s, 'k', 'f', 1, 1)",
            "chats VALUES (%s, 'c', 'w', 1)",
            "rounds VALUES (%s, 'c', 0, 0, 'l', 'p')",
        ):
            c.execute(f"INSERT INTO {row}", (at.tenant,))
    return at


@pytest.fixture
def mine():
    return new_place("runs/mine").tenant


def tried(statement: str, tenant: str | None, *values) -> int:
    """How many rows a statement saw or changed, as a service under a tenant's name."""
    with psycopg.connect(server().url(), autocommit=True) as c, c.transaction(force_rollback=True):
        if tenant is not None:
            c.execute(naming(tenant))
        return c.execute(statement, values or None).rowcount


@pytest.mark.parametrize("table", TABLES)
def test_rows_of_another_tenant_are_not_there(theirs, mine, table):
    of = f"WHERE tenant = '{theirs.tenant}'"
    assert tried(f"SELECT * FROM {table} {of}", theirs.tenant) > 0
    for tenant in (mine, None, "", "_service"):
        assert tried(f"SELECT * FROM {table} {of}", tenant) == 0
        assert tried(f"SELECT * FROM {table} ORDER BY tenant", tenant) == 0
    column = {"records": "payload", "branches": "link", "ledgers": "held"}.get(table, "tenant")
    value = {"payload": "''", "link": "''", "held": "9"}.get(column, f"'{mine}'")
    assert tried(f"UPDATE {table} SET {column} = {value} {of}", mine) == 0
    if table not in ("records", "branches"):
        assert tried(f"DELETE FROM {table} {of}", mine) == 0


def test_nothing_can_be_put_under_another_name(theirs, mine):
    rows = {
        "ledgers": "(tenant, run) VALUES (%s, 'runs/new')",
        "branches": "VALUES (%s, 'runs/theirs', 'x', 9, NULL, 0, 1, 1, '')",
        "records": "VALUES (%s, 'runs/theirs', 'main', 99, 1, 'k', 1, 1, '', '', '', '', 0)",
        "vectors": "VALUES (%s, 'runs/theirs', 's', 'k', 1, 1, 'poison')",
        "snapshots": "VALUES (%s, 'runs/theirs', 'main', 2, '', '', '')",
        "notes": "VALUES (%s, 'x', '', 1)",
        "answers": "(tenant, key, fingerprint, at, begun_ms) VALUES (%s, 'x', '', 1, 1)",
        "chats": "VALUES (%s, 'x', '', 1)",
        "rounds": "VALUES (%s, 'c', 5, 0, '', '')",
    }
    assert set(rows) == set(TABLES)
    for table, values in rows.items():
        for tenant in (mine, None):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
                tried(f"INSERT INTO {table} {values}", tenant, theirs.tenant)


@pytest.mark.parametrize(
    "way",
    [
        "SET ROLE postgres",
        "SET SESSION AUTHORIZATION postgres",
        "ALTER TABLE records DISABLE ROW LEVEL SECURITY",
        "ALTER ROLE app BYPASSRLS",
        "CREATE POLICY mine ON records USING (true)",
        "SELECT * FROM records_0",
        "CREATE FUNCTION f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
        "COPY records TO PROGRAM 'cat'",
        "SELECT pg_read_file('postgresql.conf')",
        "ALTER TABLE ledgers OWNER TO app",
    ],
)
def test_there_is_no_way_round(theirs, mine, way):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        tried(way, mine)


def test_row_security_cannot_be_switched_off(theirs, mine):
    with psycopg.connect(server().url(), autocommit=True) as c, c.transaction(force_rollback=True):
        c.execute(naming(mine))
        c.execute("SET LOCAL row_security = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            c.execute("SELECT * FROM records")


def test_functions_and_joins_see_no_more(theirs, mine):
    """Also what would tell by an error, or by what a planner asks first."""
    leaky = "SELECT 1 / (length(payload) - length(payload)) FROM records"
    assert tried(leaky, mine) == 0
    assert tried("SELECT * FROM branches b JOIN records r USING (run)", mine) == 0
    assert tried("TABLE records UNION ALL TABLE records", mine) == 0
    counted = "WITH gone AS (DELETE FROM ledgers RETURNING *) SELECT * FROM gone"
    assert tried(counted, mine) == 0


def test_the_name_of_a_tenant_ends_with_its_transaction(theirs, mine):
    """On a connection that goes on to somebody else, as in a pool."""
    database = Database.of(server().url())
    try:
        for _ in range(3):
            with database.unit(theirs.tenant, Begin.READING) as c:
                assert c.execute("SELECT count(*) FROM ledgers").fetchone()[0] >= 1
            with database.unit(mine, Begin.READING) as c:
                assert c.execute("SELECT count(*) FROM ledgers").fetchone() == (0,)
            with database.pool.connection() as c:
                assert c.execute("SELECT count(*) FROM ledgers").fetchone() == (0,)
    finally:
        database.release()


def test_a_tenants_name_is_no_statement(mine):
    with psycopg.connect(server().url(), autocommit=True) as c, c.transaction():
        odd = "a'; SELECT pg_sleep(9); --\\"
        c.execute(naming(odd))
        assert c.execute("SELECT current_setting('storykeeper.tenant')").fetchone() == (odd,)


def test_two_tenants_may_have_runs_and_memories_of_one_name(tmp_path):
    told_of = {}
    for who in ("ilse", "dov"):
        at = new_place("memories/chat")
        told_of[who] = f"{at.conninfo}#{at.tenant}/{at.run}"
        with Memory.open(told_of[who], embedder="none") as memory:
            memory.add(f"{who} keeps the key under the stairs")
    for who, address in told_of.items():
        with Memory.open(address) as memory:
            found = memory.search("where is the key")
            assert [hit.item.text for hit in found] == [f"{who} keeps the key under the stairs"]


def test_an_address_with_another_tenant_opens_theirs_and_none_else(theirs, mine):
    from storykeeper.errors import StoryNotFound

    with pytest.raises(StoryNotFound, match="there is no run"):
        Storykeeper.open(f"{theirs.conninfo}#{mine}/{theirs.run}")
