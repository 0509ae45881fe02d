"""From records to rows and back: what every back end does before it stores and after it reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from storykeeper.errors import (
    LedgerDamaged,
    RecordError,
    RecordFromTheFuture,
    RecordInvalid,
    TurnNotFound,
    WrongExpectedVersion,
)
from storykeeper.events.codec import Encoded, decode, encode
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import RunBegun, RunForked, TextErased
from storykeeper.ledger import chain
from storykeeper.ledger.lineage import fits_a_name
from storykeeper.ledger.port import Entry, Head, Nonces, Row, Snapshot
from storykeeper.units import ID_PATTERN, MAX_ID_CHARS, RunId, TurnNo, Version

Ready = tuple[TurnNo, Encoded]
Stored = tuple[Version, TurnNo, int, int, int, bytes]  # …, at_ms, erased, schema, payload

FOLLOW_SECONDS = 0.05  # between two looks at a run that is followed
MAX_TURN = 2**63 - 1
SNAPSHOTS_KEPT = 3  # of one run; older ones make room


def ready(records: Iterable[AnyRecord]) -> list[Ready]:
    """Records as bytes, before any lock is taken; refuses what a caller may not write."""
    return [_ready(record) for record in records]


def _ready(record: AnyRecord) -> Ready:
    if isinstance(record, RunBegun | RunForked | TextErased):
        raise RecordInvalid(
            f"{type(record).__name__} is written by the ledger itself: use begin, fork or erase"
        )
    if record.turn > MAX_TURN:
        raise RecordInvalid(f"turn {record.turn}: turns go up to {MAX_TURN}")
    return record.turn, encode(record)


def own(record: RunBegun | RunForked | TextErased) -> Ready:
    """A record that only the ledger writes."""
    return record.turn, encode(record)


def seal(
    records: Sequence[Ready], *, run: RunId, head: Head, at_ms: int, nonces: Nonces
) -> list[Row]:
    """Rows that continue a run from its head."""
    rows = []
    version, turn, link = head.version, head.turn, head.link
    for its_turn, (kind, schema, payload) in records:
        version, turn = Version(version + 1), max(turn, its_turn)
        nonce = nonces(chain.NONCE_BYTES)
        digest = chain.digest(nonce=nonce, payload=payload)
        link = chain.link(
            link, version=version, turn=turn, schema=schema, at_ms=at_ms, kind=kind, digest=digest
        )
        rows.append(Row(version, turn, kind, schema, at_ms, nonce, payload, digest, link, erased=0))
    return rows


def head_after(rows: Sequence[Row], head: Head) -> Head:
    """Where a run stands once these rows are in."""
    return Head(rows[-1].version, rows[-1].turn, rows[-1].link) if rows else head


def opened(row: Row, *, run: RunId) -> Entry:
    """The entry that a row holds."""
    record = record_of(row.payload, schema=row.erased or row.schema, run=run, version=row.version)
    return Entry(row.version, row.turn, row.at_ms, bool(row.erased), record)


def entries(stored: Iterable[Stored], *, run: RunId) -> Iterator[Entry]:
    """Entries from plain tuples: the same as `opened`, for reading a million of them."""
    for version, turn, at_ms, erased, schema, payload in stored:
        record = record_of(payload, schema=erased or schema, run=run, version=version)
        yield Entry(version, turn, at_ms, bool(erased), record)


def record_of(payload: bytes, *, schema: int, run: RunId, version: Version) -> AnyRecord:
    """The record in these bytes; what cannot be read is damage."""
    try:
        return decode(payload, schema=schema)
    except RecordFromTheFuture as error:
        raise RecordFromTheFuture(f"record {version} of run {run}: {error}") from error
    except RecordError as error:
        raise unreadable(run, version, str(error)) from error


def unreadable(run: RunId, version: Version, why: str) -> LedgerDamaged:
    """Damage at one record, and what to do about it."""
    return LedgerDamaged(
        f"record {version} of run {run} is damaged: {why};"
        " `storykeeper verify` names the first bad record; then restore a backup"
    )


def refuse_stale(run: RunId, *, expected: Version, head: Head) -> None:
    """One writer wins; the other reads on and tries again."""
    if expected != head.version:
        raise WrongExpectedVersion(
            f"run {run}: expected version {expected}, the ledger is at {head.version};"
            f" read what is after {min(expected, head.version)} and try again"
        )


def refuse_name(name: RunId) -> None:
    """Run names are ids, so that `run.db@name` needs no quoting."""
    if not fits_a_name(name):
        raise RecordInvalid(
            f"{name!r} cannot name a run: up to {MAX_ID_CHARS} characters that fit {ID_PATTERN}"
        )


def refuse_absent_turn(run: RunId, *, turn: TurnNo, head: Head) -> None:
    """A turn that has not come cannot be forked at or erased."""
    if not 0 <= turn <= head.turn:
        raise TurnNotFound(f"run {run} has no turn {turn}; its turns go from 0 to {head.turn}")


def refuse_stale_snapshot(run: RunId, snapshot: Snapshot, link: bytes | None) -> None:
    """A snapshot is of the very records that the run has up to its version."""
    if snapshot.link != link:
        raise WrongExpectedVersion(
            f"run {run}: a snapshot of version {snapshot.version} that was not folded from its"
            " records; fold them again"
        )
