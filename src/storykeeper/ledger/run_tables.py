"""The tables of one ledger as Python values: what a back end brings that keeps it in tables.

Only what is in the tables: no locks of Python's, no rules, no errors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from storykeeper.ledger.lineage import Branch, Segment
from storykeeper.ledger.port import Head, Row, Snapshot
from storykeeper.ledger.sealing import Stored
from storykeeper.units import RunId, TurnNo, Version

CHUNK = 512  # rows fetched at a time: long enough to be fast, short enough to be small


class RunTables(Protocol):
    """One ledger's tables, inside a transaction."""

    def hold(self) -> None:
        """Keep others from changing the tree until this transaction ends."""

    def branches(self) -> dict[RunId, Branch]:
        """Every run, parents before their forks."""

    def branch(self, run: RunId) -> Branch | None:
        """One run, without reading the others."""

    def held(self, run: RunId) -> Branch | None:
        """The same, and nobody else appends to it until this transaction ends."""

    def sizes(self) -> Mapping[RunId, int]:
        """Bytes stored for each run's own records."""

    def add_run(self, branch: Branch) -> None:
        """A run that has no records yet."""

    def add_rows(self, run: RunId, rows: Sequence[Row]) -> None:
        """Rows after the last of a run, and its head moved to the last of them."""

    def rows(self, run: RunId, *, after: int, upto: int | None) -> list[Row]:
        """The next few of a run's own rows."""

    def begun_in(self, run: RunId) -> TurnNo:
        """The turn in which a run wrote its first record of its own."""

    def stored(self, run: RunId, *, after: int, upto: int) -> list[Stored]:
        """The next few of a run's own entries, as plain tuples."""

    def erasures(self, run: RunId) -> list[Row]:
        """A run's own rows of kind text-erased."""

    def erased(self) -> int:
        """How many rows of kind text-erased there are."""

    def last(self, segment: Segment, *, kind: str) -> Row | None:
        """The newest row of a kind in a segment."""

    def last_of_turn(self, segment: Segment, *, turn: TurnNo) -> Head | None:
        """Where a segment stood when a turn was over."""

    def rows_about(
        self, segment: Segment, *, turn: TurnNo, kinds: Collection[str]
    ) -> Iterable[Row]:
        """Rows that may belong to a turn or speak of it; some that do not are among them."""

    def blank(self, run: RunId, row: Row) -> None:
        """Put what is left of a row in its place."""

    def link_at(self, segment: Segment, version: Version) -> bytes | None:
        """The link of one record of a segment."""

    def put_snapshot(self, run: RunId, snapshot: Snapshot, *, digest: bytes, keep: int) -> None:
        """Add a snapshot and let the oldest go."""

    def snapshots(self, run: RunId, *, upto: Version) -> list[tuple[Snapshot, bytes]]:
        """Snapshots of a run with their digests, the newest first."""

    def drop_snapshots(self) -> None:
        """All of them; they are only a speed-up."""

    def drop_vectors(self, turn: TurnNo) -> None:
        """Those made of a turn's words."""
