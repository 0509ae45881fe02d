"""What an open run holds of the machine: files, memory, and no telemetry; all of it comes back."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from storykeeper import Memory, Storykeeper
from storykeeper.memory.chats import Said
from storykeeper.memory.index.arrays import read_arrays, write_arrays
from strategies.runs import go, kept
from strategies.sizes import times
from strategies.worlds import EXAMPLE

FILES = 3  # SQLite's own: the file, its -wal and its -shm


def held(folder: Path) -> list[str]:
    """What this process has open below a folder."""
    found = []
    for each in Path("/proc/self/fd").iterdir():
        try:
            target = each.readlink()
        except OSError:
            continue
        if target.is_relative_to(folder):
            found.append(target.name)
    return found


@pytest.mark.parametrize("embedder", [None, "minilm"])
def test_a_run_holds_three_files_open(tmp_path, embedder):
    with Storykeeper.open(tmp_path / "run.db", story=EXAMPLE, embedder=embedder) as keeper:
        go(keeper, "I look at the lamp", "I ask Tobit about the lamp")
        keeper.recall("the lamp")
        assert len(held(tmp_path)) <= FILES, held(tmp_path)
    assert held(tmp_path) == []


def test_a_memory_holds_its_lock_besides(tmp_path):
    with Memory.open(tmp_path / "chat.db", embedder="none") as memory:
        memory.add_all([Said(f"line {n} about lamps") for n in range(600)])
        memory.search("lamp")
        assert len(held(tmp_path)) <= FILES + 1, held(tmp_path)
    assert held(tmp_path) == []


def test_mapped_arrays_hold_no_file_and_outlive_it(tmp_path):
    write_arrays(tmp_path / "a.rows", {"x": np.arange(100_000), "y": np.zeros((3, 2))})
    arrays = read_arrays(tmp_path / "a.rows")
    assert held(tmp_path) == []
    (tmp_path / "a.rows").unlink()
    part = arrays["x"][10:20]
    del arrays
    gc.collect()
    assert part.tolist() == list(range(10, 20))
    with pytest.raises(ValueError, match="read-only"):
        part[0] = 1


def resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_comes_back_when_runs_close(tmp_path):
    with kept(tmp_path / "run.db") as keeper:
        go(keeper, "I look at the lamp", "I ask Tobit about the lamp")

    def opened(often: int) -> None:
        for _ in range(often):
            with Storykeeper.open(tmp_path / "run.db") as keeper:
                keeper.window(text="I wait")

    opened(10)  # what is loaded once stays
    before = resident()
    opened(times(40, 200))
    assert resident() - before < 8_000_000


def test_the_embedder_tells_nobody_that_it_was_used(tmp_path):
    """onnxruntime keeps a database in the home folder and sends it away, unless forbidden to."""
    script = "from storykeeper.models.embedders.minilm import MiniLM; MiniLM().passages(['a lamp'])"
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []
