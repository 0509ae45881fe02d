"""Runs and memories as a service holds them: opened when asked for, let go when unused.

    use(name, opening, work)   work(opened) on a worker thread; one caller at a time is in each

What is idle costs nothing but its file. What is open is bounded; the longest unused is closed
first, and never one that somebody is using.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, Protocol, TypeVar

from storykeeper.errors import StorykeeperError


class Closeable(Protocol):
    """What is opened and let go: a run, a memory."""

    def close(self) -> None:
        """Let go of the file."""


Answer = TypeVar("Answer")
Kept = TypeVar("Kept", bound=Closeable)


@dataclass(slots=True)
class _Held(Generic[Kept]):
    """One that is open, or is being opened."""

    kept: Kept | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    callers: int = 0


class Pool(Generic[Kept]):
    """What is open, by name, and the threads that work on it."""

    def __init__(
        self, *, workers: int, most: int, refresh: Callable[[Kept], None] | None = None
    ) -> None:
        """`refresh`: what is open reads on what other processes wrote, before it is used."""
        self._refresh = refresh
        self._held: OrderedDict[str, _Held[Kept]] = OrderedDict()
        self._most = most
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="storykeeper")
        self._after: set[asyncio.Task[None]] = set()

    @property
    def open_now(self) -> int:
        """How many are open."""
        return sum(held.kept is not None for held in self._held.values())

    async def call(self, work: Callable[[], Answer]) -> Answer:
        """Work that needs nothing open, on a worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def use(
        self, name: str, opening: Callable[[], Kept], work: Callable[[Kept], Answer]
    ) -> Answer:
        """What `work` makes of the one of this name; alone with it meanwhile."""
        held = self._held.setdefault(name, _Held[Kept]())
        self._held.move_to_end(name)
        held.callers += 1
        try:
            async with held.lock:
                return await _unbroken(self.call(partial(self._worked, held, opening, work)))
        finally:
            held.callers -= 1
            await self._let_go_of_some()

    def afterwards(self, work: Awaitable[object]) -> None:
        """Something that nobody waits for; `drain` does."""

        async def quietly() -> None:
            with suppress(StorykeeperError):  # the next caller meets the same, and is told
                await work

        task = asyncio.ensure_future(quietly())
        self._after.add(task)
        task.add_done_callback(self._after.discard)

    async def forget(self, name: str) -> None:
        """Close one, so that its file can be moved or removed."""
        held = self._held.get(name)
        if held is None:
            return
        async with held.lock:
            await self.call(partial(_close, held))
        if not held.callers:
            self._held.pop(name, None)

    async def drain(self) -> None:
        """Finish what is under way, and close everything."""
        while self._after:
            await asyncio.gather(*self._after, return_exceptions=True)
        for name in list(self._held):
            with suppress(StorykeeperError):  # what was acknowledged is kept all the same
                await self.forget(name)
        self._threads.shutdown(wait=True)

    def _worked(
        self, held: _Held[Kept], opening: Callable[[], Kept], work: Callable[[Kept], Answer]
    ) -> Answer:
        if held.kept is None:
            held.kept = opening()
        elif self._refresh is not None:
            self._refresh(held.kept)
        return work(held.kept)

    async def _let_go_of_some(self) -> None:
        unused = [name for name, held in self._held.items() if not held.callers]
        for name in unused[: max(0, len(self._held) - self._most)]:
            with suppress(StorykeeperError):  # its next caller meets the same, and is told
                await self.forget(name)


async def _unbroken(work: Awaitable[Answer]) -> Answer:
    """A thread cannot be called back: if its caller goes, the run stays locked till it ends."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(Exception):  # nobody is left to be told
            await task
        raise


def _close(held: _Held[Kept]) -> None:
    kept, held.kept = held.kept, None
    if kept is not None:
        kept.close()
