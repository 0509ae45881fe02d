"""`AsyncMemory`: a `Memory` for programs that await. There is no second implementation.

    memory = await AsyncMemory.open("chat.db")
    await memory.add("I moved the meeting to Friday", speaker="Ana")
    found = await memory.search("when is the meeting")

Every method is that of `Memory`, called on one thread of the memory's own: the event loop is free
meanwhile, and calls are answered in the order in which they were made. A call that is cancelled
while it runs is finished there all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from storykeeper.errors import MemoryProblem
from storykeeper.memories import Memory
from storykeeper.memory.hooks import Hook

P = ParamSpec("P")
R = TypeVar("R")


def awaited(
    method: Callable[Concatenate[Memory, P], R],
) -> Callable[Concatenate[AsyncMemory, P], Awaitable[R]]:
    """The method of `Memory`, on the thread of whoever awaits it."""

    @wraps(method)
    async def called(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self.thread.run(partial(method, self.memory, *args, **kwargs))

    return called


class Thread:
    """One thread, which does what it is given in the order in which it was given."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="storykeeper-memory")
        self.closed = False

    async def run(self, call: Callable[[], R]) -> R:
        """What a call returns or raises there."""
        if self.closed:
            raise MemoryProblem("this memory is closed; open it again")
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    def close(self) -> None:
        """End, behind what it was given; do nothing if it has ended."""
        self.closed = True
        self._pool.shutdown(wait=False)


class AsyncMemory:
    """A memory whose methods are awaited."""

    def __init__(self, memory: Memory, *, thread: Thread | None = None) -> None:
        """Of a memory that is open; `AsyncMemory.open` opens one."""
        self.memory = memory
        self.thread = thread or Thread()

    @classmethod
    async def open(cls, path: str | Path, **options: Any) -> Self:
        """Open a memory, or begin one; the options are those of `Memory.open`."""
        thread = Thread()
        with ExitStack() as unless_good:
            unless_good.callback(thread.close)
            memory = await thread.run(partial(Memory.open, path, **options))
            unless_good.pop_all()
        return cls(memory, thread=thread)

    add = awaited(Memory.add)
    add_all = awaited(Memory.add_all)
    load = awaited(Memory.load)
    search = awaited(Memory.search)
    context = awaited(Memory.context)
    get = awaited(Memory.get)
    list = awaited(Memory.list)
    history = awaited(Memory.history)
    profile = awaited(Memory.profile)
    expand = awaited(Memory.expand)
    update = awaited(Memory.update)
    used = awaited(Memory.used)
    delete = awaited(Memory.delete)
    forget = awaited(Memory.forget)
    sweep = awaited(Memory.sweep)
    deduplicate = awaited(Memory.deduplicate)
    compact = awaited(Memory.compact)
    settle = awaited(Memory.settle)
    rebuild = awaited(Memory.rebuild)
    count = awaited(Memory.__len__)

    async def export(self) -> tuple[dict[str, Any], ...]:
        """What was said in this namespace, all at once."""
        return await self.thread.run(lambda: tuple(self.memory.export()))

    def on(self, what: str, hook: Hook) -> Callable[[], None]:
        """Tell a hook, on the memory's thread, after something was done."""
        return self.memory.on(what, hook)

    def within(self, *, namespace: str | None = None, session: str | None = None) -> Self:
        """The same memory, on the same thread, for another namespace or session."""
        inner = self.memory.within(namespace=namespace, session=session)
        return type(self)(inner, thread=self.thread)

    async def close(self) -> None:
        """Let go of the file, behind whatever was asked before."""
        if not self.thread.closed:
            await self.thread.run(self.memory.close)
            self.thread.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()
