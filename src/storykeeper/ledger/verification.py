"""Verifying: every link computed again, every record read, from the first run down to one.

Damage never raises here: it ends the walk, and the verdict names the first bad record. An erased
row cannot be checked against its digest any more; what is left of it must be vouched for by a
TextErased record of the same run, which the chain holds in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import msgspec

from storykeeper.errors import UNREADABLE, LedgerDamaged, RecordError
from storykeeper.events.codec import decode, encode
from storykeeper.events.erasure import redacted
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import RunBegun, RunForked, TextErased
from storykeeper.events.upcast import SCHEMA
from storykeeper.ledger import chain
from storykeeper.ledger.blanking import fingerprint
from storykeeper.ledger.lineage import Branch, Segment, lineage
from storykeeper.ledger.port import Row, Verdict
from storykeeper.units import RunId, Version

_MOST = 2**63 - 1
_COLUMNS = {
    "version": int, "turn": int, "kind": str, "schema": int, "at_ms": int,
    "nonce": bytes, "payload": bytes, "digest": bytes, "link": bytes, "erased": int,
}  # fmt: skip


class Stored(Protocol):
    """What verifying asks of a back end."""

    def branches(self) -> Mapping[RunId, Branch]:
        """Every run, parents before their forks."""

    def own_rows(self, run: RunId, *, after: Version, upto: Version | None) -> Iterator[Row]:
        """A run's own rows in order, whatever their numbers are."""

    def erasures(self, run: RunId) -> Iterator[Row]:
        """The run's own rows of kind text-erased."""


class _Tag(msgspec.Struct):
    kind: str


class _Bad(Exception):
    """The first bad record; never leaves this module."""

    def __init__(self, version: int | None, problem: str) -> None:
        super().__init__(problem)
        self.version = None if version is None else Version(version)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class _Voucher:
    at: int  # the version of the TextErased record
    schema: int
    digest: str


@dataclass(slots=True)
class _Walk:
    """Where the walk stands."""

    link: bytes
    version: int = 0
    turn: int = 0
    records: int = 0
    erased: int = 0


@dataclass(slots=True)
class _Vouchers:
    """What the TextErased records of one run vouch for, looked up when first needed."""

    stored: Stored
    run: RunId
    found: dict[int, list[_Voucher]] | None = None
    needed: int = 0  # the last record that must hold, for what was vouched for to hold
    for_whom: int = 0

    def check(self, row: Row) -> None:
        """The row's bytes are those that a later TextErased record states."""
        digest = fingerprint(row.payload)
        for voucher in self._all().get(row.version, ()):
            same = (voucher.digest, voucher.schema) == (digest, row.erased)
            if same and voucher.at > row.version:
                if voucher.at > self.needed:
                    self.needed, self.for_whom = voucher.at, row.version
                return
        raise _Bad(row.version, "marked as erased, but no record vouches for what is left of it")

    def _all(self) -> dict[int, list[_Voucher]]:
        if self.found is None:
            self.found = {}
            for row in self.stored.erasures(self.run):
                for version, voucher in _vouched(row):
                    self.found.setdefault(version, []).append(voucher)
        return self.found


def in_short(damage: LedgerDamaged) -> str:
    """What is wrong, without the advice to run verify: that is what is running."""
    return str(damage.__cause__ or damage)


def _vouched(row: Row) -> Iterator[tuple[int, _Voucher]]:
    try:
        record = decode(row.payload, schema=row.schema)
    except (RecordError, TypeError):
        return  # it is bad itself, and the walk will say so
    if isinstance(record, TextErased):
        for redaction in record.redactions:
            yield redaction.version, _Voucher(row.version, row.schema, redaction.digest)


def verify(stored: Stored, run: RunId) -> Verdict:
    """The verdict on a run and on all that it shares with its parents."""
    branches = stored.branches()
    walk = _Walk(link=b"")
    try:
        segments = lineage(branches, run)
        walk.link = chain.genesis(segments[0].run)
        for segment in segments:
            _check_segment(stored, branches[segment.run], segment, walk=walk, asked=run)
    except _Bad as bad:
        return Verdict(run, walk.records, walk.erased, bad.version, bad.problem)
    except LedgerDamaged as damage:
        return Verdict(run, walk.records, walk.erased, None, str(damage))
    return Verdict(run, walk.records, walk.erased, records_good=True)


def _check_segment(
    stored: Stored, branch: Branch, segment: Segment, *, walk: _Walk, asked: RunId
) -> None:
    """A run's own part of the lineage, up to where the next run forks off."""
    last = segment.run == asked
    vouchers = _Vouchers(stored, segment.run)
    if segment.upto > segment.after or last:
        upto = None if last else segment.upto
        rows = stored.own_rows(segment.run, after=segment.after, upto=upto)
        _check_rows(rows, branch, walk=walk, vouchers=vouchers)
        _check_end(branch, segment, walk=walk, last=last)
    else:
        _check_first(stored, branch)
    if vouchers.needed > walk.version:
        _check_beyond(stored, branch, walk=walk, vouchers=vouchers)


