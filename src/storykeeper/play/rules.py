"""What follows by the author's rules: marks, secrets, gates, events, prophecies, layers, scenes.

Each rule looks at the world and decides at most what newly holds. They are asked in turn, again and
again, until none has anything to say; a turn moves through at most one scene boundary by itself, so
that a scene is never passed through unseen.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from storykeeper.events.atoms import Moved, Role, SceneChange, SceneChanged, Source, Voice
from storykeeper.events.changes import (
    BeliefFormed,
    ConditionTurned,
    EventHappened,
    GateOpened,
    LayerEntered,
    LayerLeft,
    LayerMerged,
    ProphecyBorn,
    ProphecyFulfilled,
    ProphecyReinforced,
    SecretRevealed,
)
from storykeeper.events.records import AnyRecord
from storykeeper.play.calls import ring_off
from storykeeper.play.searching import bring_to_light
from storykeeper.play.unfolding import Unfolding
from storykeeper.play.witnesses import attending, those_in
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.layers import Layer, Portal
from storykeeper.story.model import PLAYER, PRESENT
from storykeeper.story.scenes import Scene, Transition
from storykeeper.units import EntityId, SceneId
from storykeeper.world.conditions import holds
from storykeeper.world.earshot import of_the_tale
from storykeeper.world.knowledge import knows
from storykeeper.world.knowledge.claims import is_minded, is_so
from storykeeper.world.layers import CONVERGENCE, LEARNED, psi
from storykeeper.world.plan import key
from storykeeper.world.state import (
    LayerState,
    SceneState,
    World,
    in_scene,
    mark_of,
    named,
    whose_turn,
)
from storykeeper.world.ways import adjoins

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


# ── from scene to scene ──────────────────────────────────────────────────────────────────────


def move_on(unfolding: Unfolding) -> bool:
    """Leave the present scene if a portal, an exit or a transition stands open; the first wins."""
    world = unfolding.world
    here = world.plan.scenes[world.scene or world.plan.story.start]
    for layer in world.plan.story.layers:
        for portal in layer.portals:
            if portal.from_ == here.id and _open(world, portal):
                _go_in(unfolding, layer, portal, here)
                return True
        for way_out in layer.exits:
            if way_out.from_ == here.id and _open(world, way_out):
                _go_out(unfolding, layer, way_out, here)
                return True
    for transition in here.leads_to:
        if _follows(world, here, transition):
            leave(unfolding, here)
            enter(unfolding, world.plan.scenes[transition.to])
            return True
    return False


def _open(world: World, portal: Portal) -> bool:
    if portal.when is None:
        return told_out(world, world.plan.scenes[portal.from_])
    return holds(world, portal.when)


def _follows(world: World, here: Scene, transition: Transition) -> bool:
    if not _may_enter(world, transition.to):
        return False
    if transition.when is None:
        return told_out(world, here) and in_scene(world, whose_turn(world))
    return holds(world, transition.when)


def _may_enter(world: World, scene: str) -> bool:
    """A completed scene is entered again only if its author lets people come back."""
    state = world.scenes.get(SceneId(scene), SceneState())
    return not state.completed or world.plan.scenes[scene].revisitable


def told_out(world: World, scene: Scene) -> bool:
    """Whether a scene has nothing more to tell that does not wait for something."""
    if scene.done_when is not None:
        return holds(world, scene.done_when)
    return all(f"{scene.id}/{b.id}" in world.told for b in scene.beats if b.when is None)


def leave(unfolding: Unfolding, scene: Scene) -> None:
    """A scene is completed when it is told out, and otherwise only left."""
    done = told_out(unfolding.world, scene)
    change = SceneChange.COMPLETED if done else SceneChange.LEFT
    unfolding.happen(SceneChanged(SceneId(scene.id), change), source=Source.RULE)


def enter(unfolding: Unfolding, scene: Scene) -> None:
    """A scene begins: those it needs are brought to its place, but for whom this turn has told to
    be next to it: they have yet to go in. Who was on a line no longer is.
    """
    first = unfolding.world.scene is None
    ring_off(unfolding)
    seen = unfolding.world.scenes.get(SceneId(scene.id), SceneState()).visits
    change = SceneChange.REVISITED if seen else SceneChange.ENTERED
    unfolding.happen(SceneChanged(SceneId(scene.id), change), source=Source.RULE)
    if scene.setting is not None:
        there = EntityId(scene.setting)
        for who in dict.fromkeys((*_taken_along(unfolding, there, first=first), *_required(scene))):
            world = unfolding.world
            elsewhere = world.places.get(who) != there or who in world.away
            if elsewhere and not _is_told_beside(unfolding, who, there):
                unfolding.happen(Moved(there), source=Source.RULE, actor=who)
    for follower in dict.fromkeys(t.to for t in scene.leads_to):
        if SceneId(follower) not in unfolding.world.scenes:
            reached = SceneChanged(SceneId(follower), SceneChange.REACHED)
            unfolding.happen(reached, source=Source.RULE)


def _is_told_beside(unfolding: Unfolding, who: EntityId, there: EntityId) -> bool:
    """Whether this turn has declared that somebody came to where a way leads to a place."""
    told = [
        atom.what.to
        for atom in unfolding.atoms
        if isinstance(atom.what, Moved) and atom.says is Voice.NARRATOR
        and who in those_in(atom.participants, Role.ACTOR)
    ]  # fmt: skip
    at = unfolding.world.places.get(who)
    return at is not None and told[-1:] == [at] and adjoins(unfolding.world, at, there)


def _required(scene: Scene) -> Iterator[EntityId]:
    return map(EntityId, scene.cast.required)


def _taken_along(unfolding: Unfolding, there: EntityId, *, first: bool) -> list[EntityId]:
    """Whom a scene takes to its place: at first the first player, and the others whom the author
    put nowhere; then whose turn it is.

    If it takes them from where they are, those go along who are with them and are played, or came
    there with them in this turn. Where they went by themselves, nobody else is there by it.
    """
    world, player = unfolding.world, whose_turn(unfolding.world)
    here = world.places.get(player)
    if first or here is None:
        return [w for w in world.plan.players if w == player or world.places.get(w) is None]
    came = {
        who
        for atom in unfolding.atoms
        if isinstance(atom.what, Moved) and atom.what.to == here
        for who in those_in(atom.participants, Role.ACTOR)
    }
    with_them = [
        who
        for who in map(EntityId, world.plan.cast)
        if (who in world.plan.players or who in came)
        and world.places.get(who) == here
        and who not in world.away
    ]
    return [player, *(with_them if here != there else ())]


def _go_in(unfolding: Unfolding, layer: Layer, portal: Portal, here: Scene) -> None:
    who = tuple(_drawn_in(unfolding.world, layer))
    unfolding.add(LayerEntered(unfolding.turn, layer.id, SceneId(here.id), who))
    enter(unfolding, unfolding.world.plan.scenes[portal.to])


def _drawn_in(world: World, layer: Layer) -> Iterator[EntityId]:
    """Those of a tale who have a body outside of it; of the players those who go in together."""
    here, tale = world.places.get(whose_turn(world)), of_the_tale(world.plan, layer.id)
    its_own = {world.plan.scenes[scene].setting for scene in layer.scenes}
    for who in map(EntityId, world.plan.cast):
        place = world.places.get(who)
        along = who not in world.plan.players or place == here
        if who in tale and along and place is not None and place not in its_own:
            yield who


def _go_out(unfolding: Unfolding, layer: Layer, way_out: Portal, here: Scene) -> None:
    leave(unfolding, here)
    origins = [i.entered_from for i in unfolding.world.inside if i.layer == layer.id]
    for origin in origins:
        if origin != way_out.to and origin in unfolding.world.plan.scenes:
            leave(unfolding, unfolding.world.plan.scenes[origin])  # it waited, and is left now
    scenes = (unfolding.world.scenes.get(SceneId(s), SceneState()) for s in layer.scenes)
    completed = all(state.completed for state in scenes)
    unfolding.add(LayerLeft(unfolding.turn, layer.id, SceneId(way_out.to), completed))
    enter(unfolding, unfolding.world.plan.scenes[way_out.to])
