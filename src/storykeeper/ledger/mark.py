"""How far a ledger had come, in a small file beside it while it is in use: `run.db-mark`.

What was written last may still be in `run.db-wal`. If somebody takes that away after a crash, what
is left is a shorter ledger that is as good as the long one, and no chain says that it was longer.
So each append notes its last record outside the -wal. Whoever closes the file last has moved
everything into it and takes the note away. The note is not waited for: after a power cut it may be
older than the ledger, never newer.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from storykeeper.ledger.lineage import Segment
from storykeeper.ledger.sqlite_tables import Tables
from storykeeper.units import RunId, Version

SUFFIX = "-mark"
_MOST_BYTES = 1_000
_LINE = 200  # characters: the longest name of a run has 64


@dataclass(frozen=True, slots=True)
class Mark:
    """The last record that somebody was told is on disk."""

    run: RunId
    version: Version
    link: bytes


def note(path: Path, mark: Mark) -> None:
    """Write down where a run stands; where that cannot be done, do without."""
    said = f"{mark.run} {mark.version} {mark.link.hex()}"
    line = f"{said} {zlib.crc32(said.encode()):08x}".ljust(_LINE) + "\n"
    with suppress(OSError):
        file = os.open(f"{path}{SUFFIX}", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.write(file, line.encode())  # over the last one, which is as long
        finally:
            os.close(file)


def noted(path: Path) -> Mark | None:
    """What is written down; none if nothing is, or it was cut short."""
    try:
        with _beside(path).open(encoding="utf-8") as file:
            said, _, check = file.read(_MOST_BYTES).strip().rpartition(" ")
        run, version, link = said.split(" ")
        if f"{zlib.crc32(said.encode()):08x}" == check:
            return Mark(RunId(run), Version(int(version)), bytes.fromhex(link))
    except (OSError, ValueError):
        pass
    return None


def forget(path: Path) -> None:
    """Everything is in the file itself."""
    with suppress(OSError):
        _beside(path).unlink()


def close(path: Path) -> None:
    """The same, if nobody has the file open any more: then it has no -wal."""
    if not path.with_name(path.name + "-wal").exists():
        forget(path)


def problem(mark: Mark | None, tables: Tables, path: Path) -> str:
    """What is missing by a mark that was read before the tables were looked at; nothing, if all is
    there.
    """
    if mark is None:
        return ""
    branch = tables.branch(mark.run)
    if branch is not None and branch.head.version >= mark.version:
        segment = Segment(mark.run, branch.forked_at, branch.head.version)
        if tables.link_at(segment, mark.version) == mark.link:
            return ""
    here = 0 if branch is None else branch.head.version
    name = path.name
    return (
        f"record {mark.version} of run {mark.run} was written and is not in it (it goes to {here}):"
        f" {name}-wal was taken away, or another file put in its place. Put {name}-wal back beside"
        f" it; if this is the file you want, delete {name}{SUFFIX}"
    )


def _beside(path: Path) -> Path:
    return path.with_name(path.name + SUFFIX)
