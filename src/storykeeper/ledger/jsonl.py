"""The lines of an exported ledger. docs/reference/ledger.md specifies them for other programs.

    {"format":"storykeeper-ledger","version":1,"runs":[{"run":"main","parent":null,…}, …]}
    {"run":"main","version":1,"turn":0,"kind":"run-begun", … ,"payload":{…}}
    …
    {"records":812,"sha256":"…"}

`payload` is the last field of its line and holds the stored bytes as they are, so that nothing is
lost in reading and writing numbers or spaces. A line that is written otherwise is refused.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, BinaryIO, NoReturn, Self, TypeVar

import msgspec

from storykeeper.errors import LedgerDamaged, LedgerFromTheFuture, NotALedger
from storykeeper.ledger.port import Row, RunInfo
from storykeeper.ledger.schema.steps import PLACE_BITS
from storykeeper.units import RunId, TurnNo, Version

FORMAT = "storykeeper-ledger"
FORMAT_VERSION = 1

MAX_LINE_BYTES = 2**30  # SQLite holds no longer payload

if TYPE_CHECKING:
    from hashlib import _Hash

_encoder = msgspec.json.Encoder()
# Numbers that fit where they are going.
_Version = Annotated[Version, msgspec.Meta(ge=0, lt=2**PLACE_BITS)]
_Turn = Annotated[TurnNo, msgspec.Meta(ge=0, le=2**63 - 1)]
_Whole = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
_Time = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_Line = TypeVar("_Line", bound="Line")


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what stands on a line."""

    def bytes(self) -> bytes:
        """The line, with its end."""
        return _encoder.encode(self) + b"\n"


class RunLine(Line, frozen=True):
    """A run, as the first line lists it."""

    run: RunId
    parent: RunId | None
    forked_at: _Version
    version: _Version

    @classmethod
    def of(cls, info: RunInfo) -> Self:
        """What the first line says of a run."""
        return cls(info.run, info.parent, info.forked_at, info.head.version)


class Header(Line, frozen=True):
    """The first line."""

    format: str
    version: int
    runs: tuple[RunLine, ...]

    @property
    def records(self) -> int:
        """How many lines of records follow."""
        return sum(each.version - each.forked_at for each in self.runs)


class RowLine(Line, frozen=True):
    """One record, as stored."""

    run: RunId
    version: _Version
    turn: _Turn
    kind: str
    schema: _Whole
    at_ms: _Time
    erased: _Whole
    nonce: str
    digest: str
    link: str
    payload: msgspec.Raw

    @classmethod
    def of(cls, run: RunId, row: Row) -> Self:
        """The line of a row."""
        return cls(
            run, row.version, row.turn, row.kind, row.schema, row.at_ms, row.erased,
            row.nonce.hex(), row.digest.hex(), row.link.hex(), msgspec.Raw(row.payload),
        )  # fmt: skip

    def row(self) -> Row:
        """The row of a line; ValueError if its hex is none."""
        return Row(
            self.version, self.turn, self.kind, self.schema, self.at_ms,
            bytes.fromhex(self.nonce), bytes(self.payload), bytes.fromhex(self.digest),
            bytes.fromhex(self.link), self.erased,
        )  # fmt: skip


class Trailer(Line, frozen=True):
    """The last line: a file without it was cut short."""

    records: int
    sha256: str


def parsed(line: bytes, kind: type[_Line]) -> _Line:
    """What a line says; ValueError unless it is written exactly as we write it."""
    value = msgspec.json.decode(line, type=kind)
    if value.bytes() != line:
        raise ValueError("not written the way an export writes it")
    return value


@dataclass(slots=True)
class Reader:
    """Lines of an export, counted and hashed as they go by."""

    lines: BinaryIO
    source: str
    number: int = 0
    records: int = 0
    starts: dict[RunId, int] = field(default_factory=dict)  # run → line of record 0, as it were
    hashed: _Hash = field(default_factory=hashlib.sha256)
    trailer: Trailer | None = None

    def header(self) -> Header:
        """The first line."""
        line = self._line()
        if not line.startswith(b'{"format":"%s","version":' % FORMAT.encode()):
            raise NotALedger(f"{self.source}, line 1: not an exported ledger; check the name")
        with self.strictly():
            version = msgspec.json.decode(line)["version"]
            if version == FORMAT_VERSION:
                self.hashed.update(line)
                return parsed(line, Header)
        raise LedgerFromTheFuture(
            f"{self.source}: export format {version}, this storykeeper reads {FORMAT_VERSION};"
            " upgrade storykeeper"
        )

    def row(self, run: RunId, version: int) -> Row:
        """The next line, which must be this record."""
        line = self._line()
        with self.strictly():
            found = parsed(line, RowLine)
            row = found.row()
        if (found.run, found.version) != (run, version):
            self.refuse(f"record {found.version} of run {found.run}, expected {version} of {run}")
        self.hashed.update(line)
        self.records += 1
        return row

    def end(self, header: Header) -> None:
        """The last line, and nothing after it."""
        line = self._line()
        with self.strictly():
            self.trailer = parsed(line, Trailer)
        if self.trailer.records != header.records:
            self.refuse(f"it says {self.trailer.records} records, there are {header.records}")
        if self.lines.read(1):
            self.refuse("there is more after the last line", line=self.number + 1)

    def check_trailer(self) -> None:
        """The hash of everything before the last line: last, since a record says more."""
        if self.trailer is None or self.trailer.sha256 != self.hashed.hexdigest():
            self.refuse("the SHA-256 of the lines before it is another; they were changed")

    def _line(self) -> bytes:
        line = self.lines.readline(MAX_LINE_BYTES)
        self.number += 1
        if not line.endswith(b"\n"):
            self.refuse("the file ends here, before its last line; it was cut short")
        return line

    def refuse(self, why: str, *, line: int | None = None) -> NoReturn:
        """Say where, and stop."""
        raise LedgerDamaged(
            f"{self.source}, line {line or self.number}: {why}. Nothing was imported;"
            " export again, or use another copy"
        )

    @contextmanager
    def strictly(self) -> Iterator[None]:
        """What cannot be read, or does not fit, is refused with its line."""
        try:
            yield
        except (ValueError, OverflowError, RecursionError, sqlite3.IntegrityError) as error:
            self.refuse(str(error))
