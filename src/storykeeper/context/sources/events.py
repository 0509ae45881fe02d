"""What happened to those whom the turn turns to, by how lately and how gravely.

This scene's turns stand in the journal: so of these only what is too old for it comes to mind, and
of other scenes everything. What memory found is left to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import nlargest
from itertools import islice

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.naming import told_to
from storykeeper.context.sources.moments import about, brings, perceived
from storykeeper.context.sources.proposing import line, proposed
from storykeeper.events.atoms import Atom
from storykeeper.gravity.temperature import intensity
from storykeeper.language.shortening import SKELETON_WORDS, first_words
from storykeeper.scoring.composite import Terms, recency

EVENT = "event"
MOST_EVENTS = 2  # of each
MOST_WORDS = 24  # of what was said
IN_REACH = 120  # turns
IN_JOURNAL = 40  # turns of a scene that its journal has room for, about

Weighed = tuple[float, int, Atom]  # relevance · recency, its age, what happened


def events(boundary: Boundary, wanted: Mapping[str, float]) -> Iterator[Candidate]:
    """The weightiest of each that is wanted so much, for the narrator."""
    if not boundary.narrator:
        return
    told: set[str] = set()
    for who, found in _found(boundary, wanted).items():
        best = nlargest(MOST_EVENTS, found, key=lambda each: (each[0], each[2].id))
        for _, age, atom in best:
            text = told_to(boundary, atom)
            if text and atom.id not in told:
                told.add(atom.id)
                yield _event(boundary, atom, text, wanted[who], age=age)


def _found(boundary: Boundary, wanted: Mapping[str, float]) -> dict[str, list[Weighed]]:
    """What each took part in, as far as this audience perceived it, with what it weighs."""
    found: dict[str, list[Weighed]] = {
        who: [] for who in wanted if who not in boundary.minds and who not in boundary.plan.settings
    }
    now, scene = boundary.present.turn, boundary.world.scene
    recalled, of_turn = {each.turn.turn for each in boundary.recalled}, perceived(boundary)
    for turn in islice(reversed(boundary.recent), IN_REACH) if found else ():
        age = now - turn.turn
        if turn.turn not in recalled and (turn.scene != scene or age > IN_JOURNAL):
            happened = of_turn(turn).events
            for who in found.keys() & happened.keys():
                found[who] += [(_weight(atom) * recency(age), age, atom) for atom in happened[who]]
    return found


def _weight(atom: Atom) -> float:
    """How much it weighs as a part of the story.   F2.8a"""
    return intensity((atom,))


def _event(boundary: Boundary, atom: Atom, text: str, relevance: float, *, age: int) -> Candidate:
    return proposed(
        f"{EVENT}:{atom.id}", origin=EVENT, klass=Class.ENRICHMENT, sources=(f"atom:{atom.id}",),
        full=line(f"Earlier: {first_words(text, MOST_WORDS)}"),
        hint=line(f"Earlier: {first_words(text, SKELETON_WORDS)}"),
        entities=about(boundary.plan, "", (atom,)), valence=brings((atom,)),
        terms=Terms(relevance=relevance * _weight(atom), recency=recency(age)),
    )  # fmt: skip
