"""An older moment that this one rhymes with: what was said or done, and what has changed since.

rhyme = mean of entity Jaccard, same place, closeness of emotion, same act, likeness of words
        ≥ .55, at least eight turns back                                                  F3e

The same people in the same place are no rhyme: something must be done or said as then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Class
from storykeeper.context.passages import joined
from storykeeper.context.pieces import of_turn as pieces_of
from storykeeper.context.sources.entity import named
from storykeeper.context.sources.moments import Moment, about, acts, perceived
from storykeeper.context.sources.proposing import line, proposed
from storykeeper.context.sources.recalled import answers, favoured, happened
from storykeeper.context.sources.since import since
from storykeeper.context.words import listed, name_of
from storykeeper.events.atoms import Atom
from storykeeper.gravity.temperature import Valence, intensity
from storykeeper.scoring.composite import Terms

ECHO, RHYMES = "echo", 0.6
FIRES_FROM, LEAST_TURNS = 0.55, 8
MOST_ECHOES = 1
_ROUNDING = 1e-9
_MEASURES = 5


@dataclass(frozen=True, slots=True)
class Rhyme:
    """How much two moments have in common, each in [0, 1]."""

    people: float
    place: float
    feeling: float
    act: float
    words: float

    @property
    def is_of_deeds(self) -> bool:
        """Whether something is done or said as it was then."""
        return self.act > 0 or self.words > 0

    @property
    def strength(self) -> float:
        """The mean.   F3e"""
        return (self.people + self.place + self.feeling + self.act + self.words) / _MEASURES


def echoes(boundary: Boundary) -> Iterator[Candidate]:
    """The moments that rhyme most with this one, for the narrator."""
    if not boundary.narrator:
        return
    now = _now(boundary)
    likeness = {each.turn.turn: each.likeness for each in boundary.recalled}
    turns = {t.turn: t for t in (*(r.turn for r in boundary.recalled), *boundary.recent)}
    found, of_turn = [], perceived(boundary)
    for number, turn in turns.items():
        if boundary.present.turn - number >= LEAST_TURNS:
            then, alike = of_turn(turn), likeness.get(number, 0.0)
            if _may_fire(now, then, likeness=alike):
                found.append((rhyme(now, then, likeness=alike), turn, then))
    firing = [each for each in found if each[0].strength >= FIRES_FROM and each[0].is_of_deeds]
    firing.sort(key=lambda each: (-each[0].strength, each[1].turn))
    for _, turn, then in firing[:MOST_ECHOES]:
        yield _echo(boundary, turn, sorted(then.entities & now.entities))


def _may_fire(now: Moment, then: Moment, *, likeness: float) -> bool:
    """Whether two moments could rhyme if all the people were the same: asked of every turn."""
    least = FIRES_FROM * _MEASURES - 1.0 - likeness - _ROUNDING
    return (
        (now.place == then.place)
        + (not now.acts.isdisjoint(then.acts))
        + (1.0 - abs(now.heat - then.heat))
    ) >= least


def rhyme(now: Moment, then: Moment, *, likeness: float) -> Rhyme:
    """What two moments have in common.   F3e"""
    both, either = now.entities & then.entities, now.entities | then.entities
    return Rhyme(
        people=len(both) / len(either) if either else 0.0,
        place=float(bool(now.place) and now.place == then.place),
        feeling=1.0 - abs(now.heat - then.heat),
        act=float(bool(now.acts & then.acts)),
        words=likeness,
    )


def _now(boundary: Boundary) -> Moment:
    atoms = [r for r in boundary.present.decided if isinstance(r, Atom)]
    scene = boundary.plan.scenes.get(boundary.world.scene or "")
    people = {*named(boundary), *about(boundary.plan, boundary.world.scene or "", tuple(atoms))}
    place = "" if scene is None else scene.setting or ""
    return Moment(
        frozenset(people - {place, *boundary.minds}), place, intensity(atoms), acts(atoms)
    )


def _echo(boundary: Boundary, turn: PastTurn, shared: list[str]) -> Candidate:
    """What was said or done then, in its own words; and with whom, or where, as now."""
    asked = favoured(boundary)
    pieces = pieces_of(boundary, turn)
    came = [piece for piece in pieces if not piece.typed]
    best = max(came, key=lambda piece: answers(piece, asked), default=None)
    told = [piece for piece in pieces if piece.typed or piece is best]
    of, known = _of_what(boundary, turn, shared)
    then = f"Once before{of}: {joined(told)}" if told else ""
    changed = list(since(boundary, turn, shared))
    return proposed(
        f"{ECHO}:{turn.turn}", origin=ECHO, klass=Class.ENRICHMENT,
        sources=(
            *(piece.source for piece in told), f"moment:{turn.turn}",
            *dict.fromkeys((*known, *(source for _, source in changed))),
        ),
        full=line(then, *(text for text, _ in changed)), brief=line(then),
        entities=tuple(shared), **happened(boundary, turn), valence=Valence.REFLECTION,
        terms=Terms(relevance=RHYMES),
    )  # fmt: skip


def _of_what(boundary: Boundary, turn: PastTurn, shared: list[str]) -> tuple[str, tuple[str, ...]]:
    """Whom or what both moments are about, or else where the first was; and what that rests on."""
    plan, scene = boundary.plan, boundary.plan.scenes.get(turn.scene)
    place = "" if scene is None else scene.setting or ""
    kinds = (("cast", plan.cast), ("thing", plan.things), ("setting", plan.settings))
    asked = [
        (f"{kind}:{each}", each) for each in (*shared, place) for kind, ids in kinds if each in ids
    ]
    known = {each: source for source, each in asked if boundary.open(source)}
    with_ = [each for each in known if each != place]
    if with_:
        names = listed([name_of(plan, each) for each in with_])
        return f" with {names}", tuple(known[each] for each in with_)
    return (f" at {name_of(plan, place)}", (known[place],)) if known else ("", ())
