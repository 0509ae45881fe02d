"""What there is to tell an actor: candidates in up to two forms, each with the data it stands for.

Nothing is looked up in what they do not perceive: of what is remembered the name is the one it had
then, of what is only heard there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from msgspec import structs

from storykeeper.canon.brief import (
    Available,
    Band,
    Bearing,
    Held,
    Perceived,
    Point,
    Presence,
    Sense,
    Snippet,
    Standing,
)
from storykeeper.canon.provenance import CANON, joined
from storykeeper.canon.situation import EntityState, Happening, LastKnown, Report, Verb
from storykeeper.context.field.fog import CITE, Fog
from storykeeper.context.field.wording import (
    action_text,
    belief_text,
    card_text,
    happening_text,
    marked,
    presence_text,
    relation_text,
    rules_text,
    snippet_text,
)
from storykeeper.context.foreign import safe
from storykeeper.context.items import BRIEF, FULL, Candidate, Class, Tier
from storykeeper.language.shortening import first_sentence
from storykeeper.memory.evidence import Evidence
from storykeeper.scoring.composite import Terms
from storykeeper.staging.field.perception import Sound
from storykeeper.staging.field.plane import band, bearing, distance

YOU, AWARE, PAST, HELD, STANDS, WRITTEN, MAY = (
    "you", "aware", "past", "held", "stands", "written", "may",
)  # fmt: skip
TOLD_APART = 12  # of the last happenings; older ones are summed up
SUMMED_TURNS = 10  # turns that are one summary
SUMMED_MOST = 4  # happenings that a summary tells
NEAR_ENOUGH = (Band.HERE, Band.NEAR)  # for details
Data = Presence | Perceived | Held | Standing | Snippet | Available | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate, and what it is as data in each of its forms."""

    candidate: Candidate
    data: dict[str, Data]


def _proposal(
    name: str, origin: str, sources: Sequence[str], full: str, *, brief: str = "",
    data: Data = None, short: Data = None, terms: Terms | None = None,
    tier: Tier = Tier.RETRIEVED,
) -> Proposal:  # fmt: skip
    klass = Class.ENRICHMENT if origin == WRITTEN else Class.MANDATORY
    made = Candidate(
        f"{origin}:{name}", origin, tier, klass, tuple(sources), full, brief, terms=terms or Terms()
    )
    return Proposal(made, {FULL: data, BRIEF: short or data})


# ── who they are, and what they may do ───────────────────────────────────────────────────────


def you(fog: Fog) -> list[Proposal]:
    """Who they are, what binds them: never cut."""
    card, me = fog.card, fog.perceiver.me
    mine = (f"self:{card.id}",)
    rules = [each for each in fog.world.rules if fog.ruling(f"rule:{each.id}").boundary > 0]
    found = [
        _proposal(
            card.id, YOU, mine, card_text(fog.world, card, me, fog.perceiver.place),
            tier=Tier.PREAMBLE,
        )
    ]  # fmt: skip
    text = rules_text(card, rules)
    if text:
        sources = (*mine, *(f"rule:{each.id}" for each in rules))
        found.append(_proposal("rules", YOU, sources, text, tier=Tier.PREAMBLE))
    return found


def may(fog: Fog, aware: Iterable[Presence]) -> list[Proposal]:
    """What they can do now, and to whom of those they are aware of."""
    me, card = fog.perceiver.me, fog.card
    known = list(aware)
    found = []
    for verb in fog.world.verbs:
        able = set(verb.needs) <= set(card.capabilities)
        fit = not set(verb.unless) & set(me.status)
        paid = all(me.resources.get(name, 0.0) >= cost for name, cost in verb.costs.items())
        targets = tuple(each.handle for each in known if verb.target and _in_reach(fog, verb, each))
        if able and fit and paid and (targets or not verb.target):
            channels = card.channels if verb.by_channel else ()
            made = Available(
                verb=verb.id, text=verb.text, targets=targets, channels=channels, costs=verb.costs
            )
            sources = (f"self:{card.id}", f"verb:{verb.id}")
            found.append(
                _proposal(verb.id, MAY, sources, action_text(made), data=made, tier=Tier.INPUT)
            )
    return found


