"""What a ledger in PostgreSQL promises besides the contract: its tables, roles, wires and moves."""

import threading

import psycopg
import pytest

from storykeeper.errors import (
    LedgerBusy,
    LedgerDamaged,
    LedgerError,
    LedgerFromTheFuture,
    LedgerReadOnly,
    NotALedger,
    RunNotFound,
    WrongExpectedVersion,
)
from storykeeper.ledger.moving import move
from storykeeper.ledger.places import is_there, open_to_check
from storykeeper.ledger.port import Kept
from storykeeper.ledger.postgres import database
from storykeeper.ledger.postgres.ledger import PostgresLedger
from storykeeper.ledger.postgres.oversight import look_over, without_tenant
from storykeeper.ledger.postgres.place import place, shown
from storykeeper.ledger.postgres.preparing import prepare
from storykeeper.ledger.transfer import import_file
from storykeeper.units import MAIN, RunId
from strategies.cut_wires import wire
from strategies.ledgers import add, exported, sqlite_ledger, told
from strategies.ledgers import shown as prose
from strategies.postgres import new_database, new_place, postgres_ledger, server

WHAT_IF = RunId("what-if")


def owner(name: str = "postgres") -> psycopg.Connection:
    return psycopg.connect(server().url("postgres", name), autocommit=True)


def emptied(name: str) -> str:
    """The address of a database with nothing in it, for its owner."""
    with owner() as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name}")
    return server().url("postgres", name)


# ── addresses ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "tenant", "run"),
    [
        ("postgresql://h/d", "local", "run"),
        ("postgresql://h/d#harrow", "local", "harrow"),
        ("postgres://h/d#acme/harrow", "acme", "harrow"),
        ("postgresql://u:p@h:1/d?sslmode=require#acme/runs/harrow", "acme", "runs/harrow"),
    ],
)
def test_an_address_names_tenant_and_run(text, tenant, run):
    found = place(text)
    assert (found.tenant, found.run) == (tenant, run)
    assert found.conninfo == text.partition("#")[0]


@pytest.mark.parametrize("name", ["_service/x", "A/x", "a/", "a//b", "a'b/c", "a/b c", "a/../b"])
def test_no_other_name_is_taken(name):
    with pytest.raises(NotALedger, match="names no run"):
        place(f"postgresql://h/d#{name}")


@pytest.mark.parametrize(
    "address", ["postgresql://u:hush@h/d", "postgresql://h/d?user=u&password=hush&x=1"]
)
def test_no_password_is_shown(address):
    assert "hush" not in shown(address)
    assert "hush" not in str(place(address))
    assert shown(address).startswith("postgresql://")


def test_an_address_that_is_not_there():
    at = new_place()
    assert not is_there(at)
    with pytest.raises(NotALedger, match="nothing there"):
        postgres_ledger(at, create=False)
    told(postgres_ledger(at)).close()
    assert is_there(at)


def test_a_server_that_is_not_there_is_said_at_once():
    with pytest.raises(LedgerBusy, match="cannot be reached"):
        postgres_ledger(place("postgresql://app@127.0.0.1:1/none"))


# ── who may ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("who", ["postgres", "stranger"])
def test_a_role_that_rules_do_not_bind_is_refused(who):
    at = new_place()
    told(postgres_ledger(at)).close()
    theirs = place(f"{server().url(who)}#{at.tenant}/{at.run}")
    said = "not bound by row-level security" if who == "postgres" else "permission denied"
    with pytest.raises(LedgerReadOnly, match=said):
        postgres_ledger(theirs)


def test_a_ledger_opened_to_be_read_writes_nothing():
    at = new_place()
    told(postgres_ledger(at)).close()
    with postgres_ledger(at, read_only=True) as ledger:
        with pytest.raises(LedgerReadOnly):
            add(ledger, prose(6))
        assert ledger.head(MAIN).version == 12


