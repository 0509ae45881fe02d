"""SIGKILL while a memory is added to, searched, summed up, embedded again and rebuilt.

Run as a program this file is what gets killed; every line it prints is a promise. Afterwards
nothing promised is missing, the ledger holds together, every vector is of the space in force, and
what is found is what an index made anew would find.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from storykeeper import Memory, bootstrap
from storykeeper.memory import memory as memory_module
from storykeeper.memory import store as store_module
from storykeeper.memory.chats import Said
from storykeeper.memory.compaction.compacting import Means
from storykeeper.memory.signals import key_text
from storykeeper.units import MAIN

WORDS = ("oak", "pond", "key", "lamp", "wedding", "bean", "harbour", "candle", "marble", "orchid",
         "violin", "thistle")  # fmt: skip
PEOPLE = ("ana", "ben", None)
rarely = partial(pytest.param, marks=pytest.mark.long)
EMBEDDERS = ("even", "odd", "none")
ACTS = ("add", "add", "search", "search", "add_all", "retire", "compact", "change", "rebuild")


class Slow:
    """Vectors of the words' hashes, after a while, so that there is something to be killed in."""

    tiers, one_sided = (8, 16), False

    def __init__(self, name: str, *, seconds: float = 0.0) -> None:
        self.space, self.dims, self._seconds = f"{name}@1", 16, seconds

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        time.sleep(self._seconds * len(texts))
        made = [np.frombuffer(sha256((self.space + t).encode()).digest()[:16], np.int8)
                for t in texts]  # fmt: skip
        return np.stack(made)

    queries = passages


def named(name: str, *, seconds: float = 0.0, **_: object) -> Slow | None:
    return None if name == "none" else Slow(name, seconds=seconds)


# ── what gets killed ─────────────────────────────────────────────────────────────────────────


def say(*what: object) -> None:
    os.write(1, json.dumps(what).encode() + b"\n")


def work(path: Path, luck: random.Random) -> None:
    bootstrap.embedder_named = partial(named, seconds=luck.choice([0.0, 0.0005, 0.002]))
    memory_module.Means = lambda **given: Means(**{**given, "least": 2}, size=6, tail=4)
    store_module.COMMIT_EVERY = luck.choice([1, 16, 256])
    store_module.BATCH = luck.choice([8, 256])
    memory = Memory.open(path)
    for number in itertools.count():
        act = luck.choice(ACTS)
        if act == "add" or number == 0 or len(memory) < 5:
            text, eyes = line(luck, number), luck.choice(PEOPLE)
            item = memory.add(text, speaker="Ana", audience=None if eyes is None else {eyes})
            say("added", item, text)
        elif act == "search":
            memory.search(line(luck, number), audience=luck.choice(PEOPLE))
        elif act == "add_all":
            texts = [line(luck, number) for _ in range(luck.choice([3, 40, 120]))]
            ids = memory.add_all([Said(text, "Ben") for text in texts])
            say("added all", ids, texts)
        elif act == "retire":
            gone = memory.store.called([luck.randint(1, len(memory))])
            say("retiring", gone)
            memory.delete(gone)
            say("retired", gone)
        elif act == "compact":
            say("summed up", memory.compact().summaries)
        elif act == "change":
            memory.close()
            memory = Memory.open(path, embedder=luck.choice(EMBEDDERS))
            say("changing")
            if luck.random() < 0.5:
                memory.settle(wait=True)
                say("changed", memory.store.space)
        else:
            memory.rebuild()


def line(luck: random.Random, number: int) -> str:
    return f"{number} " + " ".join(luck.choices(WORDS, k=luck.randint(2, 9))) + "."


# ── and what is left ─────────────────────────────────────────────────────────────────────────


def killed(path: Path, luck: random.Random) -> list[list]:
    command = [sys.executable, __file__, str(path), str(luck.randrange(2**32))]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        first = process.stdout.readline()
        time.sleep(luck.uniform(0, 0.6))
        process.kill()
        told = (first + process.stdout.read()).decode()
        assert process.wait() < 0, "it ended by itself"
    return [json.loads(each) for each in told.split("\n")[:-1]]


