"""What of where people are follows from where the prose is set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from storykeeper.events.atoms import Voice
from storykeeper.language.quoted import blanked
from storykeeper.language.reading import Reading
from storykeeper.language.regular import SURE as REGULAR
from storykeeper.language.tagger import DOUBT, Person, Sign
from storykeeper.language.tagger.people import player_of
from storykeeper.staging.company import met
from storykeeper.staging.cues import GOING, Cue, Cued
from storykeeper.staging.locale import Shown, begins, chances, features, ground, shown
from storykeeper.story.called import gender_of
from storykeeper.units import EntityId
from storykeeper.world.knowledge import believed_place
from storykeeper.world.lines import partners
from storykeeper.world.state import World
from storykeeper.world.ways import route

# Fitted on bora, halyard, orchard and saltroad (`bench.continuity.locale_fit`); in the order of
# `locale.FEATURES`.
WEIGHTS = (
    1.53, -0.84, 1.07, 2.18, 0.74, 0.85, -0.4, 0.47, 0.73, -0.71, 1.71, 0.13, -0.02, -0.37, 0.52,
)  # fmt: skip
LEAST = 0.4  # of a chance that it is set elsewhere than where the player was
COMPANY = 0.8  # how sure it is that who is told of there is there
WORDS = 80  # characters


@dataclass(frozen=True, slots=True)
class Told:
    """A prose, whom it may name, and the line that it answers."""

    reading: Reading
    cast: tuple[EntityId, ...]
    player: EntityId
    line: str = ""
    declared: bool = False  # its narrator says what changed


@dataclass(frozen=True, slots=True)
class _Set:
    """Where the player is, and from where in the prose on."""

    place: EntityId
    at: int
    moved: bool
    sure: float


def people_of(world: World, told: Told, *, known: bool = False) -> tuple[Person, ...]:
    """Those whom a prose may name, and where they are; `known`: as far as the player knows."""
    found = []
    for who in told.cast:
        card = world.plan.cast[who]
        place = None if who in world.away else world.places.get(who)
        if known and who != told.player and believed_place(world, (told.player,), who) != place:
            place = None
        names, gender = (card.name, *card.aliases), gender_of(card.pronouns)
        found.append(Person(names, gender, place, who == told.player))
    return tuple(found)


def on_set(
    cued: Cued, world: World, told: Told, signs: Sequence[Sign], *, then: World | None
) -> Cued:
    """What was read, and who is where the prose is set; in a tale everyone's body stays."""
    people = people_of(world, told, known=True)
    player = player_of(people)
    if player is None or people[player].place is None or world.inside:
        return cued
    afar = {*partners(world, told.player), *partners(then or world, told.player)}
    seen = shown(told.reading, people).without([told.cast.index(w) for w in afar & {*told.cast}])
    place = _place(cued, world, then or world, told, seen)
    cues = [
        cue
        for cue in cued.cues
        if not _is_otherwise(cue, told, place) and not _is_still_there(cue, told, seen)
    ]
    if place.moved and not any(told.player in c.who and c.to == place.place for c in cues):
        cues.append(_cue(told, told.player, place.place, at=place.at, sure=place.sure))
    cues += _company(cues, world, told, signs, seen, place)
    cues += _unsure(world, told, seen, place)
    return replace(cued, cues=tuple(sorted(cues, key=lambda cue: cue.at)))


def _place(cued: Cued, world: World, then: World, told: Told, seen: Shown) -> _Set:
    """Where the player is: where their line took them, where a verb of going leads, or where the
    prose is most likely set.
    """
    was, now = world.places[told.player], then.places.get(told.player)
    if now is not None and now != was:
        return _Set(now, 0, moved=True, sure=1.0)
    said = [c for c in cued.cues if told.player in c.who and c.kind in GOING and c.sure >= REGULAR]
    if said and said[-1].to is not None and route(then, told.player, said[-1].to):
        return _Set(said[-1].to, said[-1].at, moved=said[-1].to != was, sure=said[-1].sure)
    return _likely(then, told, seen, was)


def _likely(world: World, told: Told, seen: Shown, was: EntityId) -> _Set:
    story, people = ground(world.plan), people_of(world, told, known=True)
    rows = features(story, told.reading, told.line, people, seen)
    can = [n for n, site in enumerate(story.sites) if route(world, told.player, EntityId(site.id))]
    p = chances([rows[n] for n in can], WEIGHTS)
    best = max(range(len(can)), key=lambda n: (p[n], story.sites[can[n]].id == was))
    place = EntityId(story.sites[can[best]].id)
    if place == was or p[best] < LEAST:
        return _Set(was, 0, moved=False, sure=1.0)
    at = begins(story, place, blanked(told.reading.text))
    return _Set(place, at, moved=True, sure=round(p[best], 3))


def _is_otherwise(cue: Cue, told: Told, place: _Set) -> bool:
    """Whether a sign takes the player elsewhere than where they are found."""
    return told.player in cue.who and cue.kind in GOING and cue.to != place.place


def _is_still_there(cue: Cue, told: Told, seen: Shown) -> bool:
    """Whether somebody who only may have left says or does something after that."""
    if cue.kind not in ("departs", "doubts") or cue.sure >= REGULAR or told.player in cue.who:
        return False
    since = cue.at + len(cue.words)
    later = (at for who in cue.who for some in (seen.speaks, seen.acts)
             for at in some.get(told.cast.index(who), ()))  # fmt: skip
    return any(at >= since for at in later)


def _company(
    cues: Sequence[Cue], world: World, told: Told, signs: Sequence[Sign], seen: Shown, place: _Set
) -> Iterator[Cue]:
    """Those who are with the player, unless it is read where they go; not who is on a line."""
    people = people_of(world, told)
    coming = frozenset(s.who for s in signs if s.kind == "arrives" and s.p >= DOUBT)
    settled = {who for cue in cues if cue.kind in GOING for who in cue.who}
    unable = {*world.plan.players, *world.asleep, *settled}
    for each in met(people, seen, since=place.at, moved=place.moved, coming=coming):
        if told.cast[each.who] not in unable:
            yield _cue(told, told.cast[each.who], place.place, at=each.at, sure=COMPANY)


def _unsure(world: World, told: Told, seen: Shown, place: _Set) -> Iterator[Cue]:
    """Those who were where the prose is only likely set and are not told of: nobody says that the
    player is with them.
    """
    if not place.moved or place.sure >= REGULAR:
        return
    for n, person in enumerate(people_of(world, told)):
        who, there = told.cast[n], person.place == place.place and not seen.is_told(n, place.at)
        if there and who not in world.plan.players:
            words = told.reading.text[place.at : place.at + WORDS].strip()
            yield Cue(place.at, "doubts", (who,), Voice.READER, place.sure, words=words)


def _cue(told: Told, who: EntityId, to: EntityId, *, at: int, sure: float) -> Cue:
    words = told.reading.text[at : at + WORDS].strip()
    return Cue(at, "arrives", (who,), Voice.READER, sure, to, words=words)
