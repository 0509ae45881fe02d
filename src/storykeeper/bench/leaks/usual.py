"""The two usual designs, on the same moments, so that the test is known to bite.

- `filter_after`: everything there is is ranked against the player's line, the best few are taken,
  and of these what the audience may not see is dropped; if nothing is left, they are used as they
  are, because a prompt must not be empty.
- `instruction`: everything there is stands in the prompt, under a line that asks the model not to
  reveal what its character does not know.

Both propose with our own sources, under a boundary that is open to everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from storykeeper.bench.leaks.detecting import Shown
from storykeeper.bench.leaks.secrets import Moment
from storykeeper.context.boundary import KNOWN, Boundary, Ruling
from storykeeper.context.gate import gate
from storykeeper.context.history import PastTurn
from storykeeper.context.inputs import happenings
from storykeeper.context.items import Candidate
from storykeeper.context.preamble import hard_material, soft_material
from storykeeper.context.sources import proposals
from storykeeper.context.tail import units
from storykeeper.events.atoms import Atom
from storykeeper.gravity.landscape import landscape
from storykeeper.play.turn import Turn
from storykeeper.story.model import NARRATOR
from storykeeper.story.overlap import words_of
from storykeeper.units import EntityId

FILTER_AFTER, INSTRUCTION = "filter_after", "instruction"
BEST = 8  # as many as a character's brief has snippets
ASKING = "Do not reveal anything that {who} does not know."


class Everything(Boundary):
    """A boundary that is open to everything: what the others search in."""

    def ruling(self, source: str) -> Ruling:
        """Open."""
        return Ruling(KNOWN, f"{source} is open to all")

    def is_unknown(self, fact: str) -> bool:
        """Nothing is."""
        return False

    def witnessed(self, atom: Atom) -> bool:
        """As if they had been there."""
        return True

    def sees(self, thing: EntityId) -> bool:
        """As if nothing were hidden."""
        return self.world.places.get(thing) in {self.world.places.get(m) for m in self.minds}


def designs(
    turn: Turn, history: Sequence[PastTurn], audience: str, moment: Moment
) -> Iterator[Shown]:
    """What each of the two would have shown of a turn under way."""
    every = pool(turn, history)
    line = Boundary(
        turn.world, history, turn.present, audience=audience, recalled=turn.window.recalled
    )
    best = ranked(every, turn.present.text)[:BEST]
    left = gate(best, line)[0] or best
    yield _shown(FILTER_AFTER, audience, moment, left)
    yield _shown(INSTRUCTION, audience, moment, every, ASKING.format(who=audience))


def pool(turn: Turn, history: Sequence[PastTurn]) -> list[Candidate]:
    """Everything that could be shown to anybody, each once."""
    found: dict[str, Candidate] = {}
    for who in (NARRATOR, *turn.world.plan.cast):
        line = Everything(
            turn.world, history, turn.present, audience=who, recalled=turn.window.recalled
        )
        for each in proposed(line):
            if said(each):
                found.setdefault(each.id, each)
    return list(found.values())


def proposed(line: Boundary) -> Iterator[Candidate]:
    """What all sources propose under a boundary, but for the narrator's own rules."""
    if not line.narrator:
        yield from hard_material(line)
    yield from soft_material(line)
    ahead = landscape(line.world) if line.narrator else None
    yield from proposals(line, told_above=frozenset(), landscape=ahead)
    yield from happenings(line)
    for events in units(line):
        yield from (unit.candidate for unit in events)


def ranked(candidates: Sequence[Candidate], text: str) -> list[Candidate]:
    """By the words they share with a line, then by their score; ties as they came."""
    asked = words_of(text)
    return sorted(
        candidates, key=lambda each: (-len(asked & words_of(said(each))), -each.terms.relevance)
    )


def said(candidate: Candidate) -> str:
    """A candidate in its largest form."""
    return next((text for _, text in candidate.forms), "")


def _shown(
    design: str, audience: str, moment: Moment, candidates: Sequence[Candidate], *more: str
) -> Shown:
    texts = (*more, *(said(each) for each in candidates))
    items = tuple((each.id, each.sources) for each in candidates)
    return Shown(design, audience, moment, texts, items)
