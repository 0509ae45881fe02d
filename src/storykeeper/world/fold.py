"""World = fold(evolve, story, ledger).

A committed turn is a *bundle*: its TurnCommitted record and what came of the turn, atoms and
changes, right behind it. Editing a turn writes its bundle again, and those after it; retracting
writes none. Of several bundles for one turn the last counts, in the place of the first; what stands
outside bundles (input, renderings, adoptions, corrections) counts where it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from storykeeper.errors import LedgerDamaged
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import (
    Corrected,
    Declared,
    InputReceived,
    LeftUnread,
    QuestionAnswered,
    QuestionAsked,
    Rejected,
    Rendered,
    RunBegun,
    RunForked,
    StageCorrected,
    StoryAdopted,
    StorySummed,
    Swiped,
    TextErased,
    TurnCommitted,
    TurnEdited,
    TurnRetracted,
    WindowAssembled,
)
from storykeeper.units import TurnNo
from storykeeper.world.begin import begin
from storykeeper.world.evolve import evolve
from storykeeper.world.plan import plan
from storykeeper.world.state import World

# Steps in the life of a run, which no later edit takes back: they begin or end a bundle.
Step = (
    RunBegun
    | RunForked
    | StoryAdopted
    | InputReceived
    | QuestionAsked
    | QuestionAnswered
    | WindowAssembled
    | Rendered
    | Declared
    | Swiped
    | Rejected
    | LeftUnread
    | TurnCommitted
    | TurnEdited
    | TurnRetracted
    | StorySummed
    | Corrected
    | StageCorrected
    | TextErased
)


def fold(records: Iterable[AnyRecord], world: World | None = None) -> World:
    """The world after these records, which hold no edit; from nothing, or on from a world."""
    stream = iter(records)
    if world is None:
        world = first_world(stream)
    for record in stream:
        world = evolve(world, record)
    return world


def fold_all(records: Sequence[AnyRecord]) -> World:
    """The world after all records of a run, edits and retractions taken in."""
    return fold(straightened(records))


def checkpoints(records: Sequence[AnyRecord]) -> Iterator[tuple[TurnNo, World]]:
    """The world after each committed turn, edits and retractions taken in."""
    stream = iter(straightened(records))
    world = first_world(stream)
    turn: TurnNo | None = None
    for record in stream:
        if turn is not None and not _belongs(record, turn):
            yield turn, world
            turn = None
        if isinstance(record, TurnCommitted):
            turn = record.turn
        world = evolve(world, record)
    if turn is not None:
        yield turn, world


def straightened(records: Sequence[AnyRecord]) -> Iterable[AnyRecord]:
    """The records as if every turn had been written once, and right, the first time."""
    if not any(isinstance(r, TurnEdited | TurnRetracted) for r in records):
        return records
    last, retracted = _last_bundles(records)
    return _straightened(records, last, retracted)


def retracted_turns(records: Iterable[AnyRecord]) -> set[TurnNo]:
    """The turns that no longer count."""
    return _last_bundles(records)[1]


def first_world(stream: Iterable[AnyRecord]) -> World:
    """The world that the first story of a run begins with; takes what stands before it."""
    for record in stream:
        match record:
            case StoryAdopted():
                return begin(plan(record))
            case RunBegun() | RunForked():
                continue
            case _:
                break
    raise LedgerDamaged("the run does not begin with a story; run verify, or restore a backup")


def _last_bundles(records: Iterable[AnyRecord]) -> tuple[dict[TurnNo, int], set[TurnNo]]:
    last: dict[TurnNo, int] = {}
    retracted: set[TurnNo] = set()
    for i, record in enumerate(records):
        match record:
            case TurnCommitted(turn=turn):
                last[turn] = i
                retracted.discard(turn)
            case TurnRetracted(of=turn):
                retracted.add(turn)
    return last, retracted


def _straightened(
    records: Sequence[AnyRecord], last: dict[TurnNo, int], retracted: set[TurnNo]
) -> Iterable[AnyRecord]:
    written: set[TurnNo] = set()
    corrections = (TurnEdited, TurnRetracted)
    changed = {r.of: at for at, r in enumerate(records) if isinstance(r, corrections)}
    i = 0
    while i < len(records):
        record = records[i]
        if not isinstance(record, TurnCommitted):
            if not (isinstance(record, StorySummed) and _is_void(record, changed, i)):
                yield record
            i += 1
            continue
        if record.turn not in written:  # its first place is its place
            written.add(record.turn)
            if record.turn in retracted:
                yield record  # the turn was played; nothing came of it
            else:
                yield from bundle(records, last[record.turn])
        i += len(bundle(records, i))


def _is_void(summed: StorySummed, changed: Mapping[TurnNo, int], at: int) -> bool:
    """Whether a turn that it sums up was edited or retracted since."""
    return any(changed.get(turn, -1) > at for turn in summed.of)


def bundle(records: Sequence[AnyRecord], start: int) -> Sequence[AnyRecord]:
    """A TurnCommitted record and what came of its turn, which stands right behind it."""
    turn, end = records[start].turn, start + 1
    while end < len(records) and _belongs(records[end], turn):
        end += 1
    return records[start:end]


def _belongs(record: AnyRecord, turn: TurnNo) -> bool:
    return record.turn == turn and not isinstance(record, Step)
