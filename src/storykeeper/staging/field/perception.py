"""What one actor perceives of a field, and of something that happens in it.

    sees      distance ≤ sight · (1 − concealment), and no barrier in between blocks the view
    hears     distance ≤ noise · hearing · Π (1 − muffles) over the barriers in between
    overhears the channel is one of theirs, their side has its key, and it reaches from who speaks

Nothing else of what is there reaches them. What is only heard is a sound in a band and a direction:
two sounds that are alike in both are one, so that neither a place nor a number can be read off it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod

from msgspec import structs

from storykeeper.canon.brief import Band, Bearing, Point, Sense
from storykeeper.canon.persona import PersonaCardV2
from storykeeper.canon.situation import EntityState, Happening, WorldState
from storykeeper.errors import UnknownPerson
from storykeeper.staging.field.plane import band, bearing, distance, in_between

UNKNOWN_SOUND = "something"
_BANDS, _BEARINGS = tuple(Band), tuple(Bearing)


@dataclass(frozen=True, slots=True, order=True)
class Sound:
    """Something that is heard and not seen."""

    band: int  # its place among the bands, the nearest first
    bearing: int
    heard_as: str

    @property
    def where(self) -> tuple[Band, Bearing]:
        """How far, and in which direction."""
        return _BANDS[self.band], _BEARINGS[self.bearing]


class Perceiver:
    """One actor at one moment of a field."""

    def __init__(self, world: WorldState, card: PersonaCardV2) -> None:
        self.world = world
        self.card = card
        self._by_id = {each.id: each for each in world.entities}
        if card.id not in self._by_id:
            raise UnknownPerson(
                f"{card.id} is not on the field {world.id}; add it to `entities`, or leave its card"
                " out"
            )
        self.me = self._by_id[card.id]

    def entity(self, name: str | None) -> EntityState | None:
        """Somebody or something on the field, by id."""
        return None if name is None else self._by_id.get(name)

    @cached_property
    def place(self) -> Point | None:
        """Where they are."""
        return self.where(self.me)

    def where(self, entity: EntityState) -> Point | None:
        """Where something is: with who holds it, if somebody does."""
        seen = {entity.id}
        while entity.held_by is not None and entity.held_by not in seen:
            holder = self._by_id.get(entity.held_by)
            if holder is None:
                break
            seen.add(holder.id)
            entity = holder
        return entity.at

    def sees(self, entity: EntityState) -> bool:
        """distance ≤ sight · (1 − concealment), and nothing blocks the view."""
        if entity.id == self.card.id or entity.held_by == self.card.id:
            return True
        there = self.where(entity)
        if there is None or self.place is None:
            return False
        sight = self.card.senses.sight * (1.0 - entity.concealment)
        return distance(self.place, there) <= sight and self.views(there)

    def views(self, there: Point) -> bool:
        """Whether nothing blocks the view of a point."""
        if self.place is None:
            return False
        walls = (each for each in self.world.barriers if each.blocks_sight)
        return not in_between(self.place, there, walls)

    def looks_upon(self, there: Point) -> bool:
        """Whether something that is not hidden would be seen at a point."""
        if self.place is None:
            return False
        return distance(self.place, there) <= self.card.senses.sight and self.views(there)

    def hears(self, there: Point, noise: float) -> bool:
        """distance ≤ noise · hearing · Π (1 − muffles)"""
        if self.place is None or noise <= 0 or self.card.deaf:
            return False
        between = in_between(self.place, there, self.world.barriers)
        through = prod(1.0 - each.muffles for each in between)
        return distance(self.place, there) <= noise * self.card.senses.hearing * through

    @cached_property
    def seen(self) -> tuple[EntityState, ...]:
        """Everybody and everything they see, themselves left out; by id."""
        others = (each for each in self.world.entities if each.id != self.card.id)
        return tuple(sorted(filter(self.sees, others), key=lambda each: each.id))

    @cached_property
    def sounds(self) -> tuple[Sound, ...]:
        """What they hear and do not see: each sound once, the nearest first."""
        visible = {each.id for each in self.seen} | {self.card.id}
        found = set()
        for each in self.world.entities:
            there = self.where(each)
            if each.id not in visible and there is not None and self.hears(there, each.noise):
                found.add(self._sound(there, each.heard_as))
        return tuple(sorted(found))

    def _sound(self, there: Point, heard_as: str) -> Sound:
        assert self.place is not None
        away = band(distance(self.place, there), self.world)
        direction = bearing(self.place, there)
        return Sound(
            _BANDS.index(away), _BEARINGS.index(direction), heard_as.strip() or UNKNOWN_SOUND
        )

    def on_channel(self, channel: str, speaker: EntityState | None) -> bool:
        """Whether words over a channel reach them from whoever speaks."""
        found = next((each for each in self.world.channels if each.id == channel), None)
        if found is None or channel not in self.card.channels or self.card.deaf:
            return False
        if found.factions and self.card.faction not in found.factions:
            return False
        if found.range is None:
            return True
        there = None if speaker is None else self.where(speaker)
        return (
            there is not None
            and self.place is not None
            and distance(self.place, there) <= found.range
        )


def sense_of(happening: Happening, perceiver: Perceiver) -> Sense | None:
    """How somebody perceives something as it happens; None if they do not."""
    if happening.by == perceiver.card.id:
        return Sense.SELF
    world = perceiver.world
    doer = next((each for each in world.entities if each.id == happening.by), None)
    there = happening.at or (None if doer is None else perceiver.where(doer))
    seen = heard = False
    if there is not None:
        hidden = doer is not None and not perceiver.sees(doer)
        seen = happening.seen and not hidden and perceiver.looks_upon(there)
        heard = perceiver.hears(there, happening.loud)
    if seen and heard:
        return Sense.WITNESSED
    if happening.channel is not None and perceiver.on_channel(happening.channel, doer):
        return Sense.CHANNEL
    if seen:
        return Sense.SEEN
    return Sense.HEARD if heard else None


def as_perceived(happening: Happening, who: str) -> Happening:
    """What of it reached somebody: who only sees has no words, who only hears not who it was, who
    does not see to whom it is done not to whom.
    """
    if who in happening.apart_for:
        happening = structs.replace(happening, text=happening.apart, target=None)
    match happening.perceived[who]:
        case Sense.SEEN:
            return structs.replace(happening, words="", cites=(), channel=None, heard_as="")
        case Sense.HEARD:
            return structs.replace(happening, text="", by=None, target=None, at=None, channel=None)
        case Sense.CHANNEL:
            return structs.replace(happening, text="", target=None, at=None, heard_as="")
        case _:
            return happening


def settled(happening: Happening, perceivers: list[Perceiver]) -> Happening:
    """The same with who perceived it, and how, as it happened."""
    found = {each.card.id: sense_of(happening, each) for each in perceivers}
    perceived = {who: how for who, how in sorted(found.items()) if how is not None}
    return structs.replace(
        happening, perceived=perceived, apart_for=tuple(_apart(happening, perceivers, perceived))
    )


def _apart(
    happening: Happening, perceivers: list[Perceiver], perceived: Mapping[str, Sense]
) -> Iterator[str]:
    """Who saw it and not to whom it was done."""
    for each in sorted(perceivers, key=lambda p: p.card.id):
        who = each.card.id
        target = each.entity(happening.target)
        saw = perceived.get(who) in (Sense.SEEN, Sense.WITNESSED)
        if saw and target is not None and target.id != who and not each.sees(target):
            yield who
