"""Records being decided, and the world after each: deciding looks at what it has decided."""

from __future__ import annotations

from storykeeper.events.atoms import (
    Atom,
    Confidence,
    Happening,
    Implication,
    Participant,
    Priority,
    Resolved,
    Role,
    Source,
)
from storykeeper.events.records import AnyRecord
from storykeeper.units import AtomId, EntityId, SceneId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.state import World, present


class Unfolding:
    """A turn in the making. Nothing of it is true until its records are in the ledger."""

    def __init__(self, world: World, turn: TurnNo) -> None:
        self.world = world
        self.turn = turn
        self.looked = False  # whether the rules have seen this turn
        self.records: list[AnyRecord] = []
        self._atoms = 0

    def add(self, record: AnyRecord) -> None:
        """Decide one thing, and let it be so from here on."""
        self.records.append(record)
        self.world = evolve(self.world, record)

    def happen(
        self,
        what: Happening,
        *,
        source: Source,
        actor: EntityId | None = None,
        target: EntityId | None = None,
        subject: EntityId | None = None,
        evidence: str = "",
        priority: Priority = Priority.NORMAL,
        implications: tuple[Implication, ...] = (),
    ) -> None:
        """Decide that something happened, seen by everyone who is here."""
        self._atoms += 1
        roles = ((Role.ACTOR, actor), (Role.TARGET, target), (Role.SUBJECT, subject))
        taking_part = [Participant(role, Resolved(who)) for role, who in roles if who is not None]
        involved = {actor, target, subject}
        seen_by = [
            Participant(Role.WITNESS, Resolved(who))
            for who in present(self.world)
            if who not in involved
        ]
        self.add(
            Atom(
                turn=self.turn,
                id=AtomId(f"t{self.turn}.{self._atoms}"),
                scene=SceneId(self.world.scene or self.world.plan.story.start),
                what=what,
                participants=(*taking_part, *seen_by),
                implications=implications,
                source=source,
                confidence=Confidence(1.0, (evidence,) if evidence else ()),
                priority=priority,
            )
        )
