"""What follows by the author’s rules: marks, secrets, gates, events, prophecies, layers, scenes.

Each rule looks at the world and decides at most what newly holds. They are asked in turn, again and
again, until none has anything to say; a turn moves through at most one scene boundary by itself, so
that a scene is never passed through unseen.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from storykeeper.events.changes import (
    BeliefFormed,
    ConditionTurned,
    EventHappened,
    GateOpened,
    LayerMerged,
    ProphecyBorn,
    ProphecyFulfilled,
    ProphecyReinforced,
    SecretRevealed,
)
from storykeeper.events.records import AnyRecord
from storykeeper.play.crossings import enter, move_on
from storykeeper.play.searching import bring_to_light
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import attending
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.model import PLAYER, PRESENT
from storykeeper.units import EntityId, SceneId
from storykeeper.world.conditions import holds
from storykeeper.world.knowledge import knows
from storykeeper.world.knowledge.claims import is_minded, is_so
from storykeeper.world.layers import CONVERGENCE, LEARNED, psi
from storykeeper.world.plan import key
from storykeeper.world.state import (
    LayerState,
    SceneState,
    World,
    mark_of,
    named,
)

MAX_ROUNDS = 64


def settle(unfolding: Unfolding, *, may_move: bool = True) -> None:
    """Let everything follow that follows."""
    if unfolding.world.scene is None:
        enter(unfolding, unfolding.world.plan.scenes[unfolding.world.plan.story.start])
        may_move = False  # the first scene, too, is seen before it is left
    for _ in range(MAX_ROUNDS):
        decided = len(unfolding.records)
        for rule in (_marks, _secrets, _gates, _events, _prophecies, _mergers):
            for record in list(rule(unfolding.world, unfolding)):
                _decide(unfolding, record)
        bring_to_light(unfolding)
        unfolding.looked = True
        if may_move and move_on(unfolding):
            may_move = False
        if len(unfolding.records) == decided:
            return


def _decide(unfolding: Unfolding, record: AnyRecord) -> None:
    """Put it on record; of a revelation, what another of this moment has not told already."""
    if isinstance(record, SecretRevealed):
        known = unfolding.world.known
        to = tuple(
            who
            for who in record.to
            if not knows(known, who, record.fact, suspects=record.suspected)
        )
        if not to:
            return
        record = structs.replace(record, to=to)
    unfolding.add(record)


# ── what is remembered and learned ───────────────────────────────────────────────────────────


def _marks(world: World, at: Unfolding) -> Iterator[AnyRecord]:
    """For each of several players, whosever turn it is: in another's, theirs may cease to hold."""
    for player in (None,) if world.player is None else world.plan.players:
        yield from _marks_for(structs.replace(world, player=player), at)


def _marks_for(world: World, at: Unfolding) -> Iterator[AnyRecord]:
    who = world.player
    for condition in world.plan.remembered:
        name = key(condition)
        mark = mark_of(world, name)
        so = holds(world, condition)
        if so == (mark is not None and mark.holds):
            continue
        if mark is not None and not so and at.looked and mark.last < at.turn:
            yield ConditionTurned(
                at.turn, name, holds=True, player=who
            )  # it held in this turn, too
        yield ConditionTurned(at.turn, name, so, who)


def _secrets(world: World, at: Unfolding) -> Iterator[AnyRecord]:
    for fact in world.plan.story.facts:
        for reveal in sorted(fact.revealed_by, key=lambda reveal: reveal.suspects):
            fresh = learners(world, fact, reveal)
            if not fresh or not holds(world, reveal.when):
                continue
            there = _knowing(world, fact.id) if PRESENT in reveal.to else ()
            yield from teach(
                world, at, fact.id, fresh, how=reveal.how, suspects=reveal.suspects, there=there
            )


def teach(
    world: World, at: Unfolding, fact: str, to: tuple[EntityId, ...], *, how: str, suspects: bool,
    there: tuple[EntityId, ...],
) -> Iterator[AnyRecord]:  # fmt: skip
    """These learn a fact; told what is not so, they believe it (F8.7). `there` are those who knew
    it and see it.
    """
    if _is_claim(world, fact, how, suspects=suspects):
        for who in to:
            yield BeliefFormed(at.turn, who, f"{who}:{fact}", "", how, 1.0, fact)
    else:
        yield SecretRevealed(at.turn, fact, to, _by(world, how), suspects, there)


def _by(world: World, how: str) -> str:
    """How something is learned; in a tale what is only revealed is told, dreamed, read …"""
    layer = world.plan.layers.get(world.inside[-1].layer) if world.inside else None
    return LEARNED[layer.kind] if layer is not None and how == "revealed" else how


