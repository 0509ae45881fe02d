"""`inspect` of a run in PostgreSQL: every view of it, as of one in a file."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading

import httpx
import pytest

from storykeeper import Storykeeper
from strategies.postgres import new_place
from strategies.runs import go, script
from strategies.worlds import example

pytestmark = pytest.mark.long
ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)/inspect/#run=(\S+)&key=(\S+)")
VIEWS = ("", "/landscape", "/lanes", "/knowledge", "/window", "/journal", "/presence", "/ledger",
         "/entities", "/relations", "/pulls", "/pieces?turn=1", "/window?turn=1&as=mara",
         "/telling?fact=wil-out")  # fmt: skip


def test_a_run_in_a_database_is_shown_and_played():
    place = new_place("harrow")
    with Storykeeper.open(place.address, story=example()) as keeper:
        go(keeper, *script("two-keepers")[:3])
        keeper.fork(at=2, name="what-if")
    with subprocess.Popen(
        [sys.executable, "-m", "storykeeper", "inspect", place.address, "--no-browser"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        patience = threading.Timer(90, process.kill)
        patience.start()
        try:
            said = process.stdout.readline()
            found = ADDRESS.match(said)
            assert found, (said, process.stderr.read())
            base, run, key = found.groups()
            headers = {"authorization": f"Bearer {key}"}
            with httpx.Client(base_url=base, headers=headers, timeout=60) as client:
                for named in (run, f"{run}@what-if"):
                    for view in VIEWS:
                        answer = client.get(f"/v1/inspect/{named}{view}")
                        assert answer.status_code == 200, (named, view, answer.text)
                told = client.post(
                    f"/v1/runs/{run}/turns", json={"text": "I wait.", "narrate": True}
                )
                assert told.status_code == 201, told.text
                assert client.get(f"/v1/inspect/{run}").json()["last"] == 4
            process.send_signal(signal.SIGINT)
            assert "Traceback" not in process.communicate(timeout=60)[1]
        finally:
            patience.cancel()
            process.kill()
