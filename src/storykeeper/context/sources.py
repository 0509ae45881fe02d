"""Tier 3: what the sources propose for this turn.

Here are the entity and the revelation source, and the author's beats. Each says things as
structured fact, never as prose to be repeated, and never names scenes or mechanics. A source may
propose what its audience must not see: the gate decides, and the author's receipt says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from storykeeper.context.boundary import Boundary, facts_about
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.things import thing_cards
from storykeeper.context.words import (
    feelings,
    learned,
    name_of,
    person,
    standing,
)
from storykeeper.events.atoms import ActionTaken, Atom, Resolved, Role
from storykeeper.events.changes import IntentResolved, SecretRevealed
from storykeeper.language.names import Names
from storykeeper.language.shortening import SKELETON_WORDS, first_sentence, first_words
from storykeeper.scoring.composite import Terms
from storykeeper.story.knowledge import Fact
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan
from storykeeper.world.state import Standing

NAMED, INVOLVED, REVEALED, DOCTRINE = 1.0, 0.9, 0.9, 0.5  # relevances
ENTITY, REVELATION, BEAT = "entity", "revelation", "beat"


def proposals(boundary: Boundary, *, told_above: frozenset[str]) -> list[Candidate]:
    """Everything proposed for tier 3; `told_above` are sources that tier 1 already shows."""
    found = [
        *_revelations(boundary),
        *_entities(boundary, told_above),
        *thing_cards(boundary),
        *_beats(boundary),
        *_doctrine(boundary),
    ]
    once: dict[str, Candidate] = {}
    for candidate in found:
        once.setdefault(candidate.id, candidate)
    return list(once.values())


def said_once(candidates: Iterable[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """No fact twice: of several candidates that say it the first stays; and those that gave way.

    Asked after the gate: what is hidden must not silence what is not.
    """
    kept: list[Candidate] = []
    merged: list[Candidate] = []
    said: set[str] = set()
    for candidate in candidates:
        facts = {s.partition(":")[2] for s in candidate.sources if s.startswith(("fact:", "hint:"))}
        (merged if facts & said else kept).append(candidate)
        said |= facts
    return kept, merged


def _item(item_id: str, **fields: object) -> Candidate:
    given = {"tier": Tier.RETRIEVED, "sources": (item_id,)} | fields
    return Candidate(id=item_id, **given)  # type: ignore[arg-type]


# ── revelations of this turn ─────────────────────────────────────────────────────────────────


def _revelations(boundary: Boundary) -> Iterator[Candidate]:
    for record in boundary.present.decided:
        if isinstance(record, SecretRevealed) and record.fact in boundary.plan.facts:
            shared = [w for w in record.to if boundary.open(f"learned:{w}/{record.fact}")]
            if shared:
                yield _revelation(boundary, record, shared)
            for who in record.to:
                if who not in shared:
                    yield _revelation(boundary, record, [who], apart=True)


def _revelation(
    boundary: Boundary, record: SecretRevealed, who: list[EntityId], *, apart: bool = False
) -> Candidate:
    fact = boundary.plan.facts[record.fact]
    kind = "hint" if record.suspected else "fact"
    mine = any(w in boundary.minds for w in who)
    full, brief, hint = _revealed(boundary.plan, record, fact, who)
    return _item(
        f"revelation:{fact.id}" + (f"/{who[0]}" if apart else ""),
        origin=REVELATION, klass=Class.MANDATORY if mine else Class.ENRICHMENT,
        sources=(f"{kind}:{fact.id}", *(f"learned:{w}/{fact.id}" for w in who)),
        entities=fact.about, themes=fact.themes, terms=Terms(relevance=REVEALED),
        full=full, brief=brief, hint=hint,
    )  # fmt: skip


def _revealed(
    plan: Plan, record: SecretRevealed, fact: Fact, who: list[EntityId]
) -> tuple[str, str, str]:
    """Who learned it, how, what it is, and which relations look different now; three lengths."""
    verb = "now suspected by" if record.suspected else "now known to"
    people = ", ".join(name_of(plan, w) for w in who)
    head = f"- Just {verb} {people} ({learned(plan, record.how)})"
    if record.suspected:
        return "", "", f"{head}: {fact.hint.strip()}" if fact.hint.strip() else ""
    bearing = [
        f"{name_of(plan, b.from_)} toward {name_of(plan, b.to)}: {b.note.strip()}"
        for b in fact.bears_on
        if b.note.strip()
    ]
    return (
        " ".join((f"{head}: {fact.full.strip()}", *bearing)),
        f"{head}: {first_sentence(fact.full)}",
        f"{head}: {first_words(fact.full, SKELETON_WORDS)}",
    )


# ── entities ─────────────────────────────────────────────────────────────────────────────────


def named(boundary: Boundary) -> list[str]:
    """Entities that the player named, in the order of naming."""
    if not boundary.open("input"):
        return []
    found = names(boundary.plan).find(boundary.present.text)
    return list(dict.fromkeys(str(each.entity) for each in found))


def _involved(boundary: Boundary) -> Iterator[str]:
    """Entities of this turn's events and outcomes that nobody had to name."""
    for record in boundary.present.decided:
        match record:
            case IntentResolved(who=who) if boundary.open(f"intent:{who}"):
                yield who
            case Atom() if boundary.open(f"atom:{record.id}"):
                if isinstance(record.what, ActionTaken) and record.what.about is not None:
                    yield record.what.about
                for part in record.participants:
                    if part.role is not Role.WITNESS and isinstance(part.entity, Resolved):
                        yield part.entity.entity


