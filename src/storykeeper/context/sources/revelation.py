"""Revelations of this turn: what was learned, by whom, how, and what looks different now.

What a rendering told, a beat above all, is fact only when the player answers: so it is of the turn
before, and stands in the window after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from immutables import Map

from storykeeper.context.boundary import Boundary
from storykeeper.context.facts import GREATLY, LITTLE, brings
from storykeeper.context.items import Candidate, Class
from storykeeper.context.naming import handle, learned_as
from storykeeper.context.sources.proposing import line, proposed
from storykeeper.context.vocabulary import has_most_of
from storykeeper.context.words import listed, name_of
from storykeeper.events.changes import BeliefFormed, SecretRevealed
from storykeeper.events.records import AnyRecord
from storykeeper.gravity.temperature import Valence
from storykeeper.language.shortening import SKELETON_WORDS, first_sentence, first_words
from storykeeper.memory.compaction.terms import terms
from storykeeper.scoring.composite import Terms
from storykeeper.story.called import names_in, owners
from storykeeper.story.knowledge import Fact
from storykeeper.units import EntityId, TurnNo

REVELATION, REVEALED = "revelation", 0.9


class _Before(SecretRevealed, frozen=True, tag="learned-before"):
    """What was learned in the turn before, and is told of once it is fact."""


def revelations(boundary: Boundary) -> Iterator[Candidate]:
    """One for those who learned it together, and one for each who did so apart."""
    for record in _news(boundary):
        if record.fact in boundary.plan.facts:
            shared = [w for w in record.to if boundary.open(f"learned:{w}/{record.fact}")]
            if shared:
                yield _revelation(boundary, record, shared)
                yield from _bearings(boundary, record, shared)
            for who in record.to:
                if who not in shared:
                    yield _revelation(boundary, record, [who], apart=True)


def _news(boundary: Boundary) -> Iterator[SecretRevealed]:
    """What was decided in this turn; then what this audience learned in the one before."""
    seen = set()
    for record in filter(None, map(_as_news, boundary.present.decided)):
        seen.add(record.fact)
        yield record
    for fact, who, how, suspected in sorted(_learned_before(boundary)):
        if fact not in seen:
            yield _Before(boundary.present.turn, fact, (who,), how, suspected)


def _learned_before(boundary: Boundary) -> Iterator[tuple[str, EntityId, str, bool]]:
    """What became fact with the turn before, or is believed since: nothing tells the two apart."""
    world, before = boundary.world, TurnNo(boundary.present.turn - 1)
    for mind in boundary.minds if before > 0 else ():
        for fact, known in world.known.get(mind, Map()).items():
            if known.since == before:
                yield fact, mind, known.how, known.suspected
        for held in map(world.beliefs.get, boundary.beliefs.values()):
            if held is not None and held.who == mind and held.since == before and held.fact:
                yield held.fact, mind, held.how, False


def _as_news(record: AnyRecord) -> SecretRevealed | None:
    """What was learned, or was told and is believed: they must not differ to whoever holds it."""
    match record:
        case SecretRevealed():
            return record
        case BeliefFormed(fact=str() as fact):
            return SecretRevealed(record.turn, fact, (record.who,), record.how)
        case _:
            return None


def _revelation(
    boundary: Boundary, record: SecretRevealed, who: list[EntityId], *, apart: bool = False
) -> Candidate:
    fact = boundary.plan.facts[record.fact]
    kind = "hint" if record.suspected else "fact"
    source = f"{kind}:{fact.id}"
    if kind == "fact" and boundary.known(fact.id) is None and fact.id in boundary.beliefs:
        source = f"belief:{boundary.beliefs[fact.id]}"
    mine = any(w in boundary.minds for w in who)
    full, brief, hint = _revealed(boundary, record, fact, who)
    return proposed(
        f"revelation:{fact.id}" + (f"/{who[0]}" if apart else ""),
        origin=REVELATION, klass=Class.MANDATORY if mine else Class.ENRICHMENT,
        sources=(source, *(f"learned:{w}/{fact.id}" for w in who)),
        same=f"fact:{fact.id}", **({} if record.suspected else _subject(fact)),
        terms=Terms(relevance=REVEALED),
        full=full, brief=brief, hint=hint,
    )  # fmt: skip


def _bearings(
    boundary: Boundary, record: SecretRevealed, who: list[EntityId]
) -> Iterator[Candidate]:
    """Which standings look different now, each an item: whose it is, is for the gate to rule on.

    Of what is suspected or believed, and of a tale's facts, which may not cross yet, nothing.
    """
    plan, fact = boundary.plan, boundary.plan.facts[record.fact]
    best = boundary.known(fact.id)
    if best is None or best[1].suspected or fact.layer is not None:
        return
    known = [f"learned:{each}/{fact.id}" for each in who]
    for bearing in fact.bears_on:
        for of in plan.named(bearing.from_):
            for toward in plan.named(bearing.to):
                both = f"{name_of(plan, of)} and {name_of(plan, toward)}"
                note = bearing.note.strip()
                yield proposed(
                    f"bearing:{fact.id}/{of}/{toward}", origin=REVELATION, klass=Class.ENRICHMENT,
                    sources=(*known, *_whose(boundary, fact, of, toward)),
                    full=line(f"Between {both} now: {note}") if note else "",
                    entities=(of, toward), themes=fact.themes, about=(fact.id,),
                    valence=Valence.REFLECTION, terms=Terms(relevance=REVEALED),
                )  # fmt: skip


def _whose(boundary: Boundary, fact: Fact, of: EntityId, toward: EntityId) -> tuple[str, ...]:
    """Of whom it may be said: to the narrator of people met, or whom the fact itself names; a
    character has its own standings alone.
    """
    if boundary.narrator:
        names = owners(boundary.plan)
        told = {who for name in names_in(boundary.plan, fact.full) for who in names[name]}
        return tuple(f"cast:{w}" for w in (of, toward) if w not in told and w not in fact.about)
    return (f"moved:{of}/{toward}",)  # ruled on as the standing, which it does not say


def _subject(fact: Fact) -> dict[str, object]:
    """What it is about; that is a part of the secret, to one who only suspects it."""
    return {
        "entities": fact.about, "themes": fact.themes, "about": (fact.id,), "valence": brings(fact)
    }  # fmt: skip


def _matters(fact: Fact) -> list[str]:
    """How much it matters, where that is not as usual."""
    if fact.weight >= GREATLY:
        return ["It matters greatly."]
    return ["It is a small thing."] if fact.weight <= LITTLE else []


def _learned(boundary: Boundary, record: SecretRevealed, fact: Fact, who: list[EntityId]) -> str:
    """That they know it: to a narrator what is decided now has yet to be told, and what was is only
    known if the prose said it.
    """
    people = listed([name_of(boundary.plan, w) for w in who])
    how = learned_as(boundary, fact.id, record.how)
    if record.suspected:
        return f"Just now suspected by {people}{how}"
    if boundary.narrator and not isinstance(record, _Before):
        return f"{people} {'learns' if len(who) == 1 else 'learn'} now{how}"
    if boundary.narrator and not _was_said(boundary, fact):
        knows = "knows" if len(who) == 1 else "know"
        return f"{people} {knows} now{how}, though it was not told in so many words"
    return f"Just now known to {people}{how}"


def _was_said(boundary: Boundary, fact: Fact) -> bool:
    """Whether the turn told last says it."""
    last = boundary.recent[-1] if boundary.recent else None
    if last is None or not boundary.shared(last):
        return False
    return has_most_of(terms(last.prose), fact.full, least=1)


def _revealed(
    boundary: Boundary, record: SecretRevealed, fact: Fact, who: list[EntityId]
) -> tuple[str, str, str]:
    """Who learned it, how, and what it is; three lengths."""
    head = f"- {handle(boundary, fact.id)}{_learned(boundary, record, fact, who)}"
    if record.suspected:
        return "", "", f"{head}: {fact.hint.strip()}" if fact.hint.strip() else ""
    return (
        " ".join((f"{head}: {fact.full.strip()}", *_matters(fact))),
        f"{head}: {first_sentence(fact.full)}",
        f"{head}: {first_words(fact.full, SKELETON_WORDS)}",
    )
