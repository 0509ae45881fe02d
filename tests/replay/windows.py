"""Plays a path through the real engine and prints every window; run in processes of its own.

python windows.py memory             in a ledger that is nowhere
python windows.py sqlite FOLDER      in a file; after half of it the run is closed and opened again
python windows.py minilm FOLDER      the same, and what comes to mind is found by meaning too
python windows.py long               windows of long runs, in many sizes, with a story so far

A line is a turn, an audience, and digests of the text, of the messages, of all that the author is
told about it, of all that this audience is told, and of the landscape.
"""

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec

from storykeeper import Storykeeper
from storykeeper.context.window import Window
from storykeeper.engine import Engine
from storykeeper.errors import WindowRefused
from strategies.long_runs import long_run
from strategies.runs import kept, script, tell, unkept
from strategies.sizes import LONG
from strategies.worlds import example, house

LINES = ["", *script("two-keepers")][: None if LONG else 14]
ASKED = "I ask Mara what the old keeper wrote in the second book about the lamp."
OTHER_SIZES = (400, 900, 100_000)
LONG_RUNS = (30, 90, 240) if LONG else (30, 90)  # turns
LONG_SIZES = (300, 700, 1_500, 3_300, 8_000)


def digest(thing: object) -> str:
    body = msgspec.json.encode(thing)
    return hashlib.sha256(body).hexdigest()[:16]


def line(turn: int, window: Window) -> str:
    told = (
        window.text, [window.messages, window.cached_messages], window.receipt,
        window.receipt_for(window.audience), window.receipt.landscape,
    )  # fmt: skip
    return " ".join([str(turn), window.audience, *map(digest, told)])


def told(keeper: Engine, lines: list[str]) -> Iterator[str]:
    for text in lines:
        turn = tell(keeper, keeper.begin(text) if text else keeper.opening())
        yield line(turn.number, turn.window)


def looked_at(keeper: Engine) -> Iterator[str]:
    """Everybody's window of one line, and the narrator's in other sizes."""
    for who in ("narrator", *keeper.world().plan.cast):
        yield line(-1, keeper.window(who, text=ASKED))
    for tokens in OTHER_SIZES:
        try:
            yield line(-1, keeper.window(text=ASKED, tokens=tokens))
        except WindowRefused as refused:
            yield f"-1 refused {tokens} {refused}"


def in_memory() -> Iterator[str]:
    with unkept(example()) as keeper:
        yield from told(keeper, LINES)
        yield from looked_at(keeper)


def in_a_file(run: Path, **options: str) -> Iterator[str]:
    half = len(LINES) // 2
    with kept(run, **options) as keeper:
        yield from told(keeper, LINES[:half])
    with Storykeeper.open(run, **options) as keeper:
        yield from told(keeper, LINES[half:])
        yield from looked_at(keeper)
        assert keeper.replay().windows == len(LINES)


def of_long_runs() -> Iterator[str]:
    """Everybody's, with the origins of what is in them."""
    for turns in LONG_RUNS:
        run = long_run(house(), Random(turns), turns=turns)
        for look in run.looks(*LONG_SIZES):
            origins = dict.fromkeys(item.candidate.origin for item in look.window.items)
            yield f"{line(turns, look.window)} {'/'.join(origins)}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["memory"]:
            found = in_memory()
        case ["sqlite", folder]:
            found = in_a_file(Path(folder) / "run.db")
        case ["minilm", folder]:
            found = in_a_file(Path(folder) / "run.db", embedder="minilm")
        case ["long"]:
            found = of_long_runs()
        case _:
            raise SystemExit(__doc__)
    for each in found:
        print(each)
