"""The turns of a run, told from its records one after another, and where each of them stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import get_args

from storykeeper.context.history import PastTurn
from storykeeper.events.atoms import Atom
from storykeeper.events.records import AnyRecord
from storykeeper.events.turns import InputReceived, LeftUnread, TurnCommitted, TurnEdited
from storykeeper.ledger.port import Entry
from storykeeper.play.past import past_turn
from storykeeper.units import TurnNo
from storykeeper.world.state import Pending
from storykeeper.world.steps import TurnStep, settled, stepped, waiting

Places = tuple[int, ...]  # versions of records, ascending
Edit = tuple[int, str]  # the version of an edit, and its prose
_STEPS = frozenset(get_args(TurnStep))


@dataclass(frozen=True, slots=True)
class Told:
    """A turn that is fact, and the records that it is made of."""

    turn: PastTurn
    places: Places


@dataclass(slots=True)
class _Fact:
    """A turn that became fact, while the records that came of it are read."""

    turn: Pending
    places: list[int]
    atoms: list[Atom] = field(default_factory=list)


class Following:
    """What is under way after the records so far, which hold no edit but those given."""

    def __init__(
        self, *, edits: Mapping[TurnNo, Edit] | None = None, gone: Iterable[TurnNo] = ()
    ) -> None:
        """`edits`: what turns were edited to; `gone`: those that were retracted."""
        self._edits = dict(edits or {})
        self._gone = frozenset(gone)
        self._answered: Pending | None = None
        self._pending: Pending | None = None
        self._places: dict[int, Places] = {}  # of those two, by their ids
        self._fact: _Fact | None = None

    def copy(self) -> Following:
        """The same, to go on from with something that may not come to be."""
        other = copy(self)
        other._places = dict(self._places)
        return other

    @property
    def open(self) -> Places:
        """The records of what is under way: from these it can be followed on."""
        found = (self._places_of(each) for each in (self._answered, self._pending))
        return tuple(sorted({place for places in found for place in places}))

    def take(self, version: int, record: AnyRecord) -> Told | None:
        """One record on; the turn that ended with the one before, if one did."""
        kind, fact, done = type(record), self._fact, None
        if fact is not None and (record.turn != fact.turn.turn or kind is TurnCommitted):
            done = self.end()
            fact = None
        if kind is Atom:
            if fact is not None:
                assert isinstance(record, Atom)
                fact.atoms.append(record)
        elif kind in _STEPS:
            self._step(version, record)  # type: ignore[arg-type]
        elif kind is TurnCommitted:
            self._commit(record.turn)
        elif isinstance(record, TurnEdited):
            self._edits[record.of] = (version, record.prose)
        if self._fact is not None:
            self._fact.places.append(version)
        return done

    def end(self) -> Told | None:
        """The turn that became fact last, all of it being read; none if it was given already."""
        fact, self._fact = self._fact, None
        if fact is None:
            return None
        edit = self._edits.get(fact.turn.turn)
        if edit is None:
            return Told(past_turn(fact.turn, tuple(fact.atoms), prose=None), tuple(fact.places))
        turn = past_turn(fact.turn, tuple(fact.atoms), prose=edit[1])
        return Told(turn, tuple(sorted((*fact.places, edit[0]))))

    def _step(self, version: int, record: TurnStep) -> None:
        before, answered = self._pending, self._answered
        self._answered, self._pending = stepped(answered, before, record)
        if isinstance(record, LeftUnread) and self._answered is not answered:
            self._places[id(self._answered)] = (*self._places_of(answered), version)
        if self._pending is not before and self._pending is not None:
            goes_on = before is not None and (
                not isinstance(record, InputReceived) or bool(before.choices)
            )
            places = (*(self._places_of(before) if goes_on else ()), version)
            kept = self._places_of(self._answered)
            self._places = {id(self._pending): places}
            if self._answered is not None:
                self._places[id(self._answered)] = kept

    def _commit(self, number: TurnNo) -> None:
        turn = waiting(self._answered, self._pending, number)
        if turn is not None and number not in self._gone:
            self._fact = _Fact(turn, list(self._places_of(turn)))
        self._answered, self._pending = settled(self._answered, self._pending, number)

    def _places_of(self, turn: Pending | None) -> Places:
        return () if turn is None else self._places.get(id(turn), ())


def told(entries: Iterable[Entry]) -> PastTurn | None:
    """The turn that is made of these records; none if they are not whole any more."""
    every = list(entries)
    edits = {
        e.record.of: (int(e.version), e.record.prose)
        for e in every
        if isinstance(e.record, TurnEdited)
    }
    following, found = Following(edits=edits), None  # an edit may come long after its turn ended
    for entry in every:
        found = following.take(entry.version, entry.record) or found
    last = following.end() or found
    return None if last is None else last.turn