class Promised:
    """What was acknowledged, over all the kills of one file."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.summaries: set[str] = set()
        self.gone: set[str] = set()
        self.perhaps_gone: set[str] = set()

    def heard(self, told: list[list]) -> None:
        for what, *more in told:
            match what:
                case "added":
                    self.texts[more[0]] = more[1]
                case "added all":
                    self.texts |= dict(zip(*more, strict=True))
                case "summed up":
                    self.summaries |= set(more[0])
                case "retiring":
                    self.perhaps_gone |= set(more[0])
                case "retired":
                    self.gone |= set(more[0])


def answers(memory: Memory) -> list:
    found = []
    for who in PEOPLE:
        for query in ("oak by the pond", "wedding key", "what did Ben say about the violin"):
            results = memory.search(query, audience=who, k=20)
            found.append(
                (results.hits, results.notes, memory.search(query, audience=who, budget=90))
            )
    return found


def check(memory: Memory, promised: Promised) -> None:
    store = memory.store
    assert store.ledger.verify(MAIN).good
    assert store.index.writable, "a killed writer left its lock"
    assert store.index_version == store.ledger.head(MAIN).version
    live = {item.id: item for item in store.items()}
    for item, text in promised.texts.items():
        assert item in live or item in promised.perhaps_gone, f"lost {item}"
        assert item not in live or live[item].text == text
    assert promised.gone.isdisjoint(live)
    assert promised.summaries - promised.perhaps_gone <= set(live)
    for item in live.values():
        if item.sources and set(item.sources) <= set(live):
            assert [each.id for each in memory.expand(item.id)] == list(item.sources)
    assert not store.tables.pending
    of_one_space(memory)
    before = answers(memory)
    memory.rebuild()
    assert answers(memory) == before


def of_one_space(memory: Memory) -> None:
    """Every vector is the one that the embedder in force gives."""
    store = memory.store
    chosen = store.ledger.last(MAIN, kind="embedder-chosen")
    assert chosen is not None
    assert store.space == chosen.record.space
    rows = np.flatnonzero(store.index.classes >= 0)
    if store.meaning is None:
        assert not store.index.vectors_of(rows).any()
    elif len(rows):
        texts = [key_text(store.item(int(row))) for row in rows]
        assert (store.index.vectors_of(rows) == store.meaning.embedder.passages(texts)).all()


def test_killed_at_any_moment(tmp_path, monkeypatch):
    from processes import chance, times

    monkeypatch.setattr(bootstrap, "embedder_named", named)
    luck = chance()
    path, promised = tmp_path / "0.db", Promised()
    Memory.open(path, embedder="even").close()
    for number in range(times(3, 100)):
        told = killed(path, luck)
        promised.heard(told)
        try:
            with Memory.open(path) as memory:
                check(memory, promised)
                rows = len(memory)
        except Exception as error:
            error.add_note(f"kill {number}; at last it said {told[-3:]}")
            raise
        if rows > 1_200:
            path, promised = tmp_path / f"{number + 1}.db", Promised()
            Memory.open(path, embedder=luck.choice(EMBEDDERS)).close()


@pytest.mark.parametrize("step", [0, rarely(1), 3, rarely(4), 6])  # before and after each
def test_stopped_at_every_step_of_a_change(tmp_path, monkeypatch, step):
    """The new space is written, chosen, and the old let go of: each step in turn is the last."""
    monkeypatch.setattr(bootstrap, "embedder_named", named)
    path = tmp_path / "chat.db"
    with Memory.open(path, embedder="even") as memory:
        memory.add_all([Said(f"{n} oak pond key") for n in range(20)])
    command = [sys.executable, __file__, str(path), str(step), "change"]
    done = subprocess.run(command, check=False, timeout=60)
    assert done.returncode == -9
    promised = Promised()
    promised.texts = {f"m{n + 1}": f"{n} oak pond key" for n in range(20)}
    with Memory.open(path) as memory:
        check(memory, promised)
        assert memory.store.space == ("even@1" if step == 0 else "odd@1")
        if step > 0:  # chosen: nothing stays of the old one
            folders = path.with_name("chat.db.index").iterdir()
            assert [folder.name for folder in folders] == ["odd@1"]
            assert memory.store._shelf.vectors.count("even@1") == 0
    with Memory.open(path, embedder="odd") as memory:
        assert memory.settle(wait=True)
        check(memory, promised)


def change(path: Path, last: int) -> None:
    """Change the embedder, and die at the n-th step of it."""
    import signal

    steps = itertools.count()

    def dying(real):
        def called(*args, **kwargs):
            if next(steps) == last:
                os.kill(os.getpid(), signal.SIGKILL)
            made = real(*args, **kwargs)
            if next(steps) == last:
                os.kill(os.getpid(), signal.SIGKILL)
            return made

        return called

    bootstrap.embedder_named = named
    memory = Memory.open(path, embedder="odd")
    memory.reembedding.wait()
    store = memory.reembedding._store
    store.ledger.append = dying(store.ledger.append)
    store.commit = dying(store.commit)
    memory.store._forget = dying(memory.store._forget)
    memory.store._shelf.vectors.drop = dying(memory.store._shelf.vectors.drop)
    memory.settle()
    memory.close()


if __name__ == "__main__":
    if sys.argv[3:] == ["change"]:
        change(Path(sys.argv[1]), int(sys.argv[2]))
    else:
        work(Path(sys.argv[1]), random.Random(int(sys.argv[2])))
