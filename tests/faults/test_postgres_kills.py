"""A database whose clients are killed, whose server is, whose wires are cut: nothing is lost.

Each writer numbers its records and says when one was acknowledged. Whatever goes away meanwhile,
all of those are there, in order, and none is there twice.
"""

import time
from contextlib import ExitStack

import pytest
from processes import chance, child, times

from storykeeper.events.turns import Rendered
from storykeeper.ledger.postgres.place import place
from storykeeper.units import MAIN
from strategies.cut_wires import wire
from strategies.postgres import new_place, new_server, postgres_ledger, server


def begun(folder, at, port=None):
    """A run in a database, and the address by which children find it."""
    with postgres_ledger(at) as ledger:
        ledger.begin(MAIN, [])
    address = at.address
    if port is not None:
        address = address.replace(f":{address.rsplit(':', 1)[1].split('/')[0]}/", f":{port}/")
    (folder / "address").write_text(address)


def acknowledged(process) -> int:
    process.kill()
    said = process.stdout.read().decode().split("\n")[:-1]  # the last may be torn
    return int(said[-1]) if said else 0


def check(at, kept: dict[int, int]) -> None:
    with postgres_ledger(at) as ledger:
        assert ledger.verify(MAIN).good
        found: dict[int, list[int]] = {pid: [] for pid in kept}
        for entry in ledger.read(MAIN):
            if isinstance(entry.record, Rendered):
                pid, number = map(int, entry.record.prose.split())
                found[pid].append(number)
    for pid, numbers in found.items():
        assert numbers == list(range(1, len(numbers) + 1)), "one is missing, or there twice"
        assert len(numbers) >= kept[pid], "lost what it had promised"
        assert len(numbers) <= kept[pid] + 1
        print(f"{pid}: {kept[pid]} acknowledged, {len(numbers)} there")


def test_writers_are_killed(tmp_path):
    """And race: several on one run, each from a process of its own."""
    luck, at = chance(), new_place()
    begun(tmp_path, at)
    kept = {}
    for _ in range(times(1, 50)):
        with ExitStack() as stack:
            writers = [stack.enter_context(child("persist", tmp_path)) for _ in range(times(2, 3))]
            for each in writers:
                assert each.stdout.readline() == b"ready\n"
            time.sleep(luck.uniform(0.05, 0.4))
            kept |= {each.pid: acknowledged(each) for each in writers}
        check(at, kept)
    assert sum(kept.values()) > 0


@pytest.mark.long
def test_wires_are_cut(tmp_path):
    luck, at = chance(), new_place()
    with wire(server().port) as line:
        begun(tmp_path, at, line.port)
        with child("persist", tmp_path) as first, child("persist", tmp_path) as second:
            for each in (first, second):
                assert each.stdout.readline() == b"ready\n"
            for _ in range(times(8, 400)):
                time.sleep(luck.uniform(0.0, 0.1))
                line.cut()
            kept = {each.pid: acknowledged(each) for each in (first, second)}
    check(at, kept)
    assert line.cuts >= 8


@pytest.mark.long
def test_the_server_is_killed_and_started_again(tmp_path):
    """With everything on disk that it acknowledged, as a server has it that is not for tests."""
    luck = chance()
    own = new_server("fsync=on", "full_page_writes=on")
    try:
        at = place(f"{own.url()}#local/run")
        begun(tmp_path, at)
        kept = {}
        with child("persist", tmp_path) as first, child("persist", tmp_path) as second:
            for each in (first, second):
                assert each.stdout.readline() == b"ready\n"
            for _ in range(times(3, 20)):
                time.sleep(luck.uniform(0.1, 0.6))
                own.kill()
                time.sleep(luck.uniform(0.0, 0.3))
                own.start()
            time.sleep(1)
            kept = {each.pid: acknowledged(each) for each in (first, second)}
        check(at, kept)
        assert all(kept.values())
    finally:
        own.stop()
