"""The facts of a story: by what they are about, by their place in it, by what they matter."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from storykeeper.gravity.temperature import Valence
from storykeeper.story.knowledge import Fact
from storykeeper.world.plan import Plan

GREATLY, LITTLE = 0.8, 0.2  # how much a fact matters that is no ordinary one


@lru_cache(maxsize=16)
def facts_about(plan: Plan) -> dict[str, tuple[str, ...]]:
    """Facts by what they are about, in the author's order."""
    found: dict[str, list[str]] = defaultdict(list)
    for fact in plan.story.facts:
        for entity in fact.about:
            found[entity].append(fact.id)
    return {entity: tuple(facts) for entity, facts in found.items()}


@lru_cache(maxsize=16)
def superseding(plan: Plan) -> dict[str, tuple[str, ...]]:
    """By a fact, those that whoever knows one of them no longer holds it true for."""
    found: dict[str, list[str]] = defaultdict(list)
    for fact in plan.story.facts:
        for old in fact.supersedes:
            if old != fact.id:
                found[old].append(fact.id)
    return {old: tuple(facts) for old, facts in found.items()}


@lru_cache(maxsize=16)
def fact_places(plan: Plan) -> dict[str, int]:
    """Where each fact stands among all, so that a few can be put in order without the others."""
    return {fact: place for place, fact in enumerate(plan.facts)}


def brings(fact: Fact) -> Valence:
    """What a fact would bring into a scene, by how much it matters.   F2.8c"""
    return Valence.STAKES if fact.weight >= GREATLY else Valence.EXPOSITION
