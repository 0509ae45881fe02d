"""Cues: what of a declaration can be so, in the order of the prose.

A cue says that somebody came, went, slept, woke, hid, called, gave or took something; where in the
prose; who says so; and how sure that is. Closing needs nothing: whoever is said to be gone is gone.
Opening must be possible: whoever is said to be here was brought here by the prose or was never
elsewhere, a way leads there, a teller knows what they tell, and the words stand in the prose. What
cannot be is dropped by itself and named; the rest stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from storykeeper.events.atoms import Voice
from storykeeper.events.staged import Declaration, Move, Put, Told
from storykeeper.language.names import Names
from storykeeper.staging.evidence import Prose, named_words, says_it
from storykeeper.story.model import PLAYER
from storykeeper.units import EntityId
from storykeeper.world.knowledge import knows
from storykeeper.world.knowledge.claims import holds_true
from storykeeper.world.state import World
from storykeeper.world.ways import is_charted, route

AWAY = frozenset({"away", "unknown", "gone", "elsewhere", ""})
HOLDERS = frozenset({"gives", "takes"})
TO_PEOPLE = frozenset({"gives", "sends", "call-opens", "call-closes"})


@dataclass(frozen=True, slots=True)
class Cue:
    """Something that changes who perceives, or who holds something."""

    at: int  # where in the prose it is told; its length: at the end
    kind: str
    who: tuple[EntityId, ...]
    says: Voice
    sure: float = 1.0
    to: EntityId | None = None  # a place; None: nobody knows
    people: tuple[EntityId, ...] = ()  # who is given, sent or called something
    thing: EntityId | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Private:
    """Words that only some of those present can hear."""

    start: int
    end: int
    by: EntityId | None
    to: tuple[EntityId, ...]
    says: Voice
    words: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A fact that somebody learned by words of the prose; found out, if nobody told it."""

    at: int
    fact: str
    by: EntityId | None
    to: tuple[EntityId, ...]
    says: Voice
    words: str = ""


