"""What a character says is a claim and not a fact (F8.7).

A fact that is told while it is so is known to who hears it. Told while it is not so it is believed,
with whom they have it from; it becomes known when it comes to be so, or is learned otherwise. Who
tells what is not so and does not hold it true lies.
"""

from __future__ import annotations

from collections.abc import Sequence

from immutables import Map
from msgspec import structs

from storykeeper.events.atoms import Atom, Resolved, Role
from storykeeper.events.changes import BeliefFormed
from storykeeper.units import EntityId
from storykeeper.world.conditions import COUNTS_FROM, TRUE_FROM
from storykeeper.world.knowledge.facts import learn, unlearn
from storykeeper.world.knowledge.lessons import confided, forgotten, noted, teller_in, without
from storykeeper.world.knowledge.sightings import perceivers, seen_at
from storykeeper.world.state import EMPTY, Believed, Lesson, Sighting, World
from storykeeper.world.whereabouts import setting_of


def is_so(world: World, fact: str) -> bool:
    """conf(f) ≥ .8: the world bears it out."""
    return world.truths.get(fact, 0.0) >= TRUE_FROM


def holds_true(world: World, who: EntityId, fact: str) -> bool:
    """x believes or suspects f, or knows it and conf(f) ≥ .5   F8.7.

    Who knows what is rather not so than so knows it for what it is.
    """
    known = world.known.get(who, EMPTY).get(fact)
    if known is not None:
        return known.suspected or world.truths.get(fact, 0.0) >= COUNTS_FROM
    first = world.beliefs.get(f"{who}:{fact}")
    if first is not None and not first.superseded:
        return True
    return any(
        each.who == who and each.fact == fact and not each.superseded
        for each in world.beliefs.values()
    )


def told(
    world: World, atom: Atom, fact: str, *, teller: EntityId | None, to: Sequence[EntityId]
) -> World:
    """The world after somebody told a fact: known to who heard it if it is so, else believed."""
    how = "heard" if teller is None else f"told by {teller}"
    so = is_so(world, fact)
    lesson = Lesson(how, _heard_by(world, atom, teller), claimed=not so)
    if so:
        known = learn(world.known, fact, to=tuple(to), how=how, turn=atom.turn, suspected=False)
        world = structs.replace(world, known=known)
    else:
        world = _believed(world, atom, fact, how=how, teller=teller, to=to)
    return noted(world, fact, lesson)


def overheard(
    world: World, atom: Atom, fact: str, *, teller: EntityId, to: Sequence[EntityId]
) -> World:
    """The world after somebody said a fact that they have from nowhere: a guess, so or not.

    Whoever heard it may take it for so and does not know it, nor does anybody think that they do.
    """
    beliefs = world.beliefs
    for who in to:
        if who != teller and fact not in world.known.get(who, EMPTY):
            name = f"{who}:{fact}"
            guess = Believed(who, f"told by {teller}", atom.turn, 1.0, fact, guessed=True)
            beliefs = beliefs if name in beliefs else beliefs.set(name, guess)
    return structs.replace(world, beliefs=beliefs)


def is_minded(world: World, who: EntityId, fact: str) -> bool:
    """Whether somebody has made up their mind about a fact: a guess they heard is no reason to."""
    belief = world.beliefs.get(f"{who}:{fact}")
    return belief is not None and not belief.guessed


def _heard_by(world: World, atom: Atom, teller: EntityId | None) -> Sighting:
    """Who heard it, and before whom: whom it is told to, and who is on the line, before all."""
    by = perceivers(world, atom)
    seen = Sighting(atom.turn, atom.id, None, by=by)
    at = None if teller is None else setting_of(world, teller)
    if at is None:
        return seen
    addressed = (p.entity for p in atom.participants if p.role is Role.TARGET)
    openly = {each.entity for each in addressed if isinstance(each, Resolved)}
    openly.update(who for line in world.lines if teller in line for who in line)
    return seen_at(world, seen, by, at, openly=openly)


def _believed(
    world: World, atom: Atom, fact: str, *, how: str, teller: EntityId | None,
    to: Sequence[EntityId],
) -> World:  # fmt: skip
    """They believe it who did not know it, and had not made up their minds about it before."""
    beliefs = world.beliefs
    lie = teller is not None and not holds_true(world, teller, fact)
    for who in to:
        known = world.known.get(who, EMPTY).get(fact)
        unsure = known is None or known.suspected
        if unsure and who != teller and not is_minded(world, who, fact):
            belief = Believed(who, how, atom.turn, 1.0, fact, claimed=True, lie=lie)
            beliefs = beliefs.set(f"{who}:{fact}", belief)
    return structs.replace(world, beliefs=beliefs)


def formed(world: World, record: BeliefFormed) -> World:
    """The world after somebody came to believe something; told what is not so, it is a claim."""
    fact, teller = record.fact, teller_in(record.how)
    claimed = record.how.startswith("told") and fact is not None and not is_so(world, fact)
    lie = claimed and teller is not None and not holds_true(world, teller, fact or "")
    belief = Believed(
        record.who, record.how, record.turn, record.confidence, fact, claimed=claimed, lie=lie
    )
    if fact is not None:
        world = confided(world, fact, record.who, how=record.how, turn=record.turn)
    return structs.replace(world, beliefs=world.beliefs.set(record.belief, belief))


def come_true(world: World, *, before: Map[str, float]) -> World:
    """The world in which what was told comes to be so: whoever believed it knows it."""
    true = {f for f in world.truths if is_so(world, f) and before.get(f, 0.0) < TRUE_FROM}
    if not true:
        return world
    known, beliefs = world.known, world.beliefs
    for name, each in world.beliefs.items():
        if each.claimed and not each.superseded and each.fact is not None and each.fact in true:
            known = learn(
                known, each.fact, to=(each.who,), how=each.how, turn=world.now, suspected=False
            )
            beliefs = beliefs.set(name, structs.replace(each, superseded=True))
    return structs.replace(world, known=known, beliefs=beliefs)


def corrected(
    world: World, fact: str, *, unlearned_by: Sequence[EntityId], forgotten_by: Sequence[EntityId]
) -> World:
    """The world in which these never learned a fact, and those no longer know from whom."""
    gone = set(unlearned_by)
    beliefs = world.beliefs
    for who in gone:  # what they were told is set right with what they know
        belief = beliefs.get(f"{who}:{fact}")
        if belief is not None and (belief.claimed or belief.guessed):
            beliefs = beliefs.set(f"{who}:{fact}", structs.replace(belief, superseded=True))
    known = unlearn(world.known, fact, by=tuple(unlearned_by))
    world = structs.replace(world, known=known, beliefs=beliefs)
    return forgotten(without(world, fact, gone), fact, forgotten_by)
