"""A ledger as lines of JSON, out and in again, to the byte.

An export is checked as it is made, and an import before anything of it can be seen: it is built in
a file of another name, verified from the first record to the last, and only then put in place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from storykeeper.errors import LedgerBusy, LedgerDamaged, NotALedger, RunNotFound
from storykeeper.ledger import opening
from storykeeper.ledger.jsonl import (
    FORMAT,
    FORMAT_VERSION,
    Header,
    Reader,
    RowLine,
    RunLine,
    Trailer,
)
from storykeeper.ledger.lineage import Branch, fits_a_name
from storykeeper.ledger.places import Place, in_database, open_to_check
from storykeeper.ledger.port import Head, Ledger, Row, RunInfo
from storykeeper.ledger.run_tables import CHUNK, RunTables
from storykeeper.ledger.sqlite_errors import translated
from storykeeper.ledger.sqlite_tables import Tables
from storykeeper.units import RunId, TurnNo, Version

Progress = Callable[[int, int], None]  # done, of how many


def no_progress(done: int, total: int) -> None:
    """For callers who do not want to be told."""


@dataclass(frozen=True, slots=True)
class Transferred:
    """What went out or came in."""

    runs: tuple[RunId, ...]
    records: int
    sha256: str  # of all lines but the last


# ── out ──────────────────────────────────────────────────────────────────────────────────────


def export_file(
    ledger: Ledger, target: Path, *, run: RunId | None = None, progress: Progress = no_progress
) -> Transferred:
    """Export to a new file, which is there whole or not at all."""
    with opening.only_new(target) as unfinished, unfinished.open("wb") as out:
        return export(ledger, out, run=run, progress=progress)


def export(
    ledger: Ledger, out: BinaryIO, *, run: RunId | None = None, progress: Progress = no_progress
) -> Transferred:
    """Write every run of a ledger, or one with those it was forked from."""
    runs = _chosen(ledger.runs(), run)
    for info in runs:
        verdict = ledger.verify(info.run)
        if not verdict.records_good:
            raise LedgerDamaged(
                f"run {info.run}, record {verdict.bad_version}: {verdict.problem};"
                " a damaged ledger is not exported; restore a backup"
            )
    header = Header(FORMAT, FORMAT_VERSION, tuple(RunLine.of(info) for info in runs))
    hashed = hashlib.sha256()
    for done, line in enumerate(_lines(ledger, header)):
        hashed.update(line)
        out.write(line)
        if done % CHUNK == 0:
            progress(done, header.records)
    _refuse_erased_meanwhile(ledger, runs)
    out.write(Trailer(header.records, hashed.hexdigest()).bytes())
    progress(header.records, header.records)
    return Transferred(tuple(i.run for i in runs), header.records, hashed.hexdigest())


def _chosen(runs: Sequence[RunInfo], run: RunId | None) -> list[RunInfo]:
    """All runs, or one and the whole of those it came from: they vouch for its erased records."""
    if run is None:
        return list(runs)
    by_name = {info.run: info for info in runs}
    path: list[RunInfo] = []
    name: RunId | None = run
    while name is not None:
        if name not in by_name:
            raise RunNotFound(f"no run {name!r} to export; its runs: {', '.join(by_name)}")
        path.append(by_name[name])
        name = by_name[name].parent
    return path[::-1]


def _lines(ledger: Ledger, header: Header) -> Iterator[bytes]:
    yield header.bytes()
    for each in header.runs:
        for row in ledger.rows(each.run, own=True):
            if row.version > each.version:  # written since the export began
                break
            yield RowLine.of(each.run, row).bytes()


def _refuse_erased_meanwhile(ledger: Ledger, runs: Sequence[RunInfo]) -> None:
    """What was erased since would be there half: its text in one line, its mark in none."""
    for info in runs:
        last = ledger.last(info.run, kind="text-erased")
        if last is not None and last.version > info.head.version:
            raise LedgerBusy(f"text of run {info.run} was erased meanwhile; export again")


# ── in ───────────────────────────────────────────────────────────────────────────────────────


def import_file(source: Path, target: Place, *, progress: Progress = no_progress) -> Transferred:
    """Make a new ledger of an exported one. Any changed byte is refused, and its line named."""
    try:
        lines = source.open("rb")
    except OSError as error:
        raise NotALedger(f"{source}: cannot be read: {error.strerror}; check the name") from error
    with lines:
        reader = Reader(lines, str(source))
        header = reader.header()
        if isinstance(target, Path):
            _into_file(target, reader, header, progress)
        else:
            with in_database().new(target) as (ledger, tables):
                _fill(tables, reader, header, progress)
                _refuse_bad(ledger, reader, header)
    runs = tuple(each.run for each in header.runs)
    return Transferred(runs, header.records, reader.hashed.hexdigest())


def _into_file(target: Path, reader: Reader, header: Header, progress: Progress) -> None:
    """All runs and rows of an export, in a file that nobody looks at yet."""
    with opening.only_new(target) as unfinished:
        with translated(target):
            opening.make_tables(unfinished)
            with closing(opening.connect(unfinished, mode="rw")) as connection:
                connection.execute("PRAGMA synchronous = OFF")  # it is synced as a whole at the end
                connection.execute("BEGIN IMMEDIATE")
                _fill(Tables(connection), reader, header, progress)
                connection.execute("COMMIT")
        with open_to_check(unfinished) as ledger:
            _refuse_bad(ledger, reader, header)


def _fill(tables: RunTables, reader: Reader, header: Header, progress: Progress) -> None:
    """All runs and rows of an export, in tables that nobody sees yet."""
    for each in header.runs:
        _add_run(tables, each, reader, header)
        for rows in _chunks(each, reader):
            with reader.strictly():
                tables.add_rows(each.run, rows)
            progress(reader.records, header.records)
    reader.end(header)


def _add_run(tables: RunTables, each: RunLine, reader: Reader, header: Header) -> None:
    known = {before.run for before in header.runs[: header.runs.index(each)]}
    fits = fits_a_name(each.run) and each.run not in known and 0 <= each.forked_at < each.version
    if not fits or (each.parent not in known if known else each.parent is not None):
        reader.refuse(f"run {each.run!r} does not fit the tree of runs", line=1)
    reader.starts[each.run] = reader.number - each.forked_at
    head = Head(each.forked_at, TurnNo(0), b"")
    tables.add_run(Branch(each.run, each.parent, each.forked_at, head))


def _chunks(each: RunLine, reader: Reader) -> Iterator[list[Row]]:
    for start in range(each.forked_at, each.version, CHUNK):
        upto = min(start + CHUNK, each.version)
        yield [reader.row(each.run, version) for version in range(start + 1, upto + 1)]


def _refuse_bad(ledger: Ledger, reader: Reader, header: Header) -> None:
    """Every run verified, before anybody can see it."""
    for each in header.runs:
        verdict = ledger.verify(each.run)
        if not verdict.good:
            line = None
            if verdict.bad_version is not None:
                line = _line_of(each, verdict.bad_version, reader=reader, header=header)
            reader.refuse(f"run {each.run}: {verdict.problem}", line=line)
    reader.check_trailer()


def _line_of(each: RunLine, version: Version, *, reader: Reader, header: Header) -> int:
    """The line of a record that a run may have from its parents."""
    by_name = {run.run: run for run in header.runs}
    while version <= each.forked_at and each.parent is not None:
        each = by_name[each.parent]
    return reader.starts[each.run] + version
