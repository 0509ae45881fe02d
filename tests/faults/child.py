"""What the tests kill: a process that works on ledgers until it is stopped.

Every line it prints is an acknowledgement: what it names has been promised to be kept.
"""

import itertools
import os
import random
import resource
import shutil
import sys
import time
from pathlib import Path

from storykeeper.errors import (
    LedgerBusy,
    LedgerError,
    LedgerFull,
    LedgerReadOnly,
    WrongExpectedVersion,
)
from storykeeper.events.turns import Rendered
from storykeeper.ledger.backup import backup_file
from storykeeper.ledger.places import open_at, place_of
from storykeeper.ledger.sqlite import SqliteLedger
from storykeeper.ledger.tabled import TabledLedger
from storykeeper.ledger.transfer import import_file
from storykeeper.units import MAIN

DATA = Path(__file__).parents[1] / "data"


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def opened(path: Path, **options) -> SqliteLedger:
    ticks = itertools.count(1_700_000_000_000)
    return SqliteLedger.open(path, clock=lambda: next(ticks), nonces=os.urandom, **options)


def append(folder: Path, chance: random.Random) -> None:
    """Batches of records, each saying how many there are in its batch."""
    with opened(folder / "run.db") as ledger:
        # Checkpoints now and then, so that some kills come in the middle of one.
        ledger._connection.execute(f"PRAGMA wal_autocheckpoint = {chance.choice([1, 8, 1000])}")
        head = ledger.head(MAIN)
        version = head.version
        for turn in itertools.count(head.turn + 1):
            size = chance.choice([1, 1, 2, 5, 40])
            words = "x" * chance.choice([0, 10, 5000])
            batch = [Rendered(turn, 1, f"{n}/{size} {words}") for n in range(1, size + 1)]
            version = ledger.append(MAIN, batch, expected=version)
            say(version)


def persist(folder: Path, chance: random.Random) -> None:
    """One record after another in a database that goes away now and then; each exactly once."""
    at = place_of((folder / "address").read_text())
    with open_at(at, clock=lambda: 0, nonces=os.urandom) as ledger:
        say("ready")
        head = ledger.head(MAIN).version
        for number in itertools.count(1):
            record = Rendered(1, 1, f"{os.getpid()} {number}")
            while True:
                try:
                    head = ledger.append(MAIN, [record], expected=head)
                    break
                except (LedgerBusy, WrongExpectedVersion):
                    head, there = looked(ledger, record, after=head)
                    if there:
                        break
            say(number)


def looked(ledger: TabledLedger, record: Rendered, *, after: int) -> tuple[int, bool]:
    """Where the run stands, once it can be asked; whether a record was written since."""
    while True:
        try:
            new = list(ledger.read(MAIN, after=after))
        except LedgerBusy:
            time.sleep(0.05)
        else:
            return (new[-1].version if new else after), record in [e.record for e in new]


def race(folder: Path, chance: random.Random) -> None:
    """One record a round, as soon as told, whoever else is writing; says how often it lost."""
    with opened(folder / "run.db") as ledger:
        say("ready")
        for line in sys.stdin:
            name, expected, lost = line.split()[0], int(line.split()[1]), 0
            while True:
                try:
                    version = ledger.append(MAIN, [Rendered(1, 1, name)], expected=expected)
                    break
                except WrongExpectedVersion:
                    lost += 1
                    expected = ledger.head(MAIN).version
            say(version, lost)


def erase(folder: Path, chance: random.Random) -> None:
    """One turn after another."""
    with opened(folder / "run.db") as ledger:
        for turn in range(1, ledger.head(MAIN).turn + 1):
            if ledger.erase(MAIN, turn=turn):
                say(turn)


def migrate(folder: Path, chance: random.Random) -> None:
    """Old files, opened one after another."""
    for number in itertools.count():
        path = folder / f"{number}.db"
        shutil.copy(DATA / "ledger-v1.db", folder / "copying")
        (folder / "copying").rename(path)
        opened(path).close()
        say(path.name)


def bring_in(folder: Path, chance: random.Random) -> None:
    """The same export, imported again and again."""
    for number in itertools.count():
        import_file(folder / "lines", folder / f"{number}.db")
        say(f"{number}.db")


def back_up(folder: Path, chance: random.Random) -> None:
    """The same ledger, copied again and again."""
    for number in itertools.count():
        backup_file(folder / "run.db", folder / f"{number}.db")
        say(f"{number}.db")


def begin(folder: Path, chance: random.Random) -> None:
    """New files, one after another."""
    for number in itertools.count():
        opened(folder / f"{number}.db", create=True).close()
        say(f"{number}.db")


def fill(folder: Path, chance: random.Random) -> None:
    """Append until there is no room, more than once, then go on with room again."""
    ledger = opened(folder / "run.db")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    limit = (folder / "run.db").stat().st_size + 200_000
    for _ in range(3):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        append_until_full(ledger)
        say("good" if ledger.verify(MAIN).good else "bad")
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        ledger.append(MAIN, [Rendered(9, 1, "room again")], expected=ledger.head(MAIN).version)
        limit += 100_000
    ledger.close()
    say("done")


def fill_disk(folder: Path, chance: random.Random) -> None:
    """The same on a disk that really is full."""
    ledger = opened(folder / "run.db")
    append_until_full(ledger)
    say("good" if ledger.verify(MAIN).good else "bad")
    (folder / "ballast").unlink()
    ledger.append(MAIN, [Rendered(9, 1, "room again")], expected=ledger.head(MAIN).version)
    say("good" if ledger.verify(MAIN).good else "bad")
    ledger.close()
    say("done")


def append_until_full(ledger: SqliteLedger) -> None:
    head = ledger.head(MAIN)
    try:
        for _ in range(10_000):
            batch = [Rendered(9, 1, "x" * 3000), Rendered(9, 2, "y" * 3000)]
            head_after = ledger.append(MAIN, batch, expected=head.version)
            head = ledger.head(MAIN)
            assert head.version == head_after
    except LedgerFull as error:
        say("full", head.version, ledger.head(MAIN).version, error)
    else:
        say("never full")


def look(folder: Path, chance: random.Random) -> None:
    """What somebody can do who may not write."""
    if os.getuid() == 0 and "as-root" not in sys.argv:
        os.setgid(65534)
        os.setuid(65534)
    for attempt in (
        lambda: opened(folder / "run.db").verify(MAIN).good,
        lambda: opened(folder / "run.db", read_only=True).head(MAIN).version,
        lambda: len(list(opened(folder / "run.db").read(MAIN))),
        lambda: opened(folder / "run.db").append(MAIN, [Rendered(9, 1, "")], expected=12),
        lambda: opened(folder / "new.db", create=True),
        lambda: backup_file(folder / "run.db", folder / "copy.db"),
    ):
        try:
            say(attempt())
        except LedgerReadOnly as error:
            say("read-only:", error)
        except LedgerError as error:
            say(type(error).__name__, error)


if __name__ == "__main__":
    mode, where, seed, *_ = sys.argv[1:]
    globals()[mode](Path(where), random.Random(seed))
