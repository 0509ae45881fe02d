"""A story's character before a judge: its `TurnBrief`, and the story as the world it acts in.

What stands in the brief has passed the gate for its owner. What it can do are the options that the
author's rules leave open, so that nothing can be told that no rule lets be told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import (
    Available,
    Band,
    EntityKind,
    Held,
    Presence,
    Sense,
    TurnBrief,
)
from storykeeper.canon.brief import Standing as Stands
from storykeeper.canon.situation import EntityState, Learned, Verb, WorldState
from storykeeper.context.boundary import Boundary
from storykeeper.context.stances import stands
from storykeeper.context.words import name_of
from storykeeper.play.options import Kind, Option
from storykeeper.units import EntityId
from storykeeper.world.state import EMPTY, Standing, World

WAIT = "wait"  # what can always be done


def verb_of(option: Option) -> str:
    """What an option is called where an action names it: `tells-0`, `fact-key-shows-1`."""
    return option.id.replace("/", "-").replace(":", "-")


def brief_of(boundary: Boundary, options: Sequence[Option], *, text: str = "") -> TurnBrief:
    """What one character may know of this moment, and what it can do.

    `text` is its window, where a model is to read it; else what it holds, one line each.
    """
    who, world = EntityId(boundary.audience), boundary.world
    person = world.plan.cast[who]
    beliefs = tuple(_held(boundary, who))
    visible = tuple(_visible(boundary))
    relations = tuple(_relations(boundary, who))
    actions = [_available(world, each) for each in options]
    lines = [each.text for each in beliefs] + [each.text for each in relations]
    lines += [each.name for each in visible]
    body = "\n".join((text or "\n".join(lines), *(f"{a.verb}: {a.text}" for a in actions)))
    return TurnBrief(
        who=who, turn=boundary.present.turn, tokens=0, budget=0, text=body,
        digest=hashlib.sha256(body.encode()).hexdigest(),
        objectives=tuple(goal.text for goal in person.goals),
        rules=(*person.rules, *person.taboos), doctrine=person.doctrine, visible=visible,
        beliefs=beliefs, relations=relations,
        actions=(*actions, Available(verb=WAIT, text="wait")),
    )  # fmt: skip


def _held(boundary: Boundary, who: EntityId) -> Iterator[Held]:
    world, plan = boundary.world, boundary.world.plan
    for fact in plan.facts.values():
        known = world.known.get(who, EMPTY).get(fact.id)
        how = known.how if known is not None else "believed"
        if boundary.open(f"fact:{fact.id}") or fact.id in boundary.beliefs:
            yield Held(id=f"fact:{fact.id}", text=fact.full, how=how)
        elif fact.hint and boundary.open(f"hint:{fact.id}", hint=True):
            yield Held(id=f"hint:{fact.id}", text=fact.hint, how=how)
    for n, belief in enumerate(plan.cast[who].beliefs):
        yield Held(id=f"belief:{n}", text=belief.text, how="always", sure=belief.weight)


def _visible(boundary: Boundary) -> Iterator[Presence]:
    plan = boundary.plan
    for who in sorted(boundary.in_sight):
        how = Sense.SELF if who == boundary.audience else Sense.WITNESSED
        yield Presence(
            handle=who, how=how, kind=EntityKind.PERSON, band=Band.HERE, name=name_of(plan, who)
        )
    for thing in plan.things:
        if boundary.at_hand(EntityId(thing)):
            yield Presence(
                handle=thing, how=Sense.SEEN, kind=EntityKind.THING, band=Band.HERE,
                name=name_of(plan, thing),
            )  # fmt: skip


def _relations(boundary: Boundary, who: EntityId) -> Iterator[Stands]:
    world = boundary.world
    for other in sorted(boundary.in_sight - {who}):
        held = world.standings.get((who, EntityId(other)), Standing())
        if text := stands(world.plan, who, EntityId(other), held):
            yield Stands(to=other, text=text)


def _available(world: World, option: Option) -> Available:
    return Available(verb=verb_of(option), text=described(world, option), targets=option.to)


def described(world: World, option: Option) -> str:
    """What an option is, to who may choose it."""
    plan = world.plan
    to = ", ".join(name_of(plan, who) for who in option.to)
    match option.kind:
        case Kind.TELL:
            fact = plan.facts[option.fact]
            return f"tell {to}: {(fact.hint if option.suspects else fact.full).strip()}"
        case Kind.DO:
            return plan.events[option.event].summary.strip()
        case Kind.SHOW:
            return " ".join(option.text.split())
        case _:
            return "keep it to yourself, and let nothing be seen"


# ── the world it is judged in ────────────────────────────────────────────────────────────────


def situation(boundary: Boundary, options: Sequence[Option]) -> WorldState:
    """The story as a judge needs it: who and what may not be named, what everybody has, and what
    can be done.
    """
    world, plan = boundary.world, boundary.plan
    mine = {each.handle for each in _visible(boundary)}
    unmet = {who for who in plan.cast if not boundary.has_met(who)}
    hidden = {thing for thing in map(EntityId, plan.things) if thing in world.hidden}
    named = [c for c in plan.cast.values() if c.id in mine | unmet]
    found = [t for t in plan.things.values() if t.id in mine | hidden]
    people = [EntityState(id=each.id, name=each.name) for each in named]
    things = [EntityState(id=t.id, name=t.name, kind=EntityKind.THING) for t in found]
    return WorldState(
        id=plan.story.id, turn=boundary.present.turn, entities=(*people, *things),
        learned=tuple(_learned(world)),
        verbs=(*(_verb(world, each) for each in options), Verb(id=WAIT, text="wait")),
    )  # fmt: skip


def _learned(world: World) -> Iterator[Learned]:
    """What everybody has; what nobody has is nobody's."""
    for fact in world.plan.facts.values():
        having = [w for w, k in sorted(world.known.items()) if fact.id in k]
        for who in having or [EntityId("nobody")]:
            known = world.known.get(who, EMPTY).get(fact.id)
            if known is None or not known.suspected:
                how = "lived" if known is None else known.how
                yield Learned(id=f"{who}:{fact.id}", who=who, text=fact.full, how=how)


def _verb(world: World, option: Option) -> Verb:
    """Words go with telling; what is done is said to a judge as the author sums it up."""
    done = world.plan.events[option.event].summary if option.event else ""
    return Verb(
        id=verb_of(option), text=described(world, option), done=done or "{who} is there.",
        target=bool(option.to), speaks=option.kind is Kind.TELL,
    )  # fmt: skip


def action_of(world: World, option: Option) -> CharacterAction:
    """What rules choose, as an action like anybody's: who tells a fact says it."""
    fact = world.plan.facts.get(option.fact)
    words = "" if fact is None else fact.hint if option.suspects else fact.full
    return CharacterAction(
        who=option.who, turn=world.now, verb=verb_of(option),
        target=option.to[0] if option.to else None,
        words=words if option.kind is Kind.TELL else "",
    )  # fmt: skip
