"""How long things take, each beside the least it could take on this machine.

- append: one record a transaction, durable, against a bare SQLite table with the same settings
  and the same bytes; the two take turns, so that they meet the same disk.
- read: records decoded a second, against a bare scan of the same payloads.
- check: reading and checking the example, and a generated story of 500 scenes.
- fold, open, begin, commit, extract: see `bench/folding.py`, `playing.py`, `extracting.py`.
- first_token: until the first word of a model's answer, our layout and the usual one, see
  `bench/first_token.py`.
- assemble, landscape: whole windows in runs of up to 100,000 turns, see `bench/assembling.py`.
- search: `Memory.search` in up to 1,000,000 items, see `bench/searching.py`.
- ingest, brief: a knowledge base taken in, and what an actor on a field of fifty is told, see
  `bench/briefing.py`.
- import: `import storykeeper` in a fresh interpreter, against an interpreter that imports nothing.
"""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from storykeeper.bench.assembling import assembling
from storykeeper.bench.briefing import briefing
from storykeeper.bench.extracting import extract
from storykeeper.bench.first_token import first_token
from storykeeper.bench.floor import bare_table
from storykeeper.bench.folding import fold
from storykeeper.bench.playing import opening, turn
from storykeeper.bench.registry import Figures, Setup
from storykeeper.bench.searching import searching
from storykeeper.bench.stories import big_story
from storykeeper.bench.timing import best, spread, timed
from storykeeper.bench.turns import records_of_a_turn
from storykeeper.bootstrap import open_ledger
from storykeeper.events.codec import encode
from storykeeper.events.records import AnyRecord
from storykeeper.language.tokens import counter
from storykeeper.story.loader import read_story
from storykeeper.story.writer import write_story
from storykeeper.units import MAIN, Version

EXAMPLE = Path("examples/the-lamp-at-harrow")


def measure(setup: Setup) -> Figures:
    """All of it."""
    figures: Figures = {"storykeeper": {}, "floor": {}, "ratio": {}}
    with TemporaryDirectory(prefix="storykeeper-bench-") as folder:
        place = Path(folder)
        for part in PARTS:
            setup.say(f"{part.__name__} …")
            part(place, setup, figures)
    return figures


def some_records(count: int) -> list[AnyRecord]:
    """What a long run is made of."""
    records: list[AnyRecord] = []
    turn = 1
    while len(records) < count:
        records.extend(records_of_a_turn(turn))
        turn += 1
    return records[:count]


def append(place: Path, setup: Setup, figures: Figures) -> None:
    """One record a transaction; ours and the bare one take turns."""
    records = some_records(60 if setup.quick else 1500)
    payloads = [encode(r).payload for r in records]
    ours: list[float] = []
    bare: list[float] = []
    floor = bare_table(place / "floor.db")
    with open_ledger(place / "append.db", create=True) as ledger:
        version = ledger.begin(MAIN, ())
        for record, payload in zip(records, payloads, strict=True):

            def write(record: AnyRecord = record, at: Version = version) -> None:
                ledger.append(MAIN, [record], expected=at)

            def insert(payload: bytes = payload) -> None:
                floor.execute("INSERT INTO bare(payload) VALUES (?)", (payload,))

            ours.append(timed(write))
            bare.append(timed(insert))
            version = Version(version + 1)
    floor.close()
    figures["storykeeper"]["append"] = spread(ours)
    figures["floor"]["append"] = spread(bare)
    _ratio(figures, "append")


def read(place: Path, setup: Setup, figures: Figures) -> None:
    """Everything in a long run, decoded, against a scan of the same bytes."""
    records = some_records(2_000 if setup.quick else 200_000)
    floor = bare_table(place / "scan.db")
    with open_ledger(place / "read.db", create=True) as ledger:
        version = ledger.begin(MAIN, ())
        for start in range(0, len(records), 10_000):
            batch = records[start : start + 10_000]
            version = ledger.append(MAIN, batch, expected=version)
            floor.execute("BEGIN")
            floor.executemany(
                "INSERT INTO bare(payload) VALUES (?)", [(encode(r).payload,) for r in batch]
            )
            floor.execute("COMMIT")
        ours = best(lambda: deque(ledger.read(MAIN), maxlen=0), of=3)
        bare = best(lambda: deque(floor.execute("SELECT payload FROM bare"), maxlen=0), of=3)
    floor.close()
    figures["storykeeper"]["read"] = {"per_second": round(len(records) / ours)}
    figures["floor"]["read"] = {"per_second": round(len(records) / bare)}
    figures["ratio"]["read"] = round(ours / bare, 2)


def check(place: Path, setup: Setup, figures: Figures) -> None:
    """Reading and checking, tokens counted; the counter is loaded before the clock starts."""
    tokens = counter("o200k")
    tokens("warm")
    big = place / "big"
    for name, text in write_story(big_story(scenes=40 if setup.quick else 500, seed=1)).items():
        path = big / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    times = {"500_scenes": best(lambda: read_story(big, count_tokens=tokens), of=2)}
    if EXAMPLE.is_dir():
        times["example"] = best(lambda: read_story(EXAMPLE, count_tokens=tokens), of=3)
    else:
        setup.say(f"  {EXAMPLE} is not here: run from the root of the repository to time it")
    figures["storykeeper"]["check"] = {
        "ms": {name: round(seconds * 1000, 1) for name, seconds in times.items()}
    }
    files = sorted(p for p in big.rglob("*") if p.is_file())
    bare = best(lambda: [p.read_bytes() for p in files], of=2)
    figures["floor"]["check"] = {"ms": {"500_scenes": round(bare * 1000, 1)}}  # reading alone


def importing(place: Path, setup: Setup, figures: Figures) -> None:
    """A fresh interpreter, with and without us."""

    def start(code: str) -> float:
        command = [sys.executable, "-c", code]
        return timed(lambda: subprocess.run(command, check=True, cwd=place))

    rounds = 3 if setup.quick else 11
    start("import storykeeper")  # compiles what was not compiled yet
    with_us = [start("import storykeeper") for _ in range(rounds)]
    without = [start("pass") for _ in range(rounds)]
    figures["storykeeper"]["import"] = {
        "ms": round((median(with_us) - median(without)) * 1000, 1),
        "whole_process_ms": round(median(with_us) * 1000, 1),
    }
    figures["floor"]["import"] = {"whole_process_ms": round(median(without) * 1000, 1)}


def _ratio(figures: Figures, name: str) -> None:
    ours, floor = figures["storykeeper"][name], figures["floor"][name]
    figures["ratio"][name] = {key: round(ours[key] / floor[key], 2) for key in ours}


PARTS = (
    append, read, check, importing, fold, opening, turn, first_token, assembling, extract,
    searching, briefing,
)  # fmt: skip
