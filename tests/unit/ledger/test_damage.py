"""A torn or edited file: verify names the first bad record; what stands before it is read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from storykeeper.cli.main import app
from storykeeper.errors import LedgerDamaged
from storykeeper.ledger.port import Entry, Row
from storykeeper.units import MAIN
from strategies.ledgers import add, shown, sqlite_ledger, tampering, told

LONG = 1300  # several chunks


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run.db"
    with sqlite_ledger(path) as ledger:
        told(ledger)
        add(ledger, *(shown(6, f"line {n} " * 20) for n in range(LONG)))
    return path


def edited(path: Path, sql: str, *values: object) -> None:
    with tampering(path) as raw:
        raw.execute(sql, values)


def until_damage(stream: Iterator[Row | Entry]) -> list[int]:
    """The versions that can be read before reading fails, as it must."""
    versions: list[int] = []
    try:
        for each in stream:
            versions.append(each.version)
    except LedgerDamaged:
        return versions
    raise AssertionError("all of it could be read")


@pytest.mark.parametrize("bad", [3, 150, 513, 1200])
def test_a_row_that_cannot_be_fetched_is_named(run: Path, bad: int):
    edited(run, "UPDATE records SET kind = CAST(x'ff' AS TEXT) WHERE place & 0xffffffff = ?", bad)
    with sqlite_ledger(run) as ledger:
        assert ledger.verify(MAIN).bad_version == bad
        assert until_damage(ledger.rows(MAIN)) == list(range(1, bad))


def pages_of_records(path: Path) -> list[int]:
    raw = sqlite3.connect(path)
    try:
        found = raw.execute(
            "SELECT pageno FROM dbstat WHERE name = 'records' AND pagetype = 'leaf' ORDER BY pageno"
        ).fetchall()
    except sqlite3.OperationalError:
        return []  # this SQLite has no dbstat: pages are guessed below
    finally:
        raw.close()
    return [number for (number,) in found]


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_torn_page_is_found_and_the_records_before_it_are_read(run: Path, share: float):
    body = bytearray(run.read_bytes())
    leaves = pages_of_records(run) or list(range(8, len(body) // 4096))
    page = leaves[int(share * len(leaves))]
    body[(page - 1) * 4096 : page * 4096] = bytes(4096)
    run.write_bytes(body)
    with sqlite_ledger(run) as ledger:
        verdict = ledger.verify(MAIN)
        assert verdict.bad_version is not None
        assert verdict.bad_version > 1
        assert until_damage(ledger.read(MAIN)) == list(range(1, verdict.bad_version))
    answer = CliRunner().invoke(app, ["verify", str(run)])
    assert answer.exit_code == 1
    assert f"record {verdict.bad_version} " in answer.output


@pytest.mark.parametrize("size", [5000, 40_000])
def test_a_file_that_was_cut_off_is_bad_and_says_so(run: Path, size: int):
    run.write_bytes(run.read_bytes()[:size])
    answer = CliRunner().invoke(app, ["verify", str(run)])
    assert answer.exit_code == 1
    assert "not as it was written" in answer.output
