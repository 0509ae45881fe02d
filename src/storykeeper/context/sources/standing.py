"""What holds: the facts that the player's character knows or believes, as long as nothing overtook
them; for a character, its own.

Of those the turn turns to everything that is known comes to mind. Of the rest what weighs most and
bears on the scene: its people and places, what its gates and ways ask for. It does not fade.

    relevance = max(weight · bearing, .4 if weight ≥ .8)                                    F3g
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from storykeeper.context.boundary import Boundary
from storykeeper.context.facts import GREATLY, brings, fact_places, facts_about
from storykeeper.context.items import Candidate, Class
from storykeeper.context.naming import handle, has_it
from storykeeper.context.sources.entity import INVOLVED, PRESENT, names_known
from storykeeper.context.sources.proposing import proposed
from storykeeper.context.stances import short_name
from storykeeper.context.words import listed
from storykeeper.gravity.possible import inside
from storykeeper.gravity.temperature import Valence
from storykeeper.language.shortening import first_sentence
from storykeeper.scoring.composite import Terms
from storykeeper.story.conditions import Condition
from storykeeper.story.knowledge import Fact
from storykeeper.units import EntityId
from storykeeper.world.knowledge.lessons import teller_in
from storykeeper.world.plan import Plan

STANDING, SUSPECTED = "standing", 0.5
AT_STAKE, AT_HAND, ELSEWHERE = 0.9, 0.8, 0.5  # how much a fact bears on the scene
FLOOR = 0.4  # of what weighs greatly


def standing(boundary: Boundary, wanted: Mapping[str, float]) -> Iterator[Candidate]:
    """The facts about what the turn turns to; what is suspected; and what holds besides."""
    told: set[str] = set()
    for entity, relevance in wanted.items():
        unknown = _unknown(boundary.plan, relevance)
        for fact in facts_about(boundary.plan).get(entity, ()):
            if boundary.is_unknown(fact):
                if relevance > PRESENT:
                    yield unknown[fact]
            elif relevance >= INVOLVED:
                told.add(fact)
                yield from _fact(boundary, fact, relevance)
    yield from _suspicions(boundary, wanted)
    place, at_stake = fact_places(boundary.plan), _at_stake(boundary)
    for fact in sorted(boundary.facts_held - told, key=lambda each: place.get(each, 0)):
        if fact in boundary.plan.facts and not boundary.is_superseded(fact):
            yield from _fact(boundary, fact, _relevance(boundary, fact, at_stake))


def _relevance(boundary: Boundary, fact_id: str, at_stake: frozenset[str]) -> float:
    """max(weight · bearing, .4 if weight ≥ .8).   F3g"""
    fact = boundary.plan.facts[fact_id]
    here = any(each in boundary.here or each in boundary.places for each in fact.about)
    bearing = AT_STAKE if fact_id in at_stake else AT_HAND if here else ELSEWHERE
    return max(fact.weight * bearing, FLOOR if fact.weight >= GREATLY else 0.0)


def _at_stake(boundary: Boundary) -> frozenset[str]:
    """Facts that the present scene turns on: what its gates, its ways on and its pull ask for."""
    plan, scene = boundary.plan, boundary.world.scene or ""
    there = scene in plan.scenes and boundary.narrator
    return _turned_on(plan, scene) if there else frozenset()


@lru_cache(maxsize=256)
def _turned_on(plan: Plan, name: str) -> frozenset[str]:
    scene = plan.scenes[name]
    asked: list[Condition] = [c for gate in scene.gates for c in gate.conditions]
    asked += [way.when for way in scene.leads_to if way.when is not None]
    asked += [p.when for vector in scene.approach for p in vector.predicates]
    return frozenset(fact for condition in asked for fact in _facts_in(condition))


def _facts_in(condition: Condition) -> Iterator[str]:
    """The facts that a condition asks for, and those inside it."""
    if condition.knows is not None:
        yield condition.knows.fact
    for _, part in inside(condition):
        yield from _facts_in(part)


def _suspicions(boundary: Boundary, wanted: Mapping[str, float]) -> Iterator[Candidate]:
    """The hint of everything that is only suspected.

    Whom the fact is about is a part of the secret. So what is suspected comes to mind of itself,
    and the sooner if the hint's own words name what the turn turns to.
    """
    if not boundary.suspected:
        return
    plan, names = boundary.plan, names_known(boundary)
    least = SUSPECTED
    for fact_id in boundary.suspected:
        hint = plan.facts[fact_id].hint.strip()
        named_in_it = tuple(dict.fromkeys(str(f.entity) for f in names.find(hint)))
        relevance = max((wanted.get(each, 0.0) for each in named_in_it), default=0.0)
        held = boundary.known(fact_id)
        in_a_tale = held is not None and not held[1].suspected  # known there: it hardly crosses
        head = f"{_mind(boundary)} {'dimly knows' if in_a_tale else 'suspects'}"
        if hint:
            yield proposed(
                f"hint:{fact_id}", origin=STANDING, klass=Class.ENRICHMENT,
                hint=f"- {head}: {hint}", entities=named_in_it, same=f"fact:{fact_id}",
                valence=Valence.TENSION, terms=Terms(relevance=max(least, relevance)),
            )  # fmt: skip


def _fact(boundary: Boundary, fact_id: str, relevance: float) -> Iterator[Candidate]:
    """A fact as it may be said: as what is held true, or not at all."""
    fact = boundary.plan.facts[fact_id]
    more = {
        "origin": STANDING, "klass": Class.ENRICHMENT, "terms": Terms(relevance=relevance),
        "entities": fact.about, "themes": fact.themes, "about": (fact_id,),
        "same": f"fact:{fact_id}",
        "valence": brings(fact),
    }  # fmt: skip
    known = boundary.known(fact_id)
    if known is not None and not boundary.open(f"fact:{fact_id}"):
        return  # it is only suspected: see _suspicions
    belief = boundary.beliefs.get(fact_id)
    once = boundary.is_superseded(fact_id)
    if known is None and belief is not None:
        how = boundary.world.beliefs[belief].how
        head = has_it(boundary, fact_id, how, once=once)
        yield _held_true(f"belief:{belief}", fact, head, more)
        return
    how = known[1].how if known is not None else ""
    head = f"{handle(boundary, fact_id)}{has_it(boundary, fact_id, how, once=once)}"
    too = [who for who in _who_too(boundary, fact_id) if who != teller_in(how)]
    more["sources"] = (f"fact:{fact_id}", *(f"taught:{who}/{fact_id}" for who in too))
    yield _held_true(f"fact:{fact_id}", fact, head, more, too=_know(boundary, too))


def _who_too(boundary: Boundary, fact: str) -> list[EntityId]:
    """Of those who are here, who has a fact too, as the player's character perceived it."""
    if not boundary.narrator:
        return []
    others = (EntityId(who) for who in boundary.plan.cast if who not in boundary.minds)
    return [w for w in others if w in boundary.here and boundary.open(f"taught:{w}/{fact}")]


