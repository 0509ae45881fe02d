"""What a committed turn makes of things: who is tracked now, who sinks, what stands between them.

Asked once, when all atoms of a turn are decided. Only what took part in the turn can rise; what
nothing happens to sinks slowly (F7.4, F7.6). The answer is records; replaying them needs none of
this again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storykeeper.entities.same import may_be
from storykeeper.entities.tiers import (
    ORDER,
    Entered,
    at_least,
    earned,
    tracked_in,
    tracking_threshold,
)
from storykeeper.events.atoms import (
    Atom,
    Implication,
    ImplicationKind,
    Resolved,
    Role,
    Source,
    Unresolved,
)
from storykeeper.events.changes import (
    EntityDemoted,
    EntityPromoted,
    ReferenceResolved,
    Weight,
)
from storykeeper.events.vocabulary import Dimension, Sort, Tier
from storykeeper.units import AtomId, EntityId, Key, SceneId, TurnNo
from storykeeper.world.edges import standing_of
from storykeeper.world.register import entry
from storykeeper.world.state import Edge, Entity, World

RETROACTIVE = "retroactive"  # resolved when its group was promoted
SHIFT = 0.25  # of an implication's weight, this much moves a standing
_MEASURES = (
    Dimension.RELIABILITY,
    Dimension.BENEVOLENCE,
    Dimension.AFFECTION,
    Dimension.DEBT,
)
_NAMED_SORTS = frozenset({Sort.PERSON, Sort.PLACE, Sort.ANIMAL, Sort.GROUP})


Change = EntityPromoted | ReferenceResolved | EntityDemoted


@dataclass(frozen=True, slots=True)
class Shift:
    """How somebody's standing toward somebody or something moves."""

    who: EntityId
    toward: EntityId
    dimension: Dimension
    by: float


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of things."""

    records: tuple[Change, ...]
    shifts: tuple[Shift, ...]
    held: tuple[tuple[EntityId, EntityId], ...] = ()  # what is new, and in whose hands


def decide(world: World, turn: TurnNo, atoms: Sequence[Atom]) -> Decided:
    """Promotions with the mentions they resolve, demotions, and edges made real."""
    promotions = list(_promotions(world, turn))
    records: list[Change] = []
    for up in promotions:
        records += [up, *_mentions(world, up)]
    ids = {up.key: up.entity for up in promotions if up.key}
    shifts = [*_first_shifts(world, ids), *_later_shifts(world, atoms)]
    held = tuple(sorted(_held(world, atoms, ids).items()))
    return Decided((*records, *_demotions(world, turn)), tuple(shifts), held)


# ── up ───────────────────────────────────────────────────────────────────────────────────────


def _promotions(world: World, turn: TurnNo) -> Iterator[EntityPromoted]:
    tuning = world.plan.story.tuning.entities
    scene = world.scene or SceneId("")
    threshold = tracking_threshold(world, scene)
    room = tuning.soft_budget - tracked_in(world, scene)
    for key, known in _touched(world):
        tier, why = earned(known, tuning, threshold=threshold)
        if not at_least(tier, Tier.TRACKED) or at_least(known.tier, tier):
            continue
        if may_be(world, key, known):
            continue
        yield _promoted(turn, key, known, tier, why)
        room -= 0 if at_least(known.tier, Tier.TRACKED) else 1
        if room <= 0:  # the scene is full now
            threshold = max(threshold, 1.0)


def _touched(world: World) -> list[tuple[Key, Entity]]:
    """What took part in the turn, the weightiest first."""
    keys = {key for given in world.given for key, _ in given.weights}
    rows = [(key, known) for key in keys if (known := world.register.get(key)) is not None]
    return sorted(rows, key=lambda row: (-row[1].by_player, -row[1].total, row[1].seen, row[0]))


def _promoted(turn: TurnNo, key: Key, known: Entity, tier: Tier, why: str) -> EntityPromoted:
    weight = Weight(
        round(known.total, 6), known.events, len(known.edges), round(known.by_player, 6)
    )
    # What it was called in another turn is that turn's text, to be erased with it.
    name = known.words if known.first == turn else ""
    return EntityPromoted(
        turn, known.id or id_for(key, known), name, known.tier, tier, weight, why,
        Key("") if known.id else key,
    )  # fmt: skip


def id_for(key: Key, known: Entity) -> EntityId:
    """An id from where it was first mentioned: it holds no word of anybody's text."""
    sort = known.sort.value if known.sort in _NAMED_SORTS else "thing"
    place = "".join(c if c.isalnum() else "-" for c in key.removeprefix("t"))
    return EntityId(f"{sort}-{place}")


def _mentions(world: World, up: EntityPromoted) -> Iterator[ReferenceResolved]:
    """The mentions of its own group, from the first on."""
    if up.key:
        for mention in world.register[up.key].at:
            atom, _, place = mention.partition("#")
            yield ReferenceResolved(up.turn, AtomId(atom), int(place), up.entity, RETROACTIVE)