def test_records_are_only_appended_whatever_is_asked():
    """By rights and rules of the database, not by the good will of who asks."""
    at = new_place()
    told(postgres_ledger(at)).close()
    of = f"tenant = '{at.tenant}' AND version = 5"
    with psycopg.connect(server().url(), autocommit=True) as c:
        for forbidden in (
            f"DELETE FROM records WHERE {of}",
            f"UPDATE records SET turn = 1 WHERE {of}",
            f"UPDATE records SET payload = 'x', nonce = '', erased = 0 WHERE {of}",
            f"UPDATE records SET payload = 'x', erased = 1 WHERE {of}",
            "UPDATE branches SET forked_at = 1",
            "DELETE FROM branches",
            "TRUNCATE records",
            "ALTER TABLE records DISABLE ROW LEVEL SECURITY",
            "DROP TABLE records",
        ):
            with c.transaction(force_rollback=True):
                c.execute(database.naming(at.tenant))
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    c.execute(forbidden)
    with postgres_ledger(at) as ledger:
        assert ledger.verify(MAIN).good
        ledger.erase(MAIN, turn=2)
    with psycopg.connect(server().url(), autocommit=True) as c, c.transaction():
        c.execute(database.naming(at.tenant))
        again = c.execute(f"UPDATE records SET payload = 'x', nonce = '', erased = 1 WHERE {of}")
        assert again.rowcount == 0  # text is taken out once


# ── the tables ───────────────────────────────────────────────────────────────────────────────


def test_a_database_without_tables_is_told_what_to_do():
    emptied("bare")
    with pytest.raises(NotALedger, match="storykeeper database prepare"):
        postgres_ledger(place(server().url("app", "bare")))


def test_a_dry_run_says_all_and_leaves_nothing():
    url = emptied("dry")
    would = prepare(url, partitions=2, dry_run=True)
    with owner("dry") as connection:
        there = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert there.fetchone() == (0,)
    assert prepare(url, partitions=2) == would
    assert prepare(url) == prepare(url, dry_run=True)  # again: only what is granted
    assert any("CREATE TABLE records" in each for each in would.statements)
    assert sum("PARTITION OF records" in each for each in would.statements) == 2


def test_a_newer_schema_is_left_alone():
    url = emptied("later")
    prepare(url, partitions=0)
    with owner("later") as connection:
        connection.execute("COMMENT ON TABLE ledgers IS 'storykeeper schema 99'")
    with pytest.raises(LedgerFromTheFuture, match="99"):
        prepare(url)
    with pytest.raises(LedgerFromTheFuture, match="upgrade storykeeper"):
        postgres_ledger(place(server().url("app", "later")))


def test_a_table_of_records_without_partitions_holds_the_same():
    prepare(emptied("whole"), partitions=0)
    with told(postgres_ledger(place(server().url("app", "whole")))) as ledger:
        assert ledger.verify(MAIN).good


FAULTS = {
    "CREATE TABLE more (run text, CHECK (run > ''))": "more has no column tenant",
    "CREATE TABLE unlike (tenant text, n int UNIQUE)": "unlike_n_key of unlike leaves tenant out",
    "CREATE INDEX odd ON branches (version)": "odd of branches leaves tenant out",
    "CREATE SEQUENCE counts": "counts counts for all tenants",
    "ALTER TABLE chats NO FORCE ROW LEVEL SECURITY": "chats does not force",
    "GRANT DELETE ON records TO storykeeper": "may DELETE records",
    "GRANT UPDATE ON branches TO storykeeper": "may UPDATE branches",
    "DROP TABLE answers": "no table answers",
    "ALTER TABLE notes OWNER TO storykeeper": "notes belongs to storykeeper",
}


def test_what_would_mix_tenants_is_found():
    url = emptied("odd")
    prepare(url, partitions=2)
    assert look_over(url, role="storykeeper").problems == ()
    with owner("odd") as connection:
        for fault in FAULTS:
            connection.execute(fault)
    found = look_over(url, role="storykeeper").problems
    for said in FAULTS.values():
        assert any(said in each for each in found), (said, found)