def _check_rows(rows: Iterator[Row], branch: Branch, *, walk: _Walk, vouchers: _Vouchers) -> None:
    while True:
        try:
            row = next(rows, None)
        except LedgerDamaged as damage:
            raise _Bad(walk.version + 1, f"cannot be read: {in_short(damage)}") from damage
        if row is None:
            return
        record = _checked(row, walk, vouchers)
        if row.version == branch.forked_at + 1:
            _check_origin(record, branch, version=row.version)
        elif isinstance(record, RunBegun | RunForked):
            raise _Bad(row.version, f"a {row.kind} record in the middle of a run")
        walk.link, walk.version, walk.turn = row.link, row.version, row.turn
        walk.records += 1
        walk.erased += bool(row.erased)


def _check_end(branch: Branch, segment: Segment, *, walk: _Walk, last: bool) -> None:
    """The run is as long as it says it is: records cut off the end would leave a good chain."""
    _check_length(walk, upto=segment.upto, run=branch.run)
    head = branch.head
    if last and (walk.version, walk.turn, walk.link) != (head.version, head.turn, head.link):
        raise _Bad(walk.version, f"the run's head (version {head.version}) is not its last record")


def _check_length(walk: _Walk, *, upto: int, run: RunId) -> None:
    if walk.version < upto:
        raise _Bad(walk.version + 1, f"missing: run {run} goes to {upto}")


def _check_first(stored: Stored, branch: Branch) -> None:
    """A run that lends nothing still decides whose records come before: check what it says."""
    first = branch.forked_at + 1
    rows = stored.own_rows(branch.run, after=branch.forked_at, upto=Version(first))
    row = next(rows, None)
    if row is None:
        raise _Bad(first, f"missing: the first record of run {branch.run}")
    _check_types(row)
    if row.digest != chain.digest(nonce=row.nonce, payload=row.payload):
        raise _Bad(first, f"changed: the first record of run {branch.run}")
    _check_origin(_read(row, begun=row.turn), branch, version=first)


def _check_beyond(stored: Stored, branch: Branch, *, walk: _Walk, vouchers: _Vouchers) -> None:
    """What vouches for an erased row may stand after the fork: the chain must hold up to there."""
    on = _Walk(link=walk.link, version=walk.version, turn=walk.turn)
    rows = stored.own_rows(branch.run, after=Version(walk.version), upto=Version(vouchers.needed))
    try:
        _check_rows(rows, branch, walk=on, vouchers=_Vouchers(stored, branch.run))
        _check_length(on, upto=vouchers.needed, run=branch.run)
    except _Bad as bad:
        raise _Bad(
            vouchers.for_whom,
            f"erased, and record {bad.version} of run {branch.run}, needed to vouch for it, is"
            f" bad: {bad.problem}",
        ) from bad


def _check_origin(record: AnyRecord, branch: Branch, *, version: int) -> None:
    """The table of runs says what the run's first record says."""
    match record:
        case RunBegun(run=run) if branch.parent is None:
            same = run == branch.run and branch.forked_at == 0
        case RunForked(run=run, parent=parent, at=at):
            same = (run, parent, at) == (branch.run, branch.parent, branch.forked_at)
        case _:
            same = False
    if not same:
        raise _Bad(version, f"run {branch.run} is not what its first record says it is")


def _checked(row: Row, walk: _Walk, vouchers: _Vouchers) -> AnyRecord:
    """The record of a row, once everything about the row holds."""
    _check_types(row)
    expected = walk.version + 1
    if row.version != expected:
        raise _Bad(expected, f"missing: the next record there is has version {row.version}")
    if row.turn < walk.turn:
        raise _Bad(row.version, f"of turn {row.turn}, after one of turn {walk.turn}")
    if row.erased:
        vouchers.check(row)
    elif row.digest != chain.digest(nonce=row.nonce, payload=row.payload):
        raise _Bad(row.version, "its bytes are not those that were written (digest differs)")
    link = chain.link(
        walk.link, version=row.version, turn=row.turn, schema=row.schema, at_ms=row.at_ms,
        kind=row.kind, digest=row.digest,
    )  # fmt: skip
    if link != row.link:
        raise _Bad(row.version, "it does not follow from the records before it (link differs)")
    return _read(row, begun=walk.turn)


def _check_types(row: Row) -> None:
    for name, kind in _COLUMNS.items():
        if type(getattr(row, name)) is not kind:
            version = row.version if type(row.version) is int else None
            raise _Bad(version, f"its {name} is not of type {kind.__name__}")
    if not (0 < row.version <= _MOST and row.turn >= 0 and 0 <= row.schema < 2**32):
        raise _Bad(row.version, "its version, turn or schema is out of range")
    if len(row.nonce) != (0 if row.erased else chain.NONCE_BYTES):
        raise _Bad(row.version, f"its nonce has {len(row.nonce)} bytes")


def _read(row: Row, *, begun: int) -> AnyRecord:
    """The record, which says of itself what its row says of it."""
    try:
        tag = msgspec.json.decode(row.payload, type=_Tag).kind
        record = decode(row.payload, schema=row.erased or row.schema)
    except (RecordError, *UNREADABLE) as error:
        raise _Bad(row.version, f"cannot be read: {error}") from error
    if tag != row.kind or row.turn != max(begun, record.turn):
        raise _Bad(row.version, f"filed as {row.kind} of turn {row.turn}, which it is not")
    if row.erased:
        _check_redaction(row, record)
    return record


def _check_redaction(row: Row, record: AnyRecord) -> None:
    bare = redacted(record)
    if bare != record or (row.erased == SCHEMA and encode(bare).payload != row.payload):
        raise _Bad(row.version, "marked as erased, but there is text in it")
