"""Whom and what the turn turns to, and who is in the room: their cards."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from weakref import WeakKeyDictionary

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.overheard import is_overheard, topics
from storykeeper.context.sources.feeling import colour, state
from storykeeper.context.sources.proposing import form_here, just_told, line, proposed
from storykeeper.context.stances import stands, strength
from storykeeper.context.words import name_of, person, wants
from storykeeper.events.atoms import ActionTaken, Atom, EntityRef, Resolved, Role
from storykeeper.events.changes import IntentResolved
from storykeeper.gravity.temperature import Valence
from storykeeper.language.names import Names
from storykeeper.scoring.composite import Terms
from storykeeper.staging.acquaintance import Acquaintance
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan
from storykeeper.world.state import Mood, Standing

ENTITY, NAMED, INVOLVED, PRESENT = "entity", 1.0, 0.9, 0.8
MOST_EDGES = 2  # among others, on one card
STRONGLY = 0.5  # how others stand to each other goes without saying below this
_NAMED: WeakKeyDictionary[Boundary, tuple[str, ...]] = WeakKeyDictionary()
Said = tuple[str, tuple[str, ...]]  # words, and what they rest on: the first opens them


def named(boundary: Boundary) -> list[str]:
    """Entities that the player named, in the order of naming; asked by several sources."""
    found = _NAMED.get(boundary)
    if found is None:
        found = _NAMED[boundary] = _found(boundary)
    return list(found)


def _found(boundary: Boundary) -> tuple[str, ...]:
    if not boundary.open("input"):
        return ()
    found = names_known(boundary).find(boundary.present.text)
    return tuple(dict.fromkeys(str(each.entity) for each in found))


def _involved(boundary: Boundary) -> Iterator[str]:
    """Entities of this turn's events and outcomes that nobody had to name."""
    for record in boundary.present.decided:
        match record:
            case IntentResolved(who=who) if boundary.open(f"intent:{who}"):
                yield who
            case Atom() if boundary.open(f"atom:{record.id}"):
                yield from _taking_part(boundary, record)


def _taking_part(boundary: Boundary, atom: Atom) -> Iterator[str]:
    """Those an event is about, as this audience takes them to be."""
    overheard = [p.entity for p in atom.participants if is_overheard(boundary, atom, p)]
    about = atom.what.about if isinstance(atom.what, ActionTaken) else None
    if about is not None and not _are(overheard, about):
        yield about
    for part in atom.participants:
        if part.role is not Role.WITNESS and part.entity not in overheard:
            yield from _id(part.entity)
    for _, ref in topics(boundary, atom):
        yield from _id(ref)


def _id(ref: EntityRef) -> Iterator[str]:
    if isinstance(ref, Resolved):
        yield ref.entity


def _are(refs: Collection[EntityRef], entity: str) -> bool:
    return any(entity in _id(ref) for ref in refs)


@lru_cache(maxsize=16)
def _authored(plan: Plan) -> frozenset[str]:
    """The author's people, places and things; the rest is play's own (sources.things)."""
    return frozenset((*plan.cast, *plan.settings, *plan.things))


def names_known(boundary: Boundary) -> Names:
    """What this audience can call those it knows of: nobody else's name may mean anything."""
    return Acquaintance(boundary).names()


def wanted(boundary: Boundary) -> dict[str, float]:
    """Whom and what the turn turns to, by how much: named, taking part, in the room."""
    found = dict.fromkeys(named(boundary), NAMED)
    for entity in _involved(boundary):
        if entity in _authored(boundary.plan):
            found.setdefault(entity, INVOLVED)
    if boundary.narrator:
        for who in boundary.plan.cast:
            if who in boundary.here and who not in boundary.minds:
                found.setdefault(who, PRESENT)
    return found


def entities(boundary: Boundary, told_above: frozenset[str]) -> Iterator[Candidate]:
    """A card for each; those the player named come first."""
    for entity, relevance in wanted(boundary).items():
        klass = Class.MANDATORY if relevance == NAMED else Class.ENRICHMENT
        if entity not in boundary.minds and not _stands_above(boundary, entity, told_above):
            card = _card(boundary, entity, told_above, klass=klass, relevance=relevance)
            if relevance == PRESENT and not _says_something(card):
                continue
            told_above = told_above.union(card.sources)  # how two stand is said once
            yield card


def _says_something(card: Candidate) -> bool:
    """Whether there is more on a card than a name."""
    return card.full != card.hint


def _stands_above(boundary: Boundary, entity: str, told_above: Collection[str]) -> bool:
    """Whether it is a place, and all that a card of it could say is told already."""
    place = boundary.plan.settings.get(entity)
    if place is None:
        return False
    return f"setting:{entity}" in told_above or just_told(boundary, place.description)


