"""Memories to measure, in folders that go when they are done with."""

from __future__ import annotations

import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp

from storykeeper.memories import Memory
from storykeeper.memory.meaning import Meaning
from storykeeper.memory.store import Store


def fresh(*, embedder: str | None = None, meaning: Meaning | None = None) -> Memory:
    """An empty memory in a file of its own; the file goes when nobody holds the memory.

    `meaning`: the same embedder with a shelf that several memories share, so that what is in all of
    them is embedded once.
    """
    folder = Path(mkdtemp(prefix="storykeeper-bench-"))
    memory = Memory.open(folder / "chat.db", embedder=embedder)
    if meaning is not None:
        memory.store.meaning = meaning
    weakref.finalize(memory, _gone, memory.store, folder)
    return memory


def _gone(store: Store, folder: Path) -> None:
    store.close()
    shutil.rmtree(folder, ignore_errors=True)
