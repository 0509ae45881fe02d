"""The same window for the same inputs: under another hash seed, number of threads, process, store.

Every window of a path through the example, everybody's at its end, and the narrator's in other
sizes; each played afresh in a process of its own.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from storykeeper.context import counting, pieces, so_far
from storykeeper.story.model import NARRATOR
from strategies.long_runs import long_run
from strategies.sizes import LONG, times
from strategies.worlds import example, house

TESTS = Path(__file__).parents[1]
SCRIPT = TESTS / "replay" / "windows.py"
THREADS = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS",
    "RAYON_NUM_THREADS",
)  # fmt: skip


def run(*arguments: str, seed: str, threads: str) -> list[str]:
    paths = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(paths),
        **dict.fromkeys(THREADS, threads),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> dict[str, list[str]]:
    one, two, three, four = (str(tmp_path_factory.mktemp("run")) for _ in range(4))
    ways = {
        "memory": (["memory"], "0", "1"),
        "sqlite": (["sqlite", one], "1", "4"),
        **({"sqlite, again": (["sqlite", two], "4242", "2")} if LONG else {}),
        "meaning": (["minilm", three], "0", "1"),
        "meaning, again": (["minilm", four], "7", "4"),
    }
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda way: run(*way[0], seed=way[1], threads=way[2]), ways.values())
        return dict(zip(ways, found, strict=True))


def test_every_window_of_the_path_is_there(played):
    """Every turn, every audience, three sizes; and no two turns have the same window."""
    turns = times(14, 32)
    for lines in played.values():
        assert len(lines) == turns + 1 + len(example().cast) + 3
        windows = [line.split()[2] for line in lines[:turns]]
        assert len(set(windows)) == turns


def test_in_another_store_under_another_seed_and_number_of_threads(played):
    assert played["memory"] == played["sqlite"] == played.get("sqlite, again", played["memory"])


def test_with_what_was_found_by_meaning(played):
    assert played["meaning"] == played["meaning, again"]
    assert played["meaning"] != played["sqlite"]  # it was found by other means


@pytest.mark.long
def test_of_long_runs_with_their_story_so_far():
    """In every run, for the narrator and for others; in no order of a set or a dict."""
    ways = (("0", "1"), ("1", "4"), ("4242", "2"))[: times(2, 3)]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda way: run("long", seed=way[0], threads=way[1]), ways))
    assert found[0] == found[1] == found[-1]
    full = [each.split() for each in found[0] if "so far" in each and "recalled" in each]
    assert {each[0] for each in full} == {"30", "90", *(["240"] if LONG else [])}
    assert {"narrator", "ann", "bob"} <= {each[1] for each in full}


KEPT = (
    so_far.settled, pieces._cut, pieces._perceived, counting.pricing, counting.remembering,
)  # fmt: skip


def test_whatever_was_kept_of_windows_before():
    """Made from nothing, and after others of the same run: in other sizes, with other words."""
    run = long_run(house(), Random(3), turns=60)
    asked = [(who, tokens) for who in (NARRATOR, "ann") for tokens in (500, 900, 2_000)]
    typed = ("I wait.", f"I say: “{'well, ' * 90}”", "I wait.")

    def made(*, forget: bool) -> Iterator[str]:
        for run.text in typed:
            for each in asked:
                for cache in KEPT if forget else ():
                    cache.cache_clear()
                yield run.look(*each).window.text

    kept, fresh = list(made(forget=False)), list(made(forget=True))
    assert kept == fresh
    assert any(so_far.SO_FAR in text for text in fresh)
