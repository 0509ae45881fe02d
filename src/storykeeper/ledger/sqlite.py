"""The ledger in one SQLite file: the default, and what `run.db` is.

WAL and synchronous=FULL: when `append` returns, the records have been through fsync. Writing is one
BEGIN IMMEDIATE transaction, so of two writers one wins and the other sees the head it left. Reading
goes in chunks up to the head that was found first; since records never change, that is one
consistent view, and no reader keeps a transaction open between two records.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Self

from storykeeper.errors import LedgerDamaged, RunExists
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import RunBegun, RunForked
from storykeeper.ledger import blanking, chain, mark, opening, sealing, verification
from storykeeper.ledger.lineage import Branch, Segment, branch_of, lineage, sharing
from storykeeper.ledger.port import (
    Clock,
    Entry,
    Head,
    Nonces,
    Row,
    RunInfo,
    Snapshot,
    Verdict,
)
from storykeeper.ledger.schema.migrations import connected, schema_of
from storykeeper.ledger.schema.steps import WITH_SNAPSHOTS
from storykeeper.ledger.sqlite_errors import read_only, translated
from storykeeper.ledger.sqlite_file import drop_cache, file_problem, scrub, transaction
from storykeeper.ledger.sqlite_tables import CHUNK, Tables
from storykeeper.units import RunId, TurnNo, Version

_START = Version(0)


class SqliteLedger:
    """The port of a ledger, kept in a file. Threads may share one; each process opens its own."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        path: Path,
        writable: bool,
        clock: Clock,
        nonces: Nonces,
        sleep: Callable[[float], None],
    ) -> None:
        """Use `SqliteLedger.open`."""
        self.path = path
        self.writable = writable
        self._connection = connection
        self._tables = Tables(connection)
        self._clock = clock
        self._nonces = nonces
        self._sleep = sleep
        self._lock = threading.RLock()
        self._written: list[mark.Mark] = []  # in a transaction

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        clock: Clock,
        nonces: Nonces,
        create: bool = False,
        read_only: bool = False,
        salvage: bool = False,
        sleep: Callable[[float], None] = time.sleep,
        busy_seconds: float = opening.BUSY_SECONDS,
    ) -> Self:
        """Open a file; with `create`, make it. One whose tables are not ours is refused; with
        `salvage` it is opened to be read if those that hold its records are.

        A file of an older schema is migrated, after a copy, unless it is opened to be read. Where
        nothing can be written it is opened for reading; writing then raises LedgerReadOnly.
        """
        path = Path(path)
        if create and not read_only and not path.exists():
            with suppress(FileExistsError):  # somebody else was quicker: open theirs
                opening.create(path)
        opening.recognise(path)
        writable = not (read_only or salvage) and opening.is_writable(path)
        with translated(path):
            connection = connected(path, writable=writable, salvage=salvage, seconds=busy_seconds)
        return cls(
            connection, path=path, writable=writable, clock=clock, nonces=nonces, sleep=sleep
        )

    # ── runs ─────────────────────────────────────────────────────────────────────────────────

    def begin(self, run: RunId, records: Sequence[AnyRecord]) -> Version:
        """Begin the first run of an empty ledger: RunBegun, then these records."""
        sealing.refuse_name(run)
        ready = [sealing.own(RunBegun(turn=TurnNo(0), run=run)), *sealing.ready(records)]
        with self._writing() as tables:
            if there := tables.branches():
                raise RunExists(
                    f"{self.path}: begun already, with run {next(iter(there))!r}; fork it, or"
                    " choose another file"
                )
            branch = Branch(run, None, _START, Head(_START, TurnNo(0), chain.genesis(run)))
            tables.add_run(branch)
            return self._write(branch, ready)

    def runs(self) -> tuple[RunInfo, ...]:
        """Every run, parents before their forks."""
        with self._reading() as tables:
            branches, sizes = tables.branches(), tables.sizes()
            return tuple(
                RunInfo(b.run, b.parent, b.forked_at, b.head, sizes.get(tables.id_of(b.run), 0))
                for b in branches.values()
            )

    def head(self, run: RunId) -> Head:
        """Where a run stands now."""
        with self._using() as tables:
            return self._branch(tables, run).head

    def link(self, run: RunId, *, at: Version) -> bytes | None:
        """The link of one record of a run, if it has one of that number."""
        with self._reading() as tables:
            return self._link_at(tables, run, at)

    def fork(self, parent: RunId, name: RunId, *, at: TurnNo) -> RunInfo:
        """A run that shares its parent's records up to and including a turn."""
        sealing.refuse_name(name)
        with self._writing() as tables:
            branches = tables.branches()
            head = branch_of(branches, parent).head
            if name in branches:
                raise RunExists(f"{self.path}: there is a run {name!r} already; choose a name")
            sealing.refuse_absent_turn(parent, turn=at, head=head)
            base = self._end_of_turn(tables, lineage(branches, parent), turn=at)
            branch = Branch(name, parent, base.version, base)
            tables.add_run(branch)
            record = RunForked(turn=base.turn, run=name, parent=parent, at=base.version)
            self._write(branch, [sealing.own(record)])
        return self.runs()[-1]

    def _end_of_turn(self, tables: Tables, segments: Sequence[Segment], *, turn: TurnNo) -> Head:
        for segment in reversed(segments):
            found = tables.last_of_turn(segment, turn=turn)
            if found is not None:
                return found
        raise sealing.unreadable(segments[-1].run, Version(1), "missing")

    # ── records ──────────────────────────────────────────────────────────────────────────────

    def append(self, run: RunId, records: Sequence[AnyRecord], *, expected: Version) -> Version:
        """Add records in one durable step if the run still is at `expected`; its new version."""
        ready = sealing.ready(records)
        with self._writing() as tables:
            branch = self._branch(tables, run)
            sealing.refuse_stale(run, expected=expected, head=branch.head)
            return self._write(branch, ready)

    def _write(self, branch: Branch, ready: Sequence[sealing.Ready]) -> Version:
        """Seal and insert, inside the caller's transaction."""
        rows = sealing.seal(
            ready, run=branch.run, head=branch.head, at_ms=self._clock(), nonces=self._nonces
        )
        if rows:
            self._tables.add_rows(branch.run, rows)
        head = sealing.head_after(rows, branch.head)
        self._written.append(mark.Mark(branch.run, head.version, head.link))
        return head.version

    def read(
        self, run: RunId, *, after: Version = _START, upto: Version | None = None
    ) -> Iterator[Entry]:
        """Records after one version and up to another, in order, the parents' included."""
        with self._using() as tables:
            segments = lineage(tables.branches(), run)
        return self._entries(segments, after=after, upto=upto)

    def _entries(
        self, segments: Sequence[Segment], *, after: Version, upto: Version | None
    ) -> Iterator[Entry]:
        for segment in segments:
            version = max(after, segment.after)
            last = segment.upto if upto is None else min(upto, segment.upto)
            while version < last:
                try:
                    with self._using() as tables:
                        chunk = tables.stored(segment.run, after=version, upto=last)
                except LedgerDamaged:  # give what can be read, and stop at what cannot
                    with self._using() as tables:
                        chunk = tables.stored(segment.run, after=version, upto=version + 1)
                if not chunk or chunk[-1][0] != version + len(chunk):
                    raise sealing.unreadable(segment.run, Version(version + 1), "missing")
                yield from sealing.entries(chunk, run=segment.run)
                version = Version(version + len(chunk))

    def last(self, run: RunId, *, kind: str) -> Entry | None:
        """The newest record of a kind in a run, its parents' included."""
        with self._using() as tables:
            for segment in reversed(lineage(tables.branches(), run)):
                row = tables.last(segment, kind=kind)
                if row is not None:
                    return sealing.opened(row, run=segment.run)
        return None

    def rows(self, run: RunId, *, own: bool = False) -> Iterator[Row]:
        """The same as stored; with `own`, without those of the parents."""
        with self._using() as tables:
            segments = lineage(tables.branches(), run)
        return self._rows(segments[-1:] if own else segments)

    def _rows(self, segments: Sequence[Segment]) -> Iterator[Row]:
        for segment in segments:
            yield from self.own_rows(segment.run, after=segment.after, upto=segment.upto)

    def follow(
        self, run: RunId, *, after: Version = _START, stop: Callable[[], bool]
    ) -> Iterator[Entry]:
        """Records as they come, from any process, until `stop` says so."""
        self.head(run)
        return self._followed(run, after, stop)

    def _followed(self, run: RunId, after: Version, stop: Callable[[], bool]) -> Iterator[Entry]:
        while not stop():
            if self.head(run).version > after:
                for entry in self.read(run, after=after):
                    yield entry
                    after = entry.version
            self._sleep(sealing.FOLLOW_SECONDS)

    # ── erasing and verifying ────────────────────────────────────────────────────────────────

    def erased(self) -> int:
        """How many erasures are on record: who keeps words in memory forgets them at one more."""
        with self._using() as tables:
            return tables.erased()

    def erase(self, run: RunId, *, turn: TurnNo, why: str = "") -> int:
        """Blank the text of a turn for good, in this run and all that share it; records changed."""
        return self.erase_all(run, turns=(turn,), why=why)

    def erase_all(self, run: RunId, *, turns: Sequence[TurnNo], why: str = "") -> int:
        """The same of several turns, in one step: the file is written anew once."""
        parts: list[tuple[int, int]] = []
        with self._writing() as tables:
            for turn in turns:
                sealing.refuse_absent_turn(run, turn=turn, head=self._branch(tables, run).head)
                segments = sharing(tables.branches(), run, turn=turn, forked_in=tables.begun_in)
                parts += [self._erase_in(tables, each, turn=turn, why=why) for each in segments]
                tables.drop_vectors(turn)
            changed = sum(now for now, _ in parts)
            if changed:
                tables.drop_snapshots()
                drop_cache(self.path)  # before it is on record: nobody may die in between
        if any(map(any, parts)):  # also again, in case it was cut short the first time
            with self._lock:
                scrub(self._connection, self.path)
                drop_cache(self.path)
        return changed

    def _erase_in(
        self, tables: Tables, segment: Segment, *, turn: TurnNo, why: str
    ) -> tuple[int, int]:
        """Blank what one run lends to a lineage and say so in that run; now, and before."""
        changed, before = tables.blank_all(segment, turn=turn)
        if changed:
            owner = self._branch(tables, segment.run)
            record = blanking.testimony(changed, turn=turn, head=owner.head, why=why)
            self._write(owner, [sealing.own(record)])
        return len(changed), before

    def verify(self, run: RunId) -> Verdict:
        """Recompute the chain and compare; then have SQLite look at the file itself."""
        verdict, noted = Verdict(run, 0, 0), mark.noted(self.path)
        try:
            with self._reading() as tables:
                verdict = verification.verify(self, run)
                if verdict.good:
                    more = mark.problem(noted, tables, self.path) or file_problem(tables)
                    verdict = replace(verdict, problem=more)
        except LedgerDamaged as damage:  # which ending the look may raise too, having found it
            if verdict.good:
                verdict = replace(verdict, problem=verification.in_short(damage))
        return verdict

    def branches(self) -> Mapping[RunId, Branch]:
        """Every run and its place in the tree."""
        with self._using() as tables:
            return tables.branches()

    def own_rows(self, run: RunId, *, after: Version, upto: Version | None) -> Iterator[Row]:
        """A run's own rows, as stored; all of them up to the first that cannot be read."""
        while True:
            try:
                with self._using() as tables:
                    chunk = tables.rows(run, after=after, upto=upto)
            except LedgerDamaged:
                for version in range(after, self.head(run).version if upto is None else upto):
                    with self._using() as tables:
                        yield from tables.rows(run, after=version, upto=version + 1)
                raise
            yield from chunk
            if len(chunk) < CHUNK:
                return
            after = chunk[-1].version

    def erasures(self, run: RunId) -> Iterator[Row]:
        """A run's own rows of kind text-erased."""
        with self._using() as tables:
            return iter(tables.erasures(run))

    # ── snapshots ────────────────────────────────────────────────────────────────────────────

    def put_snapshot(self, run: RunId, snapshot: Snapshot) -> None:
        """Keep a snapshot; of each run the newest few stay."""
        digest = hashlib.sha256(snapshot.body).digest()
        with self._writing() as tables:
            link = self._link_at(tables, run, snapshot.version)
            sealing.refuse_stale_snapshot(run, snapshot, link)
            tables.put_snapshot(run, snapshot, digest=digest, keep=sealing.SNAPSHOTS_KEPT)

    def snapshot(self, run: RunId, *, upto: Version | None = None) -> Snapshot | None:
        """The latest snapshot at or before a version whose link still fits."""
        with self._reading() as tables:
            segments = lineage(tables.branches(), run)
            if schema_of(self._connection, self.path) < WITH_SNAPSHOTS:
                return None
            for segment in reversed(segments):
                limit = segment.upto if upto is None else min(upto, segment.upto)
                for found, digest in tables.snapshots(segment.run, upto=limit):
                    whole = hashlib.sha256(found.body).digest() == digest
                    if whole and found.link == self._link_at(tables, run, found.version):
                        return found
        return None

    def _link_at(self, tables: Tables, run: RunId, version: Version) -> bytes | None:
        for segment in lineage(tables.branches(), run):
            if segment.after < version <= segment.upto:
                return tables.link_at(segment, version)
        return None

    # ── the connection ───────────────────────────────────────────────────────────────────────

    def _branch(self, tables: Tables, run: RunId) -> Branch:
        return tables.branch(run) or branch_of(tables.branches(), run)

    @contextmanager
    def _using(self) -> Iterator[Tables]:
        """The tables, for one thread at a time; errors come out as ours."""
        with self._lock, translated(self.path):
            yield self._tables

    @contextmanager
    def _reading(self) -> Iterator[Tables]:
        """The tables as they stand at one moment, whoever writes meanwhile."""
        with self._using() as tables, transaction(self._connection, "BEGIN"):
            yield tables

    @contextmanager
    def _writing(self) -> Iterator[Tables]:
        """The tables, with the write lock: all of it is done and on disk, or none of it."""
        if not self.writable:
            raise read_only(self.path)
        with self._using() as tables:
            self._written.clear()
            with transaction(self._connection, "BEGIN IMMEDIATE"):
                yield tables
            for each in self._written[-1:]:
                mark.note(self.path, each)

    def shared(self) -> tuple[sqlite3.Connection, threading.RLock]:
        """The connection and its lock, for what is kept beside the records."""
        return self._connection, self._lock

    def close(self) -> None:
        """Let go of the file."""
        with self._using():
            self._connection.close()
        if self.writable:
            mark.close(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