def test_statements_without_the_tenant_are_found():
    good = ["SELECT x FROM records WHERE tenant = $1 AND run = $2",
            "INSERT INTO records (tenant, run) VALUES ($1, $2)"]  # fmt: skip
    bad = ["SELECT x FROM records WHERE run = $1", "DELETE FROM chats",
           "INSERT INTO records (run, tenant) VALUES ($1, $2)"]  # fmt: skip
    assert len(list(without_tenant(good + bad))) == 3


def test_every_statement_names_its_tenant():
    """All that a ledger asks, as the server saw it: in a database where nobody else asked."""
    url = new_database()
    with told(postgres_ledger(place(url))) as ledger:
        ledger.fork(MAIN, WHAT_IF, at=2)
        ledger.erase(MAIN, turn=2)
        exported(ledger)
        ledger.last(MAIN, kind="gate-opened")
        vectors = ledger.vectors()
        vectors.put("s", [Kept(b"k", b"v", 1, 1)])
        assert vectors.get("s", [b"k"]) == {b"k": b"v"}
        vectors.drop("s")
        vectors.close()
        ledger.remove()
    found = look_over(url.replace("app@", "postgres@"), role="storykeeper")
    assert found.problems == ()
    assert found.statements > 20


COMMIT = b"COMMIT\0"  # what is asked and what is answered; and no READ COMMITTED


# ── a wire that is cut ───────────────────────────────────────────────────────────────────────


@pytest.fixture
def cut(monkeypatch):
    """A ledger behind a wire."""
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.5)
    at = new_place()
    told(postgres_ledger(at)).close()
    with wire(server().port) as line:
        theirs = place(f"{server().url(port=line.port)}#{at.tenant}/{at.run}")
        with postgres_ledger(theirs) as ledger:
            yield ledger, line


def test_a_commit_that_arrived_is_done_though_its_answer_was_lost(cut):
    ledger, line = cut
    line.cut_at, line.cuts_answers = COMMIT, True
    assert ledger.append(MAIN, [prose(6, "once")], expected=12) == 13
    assert line.cuts == 1
    assert [e.record.prose for e in ledger.read(MAIN, after=12)] == ["once"]


def test_a_commit_that_never_arrived_is_refused_and_can_be_done_again(cut):
    ledger, line = cut
    line.cut_at = COMMIT
    with pytest.raises(LedgerBusy, match="nothing was written"):
        ledger.append(MAIN, [prose(6, "once")], expected=12)
    assert ledger.head(MAIN).version == 12
    assert ledger.append(MAIN, [prose(6, "once")], expected=12) == 13
    assert ledger.verify(MAIN).good


@pytest.mark.parametrize("at", [b"INSERT INTO records", b"FOR UPDATE", b"SET LOCAL"])
def test_a_wire_cut_before_the_commit_leaves_nothing(cut, at):
    ledger, line = cut
    ledger.head(MAIN)
    line.cut_at = at
    try:
        assert ledger.append(MAIN, [prose(6)], expected=12) == 13  # begun again on another
    except LedgerBusy:
        assert ledger.append(MAIN, [prose(6)], expected=12) == 13
    assert line.cuts == 1
    assert ledger.verify(MAIN).records == 13


def test_a_pool_of_dead_connections_is_replaced(cut):
    ledger, line = cut
    ledger.head(MAIN)
    line.cut()
    assert ledger.head(MAIN).version == 12


def test_what_cannot_be_found_out_is_said(cut):
    ledger, line = cut
    line.cut_at, line.cuts_answers = COMMIT, True
    cutting, line.cut = line.cut, lambda: (setattr(line, "down", True), cutting())
    with pytest.raises(LedgerBusy, match="nobody can be asked whether it was"):
        ledger.append(MAIN, [prose(6, "once")], expected=12)
    line.down = False
    with pytest.raises(WrongExpectedVersion):  # it was: a second try would have written it twice
        ledger.append(MAIN, [prose(6, "once")], expected=12)


# ── moving ───────────────────────────────────────────────────────────────────────────────────


