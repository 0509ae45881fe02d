"""What the tests kill: turns played and recalled. One process has the parser loaded, and forks.

It reads lines of JSON: {"path", "seed", "after"}. For each it forks a process that plays the run at
`path`, asks everybody, edits, retracts, closes and opens, and is killed `after` some seconds. The
turns that it acknowledged come back as a line of JSON.

With {"path", "look": true} it forks one that may write nothing, and what that recalls comes back.
"""

import itertools
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from storykeeper.errors import StorykeeperError
from storykeeper.play import recalling
from strategies.parlour import parlour, tell
from strategies.recalled import ASKED, OTHER_PROSE, PEOPLE, PROSE, every, kept_from, opened, played


def work(path: str, luck: random.Random, said: int) -> None:
    """Turns without end, somebody asked after each, and the past changed now and then."""
    recalling.KEPT_FROM, recalling.COMMIT_EVERY = 2, luck.choice([1, 4, 16])
    keeper = opened(path, story=parlour())
    for _ in itertools.count():
        prose = f"{luck.choice(PROSE)} It is day {keeper.last_turn()}."
        tell(keeper, prose, "I look at the cup")
        os.write(said, b"%d\n" % keeper.last_turn())
        keeper.recall(ASKED, luck.choice(PEOPLE), k=5)
        match luck.randrange(12):
            case 0 | 1:
                change(keeper, luck)
            case 2 | 3:
                keeper.close()
                keeper = opened(path)


def change(keeper, luck: random.Random) -> None:
    turn = luck.randint(1, max(1, keeper.last_turn() - 1))
    with suppress(StorykeeperError):  # retracted already
        keeper.edit(turn, OTHER_PROSE) if luck.random() < 0.6 else keeper.retract(turn)


def look(path: str, said: int) -> None:
    """What everybody recalls, found by somebody who owns nothing here."""
    recalling.KEPT_FROM = 2
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    keeper = opened(path)
    found = json.dumps(every(keeper)).encode()
    keeper.close()
    with os.fdopen(said, "wb") as file:
        file.write(found + b"\n")
    os.kill(os.getpid(), signal.SIGKILL)


def forked(order: dict) -> list:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            if order.get("look"):
                look(order["path"], writing)
            work(order["path"], random.Random(order["seed"]), writing)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(writing)
    said, until = b"", time.monotonic() + order.get("after", 60)
    while (left := until - time.monotonic()) > 0 and select.select([reading], [], [], left)[0]:
        part = os.read(reading, 65_536)
        if not part:
            break
        said += part
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status), "it broke by itself"
    while part := os.read(reading, 65_536):
        said += part
    os.close(reading)
    return [json.loads(line) for line in said.decode().split("\n")[:-1]]  # the last may be torn


def warm_up() -> None:
    """Played once before anybody is forked: loading the parser takes longer than a life here."""
    with tempfile.TemporaryDirectory() as folder, kept_from(2, every_rows=1):
        played(Path(folder) / "run.db", rounds=1)


if __name__ == "__main__":
    warm_up()
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(forked(json.loads(line))), flush=True)
