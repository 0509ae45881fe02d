"""Servers in processes of their own, on loopback, and what they take."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 60.0


@contextmanager
def running(*arguments: str, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A Python module as a server, until it is not wanted any more."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, "-m", *arguments], stdout=quiet, stderr=quiet)
    try:
        until = time.monotonic() + START_SECONDS
        while not _listens(port):
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{arguments[0]} did not start")
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        process.wait(60)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def resident_mb(pid: int) -> float:
    """Memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _listens(port: int) -> bool:
    with socket.socket() as door:
        return door.connect_ex(("127.0.0.1", port)) == 0