def _card(
    boundary: Boundary,
    entity: str,
    told_above: frozenset[str],
    *,
    klass: Class,
    relevance: float,
) -> Candidate:
    head, parts = _described(boundary, entity)
    said = [
        (text, sources)
        for text, sources in parts
        if text and sources[0] not in told_above and boundary.open(sources[0])
    ]
    kind = next(k for k, ids in _kinds(boundary.plan) if entity in ids or k == "thing")
    texts = [text for text, _ in said]
    rests_on = dict.fromkeys(s for _, sources in said for s in sources)
    return proposed(
        f"entity:{entity}", origin=ENTITY, klass=klass, sources=(f"{kind}:{entity}", *rests_on),
        full=line(head, *texts), brief=line(head, *texts[:1]), hint=line(head),
        entities=(entity,), valence=_brings(boundary, entity, rests_on),
        terms=Terms(relevance=relevance),
    )  # fmt: skip


def _brings(boundary: Boundary, entity: str, said: Collection[str]) -> Valence:
    """What a card would bring into a scene, by what it says.   F2.8c"""
    if entity not in boundary.plan.cast:
        return Valence.EXPOSITION
    edges = [s.partition(":")[2].partition("/") for s in said if s.startswith("relation:")]
    held = boundary.world.standings
    stands = [held.get((EntityId(of), EntityId(to)), Standing()) for of, _, to in edges]
    if any(min(each.affection, each.benevolence) <= -STRONGLY for each in stands):
        return Valence.CONFLICT
    if f"mood:{entity}" in said:
        return colour(boundary.world.moods.get(EntityId(entity), Mood()))
    fond = any(each.affection >= STRONGLY for each in stands)
    return Valence.TENDERNESS if fond else Valence.NEUTRAL


def _kinds(plan: Plan) -> tuple[tuple[str, dict[str, object]], ...]:
    return (
        ("cast", dict(plan.cast)), ("setting", dict(plan.settings)), ("thing", dict(plan.things)),
    )  # fmt: skip


def _described(boundary: Boundary, entity: str) -> tuple[str, list[Said]]:
    """A name, and what could be said of it, each with what it rests on."""
    plan = boundary.plan
    if entity in plan.cast:
        return person(plan.cast[entity]), list(_person(boundary, entity))
    thing, name, rests_on = plan.things.get(entity), name_of(plan, entity), [f"thing:{entity}"]
    here = None if thing is None else form_here(boundary, thing)
    if thing is None:
        rests_on = [f"setting:{entity}"]
        description = plan.settings[entity].description if entity in plan.settings else ""
    elif here is None:
        description = thing.description
    else:
        layer, form = here
        name, description = form.name.strip() or name, form.description
        rests_on += [f"bridge:{entity}/{layer}"] if boundary.narrator else []
    told = just_told(boundary, description)
    parts: list[Said] = [("" if told else description.strip().rstrip("."), tuple(rests_on))]
    holder = boundary.world.holders.get(EntityId(entity))
    if holder is not None:
        parts.append((f"{name_of(plan, holder)} has it", (f"where:{entity}",)))
    return name, parts


def _person(boundary: Boundary, who: str) -> Iterator[Said]:
    plan = boundary.plan
    card = plan.cast[who]
    yield card.line.strip().rstrip("."), (f"line:{who}",)
    speech = card.speech.strip().rstrip(".")
    yield f"Speaks: {speech}" if speech else "", (f"manner:{who}",)
    aims = [goal.text.strip().rstrip(".") for goal in card.goals if goal.open and goal.text.strip()]
    yield wants(aims), (f"aim:{who}",)
    for mind in boundary.minds:
        theirs = _edge(boundary, EntityId(who), mind)
        is_said = theirs[0] and who in boundary.acted  # what is closed must not decide
        yield theirs if is_said else _edge(boundary, mind, EntityId(who))
        for relation in plan.cast[mind].relations:
            if relation.to == who:
                yield relation.history.strip().rstrip("."), (f"history:{mind}/{who}",)
    yield from _among_others(boundary, EntityId(who))
    feels, names = state(boundary, EntityId(who))
    yield feels, (f"mood:{who}", *names)


def _edge(boundary: Boundary, of: EntityId, toward: EntityId, *, most: int | None = None) -> Said:
    text = stands(boundary.plan, of, toward, _held(boundary, of, toward), most=most)
    return text, (f"relation:{of}/{toward}",)


def _held(boundary: Boundary, of: EntityId, toward: EntityId) -> Standing:
    return boundary.world.standings.get((of, toward), Standing())


def _among_others(boundary: Boundary, who: EntityId) -> list[Said]:
    """How they and the others here stand to each other, what is strongest first.

    Of what is open: a strong standing that is closed must not take the place of another.
    """
    others = [EntityId(w) for w in boundary.plan.cast if w in boundary.here]
    others = [w for w in others if w != who and w not in boundary.minds]
    both = ((of, to) for w in others for of, to in ((who, w), (w, who)))
    pairs = [(of, to) for of, to in both if boundary.open(f"relation:{of}/{to}")]
    strong = [(strength(_held(boundary, *pair)), pair) for pair in pairs]
    strong.sort(key=lambda each: -each[0])
    edges = [pair for size, pair in strong[:MOST_EDGES] if size >= STRONGLY]
    return [_edge(boundary, *pair, most=1) for pair in edges]