@dataclass(frozen=True, slots=True)
class Cued:
    """All that somebody says of a rendering."""

    cues: tuple[Cue, ...] = ()
    privates: tuple[Private, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    settled: frozenset[EntityId] = frozenset()  # whose course it tells
    dropped: tuple[str, ...] = ()
    declared: bool = False  # by a person, an author or the narrator

    def then(self, more: Cued) -> Cued:
        """What somebody says, and what another says after them."""
        return Cued(
            (*self.cues, *more.cues), (*self.privates, *more.privates),
            (*self.lessons, *more.lessons), self.settled | more.settled,
            (*self.dropped, *more.dropped), self.declared or more.declared,
        )  # fmt: skip


class _Dropped(ValueError):
    """Why a part of a declaration cannot be so."""


def declared(
    world: World, declaration: Declaration, prose: str, names: Names, *,
    player: EntityId, says: Voice, offered: Sequence[str] = (),
) -> Cued:  # fmt: skip
    """What a declaration comes to in this world; `offered` are facts by their handles: F1, F2 …"""
    check = _Check(
        world, Prose(prose), names, player, says, offered, vouched=not declaration.inline
    )
    return check.all(declaration)


@dataclass
class _Check:
    """A declaration held against the world and the prose."""

    world: World
    prose: Prose
    names: Names
    player: EntityId
    says: Voice
    offered: Sequence[str]
    vouched: bool
    dropped: list[str] = field(default_factory=list)
    taught: set[tuple[EntityId, str]] = field(default_factory=set)  # by what was told before

    def all(self, declaration: Declaration) -> Cued:
        cues = [*self._moves(declaration.moves)]
        moved = {who for cue in cues for who in cue.who}
        privates = [*self._privates(declaration)]
        lessons = [*self._lessons(declaration.told)]
        cues += self._ends(declaration, moved)
        cues += self._hands(declaration.holds)
        told = {who for cue in cues for who in cue.who}
        ended = {self._maybe(put.what, self.world.plan.cast) for put in declaration.at}
        cast = frozenset(who for who in (told | ended) if who in self.world.plan.cast)
        return Cued(
            tuple(cues), tuple(privates), tuple(lessons), cast, tuple(self.dropped), declared=True
        )

    # ── who and what is meant ────────────────────────────────────────────────────────────────

    def _named(self, name: str, among: object, kind: str) -> EntityId:
        found = self._maybe(name, among)
        if found is None:
            raise _Dropped(f"{name[:40]!r} is no {kind} of this story")
        return found

    def _maybe(self, name: str, among: object) -> EntityId | None:
        plain = name.strip()
        if plain.casefold() in (PLAYER, "you"):
            return self.player if self.player in among else None  # type: ignore[operator]
        if plain in among:  # type: ignore[operator]
            return EntityId(plain)
        found = {each.entity for each in self.names.find(plain) if each.entity in among}  # type: ignore[operator]
        whole = {each.entity for each in self.names.find(plain) if each.entity in found
                 and each.end - each.start >= len(plain) - 4}  # fmt: skip
        return whole.pop() if len(whole) == 1 else None

    def _thing(self, name: str) -> EntityId:
        """A thing of the author's, one that play tracks, or one that this prose speaks of."""
        world = self.world
        found = self._maybe(name, world.plan.things) or self._maybe(name, world.keys)
        if found is not None:
            return found
        own = EntityId("-".join(re.findall(r"[a-z0-9]+", name.casefold())))
        taken = own in world.plan.cast or own in world.plan.settings
        last = own.rpartition("-")[2]
        if not own or taken or (own not in world.holders and self.prose.find(last) is None):
            raise _Dropped(f"{name[:40]!r} is no thing of this story")
        return own

    def _people(self, names: Sequence[str]) -> tuple[EntityId, ...]:
        return tuple(self._named(name, self.world.plan.cast, "person") for name in names)

    def _place(self, name: str) -> EntityId | None:
        return None if name.casefold() in AWAY else self._named(
            name, self.world.plan.settings, "place"
        )  # fmt: skip

    def _at(self, words: str) -> int:
        """Where words stand; without any it holds from the end."""
        if not words.strip():
            return self.prose.end
        at = self.prose.find(words)
        if at is None and self.says is Voice.AUTHOR:
            return self.prose.end  # it holds however the beat is told
        if at is None:
            raise _Dropped(f"{words[:40]!r} does not stand in the prose")
        return at

    # ── moves ────────────────────────────────────────────────────────────────────────────────

    def _moves(self, moves: Sequence[Move]) -> Iterator[Cue]:
        for i, move in enumerate(moves):
            try:
                yield from self._move(move, f"moves {i + 1}")
            except _Dropped as why:
                self.dropped.append(f"moves {i + 1}: {why}")

    def _move(self, move: Move, name: str) -> Iterator[Cue]:
        at, who = self._at(move.words), self._people(move.who)
        if not who:
            raise _Dropped("nobody does it")
        thing = None
        if move.kind in HOLDERS:
            thing = self._thing(move.what)
        people = self._people(move.to) if move.kind in TO_PEOPLE else ()
        if move.kind == "gives" and not people:
            raise _Dropped("it is given to nobody")
        place = None
        if move.kind in ("departs", "arrives"):
            yield from self._going(move, who, at, name)
            return
        yield Cue(at, move.kind, who, self.says, 1.0, place, people, thing, move.words)

    def _going(self, move: Move, who: tuple[EntityId, ...], at: int, name: str) -> Iterator[Cue]:
        """Each by themselves: of several a way may lead only some there."""
        here = self.world.places.get(self.player)
        to = self._place(move.to[0]) if move.to else None
        if move.kind == "arrives":
            to = here if to is None else to
        for each in who:
            goal, kind = to, move.kind
            if goal is not None and not self._leads(each, goal):
                self.dropped.append(f"{name}: no way leads {each} to {goal}")
                if kind == "arrives":
                    continue
                goal = None
            yield Cue(at, kind, (each,), self.says, 1.0, goal, (), None, move.words)

    def _leads(self, who: EntityId, to: EntityId) -> bool:
        """Whether somebody can get there: a player only by ways that stand open."""
        start = self.world.places.get(who)
        if start is None or start == to or not is_charted(self.world, start):
            return True
        return route(self.world, who, to, shut=who not in self.world.plan.players)

    # ── what is so at the end ────────────────────────────────────────────────────────────────

    def _ends(self, declaration: Declaration, moved: set[EntityId]) -> Iterator[Cue]:
        for put in declaration.at:
            try:
                yield from self._end(put, moved)
            except _Dropped as why:
                self.dropped.append(f"at {put.what[:40]!r}: {why}")
        here = self.world.places.get(self.player)
        for name in declaration.here:
            try:
                who = self._named(name, self.world.plan.cast, "person")
                if here is not None and who != self.player:
                    yield self._brought(who, here, moved)
            except _Dropped as why:
                self.dropped.append(f"here: {why}")

    def _end(self, put: Put, moved: set[EntityId]) -> Iterator[Cue]:
        who = self._named(put.what, self.world.plan.cast, "person")
        to = self._place(put.where)
        if to is None:
            unknown = put.where.casefold() == "unknown"
            if not unknown or who in self.world.places:
                yield Cue(self.prose.end, "departs", (who,), self.says)
        else:
            yield self._brought(who, to, moved)

    def _brought(self, who: EntityId, to: EntityId, moved: set[EntityId]) -> Cue:
        """That somebody is there at the end; if they were elsewhere, the prose must bring them."""
        start, here = self.world.places.get(who), self.world.places.get(self.player)
        told = who in moved or start == to or to != here
        told = told or self.prose.names(self.names, who)
        if not told and who != self.player:
            raise _Dropped(f"nothing in the prose brings {who} there")
        if who not in moved and not self._leads(who, to):
            raise _Dropped(f"no way leads {who} to {to}")
        return Cue(self.prose.end, "arrives", (who,), self.says, 1.0, to)

    def _hands(self, holds: Sequence[Put]) -> Iterator[Cue]:
        for put in holds:
            try:
                thing = self._thing(put.what)
                who = self._named(put.where, self.world.plan.cast, "person")
                yield Cue(self.prose.end, "takes", (who,), self.says, thing=thing)
            except _Dropped as why:
                self.dropped.append(f"holds {put.what[:40]!r}: {why}")

    # ── what is heard ────────────────────────────────────────────────────────────────────────

    def _privates(self, declaration: Declaration) -> Iterator[Private]:
        for i, aside in enumerate(declaration.asides):
            try:
                start = self._at(aside.words)
                by = self._maybe(aside.by, self.world.plan.cast) if aside.by else None
                end = self.prose.end_of(aside.words, start)
                yield Private(start, end, by, self._people(aside.to), self.says, aside.words)
            except _Dropped as why:
                self.dropped.append(f"asides {i + 1}: {why}")

    def _lessons(self, told: Sequence[Told]) -> Iterator[Lesson]:
        for i, each in enumerate(told):
            try:
                lesson = self._lesson(each)
                self.taught.update((who, lesson.fact) for who in lesson.to)
                yield lesson
            except _Dropped as why:
                self.dropped.append(f"told {i + 1}: {why}")

    def _lesson(self, told: Told) -> Lesson:
        fact, offered = self._fact(told.fact)
        if not told.words.strip():
            raise _Dropped("no words tell it")
        at = self._at(told.words)
        by = self._named(told.by, self.world.plan.cast, "person") if told.by else None
        if by is not None and not self._can_tell(by, fact):
            raise _Dropped(f"{by} does not know it")
        open_ = not self.world.plan.facts[fact].secret and self.vouched
        if not (offered or open_ or self._says(fact, at, by is not None)):
            raise _Dropped("the words do not tell it")  # or a guess would open a secret
        return Lesson(at, fact, by, self._people(told.to), self.says, told.words)

    def _says(self, fact: str, at: int, told: bool) -> bool:  # noqa: FBT001
        """Whether the prose tells it: what a narrator was not given it cannot have told by luck."""
        cast = self.world.plan.cast.values()
        names = named_words(name for each in cast for name in (each.name, *each.aliases))
        around, vouched = self.prose.around(at), self.vouched and told
        return says_it(self.world.plan.facts[fact], around, but=names, vouched=vouched)

    def _can_tell(self, by: EntityId, fact: str) -> bool:
        had = knows(self.world.known, by, fact, suspects=True) or holds_true(self.world, by, fact)
        return had or (by, fact) in self.taught

    def _fact(self, name: str) -> tuple[str, bool]:
        """A fact by its handle in the window, or by its id; whether the narrator was given it."""
        handle = name.strip().upper()
        number = int(handle[1:]) if handle[:1] == "F" and handle[1:].isdecimal() else 0
        if 0 < number <= len(self.offered):
            return self.offered[number - 1], True
        if name.strip() not in self.world.plan.facts:
            raise _Dropped(f"{name[:40]!r} is no fact that may be told")
        return name.strip(), name.strip() in self.offered
