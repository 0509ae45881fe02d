"""What of a declaration can be so, as cues.

Closing needs nothing: whoever is said to be gone is gone. Opening must be possible: whoever is said
to be here was brought here by the prose or was never elsewhere, a way leads there, a teller knows
what they tell, and the words stand in the prose. What cannot be is dropped by itself and named; the
rest stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from storykeeper.events.atoms import Voice
from storykeeper.events.staged import Declaration, Move, Put, Told
from storykeeper.language.names import Names
from storykeeper.staging.cues import BEFORE, COURSE, GOING, Cue, Cued, Lesson, Private
from storykeeper.staging.evidence import Prose
from storykeeper.staging.facts import Facts
from storykeeper.staging.possibility import Possibility
from storykeeper.story.model import PLAYER
from storykeeper.units import EntityId
from storykeeper.world.state import World

AWAY = frozenset({"away", "unknown", "gone", "elsewhere", ""})
HOLDERS = frozenset({"gives", "takes"})
TO_PEOPLE = frozenset({"gives", "sends", "call-opens", "call-closes"})
MOST_NAMED = 6  # words of what a thing is called that no author named
NEARBY = frozenset({"call-opens", "reads"})  # of who is there it needs no evidence
OPENING = NEARBY | {"arrives", "wakes", "emerges"}
TRUSTED = frozenset({Voice.PERSON, Voice.AUTHOR})  # what they say needs no evidence in the prose


class _Dropped(ValueError):
    """Why a part of a declaration cannot be so."""


def declared(
    world: World, declaration: Declaration, prose: str, names: Names, *,
    player: EntityId, says: Voice, typed: str = "", offered: Sequence[str] = (),
    given: Collection[str] = (),
) -> Cued:  # fmt: skip
    """What a declaration comes to in this world, of prose that answers what a player `typed`;
    `offered` are facts by their handles: F1, F2 …, `given` others that the narrator was to tell.
    """
    text = Prose(prose, names)
    facts = Facts(world, text, offered, {*offered, *given}, vouched=not declaration.inline)
    return _Check(world, text, Prose(typed, names), names, player, says, facts).all(declaration)


@dataclass
class _Check:
    """A declaration held against the world and the prose."""

    world: World
    prose: Prose
    typed: Prose
    names: Names
    player: EntityId
    says: Voice
    facts: Facts
    possible: Possibility = field(init=False)
    dropped: list[str] = field(default_factory=list)
    settled: set[EntityId] = field(default_factory=set)  # whose course it tells

    def all(self, declaration: Declaration) -> Cued:
        goals = frozenset(self._goals(declaration))
        self.possible = Possibility(self.world, self.prose, self.player, goals)
        cues = [*self._moves(declaration.moves)]
        privates = [*self._privates(declaration)]
        lessons = [*self._lessons(declaration.told)]
        cues += self._ends(declaration)
        cues += self._hands(declaration.holds)
        self.settled.update(who for cue in cues if cue.kind in COURSE for who in cue.who)
        return Cued(
            tuple(cues), tuple(privates), tuple(lessons), frozenset(self.settled),
            tuple(self.dropped), declared=True, complete=declaration.complete,
        )  # fmt: skip

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
        called = (self.names, *filter(None, (self.names.others,)))  # also whom the prose brings in
        named = (each for names in called for each in names.find(plain))
        found = [each for each in named if each.entity in among]  # type: ignore[operator]
        alone = len({each.entity for each in found}) == 1
        return (
            found[0].entity if alone and len(plain) <= found[0].end - found[0].start + 4 else None
        )

    def _held(self, name: str, who: EntityId, words: str = "") -> EntityId:
        """A thing that somebody can come to hold by this prose."""
        thing, can = self._thing(name), self.possible
        if self.says not in TRUSTED and not can.is_at_hand(thing, who, called=name, words=words):
            raise _Dropped(f"nothing in the prose brings {thing} to {who}")
        can.handed.add((thing, who))
        return thing

    def _thing(self, name: str) -> EntityId:
        """A thing of the author's, one that play tracks, or one that this turn speaks of."""
        world = self.world
        found = self._maybe(name, world.plan.things) or self._maybe(name, world.keys)
        if found is not None:
            return found
        said = re.findall(r"[a-z0-9]+", name.casefold())
        own, head = EntityId("-".join(said)), said[-1] if said else ""
        bare = EntityId("-".join(said[1:]))  # without the word it begins with: “the”
        if bare in world.plan.things or bare in world.keys:
            return bare
        taken = own in world.plan.cast or own in world.plan.settings
        known = own in world.holders or own in world.plan.things
        spoken = self.prose.has_word(head) or self.typed.has_word(head)
        if taken or not (known or (len(said) <= MOST_NAMED and spoken)):
            raise _Dropped(f"{name[:40]!r} is no thing of this story")
        return own

    def _people(self, names: Sequence[str], row: str) -> tuple[EntityId, ...]:
        """Those of some names who are of the cast, each once: for the others the rest stands."""
        found = {name: self._maybe(name, self.world.plan.cast) for name in names}
        self.dropped += [f"{row}: {name[:40]!r} is no person of this story"
                         for name, who in found.items() if who is None]  # fmt: skip
        return tuple(dict.fromkeys(who for who in found.values() if who is not None))

    def _goals(self, declaration: Declaration) -> Iterator[EntityId]:
        """Where players are said to go."""
        moves = [(m.who, m.to[0]) for m in declaration.moves if m.kind in GOING and m.to]
        ends = [((put.what,), put.where) for put in declaration.at]
        for who, to in (*moves, *ends):
            goal = self._maybe(to, self.world.plan.settings)
            people = {self._maybe(name, self.world.plan.cast) for name in who}
            if goal is not None and not people.isdisjoint(self.world.plan.players):
                yield goal

    def _place(self, name: str, row: str) -> EntityId | None:
        """A place of the story, if it is one; the others are named."""
        found = None if name.casefold() in AWAY else self._maybe(name, self.world.plan.settings)
        if found is None and name.casefold() not in AWAY:
            self.dropped.append(f"{row}: {name[:40]!r} is no place of this story")
        return found

    def _span(self, words: str, *, opens: bool = False) -> tuple[int, int]:
        """Where words stand; without any it holds from the end."""
        end = self.prose.end
        if not words.strip():
            return end, end
        found = self.prose.find(words, opens=opens)
        if found is None and self.says is not Voice.AUTHOR:
            raise _Dropped(f"{words[:40]!r} does not stand in the prose")
        return found or (end, end)  # an author's holds however the beat is told

    # ── moves ────────────────────────────────────────────────────────────────────────────────

    def _moves(self, moves: Sequence[Move]) -> Iterator[Cue]:
        for i, move in enumerate(moves):
            try:
                yield from self._move(move, f"moves {i + 1}")
            except _Dropped as why:
                self.dropped.append(f"moves {i + 1}: {why}")

    def _move(self, move: Move, name: str) -> Iterator[Cue]:
        at, _ = self._span(move.words, opens=move.kind in OPENING)
        who = self._people(move.who, name)
        if not who:
            raise _Dropped("nobody does it")
        people = self._people(move.to, name) if move.kind in TO_PEOPLE else ()
        if move.kind == "call-opens" and not people:
            raise _Dropped("nobody is called")
        if move.kind in GOING:
            yield from self._going(move, who, at, name)
            return
        if move.kind in OPENING:
            who, people = self._likely(move, who, name), self._likely(move, people, name)
            calls = move.kind == "call-opens"
            if not who or (calls and not people):
                return
            self.possible.called |= {*who, *people} if calls else set()
        if move.kind == "gives" and not people:
            raise _Dropped("it is given to nobody")
        to = next(iter(people), who[0])
        thing = self._held(self._what(move), to, move.words) if move.kind in HOLDERS else None
        yield Cue(at, move.kind, who, self.says, 1.0, None, people, thing, move.words)

    def _what(self, move: Move) -> str:
        """The thing of a move: as it is called, in place of a person, or the one in its words."""
        things = {*self.world.plan.things, *self.world.keys}
        if move.what:
            return move.what
        for name in move.to:
            if self._maybe(name, self.world.plan.cast) is None and self._maybe(name, things):
                return name
        named = {found.entity for found in self.names.find(move.words) if found.entity in things}
        return named.pop() if len(named) == 1 else ""

    def _likely(self, move: Move, people: Sequence[EntityId], row: str) -> tuple[EntityId, ...]:
        """Those of whom an opening can be so; the others are named."""
        near, words = move.kind in NEARBY, "" if move.kind == "reads" else move.words
        return self._those(
            people, f"{row}: nothing in the prose brings {{}} there",
            lambda w: (near and self.possible.is_about(w)) or self.possible.is_told(w, words),
        )  # fmt: skip

    def _those(
        self, people: Sequence[EntityId], why: str, can: Callable[[EntityId], bool]
    ) -> tuple[EntityId, ...]:
        """Those of whom something can be so; of the others it is said why not."""
        kept = tuple(who for who in people if self.says in TRUSTED or can(who))
        self.dropped += [why.format(who) for who in people if who not in kept]
        return kept

    def _going(self, move: Move, who: tuple[EntityId, ...], at: int, name: str) -> Iterator[Cue]:
        """Each by themselves: of several a way may lead only some there."""
        to = self._place(move.to[0], name) if move.to else None  # elsewhere is gone
        if move.kind == "arrives" and "".join(move.to[:1]).casefold() in AWAY:
            to = self.possible.here
        if to is None and self.player in who:  # the prose goes where they do: to some place
            why = f"nobody knows where {self.player} is then; who goes with them stays"
            self.dropped.append(f"{name}: {why}")
            yield Cue(at, "doubts", tuple(self._left_behind(who)), self.says)
            return
        for each in who:
            why = "" if to is None else self._why_not(each, to, move.words)
            self.dropped += [f"{name}: {why}"] if why else []
            goal = None if why else to
            if goal is not None or move.kind == "departs":
                self.possible.brought[each] = goal
                if self.says in TRUSTED or self.possible.is_told(each, move.words):
                    self.possible.told.add(each)
                yield Cue(at, move.kind, (each,), self.says, 1.0, goal, (), None, move.words)

    def _left_behind(self, going: Collection[EntityId]) -> Iterator[EntityId]:
        """Those who are with the player and do not go along."""
        for who in map(EntityId, self.world.plan.cast):
            there = self.possible.brought.get(who, self.world.places.get(who))
            if who not in going and there is not None and there == self.possible.here:
                yield who

    def _why_not(self, who: EntityId, to: EntityId, words: str) -> str:
        """Why somebody cannot be there; nothing, if they can."""
        if not self.possible.leads(who, to):
            return f"no way leads {who} to {to}"
        stays = self.world.places.get(who) == to
        if stays or self.says in TRUSTED or to not in self.possible.near:
            return ""
        told = self.possible.is_told(who, words)
        return "" if told else f"nothing in the prose brings {who} there"

    # ── what is so at the end ────────────────────────────────────────────────────────────────

    def _ends(self, declaration: Declaration) -> Iterator[Cue]:
        for put in declaration.at:
            try:
                yield from self._end(put)
            except _Dropped as why:
                self.dropped.append(f"at {put.what[:40]!r}: {why}")
        for name in declaration.here:
            try:
                who = self._named(name, self.world.plan.cast, "person")
                here = self.possible.here
                if here is not None and who != self.player:
                    yield self._brought(who, here)
            except _Dropped as why:
                self.dropped.append(f"here: {why}")

    def _end(self, put: Put) -> Iterator[Cue]:
        """Who is nobody knows where, and whom the prose does not tell of, was not in it."""
        who, end = self._named(put.what, self.world.plan.cast, "person"), self.prose.end
        lost = put.where.casefold() == "unknown" and who not in self.possible.brought
        gone = BEFORE if lost and not self.prose.tells_of(who) else end
        to = self._place(put.where, f"at {put.what[:40]!r}")
        if to is not None:
            yield self._brought(who, to)
        elif put.where.casefold() not in AWAY:  # where the story has no place: maybe not here
            if who not in self.world.plan.players:
                yield Cue(end, "doubts", (who,), self.says)
        elif who == self.player:
            raise _Dropped("the prose goes where the player does: to some place")
        elif put.where.casefold() != "unknown" or who in self.world.places:
            yield from (Cue(at, "departs", (who,), self.says) for at in dict.fromkeys((gone, end)))
        else:
            self.settled.add(who)  # nobody knew where before

    def _brought(self, who: EntityId, to: EntityId) -> Cue:
        """That somebody is there at the end; if they were elsewhere, the prose must bring them."""
        why = "" if self.possible.brought.get(who) == to else self._why_not(who, to, "")
        if why:
            raise _Dropped(why)
        self.possible.brought[who] = to
        return Cue(self.prose.end, "arrives", (who,), self.says, 1.0, to)

    def _hands(self, holds: Sequence[Put]) -> Iterator[Cue]:
        for put in holds:
            try:
                who = self._named(put.where, self.world.plan.cast, "person")
                thing = self._held(put.what, who)
                yield Cue(self.prose.end, "takes", (who,), self.says, thing=thing)
            except _Dropped as why:
                self.dropped.append(f"holds {put.what[:40]!r}: {why}")

    # ── what is heard ────────────────────────────────────────────────────────────────────────

    def _privates(self, declaration: Declaration) -> Iterator[Private]:
        """What is low stays low, whoever of those it is for cannot be meant."""
        for i, aside in enumerate(declaration.asides):
            row = f"asides {i + 1}"
            by, to = self._people((aside.by,) if aside.by else (), row), self._people(aside.to, row)
            by = self._those(by, f"{row}: {{}} is not there to say it", self.possible.is_about)
            to = self._those(to, f"{row}: {{}} is not there to hear it", self.possible.hears)
            afar = tuple(who for who in to if self.prose.tells_of(who) or self.says in TRUSTED)
            spans = self.prose.spans(aside.words)  # said twice it is low twice
            if not spans:
                self.dropped.append(f"{row}: {aside.words[:40]!r} does not stand in the prose")
            for start, end in spans:
                yield Private(start, end, next(iter(by), None), to, self.says, aside.words, afar)

    def _lessons(self, told: Sequence[Told]) -> Iterator[Lesson]:
        for i, each in enumerate(told):
            try:
                lesson = self._lesson(each, f"told {i + 1}")
                self.facts.teach(lesson.fact, lesson.to)
                yield lesson
            except _Dropped as why:
                self.dropped.append(f"told {i + 1}: {why}")

    def _lesson(self, told: Told, row: str) -> Lesson:
        fact = self.facts.named(told.fact)
        if fact is None:
            raise _Dropped(f"{told.fact[:40]!r} is no fact that may be told")
        if not told.words.strip():
            raise _Dropped("no words tell it")
        at, _ = self._span(told.words)
        by = self._named(told.by, self.world.plan.cast, "person") if told.by else None
        if by is not None and not self.facts.can_tell(by, fact):
            raise _Dropped(f"{by} does not know it")
        if by is not None and not (self.says in TRUSTED or self.possible.is_about(by)):
            raise _Dropped(f"{by} is not there to tell it")
        if not self.facts.is_told(fact, at, by):
            raise _Dropped("the words do not tell it")
        to = self._people(told.to, row)
        if told.to and not to:
            raise _Dropped("nobody learns it")  # and not everybody
        return Lesson(at, fact, by, to, self.says, told.words)
