"""Records to canonical bytes and back.

Canonical: compact JSON, UTF-8, fields in declared order, mappings sorted, what is empty left out.
The same record always gives the same bytes, and nothing is written that would not read back:
`encode` decodes what it wrote, which also holds every field to its type and range.
"""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

import msgspec

from storykeeper.errors import RecordFromTheFuture, RecordInvalid, RecordUnreadable
from storykeeper.events.records import AnyRecord
from storykeeper.events.upcast import SCHEMA, upcast

_encoder = msgspec.json.Encoder(order="deterministic")
_decoder: msgspec.json.Decoder[AnyRecord] = msgspec.json.Decoder(AnyRecord)


KINDS = frozenset(kind.__struct_config__.tag for kind in get_args(AnyRecord))


class Encoded(NamedTuple):
    """A record as it is stored."""

    kind: str
    schema: int
    payload: bytes


def kind_of(record: AnyRecord) -> str:
    """The wire name of a record."""
    tag = record.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def encode(record: AnyRecord) -> Encoded:
    """Canonical bytes of a record; refuses what could not be read back."""
    kind = kind_of(record)
    try:
        written = _encoder.encode(record)
        payload = _encoder.encode(_decoder.decode(written))
    except msgspec.ValidationError as error:
        raise RecordInvalid(f"{kind} record of turn {record.turn}: {error}") from error
    except UnicodeEncodeError as error:
        raise RecordInvalid(
            f"{kind} record of turn {record.turn}: a character that is half of a pair"
            f" (lone surrogate) at position {error.start}; remove or replace it"
        ) from error
    return Encoded(kind, SCHEMA, payload)


def decode(payload: bytes, *, schema: int = SCHEMA) -> AnyRecord:
    """The record that these bytes are, brought up to the present schema."""
    try:
        if schema == SCHEMA:
            return _decoder.decode(payload)
        return _decode_old(payload, schema)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise RecordUnreadable(f"not a record of schema {schema}: {error}") from error
    except UnicodeDecodeError as error:
        raise RecordUnreadable(f"not a record: invalid UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise RecordUnreadable("not a record: lists in lists without end") from error


def _decode_old(payload: bytes, schema: int) -> AnyRecord:
    if not 1 <= schema < SCHEMA:
        raise RecordFromTheFuture(
            f"record schema {schema}, this storykeeper reads up to {SCHEMA}; upgrade storykeeper"
        )
    raw: Any = msgspec.json.decode(payload)
    if not isinstance(raw, dict):
        raise RecordUnreadable("not a record: not a JSON object")
    record: AnyRecord = msgspec.convert(upcast(raw, schema=schema), AnyRecord)
    return record