def _in_reach(fog: Fog, verb: Verb, presence: Presence) -> bool:
    mine, there = fog.perceiver.place, presence.at
    if presence.how is not Sense.SEEN or mine is None or there is None:
        return False
    if verb.kinds and presence.kind not in verb.kinds:
        return False
    return verb.reach is None or distance(mine, there) <= verb.reach


# ── what they are aware of ───────────────────────────────────────────────────────────────────


def aware(fog: Fog) -> list[Proposal]:
    """Everybody and everything they are aware of, what threatens and what is near first."""
    seen = {each.id for each in fog.perceiver.seen}
    found = [_sighted(fog, each) for each in fog.perceiver.seen]
    found += [_sounded(place, each) for place, each in enumerate(fog.perceiver.sounds)]
    newest: dict[str, tuple[int, int, Proposal]] = {}
    for entity, last in fog.remembered.items():
        newest[entity] = (last.turn, 1, _recalled(fog, last))
    for report in fog.reports.values():
        handle = report.about or report.id
        if handle in seen or handle == fog.card.id:
            continue
        told = (report.turn, 0, _reported(fog, report))
        if handle not in newest or newest[handle][:2] < told[:2]:
            newest[handle] = told
    found += [newest[handle][2] for handle in sorted(newest)]
    return sorted(found, key=lambda each: _by_weight(fog, each))


def _by_weight(fog: Fog, proposal: Proposal) -> tuple[float, int, str]:
    presence = proposal.data[FULL]
    assert isinstance(presence, Presence)
    bands = tuple(Band)
    return (-threat_of(fog, presence), bands.index(presence.band), presence.handle)


def threat_of(fog: Fog, presence: Presence) -> float:
    """How dangerous it is as far as they can tell; of what is only heard, nobody can."""
    if presence.how is Sense.HEARD:
        return UNTOLD
    if presence.faction is not None and presence.faction == fog.card.faction:
        return 0.0
    enemies = any(
        fog.card.faction in sides and presence.faction in sides for sides in fog.world.hostile
    )
    return max(_threats(fog).get(presence.handle, 0.0), LEAST_OF_ENEMIES if enemies else 0.0)


UNTOLD = 0.5
LEAST_OF_ENEMIES = 0.5


def _threats(fog: Fog) -> dict[str, float]:
    """The threat of what they are aware of, as they perceived it or were told."""
    told = {(r.about or r.id): r.threat for r in fog.reports.values()}
    kept = {each.entity: each.threat for each in fog.remembered.values()}
    return told | kept | {each.id: each.threat for each in fog.perceiver.seen}


def _sighted(fog: Fog, entity: EntityState) -> Proposal:
    there = fog.perceiver.where(entity)
    away, direction = _where(fog, there)
    made = Presence(
        handle=entity.id, how=Sense.SEEN, kind=entity.kind, band=away, bearing=direction,
        at=there, name=entity.name,
        faction=entity.faction, looks=entity.looks, status=entity.status,
        details=entity.details if away in NEAR_ENOUGH else (),
    )  # fmt: skip
    return _presence(fog, made, f"seen:{entity.id}")


def _sounded(place: int, sound: Sound) -> Proposal:
    away, direction = sound.where
    made = Presence(
        handle=f"heard-{place + 1}", how=Sense.HEARD, band=away, bearing=direction,
        looks=sound.heard_as, sure=0.5,
    )  # fmt: skip
    return _proposal(made.handle, AWARE, (f"sound:{place}",), presence_text(made, ""), data=made)