def _is_claim(world: World, fact: str, how: str, *, suspects: bool) -> bool:
    """Whether somebody tells what is not so: then it is believed, and not known."""
    return how.startswith("told") and not suspects and not is_so(world, fact)


def _knowing(world: World, fact: str) -> tuple[EntityId, ...]:
    """Those present who know it already: they see the others learn it."""
    return tuple(who for who in attending(world) if knows(world.known, who, fact))


def learners(world: World, fact: Fact, reveal: Reveal) -> tuple[EntityId, ...]:
    """Those a reveal would teach something."""
    people = [
        who
        for name in reveal.to
        for who in (attending(world) if name == PRESENT else named(world, name))
    ]
    told = _is_claim(world, fact.id, reveal.how, suspects=reveal.suspects)
    return tuple(
        who
        for who in dict.fromkeys(people)
        if not knows(world.known, who, fact.id, suspects=reveal.suspects)
        and not (told and is_minded(world, who, fact.id))
    )


def reveal_here(unfolding: Unfolding, facts: tuple[str, ...], *, how: str) -> None:
    """Everyone present learns these facts."""
    for fact in facts:
        world = unfolding.world
        fresh = tuple(who for who in attending(world) if not knows(world.known, who, fact))
        if fresh:
            there = _knowing(world, fact)
            by = _by(world, _as_authored(world, fact, how))
            unfolding.add(SecretRevealed(unfolding.turn, fact, fresh, by, seen_by=there))


def _as_authored(world: World, fact: str, how: str) -> str:
    """How the author says that a fact is learned: by what holds now, or if there is one way only.

    A beat tells that it is learned, and the fact how: he reads it, she says it.
    """
    ways = [way for way in world.plan.facts[fact].revealed_by if not way.suspects]
    now = [way.how for way in ways if holds(world, way.when)]
    only = {way.how for way in ways}
    return now[0] if now else only.pop() if len(only) == 1 else how


def _gates(world: World, at: Unfolding) -> Iterator[AnyRecord]:
    for gate in world.plan.gates.values():
        if gate.id not in world.gates and all(holds(world, c) for c in gate.conditions):
            yield GateOpened(at.turn, gate.id)
            for fact in gate.reveals:
                fresh = tuple(p for p in named(world, PLAYER) if not knows(world.known, p, fact))
                if fresh:
                    yield SecretRevealed(at.turn, fact, fresh, _by(world, "revealed"))


def _events(world: World, at: Unfolding) -> Iterator[AnyRecord]:
    for event in world.plan.story.events:
        if event.when is not None and event.id not in world.happened and holds(world, event.when):
            yield from happening(world, at, event.id)


def happening(world: World, at: Unfolding, event_id: str) -> Iterator[AnyRecord]:
    """An authored event, and what it reveals to those who are there."""
    yield EventHappened(at.turn, event_id, world.player)
    for fact in world.plan.events[event_id].reveals:
        fresh = tuple(who for who in attending(world) if not knows(world.known, who, fact))
        if fresh:
            yield SecretRevealed(at.turn, fact, fresh, "saw", seen_by=_knowing(world, fact))


def _prophecies(world: World, at: Unfolding) -> Iterator[AnyRecord]:
    for prophecy in world.plan.story.prophecies:
        state = world.prophecies.get(prophecy.id)
        if state is None:
            if prophecy.source in world.happened:
                yield ProphecyBorn(at.turn, prophecy.id, prophecy.source)
            continue
        if state.fulfilled is not None:
            continue
        for reinforcement in prophecy.reinforced_by:
            event = reinforcement.event
            if event in world.happened and event not in state.by:
                yield ProphecyReinforced(at.turn, prophecy.id, event, reinforcement.amount)
        target = world.scenes.get(SceneId(prophecy.target), SceneState())
        met = prophecy.fulfilled_by
        if target.completed if met is None else holds(world, met):
            yield ProphecyFulfilled(at.turn, prophecy.id, SceneId(prophecy.target))


def _mergers(world: World, at: Unfolding) -> Iterator[AnyRecord]:
    for layer in world.plan.story.layers:
        merged = world.layers.get(layer.id, LayerState()).merged
        if not merged and psi(world, layer.id) >= CONVERGENCE:
            projected = layer.entity_map.projected.items()
            entities = {EntityId(inner): EntityId(outer) for inner, outer in projected}
            yield LayerMerged(at.turn, layer.id, entities)
