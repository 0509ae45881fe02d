"""The folder: who writes, which files count, and what is thrown away.

`head.json` is renamed into place last of all: the files it names are there and whole, and files it
does not name are left over and deleted by the next writer. One process writes; it holds a lock that
the system takes back when it dies. Others read the last commit.
"""

from __future__ import annotations

import fcntl
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

from storykeeper.errors import UNREADABLE, MemoryProblem
from storykeeper.memory.index.arrays import Damaged, read_arrays, write_arrays, write_whole
from storykeeper.memory.index.segments import (
    Segment,
    derive,
    derived_arrays,
    derived_from,
    renamed,
    truth_arrays,
    truth_from,
)
from storykeeper.memory.index.values import Shape, Stamp

FORMAT = 3
CHECKED_BYTES = 1 << 27  # up to so many, every file is read against its sums when opened
HEAD = "head.json"
LOCK = "lock"
ROWS, TIERS, NEW = ".rows", ".tiers", ".new"
_TRIES = 5  # a writer may delete what a reader is about to open


class Piece(msgspec.Struct, frozen=True):
    """A segment, as the head names it."""

    name: str
    rows: int
    clean: bool  # false: its derived file could not be written


class Head(msgspec.Struct, frozen=True):
    """The state of one commit."""

    format: int
    shape: Shape
    stamp: Stamp
    pieces: list[Piece]
    next: int = 0  # the number of the next segment