def _recalled(fog: Fog, last: LastKnown) -> Proposal:
    away, direction = _where(fog, last.at)
    made = Presence(
        handle=last.entity, how=Sense.REMEMBERED, band=away, bearing=direction, at=last.at,
        name=last.name, faction=last.faction, looks=last.looks,
        since=fog.world.turn - last.turn, sure=fog.sure_of(last.turn),
    )  # fmt: skip
    return _presence(fog, made, f"remembered:{last.entity}")


def _reported(fog: Fog, report: Report) -> Proposal:
    away, direction = _where(fog, report.at)
    made = Presence(
        handle=report.about or report.id, how=Sense.INTEL, band=away, bearing=direction,
        at=report.at, looks=report.text, since=max(0, fog.world.turn - report.turn),
        sure=report.sure * fog.sure_of(report.turn), cites=report.cites,
    )  # fmt: skip
    return _presence(fog, made, f"report:{report.id}", *_cited(report.cites))


def _presence(fog: Fog, made: Presence, *sources: str) -> Proposal:
    side = fog.world.factions.get(made.faction or "", made.faction or "")
    short = structs.replace(made, details=())
    return _proposal(
        made.handle, AWARE, sources, presence_text(made, side),
        brief=presence_text(short, side), data=made, short=short,
    )  # fmt: skip


def _where(fog: Fog, there: Point | None) -> tuple[Band, Bearing]:
    mine = fog.perceiver.place
    if mine is None or there is None:
        return Band.UNKNOWN, Bearing.NONE
    return band(distance(mine, there), fog.world), bearing(mine, there)


