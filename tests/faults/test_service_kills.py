"""The service killed, doubled and starved: what was acknowledged stays, no turn comes twice."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import httpx
import pytest

from storykeeper import Storykeeper
from strategies.chat_servers import cut, serving, streams, words
from strategies.worlds import EXAMPLE

SEED = int(os.environ.get("STORYKEEPER_SEED", random.randrange(2**31)))
STORY = EXAMPLE.name


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def process(data, *options: str, port: int | None = None, patience: float = 60):
    port = port or free_port()
    started = subprocess.Popen(
        [sys.executable, "-m", "storykeeper", "serve", "--data", str(data), "--stories",
         str(EXAMPLE.parent), "--port", str(port), "--per-minute", "100000", *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + patience
        while True:
            try:
                httpx.get(f"{url}/health").raise_for_status()
                break
            except httpx.HTTPError:
                assert started.poll() is None, "the service ended"
                assert time.monotonic() < until
                time.sleep(0.05)
        yield started, url
    finally:
        started.kill()
        started.wait()


def lived(data, run: str) -> list[tuple[str, str]]:
    path = data / "tenants" / "local" / "runs" / f"{run}.db"
    with Storykeeper.open(path, read_only=True) as keeper:
        assert keeper.ledger.verify(keeper.run).good
        keeper.replay()
        return [(turn.text, turn.prose) for turn in keeper.history()]


@pytest.mark.long
def test_killed_under_load_nothing_acknowledged_is_lost(tmp_path):
    chance, told = random.Random(SEED), {}

    def play(url, run, stop):
        with httpx.Client(base_url=url, timeout=30) as client:
            while not stop.is_set():
                number = len(told[run])
                line = {"text": f"I wait {run} {number}.", "narrate": True}
                try:
                    answer = client.post(
                        f"/v1/runs/{run}/turns", json=line,
                        headers={"idempotency-key": f"{run}-{number}"},
                    )  # fmt: skip
                except httpx.HTTPError:
                    return
                assert answer.status_code == 201, (SEED, answer.text)
                told[run].append((line["text"], answer.json()["prose"]))

    for _ in range(5):
        with process(tmp_path) as (started, url):
            for n in range(2):
                run = f"run-{n}"
                if run not in told:
                    httpx.post(f"{url}/v1/runs", json={"story": STORY, "run": run}, timeout=60)
                    told[run] = []
            stop = threading.Event()
            players = [threading.Thread(target=play, args=(url, run, stop)) for run in told]
            [each.start() for each in players]
            time.sleep(1.0 + chance.random() * 4.0)
            started.send_signal(signal.SIGKILL)
            stop.set()
            [each.join() for each in players]
    with process(tmp_path) as (started, url):  # it recovers without a hand
        for run in told:
            assert httpx.get(f"{url}/v1/runs/{run}", timeout=60).status_code == 200
            answer = httpx.post(
                f"{url}/v1/runs/{run}/turns", json={"text": "I go on.", "narrate": True}, timeout=60
            )
            assert answer.status_code == 201, (SEED, answer.text)
        started.send_signal(signal.SIGTERM)
        assert started.wait(60) in (0, -signal.SIGTERM)  # when all was done
    for run, turns in told.items():
        kept = lived(tmp_path, run)
        assert len({line for line, _ in kept}) == len(kept), f"a turn came twice; seed {SEED}"
        for turn in turns:
            assert turn in kept, f"{turn} was acknowledged; seed {SEED}"


@pytest.mark.long
def test_two_services_on_one_folder_mix_nothing_up(tmp_path):
    with process(tmp_path) as (_, one), process(tmp_path) as (_, other):
        begun = httpx.post(f"{one}/v1/runs", json={"story": STORY, "run": "shared"}, timeout=60)
        assert begun.status_code == 201
        told, codes = [], []

        def play(url, name):
            for n in range(4):
                line = {"text": f"I wait, {name} {n}.", "narrate": True}
                answer = httpx.post(f"{url}/v1/runs/shared/turns", json=line, timeout=60)
                codes.append(answer.status_code)
                if answer.status_code == 201:
                    told.append((line["text"], answer.json()["prose"]))

        players = [threading.Thread(target=play, args=each) for each in ((one, "a"), (other, "b"))]
        [each.start() for each in players]
        [each.join() for each in players]
        assert {*codes} <= {201, 404, 412, 503}
        assert told
        shown = httpx.post(f"{one}/v1/runs/shared/end-scene", timeout=60)
        assert shown.status_code in (204, 412)
    kept = lived(tmp_path, "shared")
    for turn in told[:-1]:
        assert turn in kept
    assert len({line for line, _ in kept}) == len(kept)


def test_an_upstream_that_breaks_off_leaves_a_turn_that_waits(tmp_path):
    with (
        serving(cut(["The lamp "]), streams(words("The lamp is out."))) as upstream,
        process(tmp_path, "--model", upstream.url) as (_, url),
    ):
        httpx.post(f"{url}/v1/runs", json={"story": STORY, "run": "r"}, timeout=60)
        line = {"text": "I look at the lamp.", "narrate": True}
        broken = httpx.post(f"{url}/v1/runs/r/turns", json=line, timeout=60)
        assert broken.status_code == 502
        assert broken.json()["type"] == "urn:storykeeper:stream-cut"
        assert httpx.get(f"{url}/v1/runs/r", timeout=60).json()["waiting"]
        again = httpx.post(f"{url}/v1/runs/r/turns", json=line, timeout=60)
        assert again.json()["prose"] == "The lamp is out."


def test_a_folder_that_cannot_be_written_is_said_at_once(tmp_path):
    (tmp_path / "file").write_text("x")
    done = subprocess.run(
        [sys.executable, "-m", "storykeeper", "serve", "--data", str(tmp_path / "file" / "data")],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2
    assert "cannot be made" in done.stderr
