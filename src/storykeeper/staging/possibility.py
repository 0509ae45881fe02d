"""What can be so of what is declared: where ways lead, whom a prose can be about, what is at hand.

A declaration may name anybody and anything of the story. That somebody is gone is believed. That
somebody is there, hears, reads, speaks or holds something must rest on more than its saying so:
they are where it happens, or the prose tells of them, or it brings them in words of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from msgspec import structs

from storykeeper.staging.evidence import Prose
from storykeeper.units import EntityId
from storykeeper.world.earshot import reached_from
from storykeeper.world.hearing import is_deaf
from storykeeper.world.lines import partners
from storykeeper.world.state import World
from storykeeper.world.ways import is_charted, route
from storykeeper.world.whereabouts import setting_of

LEAST_SPAN = 2  # words of a prose that can tell of somebody who is not named in it


@dataclass
class Possibility:
    """A world and a prose, and what was declared of it so far."""

    world: World
    prose: Prose
    player: EntityId
    goals: frozenset[EntityId] = frozenset()  # where players go
    brought: dict[EntityId, EntityId | None] = field(default_factory=dict)  # who goes where, so far
    told: set[EntityId] = field(default_factory=set)  # of these, whom the prose brings there
    called: set[EntityId] = field(default_factory=set)  # on a line, so far
    handed: set[tuple[EntityId, EntityId]] = field(default_factory=set)  # which thing to whom

    @property
    def here(self) -> EntityId | None:
        """Where the player is, as far as it is told."""
        return self.brought.get(self.player, self.world.places.get(self.player))

    @cached_property
    def near(self) -> frozenset[EntityId]:
        """Where the players are and go, and wherever that is heard or seen."""
        players = (self.world.places.get(who) for who in self.world.plan.players)
        found = {place for place in players if place is not None} | self.goals
        return frozenset(found.union(*(self._reached(place) for place in found)))

    def _reached(self, place: EntityId) -> Iterable[EntityId]:
        return (each for heard in (True, False) for each in reached_from(
            self.world, place, heard=heard
        ))  # fmt: skip

    def leads(self, who: EntityId, to: EntityId) -> bool:
        """Whether somebody can get there: a player only by ways that stand open, and from nowhere
        only to where such ways lead from a place they have been to.
        """
        start, played = self.world.places.get(who), who in self.world.plan.players
        if start == to:
            return True
        if is_charted(self.world, start):
            return route(self.world, who, to, shut=not played)
        been = self.world.met.get(who, frozenset()) if played and is_charted(self.world, to) else ()
        starts = [place for place in been if is_charted(self.world, place)]
        return not starts or any(self._leads_from(place, who, to) for place in starts)

    def _leads_from(self, start: EntityId, who: EntityId, to: EntityId) -> bool:
        there = structs.replace(self.world, places=self.world.places.set(who, start))
        return route(there, who, to)

    def is_told(self, who: EntityId, words: str) -> bool:
        """Whether the prose can bring somebody: it tells of them, or in these words of its own."""
        return who == self.player or self.prose.tells_of(who) or len(words.split()) >= LEAST_SPAN

    def is_about(self, who: EntityId) -> bool:
        """Whether somebody can be where something of this prose happens, or on a line to it."""
        if who == self.player or who in self.told or self.prose.tells_of(who):
            return True
        there = self.world.places.get(who) in self._stages and who not in self.world.away
        return there or self._is_on_line(who)

    def _is_on_line(self, who: EntityId) -> bool:
        ringing = any(who in line for line in self.world.ringing)
        return ringing or who in self.called or bool(partners(self.world, who))

    @property
    def _stages(self) -> frozenset[EntityId]:
        """Where something of this prose can happen."""
        told = (self.world.places.get(who) for who in self.prose.people)
        places = (*self.brought.values(), *told)
        return self.near.union(place for place in places if place is not None)

    def hears(self, who: EntityId) -> bool:
        """Whether words of this prose can reach somebody."""
        return self.is_about(who) and not is_deaf(self.world, who)

    def is_at_hand(self, thing: EntityId, who: EntityId, *, called: str, words: str) -> bool:
        """Whether somebody can come to hold a thing by this prose: it speaks of it, or tells of it
        in words of its own, and they can get to where it is.
        """
        if (thing, who) in self.handed or self.world.holders.get(thing) == who:
            return True
        at, known = setting_of(self.world, thing), self.world.plan.things.get(thing)
        names = (called,) if known is None else (known.name, *known.aliases)
        spoken = any(self.prose.has_word(name.split()[-1]) for name in names if name.split())
        if not spoken and len(words.split()) < LEAST_SPAN:
            return False
        return at is None or self.brought.get(who) == at or self.leads(who, at)
