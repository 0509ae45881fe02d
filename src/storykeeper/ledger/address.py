"""The address of a run: `run.db` is the first run of a file, `run.db@what-if` another; in a
database `postgresql://host/db#tenant/run` and `postgresql://host/db#tenant/run@what-if`.

A folder or file may have an @ in its name. The last @ parts file from run only if what comes after
it could name a run and what comes before it is a file, or ends in .db; and a file of the whole name
comes first. So `me@home/run.db` and an existing `notes@home` are paths.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from storykeeper.ledger.lineage import fits_a_name
from storykeeper.ledger.places import Place
from storykeeper.ledger.postgres.place import is_address, place
from storykeeper.units import MAIN, RunId


@dataclass(frozen=True, slots=True)
class Address:
    """A file, or a place in a database, and a run in it."""

    place: Place
    run: RunId
    named: bool  # the run was named, not taken for granted

    def __str__(self) -> str:
        return str(self.place) if self.run == MAIN else f"{self.place}@{self.run}"


def parse(text: str) -> Address:
    """The file and the run that an address names."""
    if is_address(text):
        before, _, after = text.partition("#")
        name, at, branch = after.partition("@")
        run = RunId(branch) if at else MAIN
        return Address(place(f"{before}#{name}"), run, named=bool(at))
    path, at, name = text.rpartition("@")
    parts = at and fits_a_name(name) and not Path(text).is_file()
    if parts and (path.endswith(".db") or Path(path).is_file()):
        return Address(Path(path), RunId(name), named=True)
    return Address(Path(text), MAIN, named=False)
