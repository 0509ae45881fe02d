"""Whose mood shifts in this turn: what they feel, how far they know it, and what may explain it.

A feeling that its owner does not know is given as the behaviour it shows itself in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources.feeling import colour, felt
from storykeeper.context.sources.proposing import line, proposed
from storykeeper.context.stances import stands
from storykeeper.context.words import OWNED, grown, listed, name_of
from storykeeper.events.changes import EventHappened, IntentPredicted, MoodDelta
from storykeeper.scoring.composite import Terms
from storykeeper.units import EntityId
from storykeeper.world.state import Mood, Standing

EMOTION, SHIFTED = "emotion", 0.8


def shifts(boundary: Boundary, said: Collection[str]) -> Iterator[Candidate]:
    """One for everybody whose mood this turn moves; `said` are the sources that cards tell of.

    For the narrator: a character has its own mood before it already, and others' is not open to it.
    """
    if boundary.narrator:
        for who, deltas in _moved(boundary).items():
            way = grown(deltas)
            if way and who in boundary.plan.cast:
                yield _shift(boundary, who, way, said)


def _moved(boundary: Boundary) -> dict[EntityId, list[MoodDelta]]:
    """By what is predicted of them, and by what the author lets happen."""
    moved: dict[EntityId, list[MoodDelta]] = {}
    for record in boundary.present.decided:
        if isinstance(record, IntentPredicted) and record.mood is not None:
            moved.setdefault(record.who, []).append(record.mood)
        if isinstance(record, EventHappened) and record.event in boundary.plan.events:
            for shift in boundary.plan.events[record.event].moods:
                delta = MoodDelta(shift.valence, shift.arousal, shift.determination)
                for who in boundary.plan.named(shift.who, record.player):
                    moved.setdefault(who, []).append(delta)
    return moved


def _shift(boundary: Boundary, who: EntityId, way: str, said: Collection[str]) -> Candidate:
    mood = boundary.world.moods.get(who, Mood())
    feelings, named = ([], ()) if f"mood:{who}" in said else felt(boundary, who)
    head = f"{name_of(boundary.plan, who)} grows {way}"
    inside = f"In them: {listed(feelings)}" if feelings else ""
    why = list(_explaining(boundary, who, said))
    if not inside and not why:
        head = ""  # which way a mood goes, of nothing and for nobody, is nothing to write from
    return proposed(
        f"{EMOTION}:{who}", origin=EMOTION, klass=Class.ENRICHMENT,
        sources=(f"shift:{who}", *named, *(source for _, source in why)),
        full=line(head, inside, *(text for text, _ in why)), brief=line(head, inside),
        entities=(who,), valence=colour(mood), terms=Terms(relevance=SHIFTED),
    )  # fmt: skip


def _explaining(
    boundary: Boundary, who: EntityId, said: Collection[str]
) -> Iterator[tuple[str, str]]:
    """How they stand toward others here, and what they remember of them, if no card says so; and
    what they remember of whom a feeling is for that they own.
    """
    plan, world = boundary.plan, boundary.world
    others = [each for each in sorted(boundary.here) if each != who]
    for other in others:
        source = f"relation:{who}/{other}"
        held = world.standings.get((who, EntityId(other)), Standing())
        stance = stands(plan, who, EntityId(other), held)
        if stance and source not in said and boundary.open(source):
            yield stance, source
    feelings = world.moods.get(who, Mood()).feelings
    meant = {each.toward for each in feelings if each.awareness in OWNED}
    for relation in plan.cast[who].relations:
        source = f"history:{who}/{relation.to}"
        told = relation.history.strip() and source not in said
        if told and (relation.to in others or relation.to in meant) and boundary.open(source):
            yield relation.history, source
