"""A process that takes passages in is killed; the next one goes on where it stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from storykeeper.field import open_library
from strategies.canon import base_of

CHILD = """
import sys
from pathlib import Path
from storykeeper.canon.knowledge_base import load_base
from storykeeper.field import open_library
base = load_base(Path(sys.argv[1]))
def said(done, total):
    print(done, flush=True)
    if done:
        sys.stdin.readline()  # until we are killed
library, _ = open_library(base, progress=said)
"""


def test_killed_half_way(tmp_path: Path):
    wall = "\n\n".join(f"Stone {n} of the wall is grey." for n in range(1_500))
    base = base_of(tmp_path / "base", {"wall.txt": wall, "mill.txt": "The mill grinds."})
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(base.folder)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdin is not None
    done = 0
    while not done:
        done = int(child.stdout.readline())
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    child.stdin.close()
    seen: list[int] = []
    start = time.monotonic()
    library, ingested = open_library(base, progress=lambda now, of: seen.append(now))
    try:
        assert seen[0] == done == 1_501 - ingested.added
        assert ingested.passages == 1_501
        found = library.search("stone of the wall", cites=["wall@1"], most=2_000)
        assert len({each.id for each in found}) == len(found)
        assert len(library.memory) == 1_501
    finally:
        library.close()
    assert time.monotonic() - start < 60
