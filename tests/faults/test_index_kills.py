"""SIGKILL while the index adds, commits, joins, hides and repairs: one whole commit is left.

Run as a program this file is what gets killed; every line it prints is a promise.
"""

import itertools
import os
import random
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from processes import chance, times

from storykeeper.memory.index import index as index_module
from storykeeper.memory.index.index import Index
from storykeeper.memory.index.values import RowData, Stamp

DIMS, TIERS, WORDS = 16, (4, 8), 50


def opened(folder: Path | None) -> Index:
    return Index.open(folder, space="killed", dims=DIMS, tiers=TIERS, columns=("n",))


def row(number: int) -> tuple[np.ndarray, RowData]:
    """What row `number` is, whoever adds it."""
    lucky = np.random.default_rng(number)
    words = [f"w{n}" for n in lucky.integers(0, WORDS, lucky.integers(0, 12))]
    data = RowData(words, audience=number % 3, columns={"n": float(number)})
    return lucky.integers(-99, 99, DIMS).astype(np.int8), data


def add(index: Index, count: int) -> None:
    made = [row(index.rows + n) for n in range(count)]
    index.add(np.stack([v for v, _ in made]), [d for _, d in made])


def may_hide(number: int) -> bool:
    return number % 17 == 0


def work(folder: Path, luck: random.Random) -> None:
    index_module.MOST_ROWS = luck.choice([100, 400, 1 << 16])
    index = opened(folder)
    for turn in itertools.count():
        add(index, luck.choice([1, 3, 40, 300]))
        index.commit(Stamp(index.rows, b"link"))
        os.write(1, b"rows %d\n" % index.rows)
        if turn % 4 == 3:
            gone = [n for n in range(index.rows) if may_hide(n) and luck.random() < 0.1]
            index.hide(gone)
            os.write(1, b"".join(b"hidden %d\n" % n for n in gone))
        if turn % 9 == 8:
            index.close()
            for path in sorted(folder.glob("*.tiers"))[:2]:
                path.unlink()
            index = opened(folder)  # and mends them


def killed(folder: Path, luck: random.Random) -> list[list[str]]:
    command = [sys.executable, __file__, str(folder), str(luck.randrange(2**32))]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        first = process.stdout.readline()
        time.sleep(luck.uniform(0, 0.25))
        process.kill()
        said = (first + process.stdout.read()).decode()
    return [line.split() for line in said.split("\n")[:-1]]


def answers(index: Index) -> list:
    asked = np.random.default_rng(1).integers(-99, 99, (3, DIMS)).astype(np.int8)
    allowed = index.allowed([0, 2])
    hits = [
        search(q, allowed=allowed, k=20) for q in asked for search in (index.exact, index.dense)
    ]
    terms = [[(f"w{n}", 1.0 + n) for n in range(s, WORDS, 7)] for s in range(3)]
    hits += [index.lexical(t, allowed=allowed, k=20) for t in terms]
    return [(h.rows.tolist(), h.scores.tobytes()) for h in hits]


def rebuilt(count: int, hidden: list[int]) -> Index:
    index = opened(None)
    if count:
        add(index, count)
    index.hide(hidden)
    return index


def test_killed_at_any_moment(tmp_path):
    luck = chance()
    folder = tmp_path / "index"
    rows, hidden = 0, set()
    for _ in range(times(8, 100)):
        said = killed(folder, luck)
        rows = max([rows, *(int(n) for word, n in said if word == "rows")])
        hidden |= {int(n) for word, n in said if word == "hidden"}
        with opened(folder) as index:
            assert index.writable, "a killed writer left its lock"
            assert index.rows >= rows, "lost what it had promised"
            assert index.stamp == Stamp(index.rows, b"link"), "rows and stamp of two commits"
            gone = np.flatnonzero(index.classes < 0).tolist()
            assert hidden <= set(gone)
            assert all(may_hide(n) for n in gone)
            stays = np.setdiff1d(np.arange(index.rows), gone)
            assert (index.column("n")[stays] == stays).all()
            assert answers(index) == answers(rebuilt(index.rows, gone))
            rows, hidden = index.rows, set(gone)
            names = {p.stem for p in folder.iterdir() if p.suffix in (".rows", ".tiers")}
            assert names == {s.name for s in index._segments}
            assert not list(folder.glob("*.new"))
        if rows > 6000:
            folder = tmp_path / f"index{rows}"
            rows, hidden = 0, set()


class Crash(BaseException):
    """The machine stops here."""


def crashing(patched: pytest.MonkeyPatch, after: int) -> None:
    """Stop at the n-th time that a file is synced, renamed or deleted; what is unsynced is torn."""
    calls = itertools.count()
    sync, rename, delete = os.fsync, Path.replace, Path.unlink

    def synced(handle: int) -> None:
        if next(calls) == after:
            if stat.S_ISREG(os.fstat(handle).st_mode):
                os.ftruncate(handle, os.fstat(handle).st_size // 2)
            raise Crash
        sync(handle)

    def checked(real):
        def called(path: Path, *more, **named):
            if next(calls) == after:
                raise Crash
            return real(path, *more, **named)

        return called

    patched.setattr(os, "fsync", synced)
    patched.setattr(Path, "replace", checked(rename))
    patched.setattr(Path, "unlink", checked(delete))


def change(index: Index, kind: str) -> None:
    if kind == "hide":
        index.hide([17, 34])
    else:
        add(index, 1)
        index.commit(Stamp(index.rows, b"link"))


@pytest.mark.parametrize("kind", ["commit", "hide", "discard"])
def test_stopped_at_every_step(tmp_path, kind):
    """Every write, rename and deletion in turn is the last: the state before, or the one after."""
    for after in itertools.count():
        folder = tmp_path / str(after)
        with opened(folder) as index:
            for count in (90, 20, 5, 1):
                add(index, count)
                index.commit(Stamp(index.rows, b"link"))
            before = answers(index)
        done = True
        with pytest.MonkeyPatch.context() as patched:
            index = None if kind == "discard" else opened(folder)
            crashing(patched, after)
            try:
                if index is None:
                    index = Index.open(folder, space="another", dims=DIMS)
                else:
                    change(index, kind)
            except Crash:
                done = False
        if index is not None:
            index.close()
        with opened(folder) as index:
            states = {
                "commit": ([116, 117], [[]]),
                "hide": ([116], [[], [17, 34]]),
                "discard": ([116, 0], [[]]),
            }[kind]
            gone = np.flatnonzero(index.classes < 0).tolist()
            assert index.rows in states[0]
            assert gone in states[1]
            assert index.stamp == (Stamp(index.rows, b"link") if index.rows else Stamp())
            assert answers(index) == answers(rebuilt(index.rows, gone))
            if index.rows == 116 and not gone:
                assert answers(index) == before
            assert not list(folder.glob("*.new"))
        if done:
            assert after > 3, "nothing was stopped"
            return


if __name__ == "__main__":
    work(Path(sys.argv[1]), random.Random(int(sys.argv[2])))
