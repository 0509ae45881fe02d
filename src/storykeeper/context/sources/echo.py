"""An older moment that this one rhymes with: what it was, what rhymes, what has changed since.

rhyme = mean of entity Jaccard, same place, closeness of emotion, same act, likeness of words
        ≥ .55, at least eight turns back                                                  F3e
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources.entity import named
from storykeeper.context.sources.proposing import line, listed, proposed
from storykeeper.context.sources.recalled import about, happened
from storykeeper.context.words import name_of
from storykeeper.events.atoms import ActionTaken, Atom
from storykeeper.gravity.temperature import Valence, intensity
from storykeeper.language.shortening import SKELETON_WORDS, excerpt, first_words
from storykeeper.scoring.composite import Terms
from storykeeper.units import EntityId
from storykeeper.world.state import Standing

ECHO, RHYMES = "echo", 0.6
FIRES_FROM, LEAST_TURNS = 0.55, 8
MOST_ECHOES = 2
_ROUNDING = 1e-9
_SAID = (
    ("people", "the same people"),
    ("place", "the same place"),
    ("feeling", "the same heat"),
    ("act", "the same gesture"),
    ("words", "nearly the same words"),
)


@dataclass(frozen=True, slots=True)
class Rhyme:
    """How much two moments have in common, each in [0, 1]."""

    people: float
    place: float
    feeling: float
    act: float
    words: float

    @property
    def strength(self) -> float:
        """The mean.   F3e"""
        return (self.people + self.place + self.feeling + self.act + self.words) / len(_SAID)

    @property
    def said(self) -> str:
        """What rhymes, in words."""
        return listed([words for name, words in _SAID if float(getattr(self, name)) >= FIRES_FROM])


@dataclass(frozen=True, slots=True)
class _Moment:
    """What of a moment can rhyme."""

    entities: frozenset[str]
    place: str
    heat: float
    acts: frozenset[str]


def echoes(boundary: Boundary) -> Iterator[Candidate]:
    """The moments that rhyme most with this one, for the narrator."""
    if not boundary.narrator:
        return
    now = _now(boundary)
    likeness = {each.turn.turn: each.likeness for each in boundary.recalled}
    turns = {t.turn: t for t in (*(r.turn for r in boundary.recalled), *boundary.recent)}
    found = []
    for number, turn in turns.items():
        if boundary.present.turn - number >= LEAST_TURNS:
            then, alike = _then(boundary, turn), likeness.get(number, 0.0)
            if _may_fire(now, then, likeness=alike):
                found.append((rhyme(now, then, likeness=alike), turn))
    firing = [each for each in found if each[0].strength >= FIRES_FROM]
    firing.sort(key=lambda each: (-each[0].strength, each[1].turn))
    for how, turn in firing[:MOST_ECHOES]:
        yield _echo(boundary, turn, how)


def _may_fire(now: _Moment, then: _Moment, *, likeness: float) -> bool:
    """Whether two moments could rhyme if all the people were the same: asked of every turn."""
    least = FIRES_FROM * len(_SAID) - 1.0 - likeness - _ROUNDING
    return (
        (now.place == then.place)
        + (not now.acts.isdisjoint(then.acts))
        + (1.0 - abs(now.heat - then.heat))
    ) >= least


def rhyme(now: _Moment, then: _Moment, *, likeness: float) -> Rhyme:
    """What two moments have in common.   F3e"""
    both, either = now.entities & then.entities, now.entities | then.entities
    return Rhyme(
        people=len(both) / len(either) if either else 0.0,
        place=float(bool(now.place) and now.place == then.place),
        feeling=1.0 - abs(now.heat - then.heat),
        act=float(bool(now.acts & then.acts)),
        words=likeness,
    )


def _now(boundary: Boundary) -> _Moment:
    atoms = [r for r in boundary.present.decided if isinstance(r, Atom)]
    scene = boundary.plan.scenes.get(boundary.world.scene or "")
    people = {*named(boundary), *about(boundary.plan, boundary.world.scene or "", tuple(atoms))}
    place = "" if scene is None else scene.setting or ""
    return _Moment(
        frozenset(people - {place, *boundary.minds}), place, intensity(atoms), _acts(atoms)
    )


_KEPT: OrderedDict[tuple[int, str, tuple[str, ...]], tuple[PastTurn, _Moment]] = OrderedDict()
_MOST_KEPT = 4_096


def _then(boundary: Boundary, turn: PastTurn) -> _Moment:
    """What of a past turn can rhyme; a turn that was told is a value, so this is found once."""
    name = (id(turn), boundary.plan.digest, boundary.minds)  # the story may have been edited
    kept = _KEPT.get(name)
    if kept is not None and kept[0] is turn:
        return kept[1]
    found = _of_turn(boundary, turn)
    _KEPT[name] = (turn, found)  # with the turn: an id is only good while that lives
    if len(_KEPT) > _MOST_KEPT:
        _KEPT.popitem(last=False)
    return found


def _of_turn(boundary: Boundary, turn: PastTurn) -> _Moment:
    seen = tuple(atom for atom in turn.atoms if boundary.witnessed(atom))
    scene = boundary.plan.scenes.get(turn.scene)
    place = "" if scene is None else scene.setting or ""
    people = set(about(boundary.plan, turn.scene, seen)) - {place, *boundary.minds}
    return _Moment(frozenset(people), place, intensity(seen), _acts(seen))


def _acts(atoms: Iterable[Atom]) -> frozenset[str]:
    return frozenset(atom.what.act for atom in atoms if isinstance(atom.what, ActionTaken))


def _echo(boundary: Boundary, turn: PastTurn, how: Rhyme) -> Candidate:
    said = f"“{first_words(turn.text, SKELETON_WORDS)}” " if turn.text.strip() else ""
    rhyming = excerpt(turn.prose, boundary.present.text, sentences=2)
    then = f"An echo of an earlier moment: {said}{rhyming}"
    shared = tuple(_then(boundary, turn).entities & _now(boundary).entities)
    changed, sources = _since(boundary, turn, sorted(shared))
    return proposed(
        f"{ECHO}:{turn.turn}", origin=ECHO, klass=Class.ENRICHMENT,
        sources=(f"moment:{turn.turn}", *sources),
        full=line(then, f"It rhymes: {how.said}" if how.said else "", changed),
        brief=line(then), hint=line(f"An echo: {how.said}" if how.said else ""),
        entities=tuple(sorted(shared)), **happened(boundary, turn), valence=Valence.REFLECTION,
        terms=Terms(relevance=RHYMES),
    )  # fmt: skip


def _since(boundary: Boundary, turn: PastTurn, people: list[str]) -> tuple[str, tuple[str, ...]]:
    """Whose standing toward a player's character has moved since then, as far as it is shown."""
    moved: list[str] = []
    for who in people:
        for mind in boundary.minds:
            held = boundary.world.standings.get((EntityId(who), mind), Standing())
            after = held.last_shift is not None and held.last_shift > turn.turn
            if after and boundary.open(f"relation:{who}/{mind}"):
                moved.append(who)
    names = listed([name_of(boundary.plan, who) for who in dict.fromkeys(moved)])
    stands = "stand" if len(set(moved)) > 1 else "stands"
    sources = tuple(f"shift:{who}" for who in dict.fromkeys(moved))
    return f"Since then {names} {stands} otherwise toward them" if moved else "", sources
