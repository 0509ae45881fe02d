"""New files: whole or not there, durable, and never over another."""

import errno
import os
from pathlib import Path

import pytest

from storykeeper.errors import LedgerError, LedgerFull, LedgerReadOnly
from storykeeper.ledger import opening
from storykeeper.units import MAIN
from strategies.ledgers import sqlite_ledger, told


def no_second_names(source: Path, target: Path) -> None:
    raise OSError(errno.EPERM, "not here")


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_appears_meanwhile_is_kept(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", no_second_names)
    target = tmp_path / "run.db"

    def make() -> None:
        with opening.only_new(target) as unfinished:
            unfinished.write_text("ours")
            target.write_text("theirs")

    with pytest.raises(LedgerError, match="somebody else"):
        make()
    assert target.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [target]


def test_of_two_who_begin_a_file_the_second_opens_the_first_ones(tmp_path, monkeypatch):
    path = tmp_path / "run.db"
    make_tables = opening.make_tables

    def slowly(unfinished: Path, *, upto: int = opening.NEWEST) -> None:
        make_tables(unfinished, upto=upto)
        monkeypatch.setattr(opening, "make_tables", make_tables)
        told(sqlite_ledger(path)).close()

    monkeypatch.setattr(opening, "make_tables", slowly)
    with sqlite_ledger(path) as ledger:
        assert ledger.head(MAIN).version == 12


def test_a_file_system_without_second_names(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", no_second_names)
    told(sqlite_ledger(tmp_path / "run.db")).close()
    assert [p.name for p in tmp_path.iterdir()] == ["run.db"]


def test_a_new_file_and_its_name_go_through_fsync(tmp_path, monkeypatch):
    synced = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").resolve().name)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    with opening.only_new(tmp_path / "run.db") as unfinished:
        unfinished.write_text("ours")
    assert synced == [unfinished.name, tmp_path.name]


@pytest.mark.parametrize(
    ("number", "error"), [(errno.ENOSPC, LedgerFull), (errno.EROFS, LedgerReadOnly)]
)
def test_what_the_system_refuses(tmp_path, number, error):
    def make() -> None:
        with opening.only_new(tmp_path / "run.db") as unfinished:
            unfinished.write_text("half")
            raise OSError(number, os.strerror(number))

    with pytest.raises(error, match=r"run\.db"):
        make()
    assert list(tmp_path.iterdir()) == []
