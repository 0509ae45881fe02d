"""Whatever is sent: no fault of ours, and every answer as the OpenAPI page says."""

from __future__ import annotations

import subprocess
import sys

import httpx
import pytest

from storykeeper.serve.settings import Limits
from strategies.services import service
from strategies.worlds import EXAMPLE

pytestmark = pytest.mark.long
CHECKS = ",".join(
    ["not_a_server_error", "status_code_conformance", "content_type_conformance",
     "response_schema_conformance"]
)  # fmt: skip
SETTINGS = f"""
[parameters]
"path.run" = "played"
"path.story" = "{EXAMPLE.name}"
"path.who" = "mara"
"path.turn" = 1
"""


def test_no_request_finds_a_fault(tmp_path):
    pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    limits = Limits(requests_per_minute=10_000_000)
    (tmp_path / "schemathesis.toml").write_text(SETTINGS)
    with service(tmp_path / "data", stories=EXAMPLE.parent, limits=limits) as running:
        wanted = {"story": EXAMPLE.name, "run": "played"}
        httpx.post(f"{running.url}/v1/runs", json=wanted, timeout=60)
        line = {"text": "I go on to Harrow.", "narrate": True}
        httpx.post(f"{running.url}/v1/runs/played/turns", json=line, timeout=60)
        for only in (("--exclude-method", "DELETE"), ("--include-method", "DELETE")):
            done = subprocess.run(
                [sys.executable, "-m", "schemathesis.cli", "run", f"{running.url}/openapi.json",
                 "--max-examples", "20", "--checks", CHECKS, "--workers", "1", "--no-color",
                 "--generation-deterministic", "--phases", "examples,fuzzing", *only],
                capture_output=True, text=True, cwd=tmp_path,
            )  # fmt: skip
            assert done.returncode == 0, done.stdout[-6_000:]