def _cited(cites: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{CITE}:{cite}" for cite in cites)


# ── what they know, and what was ─────────────────────────────────────────────────────────────


def held(fog: Fog) -> list[Proposal]:
    """What they know and believe, and how it was learned; the surest and newest first."""
    card = fog.card
    found: list[tuple[Held, tuple[str, ...]]] = []
    for number, belief in enumerate(card.beliefs):
        made = Held(id=f"belief-{number + 1}", text=belief.text, how="always", sure=belief.weight)
        found.append((made, (f"self:{card.id}",)))
    for name, each in fog.learned.items():
        made = Held(
            id=name, text=each.text, how=each.how, turn=each.turn, sure=each.sure, cites=each.cites
        )
        found.append((made, (f"learned:{name}", *_cited(each.cites))))
    found.sort(key=lambda each: (-each[0].sure, -each[0].turn, each[0].id))
    return [
        _proposal(made.id, HELD, sources, belief_text(made), data=made) for made, sources in found
    ]


def stands(fog: Fog) -> list[Proposal]:
    """How they stand to others."""
    found = []
    for relation in fog.card.relations:
        text = relation_text(fog.card, relation)
        if text:
            made = Standing(to=relation.to, text=text)
            edge = f"relation:{fog.card.id}/{relation.to}"
            found.append(_proposal(relation.to, STANDS, (edge,), f"- {text}", data=made))
    return found


def past(fog: Fog) -> list[Proposal]:
    """What they perceived: the last of it piece by piece, newest first, older turns summed up."""
    me = fog.card.id
    mine = sorted(fog.past.values(), key=lambda each: (each.turn, happening_text(each, me)))
    near, older = mine[-TOLD_APART:], mine[:-TOLD_APART]
    names = _places(fog, mine)
    found = [_piece(fog, each, names[each.id]) for each in reversed(near)]
    blocks = groupby(older, key=lambda each: each.turn // SUMMED_TURNS)
    summed = [_summary(fog, list(some)) for _, some in blocks]
    return found + summed[::-1]


def _places(fog: Fog, mine: Sequence[Happening]) -> dict[str, str]:
    """Ids that say nothing of what else happened: a turn, and a place among what they perceived."""
    names = {}
    for turn, some in groupby(mine, key=lambda each: each.turn):
        names.update({each.id: f"past-{turn}-{n}" for n, each in enumerate(some, start=1)})
    return names


def _piece(fog: Fog, each: Happening, name: str) -> Proposal:
    text = happening_text(each, fog.card.id)
    how = each.perceived[fog.card.id]
    made = Perceived(id=name, turn=each.turn, text=text, how=how, cites=each.cites)
    short = Perceived(id=name, turn=each.turn, text=first_sentence(text), how=how, cites=each.cites)
    ago = fog.world.turn - each.turn
    return _proposal(
        name, PAST, (f"happened:{each.id}", *_cited(each.cites)), _told(ago, made),
        brief=_told(ago, short), data=made, short=short,
    )  # fmt: skip


def _summary(fog: Fog, some: Sequence[Happening]) -> Proposal:
    """Older turns in one line: what they did and what was done to them first, then the rest."""
    me = fog.card.id
    weighed = sorted(some, key=lambda each: (me not in (each.by, each.target), -each.turn))
    first_of: dict[str, Happening] = {}
    for each in weighed:
        first_of.setdefault(happening_text(each, me), each)
    told = sorted(list(first_of.values())[:SUMMED_MOST], key=lambda each: each.turn)
    texts = [first_sentence(happening_text(each, me)) for each in told]
    first, last = some[0].turn, some[-1].turn
    cites = joined(*(each.cites for each in told))
    made = Perceived(
        id=f"past-{first}-to-{last}", turn=last, text=" ".join(texts), how=Sense.REMEMBERED,
        cites=cites,
    )  # fmt: skip
    short = Perceived(
        id=made.id, turn=last, text=texts[-1], how=Sense.REMEMBERED, cites=told[-1].cites
    )
    when = f"turns {first} to {last}" if first != last else f"turn {first}"
    sources = (*(f"happened:{each.id}" for each in told), *_cited(cites))
    return _proposal(
        made.id, PAST, sources, f"- {when}: {made.text}{marked(cites)}",
        brief=f"- {when}: {short.text}{marked(short.cites)}",
        data=made, short=short,
    )  # fmt: skip


def _told(ago: int, piece: Perceived) -> str:
    when = "now" if ago <= 0 else "last turn" if ago == 1 else f"{ago} turns ago"
    return f"- {when}: {piece.text}{marked(piece.cites)}"


# ── what is written ──────────────────────────────────────────────────────────────────────────


def written(found: Sequence[Evidence]) -> list[Proposal]:
    """Passages of canon, each cited."""
    return [_snippet(each) for each in found]


def _snippet(each: Evidence) -> Proposal:
    made = Snippet(
        id=each.id, cite=each.cites[0], also=each.cites[1:], kind=each.kind,
        text=safe(" ".join(each.text.split())),
        heading=tuple(map(safe, each.heading)), score=round(each.score, 6), trust=each.trust,
        conflicts=each.opposed,
    )  # fmt: skip
    sources = (f"{CANON}:{each.id}", *_cited(each.cites))
    terms = Terms(relevance=each.score / each.trust if each.trust else 0.0, trust=each.trust)
    return _proposal(each.id, WRITTEN, sources, snippet_text(made), data=made, terms=terms)


def query_of(fog: Fog, proposals: Iterable[Proposal]) -> str:
    """What canon is asked: of what they want, what they are aware of, and what just happened."""
    wants = [goal.text for goal in sorted(fog.card.goals, key=lambda each: -each.weight)[:2]]
    seen: Iterator[str] = (
        " ".join((each.name, each.looks, *each.status))
        for proposal in proposals
        for each in (proposal.data[FULL],)
        if isinstance(each, Presence)
    )
    happened = (
        each.text
        for proposal in proposals
        for each in (proposal.data[FULL],)
        if isinstance(each, Perceived)
    )
    first = [*wants, *list(happened)[:3], *list(seen)[:6], " ".join(fog.perceiver.me.status)]
    return " ".join(" ".join(first).split()[:QUERY_WORDS])


QUERY_WORDS = 80
