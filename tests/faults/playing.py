"""What the tests kill: turns of a story. One process has the story loaded and forks for every kill.

It reads lines of JSON: {"path", "step", "nth", "after"}. For each it forks a process that opens the
run at `path` and plays LINES. That one is killed at a named step, the nth time it comes there, by
its own hand; or from outside, `after` some seconds. What it had acknowledged, and whether it was
killed at all, comes back as a line of JSON.
"""

import json
import os
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

from storykeeper import Storykeeper
from storykeeper.engine import Engine
from storykeeper.language.prose import ProseReader
from storykeeper.language.tokens import counter
from storykeeper.ledger import sqlite
from storykeeper.ledger.sqlite_tables import Tables
from storykeeper.play import seeing
from storykeeper.play.narrate import offline
from storykeeper.play.readings import Readings
from storykeeper.play.unfolding import Unfolding
from storykeeper.story.loader import load_story

EXAMPLE = Path(__file__).parents[2] / "examples" / "the-lamp-at-harrow"
LINES = ("I ask Mara about the brass key.", "I look in the oat crock.", "I take the brass key.")
CORRECTED = "She pours the tea."


class Killing:
    """Dies at a step, the nth time it is reached."""

    def __init__(self, step: str, nth: int) -> None:
        self.step = step
        self.left = nth

    def at(self, step: str) -> None:
        if step == self.step:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: object, name: str, step: str) -> None:
        """Let a function pass `step-before` and `step-after`."""
        inner = getattr(owner, name)

        def outer(*arguments, **options):
            self.at(f"{step}-before")
            result = inner(*arguments, **options)
            self.at(f"{step}-after")
            return result

        setattr(owner, name, outer)

    def everywhere(self) -> None:
        self.around(sqlite.SqliteLedger, "append", "append")
        self.around(Tables, "add_rows", "rows")  # inside the transaction
        self.around(Unfolding, "add", "decide")
        self.around(seeing, "assemble", "window")
        self.around(Readings, "read", "read")
        self.around(sqlite.SqliteLedger, "put_snapshot", "snapshot")
        self.around(Tables, "put_snapshot", "snapshot-row")
        self.around(Engine, "close", "close")
        self.around(sqlite.SqliteLedger, "close", "file")
        self.around(sqlite.SqliteLedger, "begin", "run")


STEPS = (
    "append", "rows", "decide", "window", "read",
    "snapshot", "snapshot-row", "close", "file", "run",
)  # fmt: skip
READER = Readings(ProseReader())


def play(path: str, story, said: int) -> None:
    """The lines, each shown, one of them twice, and one turn corrected."""

    def acknowledge(what: str, words: str) -> None:
        os.write(said, (json.dumps([what, words]) + "\n").encode())

    keeper = Storykeeper.open(path, story=story, reader=READER)
    for number, line in enumerate((None, *LINES)):
        turn = keeper.opening() if line is None else keeper.begin(line)
        acknowledge("begun", line or "")
        prose = offline(turn.world, turn.present, keeper.history())
        if number == 2:
            keeper.render(turn, "In other words.")
            acknowledge("shown", "In other words.")
        keeper.render(turn, prose)
        acknowledge("shown", prose)
        if number == 2:
            keeper.edit(1, CORRECTED)
            acknowledge("edited", CORRECTED)
    keeper.close()
    acknowledge("closed", "")


def forked(order: dict, story) -> dict:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        Killing(order["step"], order["nth"]).everywhere()
        play(order["path"], story, writing)
        os._exit(0)
    os.close(writing)
    said = b""
    until = time.monotonic() + (order["after"] or 60)
    while (left := until - time.monotonic()) > 0 and select.select([reading], [], [], left)[0]:
        part = os.read(reading, 65_536)
        if not part:
            break
        said += part
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    while part := os.read(reading, 65_536):
        said += part
    os.close(reading)
    lines = said.decode().split("\n")[:-1]  # the last may be torn
    return {"killed": os.WIFSIGNALED(status), "said": [json.loads(line) for line in lines]}


def warm_up(story) -> None:
    """Played once before anybody is forked: loading the parser takes longer than a life here."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "said").open("wb") as said:
        play(f"{folder}/run.db", story, said.fileno())


if __name__ == "__main__":
    the_story = load_story(EXAMPLE, counters=counter)
    warm_up(the_story)
    print("ready", flush=True)
    for order in sys.stdin:
        print(json.dumps(forked(json.loads(order), the_story)), flush=True)
