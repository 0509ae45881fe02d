"""Lines between people who speak from afar: opened and closed, decided and put on record.

What a player types is an attempt: whom they call is on the line if the rendering has them speak. A
line ends when somebody ends it, with the scene, and with a turn in which nobody spoke on it: nobody
tells of every receiver put down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from storykeeper.events.atoms import (
    ActionTaken,
    Atom,
    LineChange,
    LineChanged,
    Participant,
    Resolved,
    Role,
    Source,
    SpeechUttered,
)
from storykeeper.language.names import Names
from storykeeper.language.reading import Modality, Reading, called
from storykeeper.play.unfolding import Unfolding
from storykeeper.units import EntityId
from storykeeper.world.atoms import those
from storykeeper.world.lines import Line, on_line, partners
from storykeeper.world.state import World

CALLING = frozenset({"call", "phone", "telephone", "ring", "dial", "radio"})
_TAKING = frozenset({"answer", "pick up", "reply"})
HANGING_UP = frozenset({"hang up", "hang"})


def answering(reading: Reading, names: Names) -> frozenset[EntityId]:
    """Those whom a rendering names as saying something, or taking a call."""
    taking = [i for c in reading.clauses if c.verb in _TAKING and c.modality is Modality.ASSERTED
              for i in c.actors]  # fmt: skip
    said = [q.speaker for q in reading.quotations if q.speaker is not None]
    texts = called(reading, (*said, *taking))
    return frozenset(found.entity for text in texts for found in names.find_in_prose(text))


def call(unfolding: Unfolding, who: EntityId, whom: EntityId) -> None:
    """Decide that somebody who was called has answered."""
    if _may_call(unfolding.world, who, whom) and not on_line(unfolding.world, who, whom):
        _change(unfolding, LineChange.OPENED, who, whom)


def hang_up(unfolding: Unfolding, who: EntityId) -> None:
    """Decide that somebody ends the lines they are on."""
    for other in partners(unfolding.world, who):
        _change(unfolding, LineChange.CLOSED, who, other)


def _may_call(world: World, who: EntityId, whom: EntityId) -> bool:
    """Whether two can be on a line: they are apart, and who is called is awake to take it."""
    here, there = world.places.get(who), world.places.get(whom)
    apart = here is None or here != there or who in world.away or whom in world.away
    return who != whom and apart and whom not in world.asleep


def _change(unfolding: Unfolding, what: LineChange, who: EntityId, whom: EntityId) -> None:
    parts = [Participant(Role.ACTOR, Resolved(who)), Participant(Role.TARGET, Resolved(whom))]
    unfolding.take_place(LineChanged(what), parts, source=Source.RULE)


# ── when it is over by itself ────────────────────────────────────────────────────────────────


def ring_off(unfolding: Unfolding) -> None:
    """A scene is over: the lines that were open before this turn are."""
    _shut(unfolding, unfolding.world.lines, but=[*_opened(unfolding)])


def lapse(unfolding: Unfolding, before: World, player: EntityId) -> None:
    """A turn is over: so are lines from before it on which nobody spoke.

    At a table with several players a line of one of them waits for a turn of theirs.
    """
    spoken = [_ends(atom) for atom in unfolding.atoms if _is_talk(atom)]
    world, players = unfolding.world, {*unfolding.world.plan.players}
    mine = [line for line in world.lines
            if line in before.lines and (player in line or players.isdisjoint(line))]  # fmt: skip
    _shut(unfolding, mine, but=[*_opened(unfolding), *spoken])


def _shut(unfolding: Unfolding, lines: Sequence[Line], *, but: Sequence[Collection[str]]) -> None:
    for one, other in lines:
        if not any(one in each and other in each for each in but):
            _change(unfolding, LineChange.CLOSED, one, other)


def _opened(unfolding: Unfolding) -> Iterator[Line]:
    """The lines that were opened in this turn."""
    for atom in unfolding.atoms:
        if atom.what == LineChanged(LineChange.OPENED):
            others = (*those(atom, Role.TARGET), *those(atom, Role.SUBJECT))
            yield from ((who, whom) for who in those(atom, Role.ACTOR) for whom in others)


def _is_talk(atom: Atom) -> bool:
    return isinstance(atom.what, SpeechUttered | ActionTaken)


def _ends(atom: Atom) -> set[EntityId]:
    roles = (Role.ACTOR, Role.TARGET)
    heard = (Role.WITNESS,) if isinstance(atom.what, SpeechUttered) else ()
    return {who for role in (*roles, *heard) for who in those(atom, role)}
