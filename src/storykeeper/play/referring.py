"""Whom the words of a player's line mean, and the part they take in its acts.

Whom "her" or "the chipped one" means is found as for any mention (entities.resolve), or was said by
the player when asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from storykeeper.entities.reference import Found, Outcome, Reference, Strategy, Tied
from storykeeper.entities.resolve import resolve
from storykeeper.entities.weight import implied, weight
from storykeeper.events.atoms import (
    EntityRef,
    Implication,
    ImplicationKind,
    Participant,
    Resolved,
    Role,
)
from storykeeper.events.vocabulary import Sort
from storykeeper.language.acts import Act, Referred
from storykeeper.language.lexicon import verb_classes
from storykeeper.language.reading import MentionKind
from storykeeper.play.meant import as_participant, can_take_part, of_mention
from storykeeper.play.participants import is_living
from storykeeper.play.unfolding import Unfolding
from storykeeper.staging.acquaintance import Acquaintance
from storykeeper.units import EntityId, Key
from storykeeper.world.register import key_of
from storykeeper.world.state import Pending, World


class Referring:
    """The words of a line, and those of the world that they mean."""

    def __init__(self, unfolding: Unfolding, turn: Pending, known: Acquaintance) -> None:
        """`known` are those of the author's whom the player knows of."""
        self.unfolding = unfolding
        self.who = turn.player
        self.known = known
        self.names = known.names()
        self.meant = {words.casefold(): key for words, key in turn.meant}

    def settled(self, act: Act) -> Act:
        """The act with the ids of whom its words turn out to mean."""
        target, topic = self._id(act.target), self._id(act.topic)
        where = self._id(act.where)
        place = where if where in self.unfolding.world.plan.settings else None
        return replace(
            act, to=act.to or target, about=act.about or topic, place=act.place or place
        )  # fmt: skip

    def _id(self, referred: Referred | None) -> EntityId | None:
        if referred is None:
            return None
        found = self.outcome(referred)
        known = self.unfolding.world.register.get(found.key) if isinstance(found, Found) else None
        return known.id if known is not None and known.id else None

    def outcome(self, referred: Referred) -> Outcome:
        """Whom some words of the line mean."""
        world = self.unfolding.world
        said = self.meant.get(referred.mention.text.casefold())
        if said is not None and self._still(said, referred):
            return Found(said, Strategy.PLAYER)
        if referred.entity is not None:
            return Found(key_of(world, referred.entity), Strategy.NAME)
        if referred.mention.person == 1 and not referred.mention.plural:
            return Found(key_of(world, self.who), Strategy.ANAPHORIC)
        known = self.known.world(world)
        outcome = resolve(known, self._reference(referred), scene=self.unfolding.scene)
        told = tellable(world, outcome)  # a player cannot mean what they have not been told of
        return Found(told[0], Strategy.DESCRIPTIVE) if len(told) == 1 else outcome

    def _still(self, key: Key, referred: Referred) -> bool:
        """Whether what the player said they mean is still such a thing: the past may change."""
        known = self.unfolding.world.register.get(key)
        if known is None:
            return False
        head = referred.mention.head
        return known.head.endswith(head) or head in known.descriptors or head in ("it", "one")

    def _reference(self, referred: Referred) -> Reference:
        owner = part_of = None
        if referred.possessor is not None:
            found = self.outcome(referred.possessor)
            owner = found.key if isinstance(found, Found) else None
        if referred.near is not None and referred.mention.sort is Sort.PART:
            found = self.outcome(referred.near)
            part_of = found.key if isinstance(found, Found) else None
        reference = of_mention(referred.mention, owner)
        # Players leave articles out: a bare noun is the one that is there.
        return replace(reference, part_of=part_of, definite=True)

    def _participants(self, act: Act, to: EntityId | None) -> Iterator[Participant]:
        yield Participant(Role.ACTOR, Resolved(self.who))
        yield from self._part(Role.TARGET, act.target, to)
        yield from self._part(Role.SUBJECT, act.topic, act.about)
        yield from self._part(Role.INSTRUMENT, act.instrument, None)
        yield from self._part(Role.LOCATION, act.where, act.place)

    def _part(
        self, role: Role, referred: Referred | None, entity: EntityId | None
    ) -> Iterator[Participant]:
        ref = None if referred is None else self._entity_ref(referred)
        if entity is not None and not (isinstance(ref, Resolved) and ref.entity == entity):
            ref = Resolved(entity)
        if ref is not None:
            yield Participant(role, ref)

    def _entity_ref(self, referred: Referred) -> EntityRef | None:
        outcome = self.outcome(referred)
        mention = referred.mention
        if not isinstance(outcome, Found) and not can_take_part(mention):
            return None
        if not isinstance(outcome, Found | Tied) and mention.kind is MentionKind.PRONOUN:
            return None  # it stands for nobody
        return as_participant(
            self.unfolding.world, self._reference(referred), outcome,
            scene=self.unfolding.scene, turn=self.unfolding.turn,
        )  # fmt: skip

    def _implications(self, verb: str, parts: list[Participant]) -> Iterator[Implication]:
        """Whatever a player turns to gets attention at least."""
        classes = verb_classes(verb)
        for i, part in enumerate(parts):
            if part.role is Role.ACTOR:
                continue
            kinds: tuple[ImplicationKind, ...] = (ImplicationKind.ATTENTION,)
            if part.role in (Role.TARGET, Role.INSTRUMENT):
                person = is_living(self.unfolding.world, part.entity)
                kinds = tuple(dict.fromkeys((*kinds, *implied(classes, person=person))))
            for kind in kinds:
                yield Implication(kind, 0, i, weight(kind, confidence=1.0))


def tellable(world: World, outcome: Outcome) -> tuple[Key, ...]:
    """Those of a tie that the story has told of."""
    keys = outcome.keys if isinstance(outcome, Tied) else ()
    return tuple(key for key in keys if world.register[key].told)
