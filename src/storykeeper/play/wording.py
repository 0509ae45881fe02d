"""How people, things and places are called in a sentence of ours."""

from __future__ import annotations

from collections.abc import Sequence

from storykeeper.units import EntityId
from storykeeper.world.state import World


def name_of(world: World, entity: EntityId) -> str:
    """What somebody or something is called in a sentence: Mara, not Mara Rudd."""
    plan = world.plan
    person = plan.cast.get(entity)
    if person is not None:
        first = person.name.split(" ")[0]
        same = [each for each in plan.cast.values() if each.name.split(" ")[0] == first]
        return first if first[:1].isupper() and len(same) == 1 else person.name
    found = plan.things.get(entity) or plan.settings.get(entity)
    return entity if found is None else found.name


def opened(text: str) -> str:
    """A text as it begins a sentence."""
    return text[:1].upper() + text[1:]


def joined(names: Sequence[str], word: str = "and") -> str:
    """Several names as one: a, b and c."""
    return names[-1] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def is_or_are(names: Sequence[str]) -> str:
    """The verb after some names."""
    return "is" if len(names) == 1 else "are"
