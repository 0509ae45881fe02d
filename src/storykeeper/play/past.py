"""What has been told, kept at hand: the last turns with their words, beside the world.

The world holds no text but that of the turn under way; windows need the words of the last few
hundred turns. `Past` collects them while records are folded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice

from storykeeper.context.history import PastTurn, Summed
from storykeeper.context.tail import STEADY_TURNS
from storykeeper.events.atoms import Atom
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import StorySummed, TurnCommitted, TurnEdited
from storykeeper.play.chronicle import Chronicle, heaviest, weight
from storykeeper.units import SceneId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import first_world, retracted_turns, straightened
from storykeeper.world.state import Pending, World
from storykeeper.world.steps import waiting

KEPT_TURNS = 160  # whole; a multiple of sixteen, so that windows change where their tails do

LEAST_WHOLE, TURN_TOKENS = 64, 64  # a turn is hardly ever shorter
KEPT_SUMMARIES = KEPT_TURNS // STEADY_TURNS  # of the turns that are at hand whole


class Past:
    """The last turns, oldest first, and ever fewer of those before them."""

    def __init__(
        self, turns: Iterable[PastTurn] = (), older: Iterable[Sequence[PastTurn]] = (),
        summaries: Iterable[Summed] = (),
    ) -> None:  # fmt: skip
        self.turns: deque[PastTurn] = deque(turns, maxlen=KEPT_TURNS)
        self.chronicle = Chronicle(older)
        self.summaries: deque[Summed] = deque(summaries, maxlen=KEPT_SUMMARIES)

    @property
    def told(self) -> list[PastTurn]:
        """What is at hand: of older turns the chronicle, and the last ones whole."""
        start = max(0, len(self.turns) - KEPT_TURNS)
        return [*self.chronicle.turns, *islice(self.turns, start, None)]

    def within(self, tokens: int) -> list[PastTurn]:
        """What a window of so many tokens is made from: fewer whole turns, if it cannot hold them.

        Of blocks before those the heaviest turns, as in the chronicle.
        """
        told = self.told
        whole = min(KEPT_TURNS, max(LEAST_WHOLE, tokens // TURN_TOKENS))
        last = told[-1].turn if told else 0
        first = last - last % STEADY_TURNS - whole + whole % STEADY_TURNS
        start = next((i for i, turn in enumerate(told) if turn.turn >= first), 0)
        before = self.chronicle.sifted
        blocks = groupby(told[before:start], key=lambda turn: turn.turn // STEADY_TURNS)
        thin = [turn for _, block in blocks for turn in heaviest(list(block))]
        return [*told[:before], *thin, *told[max(before, start) :]]

    def copy(self) -> Past:
        """The same, to try something on."""
        return Past(self.turns, self.chronicle.levels, self.summaries)

    def add(self, turn: Pending, records: Sequence[AnyRecord], *, prose: str | None = None) -> None:
        """A turn that was committed, with the records that came of it."""
        atoms = tuple(r for r in records if isinstance(r, Atom) and r.turn == turn.turn)
        made = past_turn(turn, atoms, prose=prose)
        self.keep(replace(made, weight=weight(records, made.prose)))

    def sum_up(self, record: StorySummed) -> None:
        """A summary that was put on record; one that was erased says nothing."""
        if record.text:
            self.summaries.append(Summed(record.of, record.text, record.turn))

    def keep(self, turn: PastTurn) -> None:
        """A turn that is the last one now."""
        if len(self.turns) >= KEPT_TURNS:
            self.chronicle.add(self.turns[-KEPT_TURNS])
        self.turns.append(turn)


def past_turn(turn: Pending, atoms: tuple[Atom, ...], *, prose: str | None) -> PastTurn:
    """A turn that is fact, with what came of it; what it was edited to, if it was."""
    scene = turn.scene or (atoms[0].scene if atoms else SceneId(""))
    told = turn.prose if prose is None else prose
    return PastTurn(turn.turn, scene, turn.player, turn.text, told, atoms)


def remembered(
    records: Sequence[AnyRecord], world: World | None = None, past: Past | None = None
) -> tuple[World, Past]:
    """World and past after these records; from nothing, or on from what is known."""
    past = past if past is not None else Past()
    edits, gone = edited_prose(records), retracted_turns(records)
    stream = iter(straightened(records))
    world = world if world is not None else first_world(stream)
    bundle: list[AnyRecord] = []
    turn: Pending | None = None
    for record in stream:
        if turn is not None and (record.turn != turn.turn or isinstance(record, TurnCommitted)):
            past.add(turn, bundle, prose=edits.get(turn.turn))
            turn, bundle = None, []
        if isinstance(record, TurnCommitted) and record.turn not in gone:
            turn = waiting(world.answered, world.pending, record.turn)
        if isinstance(record, StorySummed):
            past.sum_up(record)
        bundle.append(record)
        world = evolve(world, record)
    if turn is not None:
        past.add(turn, bundle, prose=edits.get(turn.turn))
    return world, past


def edited_prose(records: Iterable[AnyRecord]) -> Mapping[TurnNo, str]:
    """What turns were edited to, the last edit of each."""
    return {r.of: r.prose for r in records if isinstance(r, TurnEdited)}
