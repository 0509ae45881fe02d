"""Tier 3: what the sources propose for this turn.

    entity       whom and what the player's words and this turn's events turn to; who is here
    standing     what the player's character knows, and nothing has overtaken
    emotion      whose mood shifts, and what may explain it
    gravity      what lies ahead: themes, tone, stakes, how near, who is bound up with it
    layers       tales within the tale: what bleeds through, bridge objects, prophecies, residue
    revelation   what somebody just learned
    presence     who is here now, and where; to the narrator in tier 4, before the player's words
    echo         an older moment that this one rhymes with
    recalled     what memory found for the player's words
    written      what a character has read in canon

Each is a question of its own, independent of the others. They say things as structured fact with
a note of feeling, never as prose to be repeated, and never name scenes or mechanics. A source may
propose what its audience must not see: the gate decides, and the author's receipt says so.
"""

from __future__ import annotations

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate
from storykeeper.context.sources.authored import BEAT, beats, doctrine, voices
from storykeeper.context.sources.echo import ECHO, echoes
from storykeeper.context.sources.emotion import shifts
from storykeeper.context.sources.entity import entities, wanted
from storykeeper.context.sources.gravity import GRAVITY, attractors
from storykeeper.context.sources.layers import LAYER, resonances
from storykeeper.context.sources.presence import presence
from storykeeper.context.sources.recalled import EARLIER, RECALLED, recollections
from storykeeper.context.sources.revelation import REVELATION, revelations
from storykeeper.context.sources.standing import STANDING, standing
from storykeeper.context.sources.things import thing_cards
from storykeeper.context.sources.written import written
from storykeeper.gravity.landscape import Landscape

__all__ = [
    "BEAT",
    "EARLIER",
    "ECHO",
    "GRAVITY",
    "LAYER",
    "RECALLED",
    "REVELATION",
    "STANDING",
    "Proposals",
    "proposals",
]


def proposals(
    boundary: Boundary, *, told_above: frozenset[str], landscape: Landscape | None = None
) -> list[Candidate]:
    """Everything proposed for tier 3; `told_above` are sources that tier 1 already shows.

    A character feels no landscape.
    """
    return Proposals(boundary, landscape).beside(told_above)


class Proposals:
    """The same for more than one tier 1: what does not hang on it is found once."""

    def __init__(self, boundary: Boundary, landscape: Landscape | None) -> None:
        self._boundary = boundary
        around, rhymes = list(presence(boundary)), list(echoes(boundary))
        self._around = frozenset(source for each in around for source in each.sources)
        self._first = [*revelations(boundary), *around]
        self._known = [
            *standing(boundary, wanted(boundary)),
            *thing_cards(boundary),
            *beats(boundary),
            *doctrine(boundary),
            *written(boundary),
        ]
        self._felt = [
            *(attractors(boundary, landscape) if landscape is not None else ()),
            *(resonances(boundary, landscape) if landscape is not None else ()),
            *rhymes,
            *recollections(boundary, {source for each in rhymes for source in each.sources}),
        ]

    def beside(self, told_above: frozenset[str]) -> list[Candidate]:
        """All that is proposed where tier 1 shows so much."""
        cards = list(entities(self._boundary, told_above | self._around))
        said = {s for each in cards if each.id.startswith("entity:") for s in each.sources}
        moods = shifts(self._boundary, said)
        talk = voices(self._boundary, told_above)
        once: dict[str, Candidate] = {}
        for candidate in (*self._first, *cards, *talk, *self._known, *moods, *self._felt):
            once.setdefault(candidate.id, candidate)
        return list(once.values())
