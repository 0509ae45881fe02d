"""A copy of a ledger that may be in use, and how much room a ledger takes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from storykeeper.errors import LedgerDamaged
from storykeeper.ledger import opening
from storykeeper.ledger.places import Place, open_to_check
from storykeeper.ledger.sqlite_errors import translated
from storykeeper.ledger.sqlite_file import CACHE_SUFFIX
from storykeeper.ledger.transfer import Progress, no_progress

_PAGES = 256  # copied between two calls of `progress`


def backup_file(source: Path, target: Path, *, progress: Progress = no_progress) -> Path:
    """Copy a ledger to a new file while others write to it; the copy is verified, then named.

    Copying `run.db` by hand while it is in use may leave out what is still in `run.db-wal`.
    """
    opening.recognise(source)
    with opening.only_new(target) as unfinished:
        with translated(source):
            _copy(source, unfinished, progress)
        refuse_damaged(unfinished)
    return target


def _copy(source: Path, target: Path, progress: Progress) -> None:
    reading = opening.connect_for_reading(source, busy_seconds=opening.BUSY_SECONDS)
    with closing(reading), closing(opening.connect(target, mode="rwc")) as copy:
        # One read transaction throughout: what others write meanwhile does not start it over.
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        reading.backup(
            copy, pages=_PAGES, progress=lambda _, left, total: progress(total - left, total)
        )


def refuse_damaged(path: Path) -> None:
    """Every run of a file verified."""
    with open_to_check(path) as ledger:
        for run in ledger.branches():
            verdict = ledger.verify(run)
            if not verdict.good:
                raise LedgerDamaged(
                    f"{path}: run {run}, record {verdict.bad_version}: {verdict.problem};"
                    " no backup was made of a damaged ledger; restore an older backup"
                )


def disk_use(at: Place) -> dict[str, int]:
    """Bytes on disk: the ledger, what is not yet moved into it, and the cache beside it.

    Nothing of a ledger in a database, whose server knows.
    """
    if not isinstance(at, Path):
        return {}
    path = at
    file, wal, shm = (_size(path.with_name(path.name + end)) for end in ("", "-wal", "-shm"))
    folder = path.with_name(path.name + CACHE_SUFFIX)
    index = sum(_size(each) for each in folder.rglob("*")) if folder.is_dir() else 0
    return {"ledger": file, "wal": wal, "shm": shm, "index": index}


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
