"""The composition root: where the clock and randomness come in, and parts are wired together."""

from __future__ import annotations

import os
import time
from pathlib import Path

from storykeeper.ledger.sqlite import SqliteLedger


def clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def open_ledger(path: Path, *, create: bool = False, read_only: bool = False) -> SqliteLedger:
    """A ledger file with the real clock and real nonces."""
    return SqliteLedger.open(
        path, clock=clock, nonces=os.urandom, create=create, read_only=read_only
    )
