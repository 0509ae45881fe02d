"""`AsyncMemory`: the same, awaited."""

from __future__ import annotations

import asyncio
import inspect
import threading

import pytest

from storykeeper import AsyncMemory, Memory
from storykeeper.errors import MemoryProblem, NoSuchItem

OF_ONE_ONLY = {"open", "close", "store", "reembedding", "memory", "opened", "reach"}


def test_it_has_every_method_of_a_memory():
    public = {name for name, _ in inspect.getmembers(Memory) if not name.startswith("_")}
    for name in public - OF_ONE_ONLY:
        assert hasattr(AsyncMemory, name), name
    assert inspect.signature(AsyncMemory.search) == inspect.signature(Memory.search)
    assert AsyncMemory.search.__doc__ == Memory.search.__doc__


def test_a_memory_is_awaited(tmp_path):
    async def play():
        async with await AsyncMemory.open(tmp_path / "chat.db", embedder="none") as memory:
            ids = await asyncio.gather(*(memory.add(f"Oak {n}") for n in range(20)))
            assert ids == [f"m{n}" for n in range(1, 21)]
            ben = memory.within(namespace="ben")
            his = await ben.add("The pond")
            assert (await ben.search("pond"))[0].item.id == his
            assert len(await memory.list()) == await memory.count() - 1 == 20
            assert len(await memory.export()) == 20
            heard = []
            memory.on("delete", lambda happened: heard.append(threading.current_thread().name))
            assert await memory.delete("m1") == 1
            assert heard[0].startswith("storykeeper-memory")
            with pytest.raises(NoSuchItem):
                await memory.get("m1")
            await memory.close()
        with pytest.raises(MemoryProblem, match="closed"):
            await memory.get("m2")

    asyncio.run(play())
    with Memory.open(tmp_path / "chat.db") as memory:
        assert len(memory) == 21


def test_the_loop_is_free_while_a_memory_works():
    async def play():
        async with await AsyncMemory.open(":memory:", embedder="none") as memory:
            begun, go = asyncio.Event(), threading.Event()
            loop = asyncio.get_running_loop()

            def hook(_happened):
                loop.call_soon_threadsafe(begun.set)
                assert go.wait(10)

            memory.on("add", hook)
            adding = asyncio.create_task(memory.add("The oak"))
            await asyncio.wait_for(begun.wait(), 10)  # it would wait for good, were the loop held
            go.set()
            assert await adding == "m1"

    asyncio.run(play())


def test_what_cannot_be_opened_leaves_no_thread(tmp_path):
    (tmp_path / "chat.db").write_text("no ledger")

    async def play():
        with pytest.raises(MemoryProblem, match="namespace"):
            await AsyncMemory.open(":memory:", namespace="x" * 999)
        with pytest.raises(Exception, match=r"chat\.db"):
            await AsyncMemory.open(tmp_path / "chat.db")

    asyncio.run(play())
    for thread in threading.enumerate():
        if thread.name.startswith("storykeeper-memory"):
            thread.join(10)
            assert not thread.is_alive()
