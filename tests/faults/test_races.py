"""Two processes on one run: one wins, the other tries again; nothing is lost or double."""

import threading

from processes import chance, child, times

from storykeeper.events.turns import Rendered
from storykeeper.units import MAIN
from strategies.ledgers import add, shown, sqlite_ledger


def test_two_writers(tmp_path):
    luck = chance()
    rounds = times(100, 1000)
    with sqlite_ledger(tmp_path / "run.db") as ledger:
        version = ledger.begin(MAIN, [])
    versions, lost = [], 0
    with child("race", tmp_path, 1) as left, child("race", tmp_path, 2) as right:
        for each in (left, right):
            assert each.stdout.readline() == b"ready\n"
        for number in range(rounds):
            pair = [("left", left), ("right", right)]
            luck.shuffle(pair)
            for name, process in pair:
                process.stdin.write(f"{name}-{number} {version}\n".encode())
            for _, process in pair:
                process.stdin.flush()
            for _, process in pair:
                at, times_lost = map(int, process.stdout.readline().split())
                versions.append(at)
                lost += times_lost
            version += 2
        for process in (left, right):
            process.stdin.close()
            assert process.wait(10) == 0
    with sqlite_ledger(tmp_path / "run.db") as ledger:
        names = [e.record.prose for e in ledger.read(MAIN) if isinstance(e.record, Rendered)]
        assert ledger.verify(MAIN).good
        assert ledger.head(MAIN).version == 1 + 2 * rounds
    assert sorted(names) == sorted(f"{who}-{n}" for who in ("left", "right") for n in range(rounds))
    assert sorted(versions) == list(range(2, 2 + 2 * rounds))
    assert lost == rounds, "each round both expected the same version, so one had to lose"


def test_a_reader_in_one_process_sees_what_another_writes(tmp_path):
    with sqlite_ledger(tmp_path / "run.db") as ledger:
        version = ledger.begin(MAIN, [])
        seen = []
        enough = threading.Event()

        def follow() -> None:
            with sqlite_ledger(tmp_path / "run.db", read_only=True) as reader:
                for entry in reader.follow(MAIN, stop=enough.is_set):
                    seen.append(entry.version)
                    if len(seen) == 51:
                        enough.set()

        with child("race", tmp_path) as writer:
            assert writer.stdout.readline() == b"ready\n"
            follower = threading.Thread(target=follow)
            follower.start()
            for number in range(50):
                writer.stdin.write(f"word-{number} {version}\n".encode())
                writer.stdin.flush()
                version = int(writer.stdout.readline().split()[0])
            follower.join(20)
    assert seen == list(range(1, 52))


def test_a_writer_under_a_slow_reader(tmp_path):
    with sqlite_ledger(tmp_path / "run.db") as ledger, sqlite_ledger(tmp_path / "run.db") as other:
        ledger.begin(MAIN, [shown(0, str(n)) for n in range(2000)])
        reading = other.read(MAIN)
        for number in range(30):
            next(reading)
            add(ledger, shown(1, str(number)))
            add(other, shown(1, str(number)))
        assert len(list(reading)) == 2001 - 30
