"""What somebody feels, for whom, and how far they know it: as whoever looks may be told of it."""

from __future__ import annotations

from storykeeper.context.boundary import Boundary
from storykeeper.context.sources.proposing import sentences
from storykeeper.context.words import OWNED, feeling, name_of, temper
from storykeeper.gravity.temperature import Valence
from storykeeper.units import EntityId
from storykeeper.world.state import Mood

STIRRED_FROM, CALM_TO, GLAD_FROM, RESOLVED_FROM = 0.6, 0.3, 0.3, 0.7


def felt(boundary: Boundary, who: EntityId) -> tuple[list[str], tuple[str, ...]]:
    """Their feelings in words, and whom and what these name: nobody that is not known of."""
    said, named = [], []
    for each in boundary.world.moods.get(who, Mood()).feelings:
        toward = ""
        if each.toward is not None and each.awareness in OWNED:
            source = f"{_kind(boundary, each.toward)}:{each.toward}"
            if boundary.open(source):
                toward = name_of(boundary.plan, each.toward)
                named.append(source)
        text = feeling(each, toward=toward)
        said += [text] if text else []
    return said, tuple(dict.fromkeys(named))


def _kind(boundary: Boundary, entity: str) -> str:
    if entity in boundary.plan.cast:
        return "cast"
    return "thing" if entity in boundary.plan.things else "setting"


def state(boundary: Boundary, who: EntityId) -> tuple[str, tuple[str, ...]]:
    """All of it as sentences: how they seem, what they feel, and what shows it."""
    mood = boundary.world.moods.get(who)
    if mood is None:
        return "", ()
    said, named = felt(boundary, who)
    seems = temper(mood)
    own = {each.name.strip() for each in mood.feelings if each.awareness in OWNED}
    told = (f"Feels {text}" if text.startswith(tuple(own)) else text for text in said)
    return sentences(f"Seems {seems}" if seems else "", *told), named


def colour(mood: Mood) -> Valence:
    """What a mood would bring into a scene.   F2.8c"""
    if mood.arousal >= STIRRED_FROM and mood.valence < 0:
        return Valence.TENSION
    if mood.arousal >= STIRRED_FROM and mood.determination >= RESOLVED_FROM:
        return Valence.URGENCY
    if mood.valence >= GLAD_FROM:
        return Valence.CONNECTION
    return Valence.CALM if mood.arousal <= CALM_TO and mood.valence >= 0 else Valence.REFLECTION
