"""The mentions of a reading as those who take part in what it tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storykeeper.context.naming import Acquaintance
from storykeeper.entities.reference import Found
from storykeeper.events.atoms import ActionTaken, Atom, Implicit, Participant, Role, Source
from storykeeper.language.calls import Span
from storykeeper.language.names import Names
from storykeeper.language.reading import Clause, Reading
from storykeeper.play.meant import Meant
from storykeeper.play.participants import begins, is_there
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.waking import wake_by_deed
from storykeeper.play.witnesses import those_in
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
        self.reading = reading
        self.meant = Meant(
            reading, passage.names, unfolding.world,
            player=turn.player, turn=turn.turn, known=passage.known,
            turned_to=_turned_to(unfolding, turn.player),
        )  # fmt: skip
        self._told = turn.player
        self._used: set[int] = set()

    def _participants(self, number: int, clause: Clause) -> Iterator[Participant]:
        place = 0
        for role, name in _ROLES:
            for i in getattr(clause, name):
                part = self._participant(i, role, place)
                if part is not None:
                    place += 1
                    yield part
        for each in self.reading.implied:
            if each.clause == number:
                yield Participant(Role.LOCATION, Implicit(each.what, each.because))

    def _participant(self, i: int, role: Role, place: int) -> Participant | None:
        mention = self.reading.mentions[i]
        self._used.add(i)
        whole = self.meant.whole(i)
        if whole != i and self.meant.key(whole) is None:
            part = self._participant(whole, role, place)  # the rim of a cup begins the cup
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

    def _key(self, mention: int) -> Key | None:
        outcome = self.meant.outcome(self.unfolding.world, mention)
        return outcome.key if isinstance(outcome, Found) else None

    def _people(self, mentions: Sequence[int | None]) -> list[EntityId]:
        """Those of some mentions who are known by id."""
        keys = [self._key(i) for i in mentions if i is not None]
        known = [self.unfolding.world.register.get(key) for key in keys if key is not None]
        return [each.id for each in known if each is not None and each.id]

    def _meaning(self, span: Span) -> EntityId | None:
        """Whom some words mean, if they are somebody known."""
        found = [i for i, m in enumerate(self.reading.mentions) if (m.start, m.end) == span]
        return next(iter(self._people(found)), None)

    def _wake(self, clause: Clause, parts: Sequence[Participant], words: str) -> None:
        """Who wakes by it, also of those whom only its words name: "shakes Mara awake"."""
        if not self.unfolding.world.asleep:
            return
        within = [i for i, m in enumerate(self.reading.mentions)
                  if clause.start <= m.start < clause.end]  # fmt: skip
        actors = those_in(parts, Role.ACTOR)
        others = [who for who in self._people(within) if who not in actors]
        wake_by_deed(
            self.unfolding, actors, others, verb=clause.verb, words=words,
            after=self.reading.text[clause.end :], told=self._told,
        )  # fmt: skip
