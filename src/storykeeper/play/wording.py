"""How people, things and places are called in a sentence of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from storykeeper.language.names import Names
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan
from storykeeper.world.state import World


def name_of(world: World, entity: EntityId) -> str:
    """What somebody or something is called in a sentence: Mara, not Mara Rudd; as long as the
    prose has called them something else, that: Orme.
    """
    plan = world.plan
    person = plan.cast.get(entity)
    if person is not None:
        first = person.name.split(" ")[0]
        same = [each for each in plan.cast.values() if each.name.split(" ")[0] == first]
        usual = first if first[:1].isupper() and len(same) == 1 else person.name
        told = _told_names(world, entity) if entity not in plan.players else ()
        return usual if not told or usual in told else told[-1]
    found = plan.things.get(entity) or plan.settings.get(entity)
    return entity if found is None else found.name


_ANY = frozenset({"a", "an", "any", "some"})
_POINTING = frozenset({"the", "this", "that", "these", "those", "his", "her", "its", "their"})


@lru_cache(maxsize=16)
def all_names(plan: Plan) -> Names:
    """What everybody and everything of a story is called."""
    return Names.of(plan.story)


def _told_names(world: World, who: EntityId) -> tuple[str, ...]:
    """The names, written large, by which the author's prose has called somebody so far; the last
    is the one used most.
    """
    beats = (world.plan.beats.get(name) for name in sorted(world.told))
    proses = (each.prose for each in beats if each is not None)
    counted = Counter(name for prose in proses for name in _large(world.plan, prose).get(who, ()))
    return tuple(sorted(counted, key=lambda name: (counted[name], name)))


@lru_cache(maxsize=4_096)
def _large(plan: Plan, prose: str) -> dict[EntityId, tuple[str, ...]]:
    found: dict[EntityId, tuple[str, ...]] = {}
    for each in all_names(plan).find_in_prose(prose):
        name = " ".join(prose[each.start : each.end].split())
        if name[:1].isupper() and not name.casefold().startswith(("the ", "a ")):
            found[each.entity] = (*found.get(each.entity, ()), name)
    return found


def opened(text: str) -> str:
    """A text as it begins a sentence."""
    return text[:1].upper() + text[1:]


def joined(names: Sequence[str], word: str = "and") -> str:
    """Several names as one: a, b and c."""
    return names[-1] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def is_or_are(names: Sequence[str]) -> str:
    """The verb after some names."""
    return "is" if len(names) == 1 else "are"


def definite(words: str) -> str:
    """What something was called, with an article that says that it is that one."""
    first, _, rest = words.partition(" ")
    if first.casefold() in _ANY and rest:
        return f"the {rest}"
    return words if first.casefold() in _POINTING else f"the {words}"


def no_more(head: str, *, told: bool) -> str:
    """That no more is told of something than was; or that nothing was."""
    return f"{'No more' if told else 'Nothing'} is told of the {head} here."
