"""A connection to a file that anybody may have made: whatever is in it, a statement ends.

A tree of pages may be forged so that a walk through it never comes to its end, and a view or a
trigger may ask for any work at all. So each statement has a number of steps that no honest file of
its size needs, and each value a size that no honest value has.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain, repeat
from operator import length_hint
from pathlib import Path
from typing import Any

MAX_VALUE_BYTES = 2**28  # a snapshot of 10,000 turns has a hundredth of that
_ROUND = 100_000  # steps of SQLite's machine between two looks: a millisecond or so
_ROUNDS_AT_LEAST = 100
_STEPS_PER_BYTE = 4  # a row has eighty bytes at the least, and reading one takes some twenty steps

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_VALUE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 64,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 4,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 4,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM needs it
}


class Bounded(sqlite3.Connection):
    """A connection whose statements take no more steps than a file of its size can need."""

    _files: tuple[str, ...] = ()
    _patience: repeat[int] = repeat(0, 0)
    _whole = -1  # rounds of patience that a statement begins with

    def bind(self, path: Path) -> None:
        """Set the limits, of which the file decides one."""
        self._files = (str(path), f"{path}-wal")
        for name, most in _LIMITS.items():
            self.setlimit(name, most)

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run one statement, and count its steps from here."""
        if length_hint(self._patience) != self._whole:  # most statements use up nothing of it
            self._begin_anew()
        return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a statement for each of our rows: they may be more than there is in the file yet."""
        self.set_progress_handler(None, _ROUND)
        self._whole = -1
        return super().executemany(sql, parameters)

    def _begin_anew(self) -> None:
        """What answers 0, go on, as often as the files' size allows, and then 1.

        No line of Python runs in it: a Ctrl-C is not lost there, but comes after the statement.
        """
        size = 0
        for each in self._files:
            with suppress(OSError):
                size += os.stat(each).st_size  # noqa: PTH116 (at every append)
        self._whole = _ROUNDS_AT_LEAST + size * _STEPS_PER_BYTE // _ROUND
        self._patience = repeat(0, self._whole)
        self.set_progress_handler(chain(self._patience, repeat(1)).__next__, _ROUND)
