"""Plays the example and prints what came of it; run by the tests in processes of their own.

python playthrough.py play          digests of the records, the worlds and their differences
python playthrough.py save FILE     plays half of it and writes a snapshot
python playthrough.py resume FILE   goes on from that snapshot, and prints the last digest
"""

import hashlib
import sys
from pathlib import Path

from storykeeper.events.codec import encode
from storykeeper.world.compare import difference
from storykeeper.world.snapshot import dump, load
from strategies.worlds import EXAMPLE, begun, example, play

LINES = [
    line
    for name in ("two-keepers", "fifty-minutes")
    for line in (EXAMPLE / "paths" / f"{name}.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
HALF = 18


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


def played() -> None:
    world = begun(example())
    for turn, line in enumerate(["", *LINES]):
        before = world
        records, world = play(world, [line], first=turn)
        written = b"\n".join(encode(record).payload for record in records)
        said = "\n".join(map(str, difference(before, world)))
        print(turn, world.scene, digest(written), digest(dump(world)), digest(said.encode()))


def saved(path: Path) -> None:
    path.write_bytes(dump(play(begun(example()), ["", *LINES[:HALF]])[1]))


def resumed(path: Path) -> None:
    world = load(path.read_bytes(), begun(example()).plan)
    assert world is not None
    assert dump(world) == path.read_bytes()
    print(digest(dump(play(world, LINES[HALF:], first=HALF + 1)[1])))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play"]:
            played()
        case ["save", path]:
            saved(Path(path))
        case ["resume", path]:
            resumed(Path(path))
