"""Records being decided, and the world after each: deciding looks at what it has decided."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    AtomIn,
    Bond,
    Compound,
    Confidence,
    Happening,
    Implication,
    Participant,
    Priority,
    Resolved,
    Role,
    Source,
    Voice,
    deed,
    told_deed,
)
from storykeeper.events.records import AnyRecord
from storykeeper.play.witnesses import witnesses
from storykeeper.units import AtomId, EntityId, SceneId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.state import World


class Unfolding:
    """A turn in the making. Nothing of it is true until its records are in the ledger."""

    def __init__(self, world: World, turn: TurnNo) -> None:
        self.world = world
        self.turn = turn
        self.looked = False  # whether the rules have seen this turn
        self.records: list[AnyRecord] = []
        self._numbered = 0
        self.atoms: list[Atom] = []  # what has happened in it so far

    @property
    def scene(self) -> SceneId:
        """Where the turn takes place."""
        return SceneId(self.world.scene or self.world.plan.story.start)

    @property
    def next_id(self) -> AtomId:
        """The id that the next atom will have."""
        return AtomId(f"t{self.turn}.{self._numbered + 1}")

    def add(self, record: AnyRecord) -> None:
        """Decide one thing, and let it be so from here on."""
        self.records.append(record)
        if isinstance(record, Atom):
            self.atoms.append(record)
        self.world = evolve(self.world, record)

    def happen(
        self,
        what: Happening,
        *,
        source: Source,
        actor: EntityId | None = None,
        target: EntityId | None = None,
        subject: EntityId | None = None,
        priority: Priority = Priority.NORMAL,
    ) -> None:
        """Decide that something happened between those who have an id."""
        roles = ((Role.ACTOR, actor), (Role.TARGET, target), (Role.SUBJECT, subject))
        parts = [Participant(role, Resolved(who)) for role, who in roles if who is not None]
        self.take_place(what, parts, source=source, priority=priority)

    def take_place(
        self,
        what: Happening,
        participants: Sequence[Participant],
        *,
        source: Source,
        implications: Sequence[Implication] = (),
        priority: Priority = Priority.NORMAL,
        confidence: float = 1.0,
        seen_by: Sequence[EntityId] | None = None,
        says: Voice | None = None,
        evidence: str = "",
    ) -> AtomId:
        """Decide that something happened, perceived by those given; or by everyone who could."""
        atom = self.next_id
        self._numbered += 1
        if isinstance(what, ActionTaken):
            told = source is Source.NARRATOR  # who comes and goes in prose is decided apart
            what = told_deed(what.act) if told else deed(what.act, what.about, what.also)
        if seen_by is None:
            seen_by = witnesses(self.world, what, participants)
        watching = [Participant(Role.WITNESS, Resolved(who)) for who in seen_by]
        self.add(
            Atom(
                turn=self.turn,
                id=atom,
                scene=self.scene,
                what=what,
                participants=(*participants, *watching),
                implications=tuple(implications),
                source=source,
                confidence=Confidence(confidence, (evidence,) if evidence else ()),
                priority=priority,
                says=says,
            )
        )
        return atom

    def bind(self, bond: Bond, atoms: Sequence[AtomId], *, themes: tuple[str, ...] = ()) -> None:
        """Decide that atoms belong together."""
        self._numbered += 1
        self.add(
            Compound(
                turn=self.turn,
                id=AtomId(f"t{self.turn}.{self._numbered}"),
                bond=bond,
                members=tuple(AtomIn(atom) for atom in atoms),
                themes=themes,
            )
        )
