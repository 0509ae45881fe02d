"""A client's own server, started on a free port of this machine and ended again."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(
    command: Sequence[str], *, port: int, log: Path, cwd: Path | None = None,
    more: Mapping[str, str] | None = None, seconds: float = 240,
) -> Iterator[str]:  # fmt: skip
    """Its address, once somebody listens there."""
    with log.open("wb") as lines:
        process = subprocess.Popen(
            command, cwd=cwd, stdout=lines, stderr=lines, env=os.environ | dict(more or {})
        )
        try:
            until = time.monotonic() + seconds
            while time.monotonic() < until and process.poll() is None:
                with socket.socket() as door:
                    if door.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)
