"""Two service processes and one PostgreSQL under load, of which each part goes away in turn.

    STORYKEEPER_RUNS, STORYKEEPER_CLIENTS, STORYKEEPER_TURNS      how large it is

A client that is not answered asks again, the other process, with the same Idempotency-Key. In the
end every line that was acknowledged is in its run, once and in order, and no line is there twice.
"""

from __future__ import annotations

import itertools
import os
import signal
import statistics
import threading
import time
from collections import Counter
from contextlib import ExitStack

import httpx
import psycopg
import pytest
from processes import chance
from test_service_kills import free_port, process

from storykeeper import Storykeeper
from storykeeper.ledger.postgres.database import naming
from storykeeper.ledger.postgres.place import place
from strategies.cut_wires import wire
from strategies.postgres import new_server
from strategies.worlds import EXAMPLE

RUNS = int(os.environ.get("STORYKEEPER_RUNS", "12"))
CLIENTS = int(os.environ.get("STORYKEEPER_CLIENTS", "6"))
TURNS = int(os.environ.get("STORYKEEPER_TURNS", "4"))
PATIENCE_SECONDS = 300
FAULTS = ("a process", "the server", "the wires")
BROKEN_OFF = {409, 412, 429, 500, 502, 503}


class Load:
    """Clients that play runs of their own in turn, and ask again until they are answered."""

    def __init__(self, urls: list[str]) -> None:
        self.urls = urls
        self.told: dict[str, list[str]] = {}
        self.seconds: list[float] = []
        self.refused: Counter[str] = Counter()
        self.failed: list[str] = []

    def play(self, number: int) -> None:
        try:
            with httpx.Client(timeout=30) as client:
                runs = [f"run-{n}" for n in range(number, RUNS, CLIENTS)]
                for run in runs:
                    self.told[run] = []
                    wanted = {"story": EXAMPLE.name, "run": run}
                    self._asked(client, number, "/v1/runs", wanted, f"begin-{run}")
                for turn, run in itertools.product(range(TURNS), runs):
                    line = f"I wait {run} {turn}."
                    began = time.perf_counter()
                    wanted = {"text": line, "narrate": True}
                    self._asked(client, number, f"/v1/runs/{run}/turns", wanted, f"{run}-{turn}")
                    self.seconds.append(time.perf_counter() - began)
                    self.told[run].append(line)
        except AssertionError as error:
            self.failed.append(str(error))

    def _asked(self, client, number: int, path: str, wanted: dict, key: str) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        for attempt in itertools.count(number):
            try:
                answer = client.post(
                    self.urls[attempt % 2] + path, json=wanted, headers={"idempotency-key": key}
                )
                if answer.status_code == 201:
                    return
                said = f"{answer.status_code} {answer.json().get('type', '')}"
                self.refused[said] += 1
                assert answer.status_code in BROKEN_OFF, answer.text
            except httpx.HTTPError as error:
                self.refused[type(error).__name__] += 1
            assert time.monotonic() < until, f"{key} was never answered: {self.refused}"
            time.sleep(0.1)


def lived(address: str) -> list[str]:
    with Storykeeper.open(address, read_only=True) as keeper:
        assert keeper.ledger.verify(keeper.run).good
        keeper.replay()
        found = [turn.text for turn in keeper.history()]
        pending = keeper.world().pending
        return [*found, *([pending.text] if pending is not None else [])]


def p95(seconds: list[float]) -> float:
    return 1_000 * statistics.quantiles(seconds, n=20)[-1]


def bare_append(server, number: int = 200) -> float:
    """Milliseconds by which a bare append to one table is done, nineteen times of twenty."""
    with psycopg.connect(server.url("postgres"), autocommit=True) as c:
        c.execute("CREATE TABLE floor (tenant text, n bigint, body bytea, PRIMARY KEY (tenant, n))")
        found = []
        for n in range(number):
            began = time.perf_counter()
            with c.transaction():
                c.execute(naming("floor"))
                c.execute("INSERT INTO floor VALUES ('floor', %s, %s)", (n, b"x" * 2_000))
            found.append(time.perf_counter() - began)
        c.execute("DROP TABLE floor")
    return p95(found)


@pytest.mark.long
def test_whatever_goes_away_nothing_acknowledged_is_lost():
    luck = chance()
    server = new_server("fsync=on", "full_page_writes=on")
    try:
        with wire(server.port) as line, ExitStack() as stack:
            address = server.url(port=line.port)
            services, ports = [], [free_port(), free_port()]
            for port in ports:
                services.append(stack.enter_context(process(address, port=port, patience=300)))
            load = Load([url for _, url in services])
            threads = [threading.Thread(target=load.play, args=[n]) for n in range(CLIENTS)]
            began = time.perf_counter()
            for each in threads:
                each.start()
            gone = Counter()
            for fault in itertools.cycle(FAULTS):
                time.sleep(luck.uniform(0.5, 3))
                if not any(each.is_alive() for each in threads):
                    break
                gone[fault] += 1
                if fault == "a process":
                    which = luck.randrange(2)
                    services[which][0].send_signal(signal.SIGKILL)
                    services[which] = stack.enter_context(
                        process(address, port=ports[which], patience=300)
                    )
                elif fault == "the server":
                    server.kill()
                    time.sleep(luck.uniform(0, 1))
                    server.start()
                else:
                    line.cut()
            took = time.perf_counter() - began
            assert not load.failed, (load.failed, load.refused)
            floor = bare_append(server)
        print(f"{RUNS} runs, {CLIENTS} clients; gone: {dict(gone)}; asked again: {load.refused}")
        print(f"{len(load.seconds) / took:.1f} turns/s, P95 {p95(load.seconds):.0f} ms;"
              f" a bare append P95 {floor:.1f} ms")  # fmt: skip
        assert all(gone[fault] for fault in FAULTS)
        assert len(load.told) == RUNS
        for run, lines in load.told.items():
            at = place(f"{server.url()}#local/runs/{run}")
            assert [text for text in lived(at.address) if text] == lines, "lost, or there twice"
    finally:
        server.stop()
