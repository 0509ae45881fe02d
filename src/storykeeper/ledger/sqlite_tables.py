"""The tables of a ledger file as Python values. Only SQL here: no locks, no rules, no errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence

from storykeeper.ledger.lineage import Branch, Segment
from storykeeper.ledger.port import Head, Row, Snapshot
from storykeeper.ledger.run_tables import CHUNK
from storykeeper.ledger.schema.steps import INDEXED_KINDS, PLACE_BITS, WITH_SNAPSHOTS
from storykeeper.ledger.sealing import Stored
from storykeeper.units import RunId, TurnNo, Version

MOST_RUNS = 2 ** (63 - PLACE_BITS) - 1  # of more, places would be no numbers of SQLite's

_ROW = "version, turn, kind, schema, at_ms, nonce, payload, digest, link, erased"
_RANGE = "FROM records WHERE place > ? AND place <= ?"
_ROWS = f"SELECT {_ROW} {_RANGE} ORDER BY place LIMIT {CHUNK}"
_ENTRIES = (
    f"SELECT version, turn, at_ms, erased, schema, payload {_RANGE} ORDER BY place LIMIT {CHUNK}"
)
_ERASURES = f"SELECT {_ROW} {_RANGE} AND kind = 'text-erased' ORDER BY place"
_ERASED = "SELECT count(*) FROM records INDEXED BY erasures WHERE kind = 'text-erased'"
_LAST = f"SELECT {_ROW} {_RANGE} AND kind = {{}} ORDER BY place DESC LIMIT 1"
# An index for one kind is used only by a query that names the kind itself.
_LAST_INDEXED = {kind: _LAST.format(f"'{kind}'") for kind in INDEXED_KINDS}
_FIRST_TURN = f"SELECT turn {_RANGE} ORDER BY place LIMIT 1"
_LAST_OF_TURN = f"SELECT version, turn, link {_RANGE} AND turn <= ? ORDER BY place DESC LIMIT 1"
# A parent that is not there gets a name that no run can have, so that it is missed.
_BRANCH = """
SELECT run.name, coalesce(parent.name, 'no. ' || run.parent), run.forked_at, run.version, run.turn,
  run.link
FROM runs AS run LEFT JOIN runs AS parent ON parent.id = run.parent
"""
_BRANCHES = f"{_BRANCH} ORDER BY run.id"
_ONE_BRANCH = f"{_BRANCH} WHERE run.name = ?"
_SIZES = """
SELECT (SELECT name FROM runs WHERE id = run),
  sum(length(nonce) + length(payload) + length(digest) + length(link))
FROM records GROUP BY run
"""
_INSERT = """
INSERT INTO records (place, turn, kind, schema, at_ms, nonce, payload, digest, link, erased)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def _branch(row: tuple[RunId, RunId | None, Version, Version, TurnNo, bytes]) -> Branch:
    name, parent, forked_at, version, turn, link = row
    kinds = [type(each) for each in (name, forked_at, version, turn, link)]
    if kinds != [str, int, int, int, bytes] or not all(
        0 <= each < 1 << PLACE_BITS for each in (forked_at, version)
    ):
        raise sqlite3.DatabaseError("the table of runs")  # bytes of the file were changed
    return Branch(name, parent, forked_at, Head(version, turn, link))


