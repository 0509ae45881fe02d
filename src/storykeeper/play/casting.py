"""The mentions of a reading as those who take part in what it tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storykeeper.entities.reference import Found
from storykeeper.events.atoms import ActionTaken, Atom, Implicit, Participant, Role, Source
from storykeeper.language.names import Names
from storykeeper.language.reading import Clause, Reading
from storykeeper.play.meant import Meant
from storykeeper.play.participants import begins, is_there
from storykeeper.play.said_back import said_back
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import those_in
from storykeeper.staging.acquaintance import Acquaintance
from storykeeper.units import EntityId, Key
from storykeeper.world.state import Pending

_ROLES = (
    (Role.ACTOR, "actors"), (Role.TARGET, "targets"), (Role.SUBJECT, "subjects"),
    (Role.INSTRUMENT, "instruments"), (Role.LOCATION, "locations"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """A rendering of a turn as it was read."""

    turn: Pending
    reading: Reading
    names: Names  # those that prose may name
    told: frozenset[str] = frozenset()  # traces of what was told before
    known: Acquaintance | None = None  # whom the player it is told to knows of


def _is_going(atom: Atom) -> bool:
    return isinstance(atom.what, ActionTaken) and atom.what.act == "go"


def _turned_to(unfolding: Unfolding, player: EntityId) -> tuple[EntityId, ...]:
    """Those of the cast whom the player's line turned to, and who are there to answer."""
    world = unfolding.world
    gone = (*world.plan.players, *world.away, *world.asleep)
    found = (
        who
        for atom in unfolding.atoms
        if atom.source is Source.PLAYER and not _is_going(atom)  # with somebody
        for who in those_in(atom.participants, Role.TARGET)
        if who in world.plan.cast and who not in gone
    )
    here = world.places.get(player)
    return tuple(dict.fromkeys(w for w in found if world.places.get(w) == here))


class Casting:
    """Who is who in a reading that is being told."""

    def __init__(self, unfolding: Unfolding, passage: Passage) -> None:
        turn, reading = passage.turn, passage.reading
        self.unfolding = unfolding
        self.names = passage.names
        self.reading = reading
        self.meant = Meant(
            reading, passage.names, unfolding.world,
            player=turn.player, turn=turn.turn, known=passage.known,
            turned_to=_turned_to(unfolding, turn.player),
        )  # fmt: skip
        self.told = turn.player
        self.said_back = said_back(
            unfolding.world, turn.player, reading.text, line=turn.text, names=passage.names
        )
        self.used: set[int] = set()

    def participants(self, number: int, clause: Clause) -> Iterator[Participant]:
        """Who and what takes part in a clause."""
        place = 0
        for role, name in _ROLES:
            for i in getattr(clause, name):
                part = self.participant(i, role, place)
                if part is not None:
                    place += 1
                    yield part
        for each in self.reading.implied:
            if each.clause == number:
                yield Participant(Role.LOCATION, Implicit(each.what, each.because))

    def participant(self, i: int, role: Role, place: int) -> Participant | None:
        """A mention as one who takes part; the first of something begins it."""
        mention = self.reading.mentions[i]
        self.used.add(i)
        whole = self.meant.whole(i)
        if whole != i and self.meant.key(whole) is None:
            part = self.participant(whole, role, place)  # the rim of a cup begins the cup
            key = self.meant.key(whole)
            if key is not None:
                self.meant.placed(i, key)
            return part
        ref = self.meant.participant(self.unfolding.world, i)
        if ref is None or (begins(ref) and not is_there(mention)):
            return None
        if begins(ref):
            self.meant.begun(i, Key(f"{self.unfolding.next_id}#{place}"))
        return Participant(role, ref)

    def key(self, mention: int) -> Key | None:
        """What a mention means in the register."""
        outcome = self.meant.outcome(self.unfolding.world, mention)
        return outcome.key if isinstance(outcome, Found) else None

    def people(self, mentions: Sequence[int | None]) -> list[EntityId]:
        """Those of some mentions who are known by id."""
        keys = [self.key(i) for i in mentions if i is not None]
        known = [self.unfolding.world.register.get(key) for key in keys if key is not None]
        return [each.id for each in known if each is not None and each.id]
