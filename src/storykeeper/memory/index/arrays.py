"""Files of named arrays: a short header, then the arrays, each aligned; read by mapping.

Written under another name, synced, renamed: a file with its name is whole. Sums are checked only
when asked for, because checking reads everything.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import os
import weakref
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from storykeeper.errors import UNREADABLE

MAGIC = b"SKARRAY2"
FRONT = len(MAGIC) + 8  # then the size and the sum of the header
ALIGN = 64

_FAILED = ctypes.c_void_p(-1).value

Arrays = dict[str, NDArray[Any]]


class Damaged(Exception):
    """A file that is not what its name says. Never leaves this package: it is made again."""


class _Entry(msgspec.Struct, frozen=True):
    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int  # from the end of the header
    crc: int


class _Header(msgspec.Struct, frozen=True):
    entries: list[_Entry]
    size: int  # of all that follows the header


def write_whole(path: Path, data: list[bytes | memoryview]) -> None:
    """Write all of it under another name, make it durable, and only then give it its name."""
    unfinished = path.with_name(path.name + ".new")
    with unfinished.open("wb") as file:
        for piece in data:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """All of them, or no file."""
    entries: list[_Entry] = []
    pieces: list[bytes | memoryview] = []
    offset = 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array)
        view = data.reshape(-1).view(np.uint8).data
        entries.append(_Entry(name, data.dtype.str, data.shape, offset, zlib.crc32(view)))
        padding = -len(view) % ALIGN
        pieces += [view, bytes(padding)]
        offset += len(view) + padding
    header = msgspec.msgpack.encode(_Header(entries, offset))
    start = FRONT + len(header)
    sizes = b"".join(n.to_bytes(4, "little") for n in (len(header), zlib.crc32(header)))
    front = MAGIC + sizes + header + bytes(-start % ALIGN)
    write_whole(path, [front, *pieces])


def read_arrays(path: Path, *, check: bool = False) -> Arrays:
    """The arrays, mapped and read-only; Damaged if it is not whole, OSError if it is not there."""
    mapped = _mapped(path)
    header, start = _header(path, mapped)
    arrays: Arrays = {}
    for entry in header.entries:
        dtype, size = _checked(entry, path.name)
        data = mapped[start + entry.offset : start + entry.offset + size]
        if len(data) != size:
            raise Damaged(f"{path.name}: {entry.name} is not all there")
        if check and zlib.crc32(data.data) != entry.crc:
            raise Damaged(f"{path.name}: {entry.name} is not what was written")
        # A plain array over the map: slicing a memmap costs more than the search of a small one.
        arrays[entry.name] = np.asarray(data).view(dtype).reshape(entry.shape)
    return arrays


def _checked(entry: _Entry, file: str) -> tuple[np.dtype[Any], int]:
    """The numbers of an entry, and its size in bytes; whoever wrote the file may be anybody."""
    try:
        dtype = np.dtype(entry.dtype)
    except TypeError as error:
        raise Damaged(f"{file}: {error}") from error
    if dtype.kind not in "biuf" or entry.offset < 0 or min(entry.shape, default=0) < 0:
        raise Damaged(f"{file}: {entry.name} is no array of numbers")
    return dtype, math.prod(entry.shape) * dtype.itemsize


class _Mapping:
    """The bytes of a file, mapped; the file is let go of at once, the memory with the last array.

    `mmap` keeps a descriptor for each file as long as it lives, and an index has many files.
    """

    def __init__(self, descriptor: int, size: int) -> None:
        map_, unmap = _system()
        address = map_(None, size, mmap.PROT_READ, mmap.MAP_SHARED, descriptor, 0)
        if address in (None, _FAILED):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        weakref.finalize(self, unmap, address, size)
        self.__array_interface__ = {
            "version": 3, "shape": (size,), "typestr": "|u1", "data": (address, True),
        }  # fmt: skip


def _mapped(path: Path) -> NDArray[np.uint8]:
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        return np.asarray(_Mapping(file.fileno(), size)) if size else np.empty(0, np.uint8)


@cache
def _system() -> tuple[Any, Any]:
    """The system's own mmap and munmap."""
    library = ctypes.CDLL(None, use_errno=True)
    whole, pointer = ctypes.c_size_t, ctypes.c_void_p
    library.mmap.argtypes = [pointer, whole, *[ctypes.c_int] * 3, ctypes.c_int64]
    library.mmap.restype = pointer
    library.munmap.argtypes = [pointer, whole]
    return library.mmap, library.munmap


def _header(path: Path, mapped: NDArray[np.uint8]) -> tuple[_Header, int]:
    front = bytes(mapped[:FRONT])
    if len(front) < FRONT or front[: len(MAGIC)] != MAGIC:
        raise Damaged(f"{path.name} does not begin as our files do")
    end = FRONT + int.from_bytes(front[len(MAGIC) : len(MAGIC) + 4], "little")
    packed = bytes(mapped[FRONT:end])
    if zlib.crc32(packed) != int.from_bytes(front[len(MAGIC) + 4 :], "little"):
        raise Damaged(f"{path.name}: its header is not what was written")
    try:
        header = msgspec.msgpack.decode(packed, type=_Header)
    except UNREADABLE as error:
        raise Damaged(f"{path.name}: {error}") from error
    start = end + (-end % ALIGN)
    if start + header.size != len(mapped):
        raise Damaged(f"{path.name} has {len(mapped)} bytes, not {start + header.size}")
    return header, start