def test_a_ledger_moves_to_the_database_and_back_to_the_byte(tmp_path):
    with told(sqlite_ledger(tmp_path / "run.db")) as ledger:
        ledger.fork(MAIN, WHAT_IF, at=3)
        ledger.erase(MAIN, turn=2, why="they asked")
        add(ledger, prose(4, "otherwise"), run=WHAT_IF)
        lines = exported(ledger)
        vectors = ledger.vectors()
        vectors.put("s", [Kept(bytes([n]), b"v%d" % n, n, n) for n in range(1, 9)])
    at = new_place()
    there = move(tmp_path / "run.db", at)
    assert (there.records, there.vectors) == (15, 8)
    with open_to_check(at) as ledger:
        assert exported(ledger) == lines
        assert all(ledger.verify(run).good for run in ledger.branches())
    move(at, tmp_path / "back.db")
    with open_to_check(tmp_path / "back.db") as ledger:
        assert exported(ledger) == lines
        kept = ledger.vectors()
        assert kept.get("s", [b"\3"]) == {b"\3": b"v3"}
    with postgres_ledger(at) as ledger:  # and can be gone on with
        add(ledger, prose(6))
        assert ledger.verify(MAIN).good


def test_nothing_is_moved_over_what_is_there(tmp_path):
    at = new_place()
    told(postgres_ledger(at)).close()
    told(sqlite_ledger(tmp_path / "run.db")).close()
    with pytest.raises(LedgerError, match="exists already"):
        move(tmp_path / "run.db", at)


def test_an_export_that_was_changed_leaves_nothing_in_the_database(tmp_path):
    lines = exported(told(sqlite_ledger(tmp_path / "run.db")))
    at = new_place()
    changes = ((b"prose of 3", b"prose of 9", "line 8"), (b'"again', b'"agai', "line 5"))
    for before, after, where in changes:
        (tmp_path / "lines").write_bytes(lines.replace(before, after, 1))
        with pytest.raises(LedgerDamaged, match=where):
            import_file(tmp_path / "lines", at)
        assert not is_there(at)


def test_writers_with_connections_of_their_own_race():
    """One wins, the others are told by the version: never by a key that is there already."""
    at, start, odd = new_place(), threading.Barrier(4), []
    told(postgres_ledger(at)).close()

    def write(who: int) -> None:
        with postgres_ledger(at) as ledger:
            start.wait()
            for n in range(15):
                while True:
                    try:
                        add(ledger, prose(6, f"{who} {n}"))
                        break
                    except WrongExpectedVersion:
                        continue
                    except LedgerError as error:
                        odd.append(error)
                        return

    threads = [threading.Thread(target=write, args=[who]) for who in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not odd
    with postgres_ledger(at) as ledger:
        assert ledger.verify(MAIN).records == 72
        assert ledger.verify(MAIN).good


# ── one ledger and its neighbours ────────────────────────────────────────────────────────────


def test_a_ledger_that_is_removed_takes_nothing_else_along():
    at = new_place("runs/one")
    told(postgres_ledger(at)).close()
    told(postgres_ledger(at.beside("runs/two"))).close()
    with postgres_ledger(at) as ledger:
        ledger.remove()
    assert not is_there(at)
    with postgres_ledger(at.beside("runs/two")) as ledger:
        assert ledger.verify(MAIN).good
    with postgres_ledger(at) as ledger, pytest.raises(RunNotFound):
        ledger.head(MAIN)


def test_a_closed_ledger_says_so():
    ledger = told(postgres_ledger())
    ledger.close()
    with pytest.raises(LedgerBusy, match="closed here"):
        ledger.head(MAIN)
    ledger.close()


def test_ledgers_of_one_database_share_its_connections():
    url = new_database()
    with (
        told(postgres_ledger(place(f"{url}#a/run"))) as one,
        told(postgres_ledger(place(f"{url}#b/run"))) as two,
    ):
        assert one._database is two._database
    assert url not in database.Database._shared
    assert isinstance(one, PostgresLedger)