# ── between ──────────────────────────────────────────────────────────────────────────────────


def _first_shifts(world: World, ids: dict[Key, EntityId]) -> Iterator[Shift]:
    """All that had gathered between something new and those who have an id."""
    for key, entity in ids.items():
        for other, edge in sorted(world.register[key].edges.items()):
            known = world.register.get(other)
            whom = ids.get(other) or (known.id if known is not None else EntityId(""))
            if not whom or known is None:
                continue
            yield from _shifts(entity, whom, edge)
            if other not in ids:  # what is new itself says so on its own behalf
                yield from _shifts(whom, entity, known.edges.get(key))


def _shifts(who: EntityId, toward: EntityId, edge: Edge | None) -> Iterator[Shift]:
    for measure in _MEASURES:
        amount = 0.0 if edge is None else getattr(edge, measure.value) * SHIFT
        if amount:
            yield Shift(who, toward, measure, max(-1.0, min(1.0, round(amount, 6))))


def _later_shifts(world: World, atoms: Sequence[Atom]) -> Iterator[Shift]:
    """What this turn's atoms say between two who had their ids before, one of them not authored."""
    for atom in atoms:
        if atom.source is Source.RULE:
            continue
        for implied in atom.implications:
            ends = [atom.participants[i].entity for i in (implied.of, implied.toward)]
            ids = [each.entity for each in ends if isinstance(each, Resolved)]
            if len(ids) < 2 or ids[0] == ids[1] or not any(_of_play(world, e) for e in ids):
                continue
            for measure, sign in standing_of(implied):
                by = round(sign * implied.weight * SHIFT, 6)
                yield Shift(ids[0], ids[1], Dimension(measure), by)


def _held(
    world: World, atoms: Sequence[Atom], ids: dict[Key, EntityId]
) -> dict[EntityId, EntityId]:
    """Things that are new and were taken or given in this turn, and by or to whom."""
    found: dict[EntityId, EntityId] = {}
    for atom in atoms:
        for implied in atom.implications:
            if implied.kind is ImplicationKind.POSSESSION:
                key = _key(atom, implied.toward)
                person = _receiver(world, atom, implied)
                if key in ids and person is not None and world.register[key].sort is Sort.THING:
                    found[ids[key]] = person
    return found


def _key(atom: Atom, place: int) -> Key:
    ref = atom.participants[place].entity
    joins = ref.joins if isinstance(ref, Unresolved) else None
    return joins or Key(f"{atom.id}#{place}")


def _receiver(world: World, atom: Atom, implied: Implication) -> EntityId | None:
    """Who has it now: the one it was given to, or who took it."""
    given = atom.participants[implied.toward].role is Role.SUBJECT
    people = [
        part.entity.entity
        for part in atom.participants
        if isinstance(part.entity, Resolved)
        and part.role is (Role.TARGET if given else Role.ACTOR)
        and part.entity.entity in world.plan.cast
    ]
    return people[0] if people else None


def _of_play(world: World, entity: EntityId) -> bool:
    known = entry(world, entity)
    return known is not None and known.floor is None


# ── down ─────────────────────────────────────────────────────────────────────────────────────


def _demotions(world: World, turn: TurnNo) -> Iterator[EntityDemoted]:
    tuning = world.plan.story.tuning.entities
    entered = Entered(world)
    touched = {key for given in world.given for key, _ in given.weights}
    for key, known in _sinkable(world):
        why = ""
        if known.tier is Tier.TRACKED and may_be(world, key, known):
            why = "it may be somebody known by name"
        elif key in touched:
            continue
        elif known.tier is Tier.PERSISTENT:
            away = entered.scenes_since(known.last, known.last_scene)
            if away >= tuning.demotion_scenes and not entered.active_edges(known):
                why = f"nothing happened to it for {away} scenes"
        elif known.tier is Tier.TRACKED and known.last_scene == world.scene:
            turns = world.clocks.get(known.last_scene, 0) - known.clock
            if turns >= tuning.demotion_turns:
                why = f"nothing happened to it for {turns} turns of its scene"
        if why and known.tier is not None:
            lower = ORDER[ORDER.index(known.tier) - 1]
            yield EntityDemoted(turn, known.id, known.tier, lower, why)


def _sinkable(world: World) -> Iterator[tuple[Key, Entity]]:
    """Everything with an id that stands above its floor."""
    keys = {*world.keys.values(), *map(Key, (*world.plan.cast, *world.plan.things))}
    for key in sorted(keys):
        known = world.register.get(key)
        if (
            known is not None
            and known.id
            and not at_least(known.floor, known.tier or Tier.MENTIONED)
        ):
            yield key, known
