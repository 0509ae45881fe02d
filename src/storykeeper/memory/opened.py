"""A memory's file while it is open: one store, one lock and one clock for all who use it."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from storykeeper.errors import MemoryProblem
from storykeeper.memory.hooks import Hooks
from storykeeper.memory.reembedding import Reembedding, Unchanged
from storykeeper.memory.search import Asked, view_of
from storykeeper.memory.store import Store

Clock = Callable[[], int]  # milliseconds since 1970; given from outside


class Opened:
    """What `Memory.open` opened, shared by the namespaces and sessions it is used in."""

    def __init__(self, store: Store, *, clock: Clock | None = None) -> None:
        """The clock is asked for nothing but whether something has expired."""
        self.store = store
        # A change of embedder under way, or one that could not be begun.
        self.reembedding: Reembedding | Unchanged | None = None
        self.lock = RLock()
        self.hooks = Hooks()
        self._clock = clock
        self._closed = False

    def now_ms(self, now_ms: int | None = None) -> int | None:
        """When it is asked, as whoever asks says; else by the clock, if there is one."""
        if now_ms is not None or self._clock is None:
            return now_ms
        return self._clock()

    def settle(self, *, wait: bool = False) -> bool:
        """Search in the new space from here on, if one is being made and it is whole."""
        if self._closed:
            raise MemoryProblem("this memory is closed; open it again")
        change = self.reembedding
        if change is None:
            return True
        if wait:
            change.wait()
        if isinstance(change, Reembedding) and change.ready:
            old, self.store = self.store, change.adopted()
            old.discard()
            self.reembedding = None
        return self.reembedding is None

    def up_to_date(self) -> Store:
        """Know what others added; nobody waits long for their words to be embedded."""
        self.settle()
        self.store.catch_up(soon=True)
        return self.store

    def close(self) -> None:
        """Let go of the file; a change of embedder goes on the next time it is asked for."""
        if self._closed:
            return
        if self.reembedding is not None and not self.settle():
            self.reembedding.stop()
        self._closed = True
        self.store.close()


def embedder_notes(opened: Opened, asked: Asked) -> tuple[str, ...]:
    """What whoever asks should know of the embedder."""
    notes: list[str] = []
    if opened.reembedding is not None and opened.reembedding.problem:
        notes.append(f"The embedder is not changed: {opened.reembedding.problem}")
    refused = opened.store.refused()
    seen = view_of(opened.store, asked).every.mask if refused else ()
    if count := sum(bool(seen[row]) for row in refused):
        notes.append(f"{count:,} items are found by words alone: the embedder refuses them")
    return tuple(notes)
