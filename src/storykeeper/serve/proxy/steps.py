"""What brings a run in step with a client's history. Pure.

    rows    what the run has lived through: row 0 its opening, the last one not yet fact
    rounds  what the client shows; the last one may still want its answer

The rounds lie along the rows from `start` on: clients drop what is old when their context is full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storykeeper.serve.proxy.transcript import Round

MOST_EDITS = 4  # more than these at once is another chat


@dataclass(frozen=True, slots=True)
class Row:
    """A round that a run has lived through."""

    turn: int
    line_key: str
    prose_key: str


@dataclass(frozen=True, slots=True)
class Steps:
    """In this order: go back, mend, show another telling, play on."""

    branch_after: int | None = None  # the row after which another branch begins
    drop_last: bool = False  # the last line was never answered for good: another takes its place
    edits: tuple[tuple[int, Round], ...] = ()  # rows that read otherwise now
    swipe: Round | None = None  # the last row's answer is another
    play: tuple[Round, ...] = ()

    @property
    def renewed(self) -> bool:
        """Whether nothing of the run stands: it is a chat of its own."""
        return self.branch_after == 0


def agreeing(rows: Sequence[Row], rounds: Sequence[Round], start: int) -> int:
    """How many rounds are the same as the rows they lie on, from this start."""
    return sum(
        _same(rows[start + i], each)
        for i, each in enumerate(rounds, 1)
        if 0 < start + i < len(rows)
    )


def steps(rows: Sequence[Row], rounds: tuple[Round, ...], start: int) -> Steps:
    """What there is to do; `start` is the row before the first round."""
    last = len(rows) - 1
    at = next((i for i, each in enumerate(rounds, 1)
               if start + i > last or not _same(rows[start + i], each)), None)  # fmt: skip
    if at is None:  # all of them stand
        if last == start + len(rounds):
            return Steps()
        behind = start + len(rounds) - (not rounds[-1].prose)
        return Steps(branch_after=behind, play=() if rounds[-1].prose else rounds[-1:])
    here, rest = start + at, tuple(rounds[at - 1 :])
    if here > last:
        return Steps(play=rest)
    if here == last:
        return _at_last(rows[last], rest)
    if _only_reads_otherwise(rows[here:], rest):
        return _mended(rows, rest, here)
    return Steps(branch_after=here - 1, play=rest)


def _same(row: Row, each: Round) -> bool:
    return row.line_key == each.line_key and (not each.prose or row.prose_key == each.prose_key)


def _at_last(row: Row, rest: tuple[Round, ...]) -> Steps:
    """The last row is not fact yet: another telling may stand in its place, or another line."""
    if row.line_key == rest[0].line_key:
        return Steps(swipe=rest[0], play=rest[1:])
    return Steps(drop_last=True, play=rest)


def _only_reads_otherwise(rows: Sequence[Row], rest: Sequence[Round]) -> bool:
    """Whether the same lines were typed, and no more than a few answers changed since."""
    pairs = list(zip(rows, rest, strict=False))
    changed = sum(not _same(row, each) for row, each in pairs)
    return (
        len(rest) >= len(rows)
        and changed <= MOST_EDITS
        and all(row.line_key == each.line_key for row, each in pairs)
    )


def _mended(rows: Sequence[Row], rest: tuple[Round, ...], here: int) -> Steps:
    last = len(rows) - 1
    changed = [
        (n, each) for n, each in enumerate(rest, here)
        if n <= last and each.prose and not _same(rows[n], each)
    ]  # fmt: skip
    return Steps(
        edits=tuple(pair for pair in changed if pair[0] < last),
        swipe=next((each for n, each in changed if n == last), None),
        play=rest[last - here + 1 :],
    )