class Folder:
    """A folder of segments, held for writing or only read."""

    def __init__(self, path: Path, shape: Shape, *, read_only: bool = False) -> None:
        """Where nothing can be written, or nothing may be, it is only read."""
        self.path = path
        self.shape = shape
        self._lock: IO[bytes] | None = None if read_only else _held(path)
        self._next = 0

    @property
    def writable(self) -> bool:
        """Whether the lock is ours, and still the folder's: erasing deletes it with the folder."""
        if self._lock is None:
            return False
        try:
            there = (self.path / LOCK).stat()
        except OSError:
            return False
        return os.path.samestat(os.fstat(self._lock.fileno()), there)

    def load(self, *, check: bool = False) -> tuple[list[Segment], Stamp]:
        """The segments of the last commit, what is dirty made again; nothing if it is not ours."""
        for _ in range(_TRIES):
            head = self._head()
            if head is None:
                break
            try:
                segments = self._open_all(head, check=check or self._is_small(head))
            except (OSError, Damaged):
                continue  # merged away under a reader's eyes, or broken for good
            self._next = head.next
            if self.writable:
                segments = self._mended(head, segments)
            return segments, head.stamp
        if self.writable:
            self.clear()
        return [], Stamp()

    def save(self, segments: Sequence[Segment], stamp: Stamp) -> list[Segment]:
        """Make this the state of the folder; the segments come back as they are on disk."""
        saved = [s if s.name else self._written(s) for s in segments]
        self._point(saved, stamp)
        return saved

    def clear(self) -> None:
        """Nothing is left: first it counts no more, then it is deleted."""
        (self.path / HEAD).unlink(missing_ok=True)
        _sync(self.path)
        self._clean(keep=())

    def close(self) -> None:
        """Let go of the lock."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _head(self) -> Head | None:
        try:
            text, _, crc = (self.path / HEAD).read_bytes().partition(b"\n")
            if crc != _crc(text):
                return None
            head = msgspec.json.decode(text, type=Head)
        except (OSError, *UNREADABLE):
            return None
        return head if (head.format, head.shape) == (FORMAT, self.shape) else None

    def _is_small(self, head: Head) -> bool:
        """Whether reading all of it against its sums takes no time to speak of."""
        paths = [self.path / (piece.name + end) for piece in head.pieces for end in (ROWS, TIERS)]
        return sum(p.stat().st_size for p in paths if p.exists()) <= CHECKED_BYTES

    def _open_all(self, head: Head, *, check: bool) -> list[Segment]:
        segments: list[Segment] = []
        base = 0
        for piece in head.pieces:
            segments.append(self._opened(piece, base, check=check))
            base += piece.rows
        return segments

    def _opened(self, piece: Piece, base: int, *, check: bool) -> Segment:
        truth = truth_from(read_arrays(self.path / (piece.name + ROWS), check=check), self.shape)
        if len(truth.full) != piece.rows:
            raise Damaged(f"{piece.name} has {len(truth.full)} rows, not {piece.rows}")
        if piece.clean:
            try:
                arrays = read_arrays(self.path / (piece.name + TIERS), check=check)
                derived = derived_from(arrays, truth, self.shape)
                return Segment(base, truth, derived, piece.name, clean=True)
            except (OSError, Damaged):
                pass  # lost or torn: as good as marked dirty
        return Segment(base, truth, derive(truth, self.shape), piece.name, clean=False)

    def _mended(self, head: Head, segments: Sequence[Segment]) -> list[Segment]:
        """Derived files written again where they were dirty, and leftovers deleted."""
        mended = [s if s.clean else self._with_tiers(s) for s in segments]
        pieces = [Piece(s.name, s.rows, s.clean) for s in mended]
        if pieces != head.pieces:
            self._point(mended, head.stamp)
        else:
            self._clean(keep=[s.name for s in mended])
        return mended

    def _written(self, segment: Segment) -> Segment:
        name = f"{self._next:08d}"
        self._next += 1
        path = self.path / (name + ROWS)
        write_arrays(path, truth_arrays(segment.truth))
        truth = truth_from(read_arrays(path), self.shape)
        return self._with_tiers(Segment(segment.base, truth, segment.derived, name))

    def _with_tiers(self, segment: Segment) -> Segment:
        """The derived file written; if that fails the segment is dirty, and works from memory."""
        path = self.path / (segment.name + TIERS)
        try:
            write_arrays(path, derived_arrays(segment.derived))
            derived = derived_from(read_arrays(path), segment.truth, self.shape)
        except OSError:
            return renamed(segment, name=segment.name, clean=False)
        return Segment(segment.base, segment.truth, derived, segment.name, clean=True)

    def _point(self, segments: Sequence[Segment], stamp: Stamp) -> None:
        """The commit: everything named is on disk, then the head is renamed over the old one."""
        _sync(self.path)
        pieces = [Piece(s.name, s.rows, s.clean) for s in segments]
        head = Head(FORMAT, self.shape, stamp, pieces, self._next)
        text = msgspec.json.encode(head)
        write_whole(self.path / HEAD, [text, b"\n", _crc(text)])
        _sync(self.path)
        self._clean(keep=[s.name for s in segments])

    def _clean(self, *, keep: Sequence[str]) -> None:
        """Delete our files that do not count."""
        named = {name + suffix for name in keep for suffix in (ROWS, TIERS)}
        for path in sorted(self.path.iterdir()):
            if path.suffix in (ROWS, TIERS, NEW) and path.name not in named:
                path.unlink(missing_ok=True)


def _crc(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)


def _held(path: Path) -> IO[bytes] | None:
    """The lock of a folder, which is made if it is not there; none if it cannot be had."""
    _refuse_link(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        where = path if path.exists() else path.parent
        raise MemoryProblem(
            f"{where} is a file, and the index wants to be a folder there: move it away"
        ) from error
    except OSError:  # a folder that others may only read, a disk that is full
        return None
    return _locked(path / LOCK)


def _refuse_link(path: Path) -> None:
    """A stranger's cache may be a link to a folder of one's own, and files there are deleted."""
    for each in (path, *path.parents):
        if each.is_symlink():
            raise MemoryProblem(f"{each} is a link, and the index wants to be a folder: remove it")
        if each.suffix == ".index":
            return


def _locked(path: Path) -> IO[bytes] | None:
    """The open lock file, or none if another has it."""
    try:
        file = path.open("ab")
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _sync(folder: Path) -> None:
    """Names in a folder are durable only once the folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
