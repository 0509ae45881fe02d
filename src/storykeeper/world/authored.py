"""The author's people, things and places in the register: there from the start."""

from __future__ import annotations

from collections.abc import Iterator

from immutables import Map
from msgspec import structs

from storykeeper.events.vocabulary import Gender, Sort, Tier
from storykeeper.story.called import bare_words, gender_of
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.units import EntityId, Key, SceneId
from storykeeper.world.index import indexed
from storykeeper.world.plan import Plan
from storykeeper.world.state import Entity


def authored(plan: Plan, there: Map[Key, Entity], keys: Map[EntityId, Key]) -> Map[Key, Entity]:
    """The register with everything the author has; what play added to it stays."""
    register = there.mutate()
    for each in _entries(plan):
        key = keys.get(each.id, Key(each.id))
        known = register.get(key)
        register[key] = each if known is None else _kept(known, each)
    return register.finish()


def index_of(register: Map[Key, Entity]) -> Map[str, tuple[Key, ...]]:
    """The index of a register, in the order of last mention."""
    index: Map[str, tuple[Key, ...]] = Map()
    for key, known in sorted(register.items(), key=lambda row: (row[1].seen, row[0])):
        index = indexed(index, key, known, register)
    return index


def _kept(known: Entity, each: Entity) -> Entity:
    """Its weight and tier are the story's; what it is, the author's."""
    return structs.replace(
        known, id=each.id, words=each.words, head=each.head, named=each.named, sort=each.sort,
        gender=each.gender, floor=each.floor, tier=_higher(known.tier, each.floor),
    )  # fmt: skip


def _higher(one: Tier | None, other: Tier | None) -> Tier | None:
    order = tuple(Tier)
    return max((t for t in (one, other) if t is not None), key=order.index, default=None)


def _entries(plan: Plan) -> Iterator[Entity]:
    for person in plan.cast.values():
        yield _entry(person, Sort.PERSON, person.tier, gender=gender_of(person.pronouns))
    for thing in plan.things.values():
        entry = _entry(thing, Sort.THING, thing.tier, gender=Gender.IT)
        said = tuple(dict.fromkeys((*entry.descriptors, *thing.descriptors)))
        yield structs.replace(entry, descriptors=said)
    for setting in plan.settings.values():
        yield _entry(setting, Sort.PLACE, Tier.PERSISTENT, gender=Gender.IT)


def _entry(each: Character | Thing | Setting, sort: Sort, tier: Tier, *, gender: Gender) -> Entity:
    words = bare_words(each.name) or [each.id]
    people = sort is Sort.PERSON
    return Entity(
        id=EntityId(each.id), words=each.name or each.id,
        head=" ".join(words) if people else words[-1].casefold(),
        descriptors=() if people else tuple(w.casefold() for w in words[:-1]),
        named=people or each.name[:1].isupper(), sort=sort, gender=gender,
        tier=tier, floor=tier, scene=SceneId(""),
    )  # fmt: skip
