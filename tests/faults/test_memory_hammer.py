"""A memory hammered by threads and by processes: every acknowledged change is there, once."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from collections import Counter

import pytest

from storykeeper import OWNER, Memory
from storykeeper.errors import NoSuchItem
from strategies.sizes import times

WORKERS, ROUNDS = 4, times(12, 60)

WORKER = """
    import random, sys
    from storykeeper import Memory
    from storykeeper.errors import NoSuchItem

    path, who, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    luck = random.Random(who)
    with Memory.open(path) as memory:
        mine = memory.within(namespace=who)
        for n in range(rounds):
            item = mine.add(f"{who} said {n}", metadata={"n": n, "who": who})
            print("added", item, n, flush=True)
            memory.add("The oak is old", speaker="all", once=True)
            memory.search("oak said", where={"n": {"$gte": 0}}, k=3)
            if n % 3 == 1:
                mine.update(item, text=f"{who} meant {n}", metadata={"n": -n})
                print("updated", item, n, flush=True)
            if n % 3 == 2:
                assert mine.delete(item) == 1
                print("deleted", item, n, flush=True)
            if n % 6 == 0:
                memory.list(where={"who": who}, limit=5)
"""


def test_processes_that_change_one_memory(tmp_path):
    path = tmp_path / "chat.db"
    Memory.open(path, embedder="none").close()
    code = textwrap.dedent(WORKER)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path), f"w{n}", str(ROUNDS)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for n in range(WORKERS)
    ]  # fmt: skip
    said = [worker.communicate(timeout=300) for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * WORKERS, said
    with Memory.open(path) as memory:
        for anew in (False, True):
            if anew:
                memory.rebuild()
            for who, (out, _) in enumerate(said):
                _as_acknowledged(memory.within(namespace=f"w{who}"), f"w{who}", out)
            assert [item.text for item in memory.list()] == ["The oak is old"]
        assert memory.store.ledger.verify(memory.store.run).good


def _as_acknowledged(memory: Memory, who: str, out: str) -> None:
    state: dict[str, tuple[str, str]] = {}
    for line in out.splitlines():
        what, item, n = line.split()
        state[item] = (what, n)
    assert len(state) == ROUNDS  # no id was given twice
    for item, (what, n) in state.items():
        if what == "deleted":
            with pytest.raises(NoSuchItem):
                memory.get(item)
        else:
            verb, number = ("said", int(n)) if what == "added" else ("meant", -int(n))
            found = memory.get(item)
            assert (found.text, found.metadata["n"]) == (f"{who} {verb} {n}", number)


def test_threads_that_change_one_memory():
    failures: list[BaseException] = []
    with Memory.open(":memory:", embedder="none") as memory:
        heard: Counter[str] = Counter()
        for what in ("add", "update", "delete", "search"):
            memory.on(what, lambda happened: heard.update([happened.what]))
        go = threading.Barrier(WORKERS)

        def work(who: str) -> None:
            mine = memory.within(namespace=who)
            try:
                go.wait(30)
                for n in range(ROUNDS * 2):
                    item = mine.add(f"{who} said {n}", metadata={"n": n})
                    mine.update(item, metadata={"n": -n})
                    assert mine.get(item).metadata == {"n": -n} if n else {"n": 0}
                    assert mine.search(f"{who} said {n}", where={"n": -n}, k=1)[0].item.id == item
                    if n % 2:
                        assert mine.delete(where={"n": -n}) == 1
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
        assert failures == []
        assert memory.list(audience=OWNER).total == WORKERS * ROUNDS
        assert heard == {
            "add": 2 * WORKERS * ROUNDS, "search": 2 * WORKERS * ROUNDS,
            "update": WORKERS * (2 * ROUNDS - 1) + WORKERS, "delete": WORKERS * ROUNDS,
        }  # fmt: skip
