"""Whose mood shifts in this turn: what they feel, how far they know it, and what may explain it.

A feeling that its owner does not know is given as the behaviour it shows itself in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources.proposing import line, listed, proposed
from storykeeper.context.words import OWNED, name_of, standing
from storykeeper.events.changes import EventHappened, IntentPredicted, MoodDelta
from storykeeper.events.vocabulary import Awareness
from storykeeper.gravity.temperature import Valence
from storykeeper.scoring.composite import Terms
from storykeeper.units import EntityId
from storykeeper.world.state import Feeling, Mood, Standing

EMOTION, SHIFTED = "emotion", 0.8
NOTABLE = 0.05
_WAYS = (  # a measure, and what it is called when it rises and when it falls
    ("valence", "lighter", "darker"),
    ("arousal", "more stirred", "calmer"),
    ("determination", "more resolved", "less sure"),
)
_KNOWN = {
    Awareness.ARTICULATE: "and could say so",
    Awareness.RECOGNISABLE: "and would know it if it were named",
}


def shifts(boundary: Boundary, carded: Collection[str]) -> Iterator[Candidate]:
    """One for everybody whose mood this turn moves; `carded` have a card that says how they stand.

    For the narrator: a character has its own mood before it already, and others' is not open to it.
    """
    if boundary.narrator:
        for who, deltas in _moved(boundary).items():
            way = _way(deltas)
            if way and who in boundary.plan.cast:
                yield _shift(boundary, who, way, carded)


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


def _way(deltas: list[MoodDelta]) -> str:
    """Where a mood is going, in words."""
    sums = {name: sum(float(getattr(d, name)) for d in deltas) for name, _, _ in _WAYS}
    said = [up if sums[n] > 0 else down for n, up, down in _WAYS if abs(sums[n]) >= NOTABLE]
    return listed(said)


def _shift(boundary: Boundary, who: EntityId, way: str, carded: Collection[str]) -> Candidate:
    mood = boundary.world.moods.get(who, Mood())
    name = name_of(boundary.plan, who)
    felt = listed([text for text in map(_felt, mood.feelings) if text])
    head = f"{name} grows {way}"
    why = list(_explaining(boundary, who, carded))
    return proposed(
        f"{EMOTION}:{who}", origin=EMOTION, klass=Class.ENRICHMENT,
        sources=(f"shift:{who}", *(source for _, source in why)),
        full=line(head, f"In them: {felt}" if felt else "", *(text for text, _ in why)),
        brief=line(head, f"In them: {felt}" if felt else ""), hint=line(head),
        entities=(who,), valence=_valence(mood), terms=Terms(relevance=SHIFTED),
    )  # fmt: skip


def _felt(feeling: Feeling) -> str:
    """A feeling with how far its owner knows it; or the behaviour that stands for it."""
    if feeling.awareness in OWNED:
        return f"{feeling.name.strip()} ({_KNOWN[feeling.awareness]})"
    shown = feeling.shown_as.strip().rstrip(".")
    return f"{shown} (not a word of why)" if shown else ""


def _explaining(
    boundary: Boundary, who: EntityId, carded: Collection[str]
) -> Iterator[tuple[str, str]]:
    """How they stand toward others here, and what they remember of them, if no card says so."""
    plan, world = boundary.plan, boundary.world
    said = boundary.minds if who in carded else tuple(carded) if who in boundary.minds else ()
    others = [each for each in sorted(boundary.here) if each != who and each not in said]
    for other in others:
        source = f"relation:{who}/{other}"
        stance = standing(world.standings.get((who, EntityId(other)), Standing()))
        if stance and boundary.open(source):
            yield f"Toward {name_of(plan, other)}: {stance}", source
    for relation in plan.cast[who].relations:
        source = f"history:{who}/{relation.to}"
        if relation.to in others and relation.history.strip() and boundary.open(source):
            yield relation.history, source


def _valence(mood: Mood) -> Valence:
    if mood.valence < 0 and mood.arousal >= 0.6:
        return Valence.TENSION
    return Valence.CONNECTION if mood.valence >= 0.3 else Valence.REFLECTION
