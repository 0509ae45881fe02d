"""Which records a run is made of: a path from the first run of the file down to it.

main      1 ─ 2 ─ 3 ─ 4 ─ 5 ─ 6
what-if           └── 4 ─ 5          main ≤ 3, then its own
again                     └── 6      main ≤ 3, what-if ≤ 5, then its own
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from storykeeper.errors import LedgerDamaged, RunNotFound
from storykeeper.ledger.port import Head
from storykeeper.units import ID_PATTERN, MAX_ID_CHARS, RunId, TurnNo, Version

_name = re.compile(ID_PATTERN)


@dataclass(frozen=True, slots=True)
class Branch:
    """A run: where it hangs on the tree and how far it has grown."""

    run: RunId
    parent: RunId | None
    forked_at: Version
    head: Head


@dataclass(frozen=True, slots=True)
class Segment:
    """The records that one run lends to a lineage: those after one version, up to another."""

    run: RunId
    after: Version
    upto: Version


def branch_of(branches: Mapping[RunId, Branch], run: RunId) -> Branch:
    """The branch of that name."""
    if run not in branches:
        known = ", ".join(branches) or "none yet"
        raise RunNotFound(f"no run {run!r} in this ledger; its runs: {known}")
    return branches[run]


def lineage(branches: Mapping[RunId, Branch], run: RunId) -> tuple[Segment, ...]:
    """The segments of a run, the oldest first; one that lends nothing has after = upto."""
    branch = branch_of(branches, run)
    upto = branch.head.version
    path: list[Segment] = []
    while True:
        path.append(Segment(branch.run, branch.forked_at, max(branch.forked_at, upto)))
        if branch.parent is None:
            return tuple(reversed(path))
        if branch.parent not in branches or len(path) > len(branches):
            raise LedgerDamaged(f"run {branch.run!r} hangs on {branch.parent!r}, which is no run")
        upto = Version(min(upto, branch.forked_at))
        branch = branches[branch.parent]


def sharing(
    branches: Mapping[RunId, Branch],
    run: RunId,
    *,
    turn: TurnNo,
    forked_in: Callable[[RunId], TurnNo],
) -> tuple[Segment, ...]:
    """The own records of every run that has this turn in common with a run, itself included.

    `forked_in` says in which turn a run parted from its parent: what had begun by then is shared.
    """
    top = branch_of(branches, run)
    while top.parent is not None and forked_in(top.run) >= turn:
        top = branch_of(branches, top.parent)
    found = {top.run: top}
    for branch in branches.values():  # parents stand before their forks
        if branch.parent in found and forked_in(branch.run) >= turn:
            found[branch.run] = branch
    return tuple(Segment(b.run, b.forked_at, b.head.version) for b in found.values())


def fits_a_name(name: str) -> bool:
    """Whether a run may be called that."""
    return len(name) <= MAX_ID_CHARS and _name.fullmatch(name) is not None
