"""What a ledger is, whatever it is kept in.

A ledger holds a tree of runs. A run is a sequence of records, numbered from 1 without gaps; its
*version* is the number of the last. A fork has its parent's records up to the version it was forked
at, without copying them, and its own after that.

Promises, held by one contract suite over every back end (tests/contract):

- what `append` returned for is on disk, whole and in order; what it raised for is not there at all;
- two writers with the same expected version: one wins, the other gets WrongExpectedVersion;
- nothing stored is changed or removed, but for `erase`, which blanks text and says so on record;
- `verify` finds any other change and names the first bad record;
- an entry's turn is the highest that any record up to it belongs to: it never runs backwards. A
  record may belong to an earlier turn (the commit of turn 12 is written when turn 13 has begun).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from msgspec import Struct

from storykeeper.events.records import AnyRecord
from storykeeper.units import RunId, TurnNo, Version

Clock = Callable[[], int]  # milliseconds since 1970; given from outside
Nonces = Callable[[int], bytes]  # that many random bytes; given from outside


class Entry(Struct, frozen=True, gc=False):
    """A record with its place in a run. A Struct, since reading makes one of these a record."""

    version: Version
    turn: TurnNo
    at_ms: int
    erased: bool
    record: AnyRecord


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as it is stored: what the chain is computed over, and what export writes."""

    version: Version
    turn: TurnNo
    kind: str
    schema: int
    at_ms: int
    nonce: bytes  # empty when erased
    payload: bytes
    digest: bytes
    link: bytes
    erased: int  # 0, or the schema of the bytes that were left: the row's own is in its link


@dataclass(frozen=True, slots=True)
class Head:
    """Where a run stands."""

    version: Version
    turn: TurnNo
    link: bytes


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run of the tree."""

    run: RunId
    parent: RunId | None
    forked_at: Version  # 0 for the first run
    head: Head
    own_bytes: int  # stored for this run alone; a fork's shared records count for its parent


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verifying found: nothing, or the first bad record."""

    run: RunId
    records: int
    erased: int
    bad_version: Version | None = None
    problem: str = ""
    records_good: bool = False  # every record is right, whatever is wrong with the file

    @property
    def good(self) -> bool:
        """Whether every record is what was written."""
        return self.bad_version is None and not self.problem


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A world, folded and put aside. A speed-up: deleting all of them loses nothing."""

    version: Version
    link: bytes  # of the record at that version, so that a stale one is never used
    body: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """A vector to keep: its key, its bytes, and the first and last turn whose words are in it."""

    key: bytes
    vector: bytes
    first: int
    last: int


class Vectors(Protocol):
    """Vectors beside the records of a ledger, by content: derived, and dear to make again."""

    writable: bool

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are there."""

    def put(self, space: str, vectors: Iterable[Kept]) -> None:
        """Keep these; where nothing can be written, do nothing."""

    def drop(self, space: str) -> None:
        """Let go of a space that is not searched any more."""

    def count(self, space: str) -> int:
        """How many are kept of a space."""

    def spaces(self) -> tuple[str, ...]:
        """The spaces of which any are kept."""

    def all(self, space: str) -> Iterator[Kept]:
        """Those of a space, by their keys."""

    def close(self) -> None:
        """Let go of what they are kept in."""


class Ledger(Protocol):
    """Append-only memory of a tree of runs."""

    def begin(self, run: RunId, records: Sequence[AnyRecord]) -> Version:
        """Begin the first run of an empty ledger: RunBegun, then these records."""

    def runs(self) -> tuple[RunInfo, ...]:
        """Every run, parents before their forks."""

    def head(self, run: RunId) -> Head:
        """Where a run stands now."""

    def link(self, run: RunId, *, at: Version) -> bytes | None:
        """The link of one record of a run; None if it has none of that number."""

    def append(self, run: RunId, records: Sequence[AnyRecord], *, expected: Version) -> Version:
        """Add records in one durable step if the run still is at `expected`; its new version."""

    def read(
        self, run: RunId, *, after: Version = ..., upto: Version | None = None
    ) -> Iterator[Entry]:
        """Records after one version and up to another, in order, the parents' included."""

    def last(self, run: RunId, *, kind: str) -> Entry | None:
        """The newest record of a kind in a run, its parents' included."""

    def rows(self, run: RunId, *, own: bool = False) -> Iterator[Row]:
        """The same as stored; with `own`, without those of the parents."""

    def follow(
        self, run: RunId, *, after: Version = ..., stop: Callable[[], bool]
    ) -> Iterator[Entry]:
        """Records as they come, from any process, until `stop` says so."""

    def fork(self, parent: RunId, name: RunId, *, at: TurnNo) -> RunInfo:
        """A run that shares its parent's records up to and including a turn."""

    def erased(self) -> int:
        """How many erasures are on record: who keeps words in memory forgets them at one more."""

    def erase(self, run: RunId, *, turn: TurnNo, why: str = "") -> int:
        """Blank the text of a turn for good, in this run and all that share it; records changed."""

    def erase_all(self, run: RunId, *, turns: Sequence[TurnNo], why: str = "") -> int:
        """The same of several turns, in one step."""

    def verify(self, run: RunId) -> Verdict:
        """Recompute the chain and compare."""

    def put_snapshot(self, run: RunId, snapshot: Snapshot) -> None:
        """Keep a snapshot, in place of older ones if need be."""

    def snapshot(self, run: RunId, *, upto: Version | None = None) -> Snapshot | None:
        """The latest snapshot at or before a version whose link still fits."""

    def close(self) -> None:
        """Let go of the file."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...
