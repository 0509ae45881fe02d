"""`inspect` and `serve` say where they are when they can be asked there, however long it takes."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import httpx
import pytest

from strategies.runs import go, kept, script
from strategies.worlds import example

LATE = """
import asyncio, sys, uvicorn
began = uvicorn.Server.startup
async def late(self, sockets=None):
    await asyncio.sleep(0.8)
    await began(self, sockets)
uvicorn.Server.startup = late
from storykeeper.cli.main import run
run()
"""
PATIENCE = 60.0  # seconds, after which one that says nothing has failed
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)\S*")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("starts") / "mine.db"
    with kept(path, story=example()) as keeper:
        go(keeper, *script("two-keepers")[:2])
    return path


@contextmanager
def begun(*arguments, code=LATE):
    """A process of ours, slow to start; killed if nothing else ended it."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        patience = threading.Timer(PATIENCE, process.kill)
        patience.start()
        try:
            yield process
        finally:
            patience.cancel()
            process.kill()


def test_inspect_waits_for_its_server_and_ends_on_ctrl_c(run):
    with begun("inspect", run, "--no-browser") as process:
        said = process.stdout.readline()
        found = ADDRESS.search(said)
        assert found, (said, process.stderr.read())
        assert httpx.get(f"http://127.0.0.1:{found[1]}/inspect/", timeout=60).status_code == 200
        process.send_signal(signal.SIGINT)
        _, wrong = process.communicate(timeout=60)
        assert "Traceback" not in wrong
        assert process.returncode == 130


@pytest.mark.long
def test_inspect_ends_with_the_reason_if_the_run_cannot_be_shown(run, tmp_path):
    """A ledger of which a record was changed: neither an address nor a traceback."""
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"SQLite format 3\0" + b"no ledger at all" * 300)
    with begun("inspect", broken, "--no-browser") as process:
        told, wrong = process.communicate(timeout=60)
    assert not ADDRESS.search(told)
    assert "Traceback" not in wrong
    assert "cannot be shown" in wrong
    assert process.returncode == 2


@pytest.mark.long
def test_serve_says_its_port_when_it_answers_there(tmp_path):
    """Any port that is free: the one it was given is said; one that is taken is refused."""
    with begun("serve", "--data", tmp_path / "data", "--port", 0) as process:
        found = ADDRESS.search(process.stdout.readline())
        assert found
        assert httpx.get(f"http://127.0.0.1:{found[1]}/ready", timeout=60).status_code == 200
        process.send_signal(signal.SIGINT)
        assert "Traceback" not in process.communicate(timeout=60)[1]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with begun("serve", "--data", tmp_path / "data", "--port", port) as process:
            told, wrong = process.communicate(timeout=60)
    assert told == ""
    assert f"cannot listen on 127.0.0.1:{port}" in wrong
    assert process.returncode == 2
