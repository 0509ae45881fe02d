"""The tables of a ledger in a database as Python values. Only SQL here: no rules, no errors.

Each statement names the tenant and the run, so that it is answered by one machine of many.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from psycopg import Connection, Cursor

from storykeeper.ledger.lineage import Branch, Segment
from storykeeper.ledger.port import Head, Row, Snapshot
from storykeeper.ledger.postgres.place import DatabasePlace
from storykeeper.ledger.postgres.steps import INDEXED_KINDS
from storykeeper.ledger.run_tables import CHUNK
from storykeeper.ledger.sealing import Stored
from storykeeper.units import RunId, TurnNo, Version

Ask = Callable[[str, Sequence[object]], Cursor[Any]]  # a statement in a transaction of its own
_LAST_VERSION = 2**63 - 1
_ROW = "version, turn, kind, schema, at_ms, nonce, payload, digest, link, erased"
_KEY = "tenant = %s AND run = %s"
_OF_BRANCH = f"{_KEY} AND branch = %s"
_RANGE = f"FROM records WHERE {_OF_BRANCH} AND version > %s AND version <= %s"
_ROWS = f"SELECT {_ROW} {_RANGE} ORDER BY version LIMIT {CHUNK}"
_ENTRIES = (
    f"SELECT version, turn, at_ms, erased, schema, payload {_RANGE} ORDER BY version LIMIT {CHUNK}"
)
_ERASURES = f"SELECT {_ROW} {_RANGE} AND kind = 'text-erased' ORDER BY version"
_ERASED = f"SELECT count(*) FROM records WHERE {_KEY} AND kind = 'text-erased'"
_LAST = f"SELECT {_ROW} {_RANGE} AND kind = {{}} ORDER BY version DESC LIMIT 1"
# An index for one kind is used only by a query that names the kind itself.
_LAST_INDEXED = {kind: _LAST.format(f"'{kind}'") for kind in INDEXED_KINDS}
_FIRST_TURN = f"SELECT turn {_RANGE} ORDER BY version LIMIT 1"
_LAST_OF_TURN = f"SELECT version, turn, link {_RANGE} AND turn <= %s ORDER BY version DESC LIMIT 1"
_ABOUT = (
    f"SELECT {_ROW} {_RANGE} AND turn >= %s AND (position(%s in payload) > 0 OR kind = ANY(%s))"
    " ORDER BY version"
)
_BRANCH = "SELECT branch, parent, forked_at, version, turn, link FROM branches WHERE"
_SIZES = f"""
SELECT branch, sum(length(nonce) + length(payload) + length(digest) + length(link))
FROM records WHERE {_KEY} GROUP BY branch
"""
_ADD_BRANCH = f"""
INSERT INTO branches (tenant, run, branch, number, parent, forked_at, version, turn, link)
SELECT %s, %s, %s, coalesce(max(number), 0) + 1, %s, %s, %s, %s, %s FROM branches WHERE {_KEY}
"""
_INSERT = f"""
INSERT INTO records (tenant, run, branch, {_ROW})
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
_MOVE_HEAD = f"UPDATE branches SET version = %s, turn = %s, link = %s WHERE {_OF_BRANCH}"
_BLANK = (
    f"UPDATE records SET nonce = %s, payload = %s, erased = %s WHERE {_OF_BRANCH} AND version = %s"
)
_LINK = f"SELECT link FROM records WHERE {_OF_BRANCH} AND version = %s"
_PUT_SNAPSHOT = """
INSERT INTO snapshots (tenant, run, branch, version, link, digest, body)
VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (tenant, run, branch, version) DO UPDATE
SET link = excluded.link, digest = excluded.digest, body = excluded.body
"""
_TRIM_SNAPSHOTS = f"""
DELETE FROM snapshots WHERE {_OF_BRANCH} AND version NOT IN (
  SELECT version FROM snapshots WHERE {_OF_BRANCH} ORDER BY version DESC LIMIT %s)
"""
_SNAPSHOTS = f"""
SELECT version, link, body, digest FROM snapshots
WHERE {_OF_BRANCH} AND version <= %s ORDER BY version DESC
"""


