"""Which of the author's names an audience may know: whoever else exists must not change what words
are taken to mean (F8.10).

All names of whom they have met, been with, or hold a fact about; of others those that were told to
them or stand in what the author lets them read. A name of somebody else is to them what it would be
if nobody were called so. What is open to whom is for the boundary to say, behind a port.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

from immutables import Map
from msgspec import structs

from storykeeper.language.names import Names, is_ordinary
from storykeeper.story.called import (
    BY_AUTHOR,
    HEAD,
    SMALL,
    bare,
    is_large,
    phrases_of,
    plain,
    told_in_text,
)
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.preamble import hard_parts
from storykeeper.story.scenes import Beat
from storykeeper.units import EntityId, Key
from storykeeper.world.noticed import as_noticed
from storykeeper.world.plan import Plan
from storykeeper.world.register import key_of
from storykeeper.world.state import Entity, World

_Called = tuple[tuple[EntityId, tuple[str, ...]], ...]


class Asked(Protocol):
    """A turn as its narrator is asked to tell it."""

    @property
    def beats(self) -> Sequence[tuple[str, Beat]]:
        """What the author has told in it."""
        ...


class Audience(Protocol):
    """The line around somebody: what they may know, and nothing else."""

    world: World
    plan: Plan
    narrator: bool

    @property
    def minds(self) -> tuple[EntityId, ...]:
        """Whose knowledge it is."""
        ...

    @property
    def present(self) -> Asked:
        """The turn under way."""
        ...

    @property
    def beliefs(self) -> Mapping[str, str]:
        """What they hold true, by fact."""
        ...

    def has_met(self, entity: str) -> bool:
        """Whether they ever came across it."""
        ...

    def open(self, source: str, *, hint: bool = False) -> bool:
        """Whether they may be told it outright; or at least as a hint."""
        ...


class Acquaintance:
    """Whom and what of the author's an audience can mean, and by which names."""

    def __init__(self, audience: Audience, *, also: Collection[str] = ()) -> None:
        """`also` are others that they know of, whatever the boundary says of them."""
        self._audience = audience
        self._last: tuple[World, World] | None = None
        plan = audience.plan
        self._authored: dict[str, Character | Thing | Setting] = {
            **plan.cast, **plan.things, **plan.settings
        }  # fmt: skip
        self.met = frozenset(e for e in self._authored if e in also or self._is_met(e))
        heard = {n for mind in audience.minds for n in audience.world.heard.get(mind, ())}
        read = {n.removeprefix(BY_AUTHOR) for n in heard if n.startswith(BY_AUTHOR)}
        read.update(_read(audience))
        # A name that one of those they know has is theirs, whoever else is called so.
        theirs = {n for e in self.met for n in phrases_of(self._authored[e])}
        self._heard = frozenset(n for n in heard if bare(n) not in theirs)
        self._read = frozenset(n for n in read if bare(n) not in theirs)
        self._both = self._heard | self._read

    def _is_met(self, entity: str) -> bool:
        return self._audience.has_met(entity) or self._is_nowhere(entity)

    def _is_nowhere(self, entity: str) -> bool:
        """A thing that the author put nowhere is hidden by nothing: anybody may bring it in."""
        thing = self._audience.plan.things.get(entity)
        put = thing is None or thing.at is not None or thing.held_by is not None
        return not put and EntityId(entity) not in self._audience.world.hidden

    def names(self) -> Names:
        """What they can call those they know of."""
        return _names(tuple((EntityId(e), called) for e, called in self._all if any(called)))

    def knows(self, entity: str) -> bool:
        """Whether they have a name for one of the author's."""
        return entity in self._authored and any(self._called(entity))

    @cached_property
    def _all(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return tuple((entity, tuple(self._called(entity))) for entity in self._authored)

    def strangers(self, *, but: Collection[str], by_any: Collection[str] = ()) -> Names:
        """What the others are called, as a narrator might bring them in: by names that are written
        large, places and those in `by_any` by any; not by those `but`, which the audience itself
        said first.
        """
        named = ((EntityId(e), tuple(self._large(e, but, by_any))) for e in self._authored)
        return _names(tuple((e, called) for e, called in named if any(called)))

    def _large(
        self, entity: str, but: Collection[str], by_any: Collection[str]
    ) -> Iterator[str]:  # fmt: skip
        if entity in self.met:
            return
        each, place = self._authored[entity], entity in self._audience.plan.settings
        names = (each.name, *each.aliases)
        free = place or not {entity, *names}.isdisjoint(by_any)
        for name in names:
            yield name if (free or is_large(name)) and plain(name) not in but else ""

    def _called(self, entity: str) -> Iterator[str]:
        each = self._authored[entity]
        if entity in self.met:
            yield from (each.name, *each.aliases)
            return
        yield each.name if self._is_told(entity, each.name) else ""
        told = (a for a in each.aliases if self._is_told(entity, a, alias=True))
        yield from told
        first = each.name.split()[0] if each.name[:1].isupper() else ""
        if self._is_told(entity, first):
            yield first

    def _is_told(self, entity: str, name: str, *, alias: bool = False) -> bool:
        """Whether a name was told: by the author, or by a narrator that must have meant them. Who
        tells of a doctor need not mean the one that the author calls so, nor who is also one.
        """
        called, plan = plain(name), self._audience.plan
        if entity in plan.settings:
            return called in self._both
        if is_large(name):
            head = f"{HEAD}{called}" in self._both and not is_ordinary(called)
            return head or called in self._both
        return f"{SMALL}{called}" in self._read and not (alias and entity in plan.cast)

    def world(self, world: World) -> World:
        """A world in whose register only those are found that they know of, by what they know."""
        if self._last is None or self._last[0] is not world:
            register = world.register
            for entity, called in self._all:
                if entity not in self.met:
                    register = _as_told(register, key_of(world, EntityId(entity)), called)
            self._last = (world, as_noticed(world, self._audience.minds[0], register))
        return self._last[1]


def _as_told(register: Map[Key, Entity], key: Key, called: tuple[str, ...]) -> Map[Key, Entity]:
    """The register with one entry by a name it was told by; without it, if it was by none."""
    known, name = register.get(key), next(filter(None, called), "")
    if known is None:
        return register
    if not name:
        return register.delete(key)
    return register.set(key, structs.replace(known, head=plain(name), words=name))


@lru_cache(maxsize=64)
def _names(called: _Called) -> Names:
    return Names(called)


# ── what the author lets them read ───────────────────────────────────────────────────────────


def _read(audience: Audience) -> Iterator[str]:
    """Names in those of the author's texts that are open to them."""
    texts, known = _texts(audience.plan), audience.world.known
    held = {fact for mind in audience.minds for fact in known.get(mind, ())}
    facts = [f"{kind}:{fact}" for fact in held for kind in ("fact", "hint")]
    believed = [f"fact:{fact}" for fact in audience.beliefs]
    for source in (*_others(audience.plan), *facts):
        if source in texts and audience.open(source, hint=True):
            yield from texts[source]
    for source in believed:
        yield from texts.get(source, ())
    for _, beat in audience.present.beats if audience.narrator else ():
        yield from told_in_text(audience.plan, beat.prose)


@lru_cache(maxsize=16)
def _texts(plan: Plan) -> dict[str, frozenset[str]]:
    """The names in each of the author's texts, by its source."""
    found = ((source, told_in_text(plan, text)) for source, text in _authored(plan))
    return {source: names for source, names in found if names}


@lru_cache(maxsize=16)
def _others(plan: Plan) -> tuple[str, ...]:
    """The sources of texts that are no facts: of these most people know few."""
    return tuple(s for s in _texts(plan) if not s.startswith(("fact:", "hint:")))


def _authored(plan: Plan) -> Iterator[tuple[str, str]]:
    story = plan.story
    yield from ((f"hard:{part}", text) for part, text in hard_parts(story))
    yield from ((f"soft:{i}", f"{s.heading}. {s.text}") for i, s in enumerate(story.soft))
    yield from ((f"scene:{scene.id}", f"{scene.tone}. {scene.stakes}") for scene in story.scenes)
    yield from ((f"setting:{each.id}", each.description) for each in story.settings)
    yield from ((f"thing:{each.id}", each.description) for each in story.things)
    for fact in story.facts:
        yield f"fact:{fact.id}", fact.full
        yield f"hint:{fact.id}", fact.hint
    for each in story.cast:
        yield f"line:{each.id}", each.line
        told = (*each.rules, *each.taboos, *(b.text for b in each.beliefs),
                *(g.text for g in each.goals), *each.capabilities)  # fmt: skip
        yield f"card:{each.id}", ". ".join(told)
        for relation in each.relations:
            yield f"history:{each.id}/{relation.to}", relation.history
