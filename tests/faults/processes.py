"""Starting and killing processes that work, with a seed that can be given again."""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHILD = Path(__file__).with_name("child.py")
LONG = os.environ.get("STORYKEEPER_LONG") == "1"


def times(few: int, many: int) -> int:
    return many if LONG else few


def chance() -> random.Random:
    """Chance with a seed that is printed, so that a failure can be had again."""
    seed = int(os.environ.get("STORYKEEPER_SEED") or random.randrange(2**32))
    print(f"to try this again: STORYKEEPER_SEED={seed}")
    return random.Random(seed)


@contextmanager
def child(mode: str, folder: Path, seed: int = 0, *more: str) -> Iterator[subprocess.Popen]:
    command = [sys.executable, str(CHILD), mode, str(folder), str(seed), *more]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def killed(mode: str, folder: Path, luck: random.Random, *, within: float) -> list[str]:
    """Let it work, kill it at some moment; what it acknowledged."""
    with child(mode, folder, luck.randrange(2**32)) as process:
        first = process.stdout.readline()
        time.sleep(luck.uniform(0, within))
        process.kill()
        rest = process.stdout.read()
    lines = (first + rest).decode().split("\n")
    return lines[:-1]  # the last may be torn


def finished(mode: str, folder: Path, *more: str, before: tuple[str, ...] = ()) -> list[str]:
    """Let it work to its end; what it said."""
    command = [*before, sys.executable, str(CHILD), mode, str(folder), "0", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@contextmanager
def forker(script: str) -> Iterator[subprocess.Popen]:
    """A process of a script beside this one, which forks itself at each order and kills the fork.

    To start afresh each time would take longer than what is to be broken off.
    """
    command = [sys.executable, str(Path(__file__).with_name(script))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def asked(forker: subprocess.Popen, **order: object) -> Any:
    """What a forker answers to an order."""
    forker.stdin.write(json.dumps(order) + "\n")
    forker.stdin.flush()
    return json.loads(forker.stdout.readline())
