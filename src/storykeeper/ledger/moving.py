"""A ledger from one place to another, between files and databases, to the byte.

What arrives is verified from the first record to the last before anybody can see it, and exported
again to be compared. Vectors come along, so that nothing is embedded twice. What it came from stays
as it is: whoever moved it removes it, once nobody plays on there.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from storykeeper.errors import LedgerDamaged
from storykeeper.ledger.places import Place, open_at, open_to_check
from storykeeper.ledger.transfer import (
    Progress,
    export,
    export_file,
    import_file,
    no_progress,
)
from storykeeper.units import RunId

_VECTORS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Moved:
    """What arrived."""

    runs: tuple[RunId, ...]
    records: int
    vectors: int
    sha256: str  # of its export, which is that of where it came from


def move(source: Place, target: Place, *, progress: Progress = no_progress) -> Moved:
    """Make a ledger at a new place that is the same as another, to the byte of its export."""
    with tempfile.TemporaryDirectory(prefix="storykeeper-move-") as folder:
        lines = Path(folder) / "lines"
        with open_to_check(source) as ledger:
            sent = export_file(ledger, lines, progress=progress)
        import_file(lines, target, progress=progress)
    vectors = _copied(source, target)
    with open_to_check(target) as ledger, Path(os.devnull).open("wb") as nowhere:
        arrived = export(ledger, nowhere)
    if arrived.sha256 != sent.sha256:
        raise LedgerDamaged(
            f"{target}: its export is not that of {source} ({arrived.sha256}, {sent.sha256});"
            " remove it and move again"
        )
    return Moved(arrived.runs, arrived.records, vectors, arrived.sha256)


def _copied(source: Place, target: Place) -> int:
    """The vectors of one, kept in the other; how many."""
    count = 0
    with (
        open_to_check(source) as ledger,
        open_at(target, clock=int, nonces=bytes) as arrived,
        closing(ledger.vectors()) as kept,
        closing(arrived.vectors()) as keeping,
    ):
        for space in kept.spaces():
            vectors = kept.all(space)
            while some := list(islice(vectors, _VECTORS_AT_ONCE)):
                keeping.put(space, some)
                count += len(some)
    return count
