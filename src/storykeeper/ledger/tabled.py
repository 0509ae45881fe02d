"""A ledger that is kept in tables, wherever those are: the port, but for how they are reached.

A back end brings its tables as Python values (`RunTables`) and three ways to use them: for a
moment, at one moment, and to write, all of it or nothing. What is done with them is the same.

Reading goes in chunks up to the head that was found first; since records never change, that is one
consistent view, and no reader keeps a transaction open between two records.
"""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from storykeeper.errors import LedgerDamaged, RunExists
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import RunBegun, RunForked
from storykeeper.ledger import blanking, chain, sealing, verification
from storykeeper.ledger.lineage import Branch, Segment, branch_of, lineage, sharing
from storykeeper.ledger.port import (
    Clock,
    Entry,
    Head,
    Nonces,
    Row,
    RunInfo,
    Snapshot,
    Vectors,
    Verdict,
)
from storykeeper.ledger.run_tables import CHUNK, RunTables
from storykeeper.units import RunId, TurnNo, Version

_START = Version(0)


class TabledLedger(ABC):
    """The port of a ledger over tables. Threads may share one; each process opens its own."""

    def __init__(
        self,
        place: object,
        *,
        writable: bool,
        clock: Clock,
        nonces: Nonces,
        sleep: Callable[[float], None],
    ) -> None:
        """`place` is what errors call it; time, chance and waiting come from outside."""
        self.place = place
        self.writable = writable
        self._clock = clock
        self._nonces = nonces
        self._sleep = sleep
        self._lock = threading.RLock()
        self._written: list[tuple[RunId, Head]] = []  # in a transaction
        self._known: Mapping[RunId, Branch] = {}  # as it stood: runs only grow

    # ── what a back end brings ───────────────────────────────────────────────────────────────

    @property
    @abstractmethod
    def cache(self) -> Path | None:
        """A folder for what is made from the ledger, if there may be one; it can be deleted."""

    @abstractmethod
    def vectors(self) -> Vectors:
        """The vectors that are kept beside the records; they end with the ledger."""

    @abstractmethod
    def _using(self) -> AbstractContextManager[RunTables]:
        """The tables, for one thread at a time; errors come out as ours."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[RunTables]:
        """The tables as they stand at one moment, whoever writes meanwhile."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[RunTables]:
        """The tables, to be changed: all of it is done and on disk, or none of it."""

    @abstractmethod
    def _forget_erased(self) -> None:
        """Let go of what is kept elsewhere and may hold erased words, before they are on record."""

    @abstractmethod
    def _clear_erased(self) -> None:
        """Leave no byte of what was blanked where the back end keeps older copies."""

    # ── runs ─────────────────────────────────────────────────────────────────────────────────

    def begin(self, run: RunId, records: Sequence[AnyRecord]) -> Version:
        """Begin the first run of an empty ledger: RunBegun, then these records."""
        sealing.refuse_name(run)
        ready = [sealing.own(RunBegun(turn=TurnNo(0), run=run)), *sealing.ready(records)]
        with self._writing() as tables:
            tables.hold()
            if there := tables.branches():
                raise RunExists(
                    f"{self.place}: begun already, with run {next(iter(there))!r}; fork it, or"
                    " choose another file"
                )
            branch = Branch(run, None, _START, Head(_START, TurnNo(0), chain.genesis(run)))
            tables.add_run(branch)
            return self._write(tables, branch, ready)

    def runs(self) -> tuple[RunInfo, ...]:
        """Every run, parents before their forks."""
        with self._reading() as tables:
            branches, sizes = tables.branches(), tables.sizes()
            return tuple(
                RunInfo(b.run, b.parent, b.forked_at, b.head, sizes.get(b.run, 0))
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
            tables.hold()
            branches = tables.branches()
            head = branch_of(branches, parent).head
            if name in branches:
                raise RunExists(f"{self.place}: there is a run {name!r} already; choose a name")
            sealing.refuse_absent_turn(parent, turn=at, head=head)
            base = self._end_of_turn(tables, lineage(branches, parent), turn=at)
            branch = Branch(name, parent, base.version, base)
            tables.add_run(branch)
            record = RunForked(turn=base.turn, run=name, parent=parent, at=base.version)
            self._write(tables, branch, [sealing.own(record)])
        return self.runs()[-1]

    def _end_of_turn(self, tables: RunTables, segments: Sequence[Segment], *, turn: TurnNo) -> Head:
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
            branch = self._held(tables, run)
            sealing.refuse_stale(run, expected=expected, head=branch.head)
            return self._write(tables, branch, ready)

    def _write(self, tables: RunTables, branch: Branch, ready: Sequence[sealing.Ready]) -> Version:
        """Seal and insert, inside the caller's transaction."""
        rows = sealing.seal(
            ready, run=branch.run, head=branch.head, at_ms=self._clock(), nonces=self._nonces
        )
        if rows:
            tables.add_rows(branch.run, rows)
        head = sealing.head_after(rows, branch.head)
        self._written.append((branch.run, head))
        return head.version

    def read(
        self, run: RunId, *, after: Version = _START, upto: Version | None = None
    ) -> Iterator[Entry]:
        """Records after one version and up to another, in order, the parents' included."""
        known = self._known.get(run)
        if upto is None or known is None or known.head.version < upto:
            with self._using() as tables:
                self._known = tables.branches()
        return self._entries(lineage(self._known, run), after=after, upto=upto)

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
        """The same of several turns, in one step: what it is kept in is cleared once."""
        parts: list[tuple[int, int]] = []
        with self._writing() as tables:
            tables.hold()
            for turn in turns:
                sealing.refuse_absent_turn(run, turn=turn, head=self._branch(tables, run).head)
                segments = sharing(tables.branches(), run, turn=turn, forked_in=tables.begun_in)
                parts += [self._erase_in(tables, each, turn=turn, why=why) for each in segments]
                tables.drop_vectors(turn)
            changed = sum(now for now, _ in parts)
            if changed:
                tables.drop_snapshots()
                self._forget_erased()  # before it is on record: nobody may die in between
        if any(map(any, parts)):  # also again, in case it was cut short the first time
            self._clear_erased()
        return changed

    def _erase_in(
        self, tables: RunTables, segment: Segment, *, turn: TurnNo, why: str
    ) -> tuple[int, int]:
        """Blank what one run lends to a lineage and say so in that run; now, and before."""
        changed, before = _blank_all(tables, segment, turn=turn)
        if changed:
            owner = self._held(tables, segment.run)
            record = blanking.testimony(changed, turn=turn, head=owner.head, why=why)
            self._write(tables, owner, [sealing.own(record)])
        return len(changed), before

    def verify(self, run: RunId) -> Verdict:
        """Recompute the chain and compare."""
        with self._reading():
            return verification.verify(self, run)

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
            for segment in reversed(segments):
                limit = segment.upto if upto is None else min(upto, segment.upto)
                for found, digest in tables.snapshots(segment.run, upto=limit):
                    whole = hashlib.sha256(found.body).digest() == digest
                    if whole and found.link == self._link_at(tables, run, found.version):
                        return found
        return None

    def _link_at(self, tables: RunTables, run: RunId, version: Version) -> bytes | None:
        for segment in lineage(tables.branches(), run):
            if segment.after < version <= segment.upto:
                return tables.link_at(segment, version)
        return None

    def _branch(self, tables: RunTables, run: RunId) -> Branch:
        return tables.branch(run) or branch_of(tables.branches(), run)

    def _held(self, tables: RunTables, run: RunId) -> Branch:
        return tables.held(run) or branch_of(tables.branches(), run)

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _blank_all(tables: RunTables, segment: Segment, *, turn: TurnNo) -> tuple[list[Row], int]:
    """Take the text out of rows about a turn: those rows, and how many had none before."""
    changed, before = [], 0
    for row in tables.rows_about(segment, turn=turn, kinds=blanking.kinds_about_a_turn()):
        if blanking.concerns(row, turn=turn, run=segment.run):
            before += bool(row.erased)
            bare = blanking.blanked(row, run=segment.run)
            if bare is not None:
                tables.blank(segment.run, bare)
                changed.append(bare)
    return changed, before
