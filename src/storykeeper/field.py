"""A field: several who act on their own, a knowledge base, and what each of them is told.

What `bootstrap` is to a story, this is to a field: where the parts are wired.
"""

from __future__ import annotations

from contextlib import ExitStack

from storykeeper.bootstrap import Memory
from storykeeper.canon.knowledge_base import KnowledgeBase, Progress
from storykeeper.memory.library import Ingested, Library

LIBRARY = ".library"  # beside the registry: made from the sources, and may be deleted


def open_library(
    base: KnowledgeBase, *, embedder: str = "none", progress: Progress | None = None
) -> tuple[Library, Ingested]:
    """The passages of a knowledge base, up to date; what is new is taken in."""
    folder = base.folder / LIBRARY
    folder.mkdir(exist_ok=True)
    library = Library(Memory.open(folder / "passages.db", embedder=embedder))
    with ExitStack() as unless_good:
        unless_good.callback(library.close)
        done = library.fill(base, progress)
        unless_good.pop_all()
    return library, done