class Tables:
    """One ledger's tables, inside a transaction of its tenant, or each statement in one of its own.

    The connection, or what asks, is the owner's, and so are its transactions.
    """

    def __init__(self, place: DatabasePlace, within: Connection[Any] | Ask) -> None:
        self._connection = within if isinstance(within, Connection) else None
        self._asks = within if not isinstance(within, Connection) else self._within
        self._key = (place.tenant, place.run)

    def _ask(self, query: str, *values: object) -> Cursor[Any]:
        return self._asks(query, (*self._key, *values))

    def _within(self, query: str, values: Sequence[object]) -> Cursor[Any]:
        return self._writing.execute(query, values, binary=True)

    @property
    def _writing(self) -> Connection[Any]:
        assert self._connection is not None, "nothing is written outside a transaction"
        return self._connection

    # ── the ledger ───────────────────────────────────────────────────────────────────────────

    def exists(self) -> bool:
        """Whether there is such a ledger."""
        query = f"SELECT FROM ledgers WHERE {_KEY}"
        return self._ask(query).fetchone() is not None

    def make(self) -> bool:
        """Begin a ledger without runs; whether there was none."""
        query = "INSERT INTO ledgers (tenant, run) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        return self._ask(query).rowcount == 1

    def remove(self) -> bool:
        """The ledger with all that is in it; whether there was one."""
        return self._ask(f"DELETE FROM ledgers WHERE {_KEY}").rowcount == 1

    def hold(self) -> None:
        """Keep others from changing any run of the tree until this transaction ends."""
        self._ask(f"SELECT FROM ledgers WHERE {_KEY} FOR UPDATE")
        self._ask(f"SELECT FROM branches WHERE {_KEY} ORDER BY number FOR UPDATE")

    # ── runs ─────────────────────────────────────────────────────────────────────────────────

    def branches(self) -> dict[RunId, Branch]:
        """Every run, parents before their forks."""
        rows = self._ask(f"{_BRANCH} {_KEY} ORDER BY number")
        return {branch.run: branch for branch in map(_branch, rows)}

    def branch(self, run: RunId) -> Branch | None:
        """One run, without reading the others."""
        row = self._ask(f"{_BRANCH} {_OF_BRANCH}", run).fetchone()
        return None if row is None else _branch(row)

    def held(self, run: RunId) -> Branch | None:
        """The same, and nobody else appends to it until this transaction ends."""
        row = self._ask(f"{_BRANCH} {_OF_BRANCH} FOR UPDATE", run).fetchone()
        return None if row is None else _branch(row)

    def sizes(self) -> dict[RunId, int]:
        """Bytes stored for each run's own records."""
        return {RunId(branch): int(size) for branch, size in self._ask(_SIZES)}

    def add_run(self, branch: Branch) -> None:
        """A run that has no records yet."""
        head = branch.head
        self._ask(
            _ADD_BRANCH, branch.run, branch.parent, branch.forked_at, head.version, head.turn,
            head.link, *self._key,
        )  # fmt: skip

    # ── records ──────────────────────────────────────────────────────────────────────────────

    def _range(self, run: RunId, after: int, upto: int | None) -> tuple[object, ...]:
        return run, after, _LAST_VERSION if upto is None else upto

    def add_rows(self, run: RunId, rows: Sequence[Row]) -> None:
        """Rows after the last of a run, and its head moved to the last of them."""
        key, last = (*self._key, run), rows[-1]
        with self._writing.pipeline(), self._writing.cursor() as cursor:
            cursor.executemany(
                _INSERT,
                [
                    (*key, r.version, r.turn, r.kind, r.schema, r.at_ms, r.nonce, r.payload,
                     r.digest, r.link, r.erased)
                    for r in rows
                ],
            )  # fmt: skip
            cursor.execute(_MOVE_HEAD, (last.version, last.turn, last.link, *key))

    def rows(self, run: RunId, *, after: int, upto: int | None) -> list[Row]:
        """The next few of a run's own rows."""
        return [Row(*row) for row in self._ask(_ROWS, *self._range(run, after, upto))]

    def begun_in(self, run: RunId) -> TurnNo:
        """The turn in which a run wrote its first record of its own."""
        row = self._ask(_FIRST_TURN, *self._range(run, 0, None)).fetchone()
        return TurnNo(0) if row is None else TurnNo(row[0])

    def stored(self, run: RunId, *, after: int, upto: int) -> list[Stored]:
        """The next few of a run's own entries, as plain tuples."""
        return self._ask(_ENTRIES, *self._range(run, after, upto)).fetchall()

    def erasures(self, run: RunId) -> list[Row]:
        """A run's own rows of kind text-erased."""
        return [Row(*row) for row in self._ask(_ERASURES, *self._range(run, 0, None))]

    def erased(self) -> int:
        """How many rows of kind text-erased there are."""
        row = self._ask(_ERASED).fetchone()
        return 0 if row is None else int(row[0])

    def last(self, segment: Segment, *, kind: str) -> Row | None:
        """The newest row of a kind in a segment."""
        within = self._range(segment.run, segment.after, segment.upto)
        if kind in _LAST_INDEXED:
            row = self._ask(_LAST_INDEXED[kind], *within).fetchone()
        else:
            row = self._ask(_LAST.format("%s"), *within, kind).fetchone()
        return None if row is None else Row(*row)

    def last_of_turn(self, segment: Segment, *, turn: TurnNo) -> Head | None:
        """Where a segment stood when a turn was over."""
        within = self._range(segment.run, segment.after, segment.upto)
        row = self._ask(_LAST_OF_TURN, *within, turn).fetchone()
        return None if row is None else Head(*row)

    def rows_about(self, segment: Segment, *, turn: TurnNo, kinds: Collection[str]) -> list[Row]:
        """Rows that may belong to a turn or speak of it; some that do not are among them."""
        within = self._range(segment.run, segment.after, segment.upto)
        says = f'"turn":{turn}'.encode()  # as canonical bytes have it
        return [Row(*row) for row in self._ask(_ABOUT, *within, turn, says, sorted(kinds))]

    def blank(self, run: RunId, row: Row) -> None:
        """Put what is left of a row in its place."""
        self._writing.execute(
            _BLANK, (row.nonce, row.payload, row.erased, *self._key, run, row.version)
        )

    def link_at(self, segment: Segment, version: Version) -> bytes | None:
        """The link of one record of a segment."""
        row = self._ask(_LINK, segment.run, version).fetchone()
        return None if row is None else row[0]

    # ── snapshots ────────────────────────────────────────────────────────────────────────────

    def put_snapshot(self, run: RunId, snapshot: Snapshot, *, digest: bytes, keep: int) -> None:
        """Add a snapshot and let the oldest go."""
        self._ask(_PUT_SNAPSHOT, run, snapshot.version, snapshot.link, digest, snapshot.body)
        self._ask(_TRIM_SNAPSHOTS, run, *self._key, run, keep)

    def snapshots(self, run: RunId, *, upto: Version) -> list[tuple[Snapshot, bytes]]:
        """Snapshots of a run with their digests, the newest first."""
        rows = self._ask(_SNAPSHOTS, run, upto)
        return [(Snapshot(version, link, body), digest) for version, link, body, digest in rows]

    def drop_snapshots(self) -> None:
        """All of them; they are only a speed-up."""
        self._ask(f"DELETE FROM snapshots WHERE {_KEY}")

    def drop_vectors(self, turn: TurnNo) -> None:
        """Those made of a turn's words."""
        within = "first <= %s AND last >= %s"
        self._ask(f"DELETE FROM vectors WHERE {_KEY} AND {within}", turn, turn)


def _branch(row: Sequence[Any]) -> Branch:
    name, parent, forked_at, version, turn, link = row
    return Branch(name, parent, forked_at, Head(version, turn, link))
