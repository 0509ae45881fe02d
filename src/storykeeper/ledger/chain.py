"""The hash chain: what makes a ledger something one can trust.

    digest  = SHA-256(nonce ‖ payload)
    link₀   = SHA-256("storykeeper ledger 1" ‖ 0x00 ‖ name of the first run)
    linkₙ   = SHA-256(linkₙ₋₁ ‖ version ‖ turn ‖ schema ‖ at ‖ digest ‖ kind)

The chain runs over digests, not payloads, so a payload can be erased and every later link still
holds. The nonce, sixteen random bytes a record, goes with the payload: what is left of erased words
is a hash that nobody can test a guess against. A fork continues its parent's chain.
"""

from __future__ import annotations

import hashlib
import struct

from storykeeper.units import RunId

NONCE_BYTES = 16
_FIXED = struct.Struct(">QQIq")


def genesis(run: RunId) -> bytes:
    """The link before the first record of a file."""
    return hashlib.sha256(b"storykeeper ledger 1\0" + run.encode()).digest()


def digest(*, nonce: bytes, payload: bytes) -> bytes:
    """What the chain knows of a payload."""
    return hashlib.sha256(nonce + payload).digest()


def link(
    previous: bytes, *, version: int, turn: int, schema: int, at_ms: int, kind: str, digest: bytes
) -> bytes:
    """The next link; every field of a record but its payload goes in as it is."""
    fixed = _FIXED.pack(version, turn, schema, at_ms)
    return hashlib.sha256(previous + fixed + digest + kind.encode()).digest()
