"""Which of the author's names an audience may know: whoever else exists must not change what words
are taken to mean (F8.10).

All names of whom they have met, been with, or hold a fact about; of others those that were told to
them or stand in what the author lets them read. A name of somebody else is to them what it would be
if nobody were called so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache

from immutables import Map
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.words import name_of, told
from storykeeper.events.atoms import Atom, PieceTold
from storykeeper.language.names import Names, is_ordinary
from storykeeper.story.model import PLAYER
from storykeeper.story.people import Character
from storykeeper.story.places import Setting, Thing
from storykeeper.story.preamble import hard_parts
from storykeeper.units import EntityId, Key
from storykeeper.world.heard import (
    BY_AUTHOR,
    HEAD,
    SMALL,
    bare,
    is_large,
    phrases_of,
    plain,
    told_in_text,
)
from storykeeper.world.knowledge.lessons import held
from storykeeper.world.noticed import as_noticed
from storykeeper.world.plan import Plan
from storykeeper.world.register import key_of
from storykeeper.world.state import Entity, World

SOMEBODY = "somebody"
_NO_WAY = frozenset({"", "authored", "revealed"})  # to have learned something
_Called = tuple[tuple[EntityId, tuple[str, ...]], ...]


class Acquaintance:
    """Whom and what of the author's an audience can mean, and by which names."""

    def __init__(self, boundary: Boundary, *, also: Collection[str] = ()) -> None:
        """`also` are others that they know of, whatever the boundary says of them."""
        self._boundary = boundary
        self._last: tuple[World, World] | None = None
        plan = boundary.plan
        self._authored: dict[str, Character | Thing | Setting] = {
            **plan.cast, **plan.things, **plan.settings
        }  # fmt: skip
        self.met = frozenset(e for e in self._authored if e in also or self._is_met(e))
        heard = {n for mind in boundary.minds for n in boundary.world.heard.get(mind, ())}
        read = {n.removeprefix(BY_AUTHOR) for n in heard if n.startswith(BY_AUTHOR)}
        read.update(_read(boundary))
        # A name that one of those they know has is theirs, whoever else is called so.
        theirs = {n for e in self.met for n in phrases_of(self._authored[e])}
        self._heard = frozenset(n for n in heard if bare(n) not in theirs)
        self._read = frozenset(n for n in read if bare(n) not in theirs)
        self._both = self._heard | self._read

    def _is_met(self, entity: str) -> bool:
        return self._boundary.has_met(entity) or self._is_nowhere(entity)

    def _is_nowhere(self, entity: str) -> bool:
        """A thing that the author put nowhere is hidden by nothing: anybody may bring it in."""
        thing = self._boundary.plan.things.get(entity)
        put = thing is None or thing.at is not None or thing.held_by is not None
        return not put and EntityId(entity) not in self._boundary.world.hidden

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
        each, place = self._authored[entity], entity in self._boundary.plan.settings
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
        called, plan = plain(name), self._boundary.plan
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
            self._last = (world, as_noticed(world, self._boundary.minds[0], register))
        return self._last[1]


def told_to(boundary: Boundary, atom: Atom) -> str:
    """An atom as one sentence, in which a player's character calls nobody by a name they have not
    heard; others remember whom they saw.
    """
    plan, mind = boundary.plan, boundary.minds[0]
    deeds = not boundary.narrator  # the narrator has the prose that told of them
    as_said, now = not boundary.is_read_for(atom.turn), atom.turn == boundary.present.turn
    if isinstance(atom.what, PieceTold):
        return told(plan, atom, boundary.has_met, mind=mind)
    if mind not in plan.players:
        return told(plan, atom, deeds=deeds, as_said=as_said, now=now)
    return told(plan, atom, boundary.has_met, deeds=deeds, as_said=as_said, now=now)


def learned_as(boundary: Boundary, fact: str, how: str) -> str:
    """How something was learned, as it stands behind what is said of it.   F8.12

    Who told it, by name to those who may know of them. That the story gave it to them, without a
    way, is the machinery's to know.
    """
    way, _, by = how.partition(" by ")
    if not by:
        return "" if way in _NO_WAY else f" ({way})"
    named = by in boundary.plan.cast and (
        _stated(boundary, fact, how) or _is_known(boundary, fact, EntityId(by))
    )
    return f" ({way} by {name_of(boundary.plan, by) if named else SOMEBODY})"


def _stated(boundary: Boundary, fact: str, how: str) -> bool:
    """Whether the author says that they have it so when the story begins."""
    known, mind = boundary.plan.facts[fact], boundary.minds[0]
    names = (mind, PLAYER) if mind in boundary.plan.players else (mind,)
    stated = (known.known_by, known.suspected_by, known.believed_by)
    return any(each.get(name) == how for each in stated for name in names)


def _is_known(boundary: Boundary, fact: str, teller: EntityId) -> bool:
    """Whether they have a name for who told it; others than players know whom they saw tell it."""
    world, mind = boundary.world, boundary.minds[0]
    if boundary.has_met(teller):
        return True
    if mind in boundary.plan.players:
        return Acquaintance(boundary).knows(teller)
    return held(world, (mind, teller), fact) is not None


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


def _read(boundary: Boundary) -> Iterator[str]:
    """Names in those of the author's texts that are open to them."""
    texts, known = _texts(boundary.plan), boundary.world.known
    held = {fact for mind in boundary.minds for fact in known.get(mind, ())}
    facts = [f"{kind}:{fact}" for fact in held for kind in ("fact", "hint")]
    believed = [f"fact:{fact}" for fact in boundary.beliefs]
    for source in (*_others(boundary.plan), *facts):
        if source in texts and boundary.ruling(source).boundary:
            yield from texts[source]
    for source in believed:
        yield from texts.get(source, ())
    for _, beat in boundary.present.beats:
        if boundary.narrator:
            yield from told_in_text(boundary.plan, beat.prose)


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
