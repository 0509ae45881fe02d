"""Memories to measure, in folders that go when they are done with."""

from __future__ import annotations

import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp

from storykeeper.memories import Memory
from storykeeper.memory.store import Store


def fresh(*, embedder: str | None = None) -> Memory:
    """An empty memory in a file of its own; the file goes when nobody holds the memory."""
    folder = Path(mkdtemp(prefix="storykeeper-bench-"))
    memory = Memory.open(folder / "chat.db", embedder=embedder)
    weakref.finalize(memory, _gone, memory.store, folder)
    return memory


def _gone(store: Store, folder: Path) -> None:
    store.close()
    shutil.rmtree(folder, ignore_errors=True)