def _know(boundary: Boundary, who: list[EntityId]) -> str:
    names = listed([short_name(boundary.plan, each) for each in who])
    return f" ({names} {'knows' if len(who) == 1 else 'know'} it too)" if who else ""


def _mind(boundary: Boundary) -> str:
    """Whose knowledge it is: what one holds need not be so."""
    return short_name(boundary.plan, boundary.minds[0])


def _held_true(
    item_id: str, fact: Fact, head: str, more: dict[str, object], *, too: str = ""
) -> Candidate:
    """Known or believed in the same words: whoever holds it must not learn whether it is so."""
    if not fact.full.strip():
        return proposed(item_id, **more)
    return proposed(
        item_id, full=f"- {head}: {fact.full.strip()}{too}", brief=_short(head, fact), **more
    )


@lru_cache(maxsize=16)
def _unknown(plan: Plan, relevance: float) -> dict[str, Candidate]:
    """Facts to those who know nothing of them, without a word of it: for the author's receipt.

    Most facts are unknown to most, and these are the same for all of them: so they are made once.
    """
    terms = Terms(relevance=relevance)
    return {
        fact.id: proposed(
            f"fact:{fact.id}", origin=STANDING, klass=Class.ENRICHMENT, terms=terms,
            entities=fact.about, themes=fact.themes,
        )
        for fact in plan.story.facts
    }  # fmt: skip


def _short(head: str, fact: Fact) -> str:
    return f"- {head}: {first_sentence(fact.full)}"
