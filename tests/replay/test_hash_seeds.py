"""The same bytes in other processes, under other hash seeds."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SCRIPT = TESTS / "replay" / "playthrough.py"
SEEDS = ("0", "1")


def run(seed: str, *arguments: str) -> str:
    paths = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(paths)
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def played() -> list[str]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda seed: run(seed, "play"), SEEDS))


def test_playing_gives_the_same_bytes_under_another_hash_seed(played: list[str]):
    first, second = (out.splitlines() for out in played)
    assert len(first) > 40
    assert first == second


@pytest.mark.long
def test_a_snapshot_taken_under_one_seed_goes_on_under_another(played: list[str], tmp_path: Path):
    run("0", "save", str(tmp_path / "half"))
    resumed = run("1", "resume", str(tmp_path / "half")).strip()
    last_world = played[0].splitlines()[-1].split()[3]
    assert resumed == last_world
