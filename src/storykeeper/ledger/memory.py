"""A ledger in memory: for tests and for trying things out. Nothing is kept when it is closed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from storykeeper.errors import RunExists
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
    Verdict,
)
from storykeeper.units import RunId, TurnNo, Version

_START = Version(0)


@dataclass(slots=True)
class _Run:
    branch: Branch
    rows: list[Row] = field(default_factory=list)
    snapshots: dict[Version, Snapshot] = field(default_factory=dict)


class MemoryLedger:
    """The port of a ledger, kept in lists."""

    def __init__(
        self, *, clock: Clock, nonces: Nonces, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Start empty; time, chance and waiting come from outside."""
        self._clock = clock
        self._nonces = nonces
        self._sleep = sleep
        self._runs: dict[RunId, _Run] = {}
        self._lock = threading.RLock()

    # ── runs ─────────────────────────────────────────────────────────────────────────────────

    def begin(self, run: RunId, records: Sequence[AnyRecord]) -> Version:
        """Begin the first run: RunBegun, then these records."""
        sealing.refuse_name(run)
        ready = [sealing.own(RunBegun(turn=TurnNo(0), run=run)), *sealing.ready(records)]
        with self._lock:
            if self._runs:
                raise RunExists(f"this ledger has begun with run {next(iter(self._runs))!r}")
            branch = Branch(run, None, _START, Head(_START, TurnNo(0), chain.genesis(run)))
            return self._write(_Run(branch), ready)

    def runs(self) -> tuple[RunInfo, ...]:
        """Every run, parents before their forks."""
        with self._lock:
            return tuple(
                RunInfo(b.run, b.parent, b.forked_at, b.head, _size(self._runs[b.run].rows))
                for b in self.branches().values()
            )

    def head(self, run: RunId) -> Head:
        """Where a run stands now."""
        return branch_of(self.branches(), run).head

    def link(self, run: RunId, *, at: Version) -> bytes | None:
        """The link of one record of a run; None if it has none of that number."""
        return self._link_at(run, at)

    def fork(self, parent: RunId, name: RunId, *, at: TurnNo) -> RunInfo:
        """A run that shares its parent's records up to and including a turn."""
        sealing.refuse_name(name)
        with self._lock:
            head = self.head(parent)
            if name in self._runs:
                raise RunExists(f"there is a run {name!r} already; choose another name")
            sealing.refuse_absent_turn(parent, turn=at, head=head)
            last = [row for row in self.rows(parent) if row.turn <= at][-1]
            base = Head(last.version, last.turn, last.link)
            record = RunForked(turn=base.turn, run=name, parent=parent, at=base.version)
            self._write(_Run(Branch(name, parent, base.version, base)), [sealing.own(record)])
            return self.runs()[-1]

    # ── records ──────────────────────────────────────────────────────────────────────────────

    def append(self, run: RunId, records: Sequence[AnyRecord], *, expected: Version) -> Version:
        """Add records in one step if the run still is at `expected`; its new version."""
        ready = sealing.ready(records)
        with self._lock:
            sealing.refuse_stale(run, expected=expected, head=self.head(run))
            return self._write(self._runs[run], ready)

    def _write(self, run: _Run, ready: Sequence[sealing.Ready]) -> Version:
        branch = run.branch
        rows = sealing.seal(
            ready, run=branch.run, head=branch.head, at_ms=self._clock(), nonces=self._nonces
        )
        run.rows.extend(rows)
        run.branch = replace(branch, head=sealing.head_after(rows, branch.head))
        self._runs[branch.run] = run
        return run.branch.head.version

    def read(
        self, run: RunId, *, after: Version = _START, upto: Version | None = None
    ) -> Iterator[Entry]:
        """Records after one version and up to another, in order, the parents' included."""
        rows = self._lineage_rows(run, after=after, upto=upto)
        return (sealing.opened(row, run=run) for row in rows)

    def last(self, run: RunId, *, kind: str) -> Entry | None:
        """The newest record of a kind in a run, its parents' included."""
        newest = reversed(self._lineage_rows(run))
        found = next((row for row in newest if row.kind == kind), None)
        return None if found is None else sealing.opened(found, run=run)

    def rows(self, run: RunId, *, own: bool = False) -> Iterator[Row]:
        """The same as stored; with `own`, without those of the parents."""
        if own:
            branch = branch_of(self.branches(), run)
            return self.own_rows(run, after=branch.forked_at, upto=None)
        return iter(self._lineage_rows(run))

    def _lineage_rows(
        self, run: RunId, *, after: Version = _START, upto: Version | None = None
    ) -> list[Row]:
        with self._lock:
            found: list[Row] = []
            for segment in lineage(self.branches(), run):
                end = segment.upto if upto is None else min(segment.upto, upto)
                begin = Version(max(segment.after, after))
                found += self.own_rows(segment.run, after=begin, upto=Version(end))
            return found

    def _segment_rows(self, segment: Segment) -> Iterator[Row]:
        return self.own_rows(segment.run, after=segment.after, upto=segment.upto)

    def follow(
        self, run: RunId, *, after: Version = _START, stop: Callable[[], bool]
    ) -> Iterator[Entry]:
        """Records as they come, from any thread, until `stop` says so."""
        self.head(run)
        while not stop():
            for entry in self.read(run, after=after):
                yield entry
                after = entry.version
            self._sleep(sealing.FOLLOW_SECONDS)

    # ── erasing and verifying ────────────────────────────────────────────────────────────────

    def erased(self) -> int:
        """How many erasures are on record: who keeps words in memory forgets them at one more."""
        with self._lock:
            return sum(len(list(self.erasures(run))) for run in self._runs)

    def erase(self, run: RunId, *, turn: TurnNo, why: str = "") -> int:
        """Blank the text of a turn for good, in this run and all that share it; records changed."""
        return self.erase_all(run, turns=(turn,), why=why)

    def erase_all(self, run: RunId, *, turns: Sequence[TurnNo], why: str = "") -> int:
        """The same of several turns, in one step."""
        with self._lock:
            for turn in turns:
                sealing.refuse_absent_turn(run, turn=turn, head=self.head(run))
            return sum(self._erase_turn(run, turn=turn, why=why) for turn in turns)

    def _erase_turn(self, run: RunId, *, turn: TurnNo, why: str) -> int:
        shared = sharing(
            self.branches(), run, turn=turn, forked_in=lambda r: self._runs[r].rows[0].turn
        )
        return sum(self._erase_segment(segment, turn=turn, why=why) for segment in shared)

    def _erase_segment(self, segment: Segment, *, turn: TurnNo, why: str) -> int:
        owner = self._runs[segment.run]
        changed = [
            bare
            for row in self._segment_rows(segment)
            if blanking.concerns(row, turn=turn, run=segment.run)
            and (bare := blanking.blanked(row, run=segment.run)) is not None
        ]
        if changed:
            for row in changed:
                owner.rows[row.version - owner.branch.forked_at - 1] = row
            record = blanking.testimony(changed, turn=turn, head=owner.branch.head, why=why)
            self._write(owner, [sealing.own(record)])
            for each in self._runs.values():
                each.snapshots.clear()
        return len(changed)

    def verify(self, run: RunId) -> Verdict:
        """Recompute the chain and compare."""
        with self._lock:
            return verification.verify(self, run)

    def branches(self) -> Mapping[RunId, Branch]:
        """Every run and its place in the tree."""
        with self._lock:
            return {name: each.branch for name, each in self._runs.items()}

    def own_rows(self, run: RunId, *, after: Version, upto: Version | None) -> Iterator[Row]:
        """A run's own rows, as stored."""
        with self._lock:
            own = self._runs[run]
            first = own.branch.forked_at  # the version before the first of its own
            end = None if upto is None else max(0, upto - first)
            return iter(own.rows[max(0, after - first) : end])

    def erasures(self, run: RunId) -> Iterator[Row]:
        """A run's own rows of kind text-erased."""
        rows = self.own_rows(run, after=_START, upto=None)
        return (row for row in rows if row.kind == "text-erased")

    # ── snapshots ────────────────────────────────────────────────────────────────────────────

    def put_snapshot(self, run: RunId, snapshot: Snapshot) -> None:
        """Keep a snapshot, in place of older ones if need be."""
        with self._lock:
            sealing.refuse_stale_snapshot(run, snapshot, self._link_at(run, snapshot.version))
            kept = self._runs[run].snapshots
            kept[snapshot.version] = snapshot
            for version in sorted(kept)[: -sealing.SNAPSHOTS_KEPT]:
                del kept[version]

    def snapshot(self, run: RunId, *, upto: Version | None = None) -> Snapshot | None:
        """The latest snapshot at or before a version whose link still fits."""
        with self._lock:
            for segment in reversed(lineage(self.branches(), run)):
                limit = segment.upto if upto is None else min(segment.upto, upto)
                for version, found in sorted(self._runs[segment.run].snapshots.items())[::-1]:
                    if version <= limit and found.link == self._link_at(run, version):
                        return found
        return None

    def _link_at(self, run: RunId, version: Version) -> bytes | None:
        before = Version(version - 1)
        found = self._lineage_rows(run, after=before, upto=version) if version > _START else []
        return found[0].link if found else None

    def close(self) -> None:
        """Let go of everything."""
        self._runs.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _size(rows: Sequence[Row]) -> int:
    return sum(len(r.nonce) + len(r.payload) + len(r.digest) + len(r.link) for r in rows)
