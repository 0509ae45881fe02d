"""What erasing a turn means for a row: which rows speak of the turn, and what is left of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import get_args

from storykeeper.events.codec import encode
from storykeeper.events.erasure import redacted
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import Redaction, TextErased, WindowAssembled
from storykeeper.ledger.port import Head, Row
from storykeeper.ledger.sealing import opened
from storykeeper.units import Digest, RunId, TurnNo


@cache
def kinds_about_a_turn() -> frozenset[str]:
    """Kinds that may speak of a turn before their own: those with a field `of`, and windows."""
    speaking = (s for s in get_args(AnyRecord) if "of" in s.__struct_fields__)
    return frozenset(s.__struct_config__.tag for s in (*speaking, WindowAssembled))


def concerns(row: Row, *, turn: TurnNo, run: RunId) -> bool:
    """Whether a row belongs to a turn, or speaks of it from a later one.

    A later window showed the turn's words, and its hash would tell whether a guess is right.
    """
    if row.turn < turn:
        return False
    record = opened(row, run=run).record
    if isinstance(record, WindowAssembled):
        return record.turn >= turn
    of = getattr(record, "of", ())
    return turn in (record.turn, *(of if isinstance(of, tuple) else (of,)))


def blanked(row: Row, *, run: RunId) -> Row | None:
    """The row without its text; None if it has none.

    What is left is written in the present schema, and `erased` says which that was: the schema
    column is part of the link and stays what it is.
    """
    record = opened(row, run=run).record
    bare = redacted(record)
    if bare == record:
        return None
    _, schema, payload = encode(bare)
    return replace(row, nonce=b"", payload=payload, erased=schema)


def testimony(rows: Iterable[Row], *, turn: TurnNo, head: Head, why: str) -> TextErased:
    """The record that vouches for what is left of some rows."""
    redactions = tuple(Redaction(row.version, fingerprint(row.payload)) for row in rows)
    return TextErased(turn=head.turn, of=turn, redactions=redactions, why=why)


def fingerprint(payload: bytes) -> Digest:
    """SHA-256 of blanked bytes, in hex. There is nothing left in them to guess."""
    return Digest(hashlib.sha256(payload).hexdigest())
