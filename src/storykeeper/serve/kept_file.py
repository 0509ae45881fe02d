"""A small file that several processes read: in the data folder, or in the service's database."""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Protocol

from storykeeper.errors import LedgerBusy, SettingsInvalid
from storykeeper.ledger.places import service_tables
from storykeeper.ledger.postgres.place import SERVICE, is_address, shown

FRESH_SECONDS = 1.0  # for so long what was read in a database is not asked for again
STALE_SECONDS = 60.0  # for so long it may be used if the database cannot be asked


class KeptFile(Protocol):
    """Its bytes, and what tells one edition from another."""

    def edition(self) -> int:
        """Which edition it is; 0, if there is none."""

    def read(self) -> bytes:
        """The edition that was asked for last."""

    def write(self, body: bytes) -> None:
        """Another edition: all of it, or nothing."""


def kept_file(data: Path | str, name: str) -> KeptFile:
    """The file of a name in a data folder or a database."""
    if is_address(str(data)):
        return _InDatabase(str(data), name)
    return _InFolder(Path(data) / name)


class _InFolder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def __str__(self) -> str:
        return str(self._path)

    def edition(self) -> int:
        try:
            return self._path.stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    def read(self) -> bytes:
        return self._path.read_bytes()

    def write(self, body: bytes) -> None:
        """Readable by its owner alone."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.stem}-")
        with os.fdopen(handle, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(self._path)


class _InDatabase:
    """Under the service's own tenant, which is nobody's name."""

    def __init__(self, conninfo: str, name: str) -> None:
        self._conninfo = conninfo
        self._name = name
        self._read = (0, b"")
        self._asked = float("-inf")

    def __str__(self) -> str:
        return f"{self._name} in {shown(self._conninfo)}"

    def edition(self) -> int:
        now = time.monotonic()
        if now - self._asked >= FRESH_SECONDS:
            try:
                self._look()
                self._asked = now
            except LedgerBusy:
                if now - self._asked > STALE_SECONDS:
                    raise
        return self._read[0]

    def _look(self) -> None:
        with closing(service_tables(self._conninfo)) as tables:
            self._read = tables.note(SERVICE, self._name)

    def read(self) -> bytes:
        return self._read[1]

    def write(self, body: bytes) -> None:
        with closing(service_tables(self._conninfo)) as tables:
            if not tables.put_note(SERVICE, self._name, body, edition=self._read[0]):
                self._asked = float("-inf")
                raise SettingsInvalid(f"{self} was changed meanwhile; do it again")
        self._asked = float("-inf")