@lru_cache(maxsize=16)
def _authored(plan: Plan) -> frozenset[str]:
    """The author's people, places and things; the rest is play's own (context.things)."""
    return frozenset((*plan.cast, *plan.settings, *plan.things))


@lru_cache(maxsize=16)
def names(plan: Plan) -> Names:
    """What everything in a story is called; a plan is the same object as long as its story is."""
    return Names.of(plan.story)


def _entities(boundary: Boundary, told_above: frozenset[str]) -> Iterator[Candidate]:
    wanted = dict.fromkeys(named(boundary), NAMED)
    for entity in _involved(boundary):
        if entity in _authored(boundary.plan):
            wanted.setdefault(entity, INVOLVED)
    for entity, relevance in wanted.items():
        klass = Class.MANDATORY if relevance == NAMED else Class.ENRICHMENT
        if entity not in boundary.minds:
            yield _card(boundary, entity, told_above, klass=klass, relevance=relevance)
        unknown = _unknown(boundary.plan, relevance)
        for fact in facts_about(boundary.plan).get(entity, ()):
            if boundary.is_unknown(fact):
                yield unknown[fact]
            else:
                yield from _fact(boundary, fact, relevance)


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
        (text, source)
        for text, source in parts
        if text and source not in told_above and boundary.open(source)
    ]
    kind = next(k for k, ids in _kinds(boundary.plan) if entity in ids or k == "thing")
    brief = f"- {'. '.join([head, *(text for text, _ in said[:1])])}"
    return _item(
        f"entity:{entity}", origin=ENTITY, klass=klass,
        sources=(f"{kind}:{entity}", *(source for _, source in said)),
        full=f"- {'. '.join([head, *(text for text, _ in said)])}", brief=brief, hint=f"- {head}",
        entities=(entity,), terms=Terms(relevance=relevance),
    )  # fmt: skip


def _kinds(plan: Plan) -> tuple[tuple[str, dict[str, object]], ...]:
    return (
        ("cast", dict(plan.cast)), ("setting", dict(plan.settings)), ("thing", dict(plan.things)),
    )  # fmt: skip


def _described(boundary: Boundary, entity: str) -> tuple[str, list[tuple[str, str]]]:
    """A name, and what could be said of it, each with its source."""
    plan = boundary.plan
    if entity in plan.cast:
        return person(plan.cast[entity]), list(_person(boundary, entity))
    found = plan.things.get(entity) or plan.settings.get(entity)
    kind = "thing" if entity in plan.things else "setting"
    description = "" if found is None else found.description.strip()
    parts = [(description.rstrip("."), f"{kind}:{entity}")]
    holder = boundary.world.holders.get(EntityId(entity))
    if holder is not None:
        parts.append((f"{name_of(plan, holder)} has it", f"where:{entity}"))
    return name_of(plan, entity), parts


