"""Ranking: what gravity and the heat of the scene make of each candidate, and of several that say
the same one.

It comes after the gate: nothing that was refused has a part in it. A character feels no gravity,
and the heat of a scene is the narrator's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from storykeeper.context.boundary import KNOWN, Boundary
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources import GRAVITY, LAYER, REVELATION
from storykeeper.context.sources.entity import ENTITY
from storykeeper.context.sources.layers import BRIDGE
from storykeeper.gravity.modifier import Field
from storykeeper.gravity.temperature import favour, intensity, temperature
from storykeeper.scoring.composite import Terms

FAINTLY = frozenset({GRAVITY, LAYER})  # one hint of each is never too faint
MOST_TURNS = 24  # of a scene: eight half-lives


def warmth(boundary: Boundary) -> float:
    """How hot the scene runs, from what was told of it.   F2.8"""
    world, plan = boundary.world, boundary.plan
    scene = plan.scenes.get(world.scene or "")
    if scene is None:
        return 0.5
    told: list[PastTurn] = []
    for turn in reversed(boundary.recent):
        if turn.scene != scene.id or len(told) >= MOST_TURNS:
            break
        told.append(turn)
    stated: dict[int, list[float]] = {}
    for event, turn_no in world.happened.items():
        if event in plan.events:
            stated.setdefault(turn_no, []).append(plan.events[event].intensity)
    intensities = (intensity(t.atoms, authored=stated.get(t.turn, ())) for t in reversed(told))
    return temperature(scene.temperature, intensities)


def weighed(candidate: Candidate, *, field: Field, heat: float) -> Candidate:
    """A candidate with what gravity and temperature make of it."""
    t, tuning = candidate.terms, field.tuning
    pulls = field.pulls(candidate.subject)
    warm = favour(
        heat, candidate.valence, most=tuning.temperature_high, least=tuning.temperature_low
    )
    terms = Terms(t.relevance, pulls.gravity, t.boundary, t.trust, t.recency, warm, pulls)
    return candidate.scored(terms)


def above_the_floor(candidate: Candidate, floor: float) -> Candidate | None:
    """It, if it scores enough to be ranked; of what leans on the story at least its hint."""
    if candidate.terms.score >= floor:
        return candidate
    faint = candidate.origin in FAINTLY and candidate.hint.strip()
    return replace(candidate, full="", brief="") if faint else None


def merged(candidates: Iterable[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Nothing twice: of several that say the same one stays; and those that gave way to it.

    It keeps the higher score, the sources of all (so that only who may have each may have it), and
    the lowest boundary; the others' origins are named with its own. News stays before what was so.
    """
    wanted = list(candidates)
    groups: list[list[Candidate]] = []
    place: dict[str, int] = {}
    for candidate in wanted:
        said = _said(candidate)
        found = list(dict.fromkeys(place[each] for each in said if each in place))
        at = found[0] if found else len(groups)
        if not found:
            groups.append([])
        for other in found[1:] if candidate.origin == BRIDGE else ():
            groups[at] += groups[other]  # it says all that the card of it and the tale have to say
            groups[other] = []
        groups[at].append(candidate)
        place.update(dict.fromkeys(said, at))
    kept = [_one_of(group) for group in groups if group]
    stays = {each.id for each in kept}
    return kept, [each for each in wanted if each.id not in stays]


def _said(candidate: Candidate) -> list[str]:
    """What it says, by which another may say the same."""
    facts = (s.partition(":")[2] for s in candidate.sources if s.startswith(("fact:", "hint:")))
    found = dict.fromkeys(f"fact:{each}" for each in facts)
    if candidate.origin == BRIDGE:
        found.update((f"{ENTITY}:{each}", None) for each in candidate.entities)
    elif candidate.origin == ENTITY:
        found[candidate.id] = None  # a card
    if candidate.same:
        found[candidate.same] = None
    return [*found]


def _is_old(candidate: Candidate) -> bool:
    return candidate.origin != REVELATION


def _generality(candidate: Candidate) -> int:
    """A tale as such gives way to a thing of it that says all that comes through; and what comes
    through by a thing, to the card of that thing.
    """
    return (BRIDGE, LAYER).index(candidate.origin) + 1 if candidate.origin in (BRIDGE, LAYER) else 0


def _one_of(group: Sequence[Candidate]) -> Candidate:
    if len(group) == 1:
        return group[0]
    best = max(group, key=lambda c: c.terms.score)
    first = min(
        group,
        key=lambda c: (
            c.klass is not Class.MANDATORY, _is_old(c), _generality(c), -c.terms.score
        ),
    )  # fmt: skip
    others = [each for each in group if each is not first]
    lowest = min(each.terms.boundary for each in group)
    more = [each.adds for each in others if each.adds and _generality(first) == 0]
    one = replace(
        first,
        full=". ".join((first.full, *more)) if first.full else "",
        terms=best.terms,
        sources=tuple(dict.fromkeys(s for each in (first, *others) for s in each.sources)),
        also=tuple(dict.fromkeys(each.origin for each in others if each.origin != first.origin)),
        entities=tuple(dict.fromkeys(e for each in (first, *others) for e in each.entities)),
    )
    if lowest < KNOWN:
        one = replace(one, full="", brief="")
    return one.ruled(lowest)
