"""Editing and retracting: the past corrected, on record, and what followed derived again.

Stored records are never changed. The correction is appended, and behind it the bundle of every
turn that comes out differently now; folding takes the last bundle of a turn (world.fold).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from storykeeper.errors import NoSuchTurn, ReadingTooLong
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import TextErased, TurnCommitted, TurnEdited, TurnRetracted, Unread
from storykeeper.language.reading import Reader
from storykeeper.play.commit import MOST_TURNS, commit, last_lines, read_prose, stager_of
from storykeeper.play.past import edited_prose
from storykeeper.play.readings import patience_of
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import bundle, first_world, fold, retracted_turns, straightened
from storykeeper.world.state import Pending, World
from storykeeper.world.steps import waiting


@dataclass(frozen=True, slots=True)
class Correction:
    """What correcting a turn did."""

    records: tuple[AnyRecord, ...]  # to be appended
    changed: tuple[TurnNo, ...]  # later turns that came out differently


def rederive(
    records: Sequence[AnyRecord], correction: TurnEdited | TurnRetracted, reader: Reader
) -> Correction:
    """The records that correct a turn: the correction, and new bundles where they differ."""
    committed = {r.turn for r in records if isinstance(r, TurnCommitted)}
    if correction.of not in committed or correction.of in retracted_turns(records):
        raise NoSuchTurn(
            f"turn {correction.of} is not a committed turn of this run;"
            " only what became fact can be corrected"
        )
    fresh = list(_bundles([*records, correction], reader, since=correction.of))
    changed = tuple(new[0].turn for new in fresh if new[0].turn != correction.of)
    return Correction((correction, *(r for new in fresh for r in new)), changed)


def _bundles(
    records: Sequence[AnyRecord], reader: Reader, *, since: TurnNo
) -> Iterator[Sequence[AnyRecord]]:
    """The bundles from a turn on that come out differently than they are recorded."""
    edits, gone = edited_prose(records), retracted_turns(records)
    erased = {record.of for record in records if isinstance(record, TextErased)}
    stream = iter(straightened(records))
    world = first_world(stream)
    rest = list(stream)
    typed: list[tuple[EntityId, str]] = []
    i = 0
    while i < len(rest):
        record = rest[i]
        turn = None
        if isinstance(record, TurnCommitted) and record.turn not in gone:
            turn = waiting(world.answered, world.pending, record.turn)
        before = typed[-MOST_TURNS:]
        typed += [] if turn is None else [(turn.player, turn.text)]
        if not isinstance(record, TurnCommitted) or record.turn < since:
            world = evolve(world, record)
            i += 1
            continue
        recorded = bundle(rest, i)
        i += len(recorded)
        if turn is None:
            world = evolve(world, record)
            continue
        if record.turn in erased:
            world = fold(recorded, world)  # there are no words left to derive it from
            continue
        prose = edits.get(turn.turn, turn.prose)
        told = structs.replace(turn, prose=prose)
        if turn.turn in edits:  # it is another text now
            told = structs.replace(told, unread=tuple(u for u in told.unread if u is Unread.LINE))
        unfolding = _again(world, told, reader, last_lines(before, told.player))
        world = unfolding.world
        if list(recorded) != unfolding.records:
            yield unfolding.records


def _again(world: World, told: Pending, reader: Reader, before: Sequence[str]) -> Unfolding:
    try:
        with patience_of(reader).reading():
            return commit(
                world, told, read_prose(world, told, reader), before=before,
                stager=stager_of(reader),
            )  # fmt: skip
    except ReadingTooLong as problem:
        raise ReadingTooLong(
            f"turn {told.turn} has to be read again for that, and {problem}; nothing was changed"
        ) from None