def _person(boundary: Boundary, who: str) -> Iterator[tuple[str, str]]:
    plan, world = boundary.plan, boundary.world
    yield plan.cast[who].line.strip().rstrip("."), f"line:{who}"
    for mind in boundary.minds:
        for a, b in ((EntityId(who), mind), (mind, EntityId(who))):
            stance = standing(world.standings.get((a, b), Standing()))
            text = f"{name_of(plan, a)} toward {name_of(plan, b)}: {stance}" if stance else ""
            yield text, f"relation:{a}/{b}"
        for relation in plan.cast[mind].relations:
            if relation.to == who:
                yield relation.history.strip().rstrip("."), f"history:{mind}/{who}"
    mood = world.moods.get(EntityId(who))
    shown = ", ".join(feelings(mood)) if mood is not None else ""
    yield f"Shows: {shown}" if shown else "", f"mood:{who}"
    yield "Is here", f"where:{who}"


def _fact(boundary: Boundary, fact_id: str, relevance: float) -> Iterator[Candidate]:
    """A fact as it may be said: outright, as its hint, as somebody's belief, or not at all."""
    plan = boundary.plan
    fact = plan.facts[fact_id]
    more = {
        "origin": ENTITY, "klass": Class.ENRICHMENT, "terms": Terms(relevance=relevance),
        "entities": fact.about, "themes": fact.themes,
    }  # fmt: skip
    known = boundary.known(fact_id)
    if known is not None and not boundary.open(f"fact:{fact_id}"):
        if fact.hint.strip():
            yield _item(f"hint:{fact_id}", hint=f"- Suspected: {fact.hint.strip()}", **more)
        return
    belief = boundary.beliefs.get(fact_id)
    if known is None and belief is not None:
        held = boundary.world.beliefs[belief]
        head = f"{name_of(plan, held.who)} believes ({learned(plan, held.how)})"
        text = f"- {head}: {fact.full.strip()}"
        yield _item(f"belief:{belief}", full=text, brief=_short(head, fact), **more)
        return
    how = learned(plan, known[1].how) if known is not None else ""
    text = f"- Known ({how}): {fact.full.strip()}" if fact.full.strip() else ""
    brief = _short(f"Known ({how})", fact) if fact.full.strip() else ""
    yield _item(f"fact:{fact_id}", full=text, brief=brief, **more)


@lru_cache(maxsize=16)
def _unknown(plan: Plan, relevance: float) -> dict[str, Candidate]:
    """Facts to those who know nothing of them, without a word of it: for the author's receipt.

    Most facts are unknown to most, and these are the same for all of them: so they are made once.
    """
    terms = Terms(relevance=relevance)
    return {
        fact.id: _item(
            f"fact:{fact.id}", origin=ENTITY, klass=Class.ENRICHMENT, terms=terms,
            entities=fact.about, themes=fact.themes,
        )
        for fact in plan.story.facts
    }  # fmt: skip


def _short(head: str, fact: Fact) -> str:
    return f"- {head}: {first_sentence(fact.full)}"


# ── what the author wants told; what a character was taught ─────────────────────────────────


def _beats(boundary: Boundary) -> Iterator[Candidate]:
    for name, beat in boundary.present.beats:
        yield _item(
            f"beat:{name}", origin=BEAT, klass=Class.MANDATORY, full=beat.prose, terms=Terms()
        )


def _doctrine(boundary: Boundary) -> Iterator[Candidate]:
    if boundary.narrator:
        return
    me = boundary.plan.cast[boundary.audience]
    for i, text in enumerate(me.doctrine):
        yield _item(
            f"doctrine:{me.id}/{i}", origin="doctrine", klass=Class.ENRICHMENT,
            sources=(f"card:{me.id}",), full=f"- Taught: {text.strip()}" if text.strip() else "",
            terms=Terms(relevance=DOCTRINE),
        )  # fmt: skip
