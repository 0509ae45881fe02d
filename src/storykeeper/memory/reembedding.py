"""What a memory holds, embedded once more in another space, while it is searched in the old one.

The two never meet: the new space has a store, an index and vectors of its own, and is searched only
when all of it is there. Work that is broken off is on the shelf, and is not done again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from storykeeper.errors import StorykeeperError
from storykeeper.events.remembered import EmbedderChosen
from storykeeper.memory.store import Store
from storykeeper.models.embedders.cache import Progress
from storykeeper.units import TurnNo


class _Stopped(StorykeeperError):
    """Somebody closed the memory before all was done."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A change of embedder that could not be begun, and why; the old space stays in force."""

    problem: str

    def wait(self, timeout_seconds: float | None = None) -> bool:
        """There is nothing to wait for, and it is not ready."""
        return False

    def stop(self) -> None:
        """Nothing is under way."""


class Reembedding:
    """A change of embedder under way, on a thread of its own."""

    def __init__(self, store: Store, *, called: str, progress: Progress | None = None) -> None:
        """`store` is in the new space, and nobody else's; `called` is the embedder's name."""
        self.done = 0
        self.total = 0
        self.problem = ""  # why it cannot be done; the old space stays in force
        self._store = store
        self._called = called
        self._progress = progress
        self._stop = threading.Event()
        self._whole = threading.Event()
        self._thread = threading.Thread(target=self._run, name="storykeeper-embed", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> bool:
        """Whether all of it is there."""
        return self._whole.is_set()

    def wait(self, timeout_seconds: float | None = None) -> bool:
        """Wait until it is done or cannot be; whether it is ready."""
        self._thread.join(timeout_seconds)
        return self.ready

    def stop(self) -> None:
        """Break it off; what was embedded stays on the shelf."""
        self._stop.set()
        self._thread.join()
        self._store.close()

    def adopted(self) -> Store:
        """The new store, in force from here on; what came meanwhile is added first."""
        self._thread.join()
        store = self._store
        chosen = EmbedderChosen(TurnNo(0), store.space, self._called)
        store.append(lambda n: [EmbedderChosen(TurnNo(n - 1), chosen.space, chosen.embedder)])
        store.commit()
        return store

    def _run(self) -> None:
        store = self._store
        try:
            if store.tables.pending:  # an earlier try was let down: those have no vectors yet
                store.rebuild(self._tell)
            store.catch_up(self._tell)
            store.commit()
        except _Stopped:
            return
        except (StorykeeperError, OSError) as error:  # a full disk stops it, and that is said
            self.problem = str(error)
            return
        if store.tables.pending:
            self.problem = store.unavailable
        else:
            self._whole.set()

    def _tell(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        if self._progress is not None:
            self._progress(done, total)
        if self._stop.is_set():
            raise _Stopped("the memory was closed")