class Tables:
    """One connection's view of the tables."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """The connection is the owner's, and so are its transactions."""
        self.connection = connection
        self._ids: dict[RunId, int] = {}  # runs are never renamed, so this stays true

    # ── runs ─────────────────────────────────────────────────────────────────────────────────

    def branches(self) -> dict[RunId, Branch]:
        """Every run, parents before their forks."""
        rows = self.connection.execute(_BRANCHES)
        return {branch.run: branch for branch in map(_branch, rows)}

    def branch(self, run: RunId) -> Branch | None:
        """One run, without reading the others."""
        row = self.connection.execute(_ONE_BRANCH, (run,)).fetchone()
        return None if row is None else _branch(row)

    def held(self, run: RunId) -> Branch | None:
        """The same: whoever writes holds the whole file."""
        return self.branch(run)

    def hold(self) -> None:
        """Whoever writes holds the whole file."""

    def sizes(self) -> dict[RunId, int]:
        """Bytes stored for each run's own records."""
        return dict(self.connection.execute(_SIZES).fetchall())

    def id_of(self, run: RunId) -> int:
        """The number of a run that is there."""
        if run not in self._ids:
            query = "SELECT id FROM runs WHERE name = ?"
            row = self.connection.execute(query, (run,)).fetchone()
            if row is None:
                raise sqlite3.DatabaseError(f"run {run} is listed and cannot be found")
            if not 0 < row[0] <= MOST_RUNS:
                raise sqlite3.DatabaseError(f"run {run} has a number that no run of ours has")
            (self._ids[run],) = row
        return self._ids[run]

    def add_run(self, branch: Branch) -> None:
        """A run that has no records yet."""
        parent = None if branch.parent is None else self.id_of(branch.parent)
        (number,) = self.connection.execute("SELECT coalesce(max(id), 0) + 1 FROM runs").fetchone()
        head = branch.head
        self.connection.execute(
            "INSERT INTO runs (id, name, parent, forked_at, version, turn, link)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, branch.run, parent, branch.forked_at, head.version, head.turn, head.link),
        )

    # ── records ──────────────────────────────────────────────────────────────────────────────

    def _range(self, run: RunId, after: int, upto: int | None) -> tuple[int, int]:
        base = self.id_of(run) << PLACE_BITS
        last = (1 << PLACE_BITS) - 1
        return base + after, base + (last if upto is None else min(upto, last))

    def add_rows(self, run: RunId, rows: Sequence[Row]) -> None:
        """Rows after the last of a run, and its head moved to the last of them."""
        base = self.id_of(run) << PLACE_BITS
        self.connection.executemany(
            _INSERT,
            [
                (base + r.version, r.turn, r.kind, r.schema, r.at_ms, r.nonce, r.payload, r.digest,
                 r.link, r.erased)
                for r in rows
            ],
        )  # fmt: skip
        self.connection.execute(
            "UPDATE runs SET version = ?, turn = ?, link = ? WHERE id = ?",
            (rows[-1].version, rows[-1].turn, rows[-1].link, self.id_of(run)),
        )

    def rows(self, run: RunId, *, after: int, upto: int | None) -> list[Row]:
        """The next few of a run's own rows."""
        return [Row(*row) for row in self.connection.execute(_ROWS, self._range(run, after, upto))]

    def begun_in(self, run: RunId) -> TurnNo:
        """The turn in which a run wrote its first record of its own."""
        row = self.connection.execute(_FIRST_TURN, self._range(run, 0, None)).fetchone()
        return TurnNo(0) if row is None else TurnNo(row[0])

    def stored(self, run: RunId, *, after: int, upto: int) -> list[Stored]:
        """The next few of a run's own entries, as plain tuples."""
        return self.connection.execute(_ENTRIES, self._range(run, after, upto)).fetchall()

    def erasures(self, run: RunId) -> list[Row]:
        """A run's own rows of kind text-erased."""
        return [Row(*row) for row in self.connection.execute(_ERASURES, self._range(run, 0, None))]

    def erased(self) -> int:
        """How many rows of kind text-erased there are."""
        (count,) = self.connection.execute(_ERASED).fetchone()
        return int(count)

    def last(self, segment: Segment, *, kind: str) -> Row | None:
        """The newest row of a kind in a segment."""
        place = self._range(segment.run, segment.after, segment.upto)
        if kind in _LAST_INDEXED:
            row = self.connection.execute(_LAST_INDEXED[kind], place).fetchone()
        else:
            row = self.connection.execute(_LAST.format("?"), (*place, kind)).fetchone()
        return None if row is None else Row(*row)

    def last_of_turn(self, segment: Segment, *, turn: TurnNo) -> Head | None:
        """Where a segment stood when a turn was over."""
        place = self._range(segment.run, segment.after, segment.upto)
        row = self.connection.execute(_LAST_OF_TURN, (*place, turn)).fetchone()
        return None if row is None else Head(*row)

    def rows_about(
        self, segment: Segment, *, turn: TurnNo, kinds: Collection[str]
    ) -> Iterator[Row]:
        """Rows that may belong to a turn or speak of it; some that do not are among them."""
        marks = ", ".join("?" for _ in kinds)
        about = f"(instr(payload, ?) OR kind IN ({marks}))"
        query = f"SELECT {_ROW} {_RANGE} AND turn >= ? AND {about} ORDER BY place"
        place = self._range(segment.run, segment.after, segment.upto)
        says = f'"turn":{turn}'.encode()  # as canonical bytes have it
        rows = self.connection.execute(query, (*place, turn, says, *sorted(kinds)))
        return (Row(*row) for row in rows.fetchall())

    def blank(self, run: RunId, row: Row) -> None:
        """Put what is left of a row in its place."""
        place = (self.id_of(run) << PLACE_BITS) + row.version
        self.connection.execute(
            "UPDATE records SET nonce = ?, payload = ?, erased = ? WHERE place = ?",
            (row.nonce, row.payload, row.erased, place),
        )

    def link_at(self, segment: Segment, version: Version) -> bytes | None:
        """The link of one record of a segment."""
        place = (self.id_of(segment.run) << PLACE_BITS) + version
        query = "SELECT link FROM records WHERE place = ?"
        row = self.connection.execute(query, (place,)).fetchone()
        return None if row is None else row[0]

    # ── snapshots ────────────────────────────────────────────────────────────────────────────

    def put_snapshot(self, run: RunId, snapshot: Snapshot, *, digest: bytes, keep: int) -> None:
        """Add a snapshot and let the oldest go."""
        number = self.id_of(run)
        self.connection.execute(
            "INSERT OR REPLACE INTO snapshots (run, version, link, digest, body)"
            " VALUES (?, ?, ?, ?, ?)",
            (number, snapshot.version, snapshot.link, digest, snapshot.body),
        )
        self.connection.execute(
            "DELETE FROM snapshots WHERE run = ? AND version NOT IN"
            " (SELECT version FROM snapshots WHERE run = ? ORDER BY version DESC LIMIT ?)",
            (number, number, keep),
        )

    def snapshots(self, run: RunId, *, upto: Version) -> list[tuple[Snapshot, bytes]]:
        """Snapshots of a run with their digests, the newest first; none of an older schema."""
        if self.connection.execute("PRAGMA user_version").fetchone()[0] < WITH_SNAPSHOTS:
            return []
        rows = self.connection.execute(
            "SELECT version, link, body, digest FROM snapshots"
            " WHERE run = ? AND version <= ? ORDER BY version DESC",
            (self.id_of(run), upto),
        ).fetchall()
        return [(Snapshot(version, link, body), digest) for version, link, body, digest in rows]

    def drop_snapshots(self) -> None:
        """All of them; they are only a speed-up."""
        self.connection.execute("DELETE FROM snapshots")

    def drop_vectors(self, turn: TurnNo) -> None:
        """Those made of a turn's words."""
        self.connection.execute("DELETE FROM vectors WHERE first <= ? AND last >= ?", (turn, turn))

    # ── the file ─────────────────────────────────────────────────────────────────────────────

    def complaints(self) -> list[str]:
        """What SQLite finds wrong with the file, at most a few."""
        rows = self.connection.execute("PRAGMA integrity_check(5)").fetchall()
        return [str(row[0]) for row in rows if row[0] != "ok"]
