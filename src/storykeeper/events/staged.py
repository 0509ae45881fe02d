"""What a narrator, an author or a person declares to have happened on the stage.

A declaration says only what changed: who came and went, what was said so that only some could hear
it, which facts were told, who holds what. Names are as they were written, and not yet checked: what
of it counts is decided when the turn is made fact (`staging.cues`).
"""

from __future__ import annotations

from storykeeper.events.vocabulary import Part, Text
from storykeeper.units import EntityId


class Move(Part, frozen=True):
    """Somebody came, went, slept, woke, hid, called, gave, took, read or sent something."""

    who: tuple[Text, ...]
    kind: str
    to: tuple[Text, ...] = ()  # a place; of giving and sending, people
    what: Text = ""
    words: Text = ""  # a span of the prose: it dates the change


class Aside(Part, frozen=True):
    """Words that only some of those present can hear."""

    words: Text
    by: Text = ""
    to: tuple[Text, ...] = ()


class Told(Part, frozen=True):
    """A fact that somebody learned by these words; found out, if nobody told it."""

    fact: Text
    to: tuple[Text, ...] = ()
    by: Text = ""
    words: Text = ""


class Put(Part, frozen=True):
    """Where somebody is, or who holds something."""

    what: Text
    where: Text


class Declaration(Part, frozen=True):
    """What a rendering did on the stage; everything may be left out."""

    moves: tuple[Move, ...] = ()
    asides: tuple[Aside, ...] = ()
    told: tuple[Told, ...] = ()
    at: tuple[Put, ...] = ()  # who is where at its end; "away", "unknown"
    here: tuple[Text, ...] = ()  # who is with the player at its end
    holds: tuple[Put, ...] = ()  # who has what at its end
    complete: bool = False  # nothing else happened: who held what is not read from the prose
    inline: bool = False  # it stood behind the prose, and no host vouches for it
    left: tuple[str, ...] = ()  # beats of its window that it leaves for later: "scene/beat"

    @property
    def named(self) -> frozenset[str]:
        """All that it names: people, and beside them places and things."""
        rows = (
            *((*each.who, *each.to) for each in self.moves),
            *((each.by, *each.to) for each in self.asides),
            *((each.by, *each.to) for each in self.told),
            *((each.what, each.where) for each in (*self.at, *self.holds)), self.here,
        )  # fmt: skip
        return frozenset(name for row in rows for name in row)


class Held(Part, frozen=True):
    """A thing, and who has it."""

    thing: EntityId
    by: EntityId
