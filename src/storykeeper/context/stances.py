"""How one person stands to another, as a sentence that a writer can use.

    Livia thinks Ettore very able and takes him to mean harm

Our own sentences name people; whoever is spoken of again in one of them is a pronoun.
"""

from __future__ import annotations

from functools import lru_cache

from storykeeper.context.words import listed, name_of
from storykeeper.story.people import Relation
from storykeeper.units import EntityId
from storykeeper.world.plan import Plan
from storykeeper.world.state import Standing

NOTABLE, PLAINLY, DEEPLY = 0.2, 0.5, 0.8  # below the first it goes without saying

# Each measure of a standing when it is high and when it is low: slightly, plainly, deeply.
_Degrees = tuple[str, str, str]
_MEASURES: tuple[tuple[str, _Degrees, _Degrees], ...] = (
    (
        "affection",
        ("is somewhat fond of {}", "is fond of {}", "is deeply fond of {}"),
        ("rather dislikes {}", "dislikes {}", "deeply dislikes {}"),
    ),
    (
        "reliability",
        ("more or less relies on {}", "relies on {}", "relies on {} for everything"),
        ("does not quite rely on {}", "does not rely on {}", "does not rely on {} at all"),
    ),
    (
        "competence",
        ("thinks {} rather able", "thinks {} able", "thinks {} very able"),
        ("thinks {} not very able", "thinks {} unable", "thinks {} quite unable"),
    ),
    (
        "benevolence",
        ("is inclined to trust {}", "takes {} to mean well", "firmly takes {} to mean well"),
        ("half takes {} to mean harm", "takes {} to mean harm", "firmly takes {} to mean harm"),
    ),
    (
        "debt",
        ("feels a little indebted to {}", "feels indebted to {}", "feels deeply indebted to {}"),
        ("feels a little owed by {}", "feels owed by {}", "feels deeply owed by {}"),
    ),
)


def stands(
    plan: Plan, of: EntityId, to: EntityId, held: Standing, *, most: int | None = None
) -> str:
    """How somebody stands to somebody; empty where there is nothing to remark. The strongest first,
    if only the `most` remarkable is wanted.
    """
    told = measured(held, called=short_name(plan, to), again=said_again(plan, to), most=most)
    return f"{short_name(plan, of)} {listed(told)}" if told else ""


def measured(
    held: Standing | Relation, *, called: str, again: str, most: int | None = None
) -> list[str]:
    """What is remarkable of a standing, toward somebody of that name; the strongest, if limited."""
    values = [(float(getattr(held, name)), high, low) for name, high, low in _MEASURES]
    if most is not None:
        values = sorted(values, key=lambda each: -abs(each[0]))[:most]
    said = [_degree(abs(v), high if v > 0 else low) for v, high, low in values if _notable(v)]
    return [each.format(again if i else called) for i, each in enumerate(said)]


def strength(held: Standing) -> float:
    """How much there is to a standing, in the strongest of its measures."""
    return max(abs(float(getattr(held, name))) for name, _, _ in _MEASURES)


def _notable(value: float) -> bool:
    return abs(value) >= NOTABLE


def _degree(size: float, words: _Degrees) -> str:
    return words[0 if size < PLAINLY else 1 if size < DEEPLY else 2]


def said_again(plan: Plan, who: str) -> str:
    """What somebody is spoken of with again: her, him, them; the name, if no pronoun is given."""
    character = plan.cast.get(who)
    forms = [] if character is None else character.pronouns.split("/")
    return forms[1].strip() if len(forms) > 1 and forms[1].strip() else short_name(plan, who)


@lru_cache(maxsize=512)
def short_name(plan: Plan, who: str) -> str:
    """The shortest alias that is a part of the name and nobody else's; else the name.

    It says nothing that the name does not.
    """
    name = name_of(plan, who)
    character = plan.cast.get(who)
    if character is None:
        return name
    words = name.split()
    others = {
        word
        for each in plan.cast.values()
        if each.id != who
        for word in _called(each.name, each.aliases)
    }
    parts = [
        a
        for a in character.aliases
        if a.split() and set(a.split()) < set(words) and a not in others
    ]
    return min(parts, key=lambda alias: (len(alias), alias), default=name)


def _called(name: str, aliases: tuple[str, ...]) -> tuple[str, ...]:
    return (name, *name.split(), *aliases)
