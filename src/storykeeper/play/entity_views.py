"""Everything a run knows of, as one looks at it: tier, weight, why, and every mention by turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from storykeeper.entities.tiers import ORDER, Entered, tier_now
from storykeeper.events.atoms import Atom, EntityRef, Implicit, Resolved, Source, Unresolved
from storykeeper.events.changes import EntityDemoted, EntityPromoted
from storykeeper.events.records import AnyRecord
from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from storykeeper.world.register import entry, key_of
from storykeeper.world.state import Entity, World


@dataclass(frozen=True, slots=True)
class MentionedAt:
    """One mention: when, in which atom, by which words."""

    turn: TurnNo
    atom: str
    words: str
    how: str = ""  # by which strategy it was found to be this one


@dataclass(frozen=True, slots=True)
class EntityView:
    """Somebody or something, as a run has it."""

    key: Key
    id: str  # empty while it is not tracked
    words: str
    sort: Sort
    tier: Tier
    authored: bool
    weight: float
    by_player: float
    events: int
    relationships: int
    scene: SceneId  # of its first mention
    scenes: tuple[SceneId, ...]
    why: str
    descriptors: tuple[str, ...] = ()
    possessor: str = ""
    place: str = ""
    promoted: TurnNo | None = None
    mentions: tuple[MentionedAt, ...] = ()


@dataclass(frozen=True, slots=True)
class Density:
    """How many things earned their place in a scene, for each of its turns."""

    scene: SceneId
    turns: int
    promoted: int

    @property
    def per_turn(self) -> float:
        """F7.8  promotions in the scene ÷ turns committed in it."""
        return self.promoted / self.turns if self.turns else 0.0


def entity_views(world: World, records: Sequence[AnyRecord]) -> tuple[EntityView, ...]:
    """Everything in the register, the highest tier and the most weight first."""
    mentions: dict[Key, list[MentionedAt]] = {}
    for key, mention in _mentions(world, records):
        mentions.setdefault(key, []).append(mention)
    changes = _changes(world, records)
    entered = Entered(world)
    views = [
        _view(world, key, known, mentions.get(key, []), changes.get(key, []), entered)
        for key, known in world.register.items()
    ]
    return tuple(sorted(views, key=lambda v: (-ORDER.index(v.tier), -v.weight, v.words, v.key)))


def _view(
    world: World,
    key: Key,
    known: Entity,
    mentions: list[MentionedAt],
    changes: list[EntityPromoted | EntityDemoted],
    entered: Entered,
) -> EntityView:
    tier = tier_now(known, entered)
    up = next((c.turn for c in changes if isinstance(c, EntityPromoted)), None)
    owner = entry(world, EntityId(known.possessor)) if known.possessor else None
    return EntityView(
        key, known.id, known.words, known.sort, tier, known.floor is not None,
        round(known.total, 3), round(known.by_player, 3), known.events, len(known.edges),
        known.scene, known.scenes, _why(known, changes), known.descriptors,
        owner.words if owner is not None else known.possessor, known.place, up, tuple(mentions),
    )  # fmt: skip


def _why(known: Entity, changes: list[EntityPromoted | EntityDemoted]) -> str:
    if changes:
        return changes[-1].why
    if known.floor is not None:
        return "the author’s"
    return f"weight {known.total:.2f}" if known.total else "only mentioned"


def _changes(
    world: World, records: Iterable[AnyRecord]
) -> dict[Key, list[EntityPromoted | EntityDemoted]]:
    found: dict[Key, list[EntityPromoted | EntityDemoted]] = {}
    for record in records:
        if isinstance(record, EntityPromoted | EntityDemoted):
            found.setdefault(key_of(world, record.entity), []).append(record)
    return found


def _mentions(world: World, records: Iterable[AnyRecord]) -> Iterator[tuple[Key, MentionedAt]]:
    for atom in records:
        if isinstance(atom, Atom) and atom.source is not Source.RULE:
            for i, part in enumerate(atom.participants):
                key, words, how = _meant(world, atom, i, part.entity)
                if key is not None and words:
                    yield key, MentionedAt(atom.turn, atom.id, words, how)


def _meant(world: World, atom: Atom, i: int, ref: EntityRef) -> tuple[Key | None, str, str]:
    match ref:
        case Resolved(entity=entity, mention=words, by=how):
            return key_of(world, entity), words, how
        case Unresolved(joins=joins, mention=words) if joins is not None:
            return joins, words, ""
        case Unresolved(mention=words):
            return Key(f"{atom.id}#{i}"), words, ""
        case Implicit(implied=words):
            return Key(f"{atom.id}#{i}"), words, "implied"


def densities(world: World, views: Iterable[EntityView]) -> tuple[Density, ...]:
    """The promotion density of every scene that was played."""
    promoted: dict[SceneId, int] = {}
    for view in views:
        if view.promoted is not None:
            promoted[view.scene] = promoted.get(view.scene, 0) + 1
    return tuple(
        Density(scene, world.clocks[scene], promoted.get(scene, 0))
        for scene in sorted(world.clocks)
    )
