"""What is left of spaces that were searched before: a change of embedder may be cut short.

Only what was in force and is no more is deleted, and only if nobody holds it.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from storykeeper.memory.naming import folder_of

if TYPE_CHECKING:
    from storykeeper.ledger.port import Vectors


def sweep(beside: Path, spaces: Iterable[str], vectors: Vectors | None) -> None:
    """Delete the indexes and vectors of spaces; `beside` is the folder of the one in force."""
    for space in spaces:
        gone = _deleted(beside.with_name(folder_of(space)))
        if gone and vectors is not None and vectors.count(space):
            vectors.drop(space)


def _deleted(folder: Path) -> bool:
    """Whether nothing is left of a folder; it stays while somebody writes to it."""
    from storykeeper.memory.index.folder import LOCK

    if not folder.is_dir():
        return True
    try:
        with (folder / LOCK).open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            rmtree(folder)
    except OSError:  # held by another, or it cannot be written: the next to open it tries again
        return False
    return True
