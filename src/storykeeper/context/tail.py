"""Tier 2: the recent turns, exact, and how much room the story so far before them has.

The unit is the turn for the narrator, or of another player's turn the event that the one whose
turn it is perceived; for a character it is the event it perceived. Scenes do not cut it.

Boundaries move in chunks (F4.7). At a cut, all that was told stands word for word if it fits with
room to grow; if not, the tail is the longest suffix of at most max(β·τ, T_base) tokens, and what is
left but for room to grow by three turns or more is the story so far's. Until the next cut the tail
only grows; when both would pass their room, it is cut anew, and so it is at every sixteenth turn.
All of it is a function of the turns told: the same history gives the same bytes, and between cuts
tiers 1 and 2 change only by what is appended.

So that this holds, nothing else may move from turn to turn: what is at hand of a long past changes
only at turns that are multiples of sixteen (`play.chronicle`), and cuts are followed from such a
turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import ceil

from storykeeper.context.boundary import Boundary
from storykeeper.context.foreign import safe
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.lived import lived
from storykeeper.context.naming import told_to
from storykeeper.context.pieces import Piece, Speakers, of_event, of_turn
from storykeeper.context.words import quoted
from storykeeper.events.atoms import Atom, SpeechUttered
from storykeeper.scoring.composite import Terms, recency
from storykeeper.units import TurnNo

STEADY_TURNS = 16  # where the past begins, and cuts are followed from, moves by so many
BASE_UNITS = 3  # m
GROWTH_TURNS = 3  # a cut leaves room for so many turns like those in the tail
GROWTH_MARGIN = 1.1  # turns are not all of one length
MOST_GROWTH = 0.7  # of what the tail leaves
RECENT = "recent"


@dataclass(frozen=True, slots=True)
class Unit:
    """A turn told, or an event perceived."""

    turn: TurnNo
    candidate: Candidate
    atoms: tuple[Atom, ...] = ()
    pieces: tuple[Piece, ...] = ()


# ── the units of an audience ─────────────────────────────────────────────────────────────────


def _late(turn: int) -> int:
    """The last turn up to this one from which cuts may be followed."""
    return turn - turn % STEADY_TURNS


def units(boundary: Boundary) -> Iterator[list[Unit]]:
    """What could be shown of the past, turn by turn, the last turn first."""
    return _told(boundary) if boundary.narrator else _perceived(boundary)


def _told(boundary: Boundary) -> Iterator[list[Unit]]:
    names = Speakers(boundary)
    for turn in reversed(boundary.recent):
        said_something = turn.text.strip() or turn.prose.strip()
        whole = [_whole(boundary, turn, names)] if said_something else []
        yield whole if boundary.shared(turn) else [*whole, *_in_part(boundary, turn)]


def _in_part(boundary: Boundary, turn: PastTurn) -> list[Unit]:
    """Of another player's turn, which is not told whole: what this one perceived of it.

    Such as what they were told over the telephone, or what was said aloud beside a whisper.
    """
    mine = [a for a in lived(turn) if boundary.witnessed(a) and told_to(boundary, a)]
    return [_event(boundary, turn, atom) for atom in mine]


def _perceived(boundary: Boundary) -> Iterator[list[Unit]]:
    """A character's: what it perceived. Of the very last turns it is offered everything, so that
    the author's receipt says what it missed.
    """
    for back, turn in enumerate(reversed(boundary.recent)):
        mine = _seen_once(boundary, turn)
        once = {atom.id for atom in mine}
        rest = [a for a in lived(turn) if a.id in once or not boundary.witnessed(a)]
        offered = rest if back < BASE_UNITS else mine
        yield [_event(boundary, turn, atom) for atom in offered if told_to(boundary, atom)]


def _seen_once(boundary: Boundary, turn: PastTurn) -> list[Atom]:
    """What a character perceived in a turn; a deed that was typed and told again is one."""
    found: dict[str, Atom] = {}
    for atom in lived(turn):
        if boundary.witnessed(atom):
            text = told_to(boundary, atom)
            words = isinstance(atom.what, SpeechUttered)  # what is said twice was said twice
            if text:
                found.setdefault(atom.id if words else text, atom)
    return list(found.values())


def _whole(boundary: Boundary, turn: PastTurn, names: Speakers) -> Unit:
    name = f"turn:{turn.turn}"
    candidate = Candidate(
        id=name, origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY, sources=(name,),
        full=_written(turn.text, turn.prose), terms=_aged(boundary, turn.turn),
    )  # fmt: skip
    return Unit(turn.turn, candidate, turn.atoms, of_turn(boundary, turn, names))


@lru_cache(maxsize=1_024)
def _written(text: str, prose: str) -> str:
    """A turn word for word."""
    return "\n\n".join(part for part in (quoted(safe(text)), safe(prose)) if part.strip())


def _event(boundary: Boundary, turn: PastTurn, atom: Atom) -> Unit:
    text = told_to(boundary, atom)
    candidate = Candidate(
        id=f"atom:{atom.id}", origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY,
        sources=(f"atom:{atom.id}",), full=f"- {text}", terms=_aged(boundary, turn.turn),
    )  # fmt: skip
    return Unit(turn.turn, candidate, (atom,), (of_event(turn, atom, text),))


def _aged(boundary: Boundary, turn: TurnNo) -> Terms:
    return Terms(recency=recency(max(0, boundary.present.turn - turn)))


# ── where the tail begins ────────────────────────────────────────────────────────────────────

Price = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the tail begins, and how much room the story so far before it was given."""

    start: int
    so_far: int
    end: int  # what was told by then: later turns change nothing of the story so far
    grows: int = field(default=0, compare=False)  # what was left free for the tail to grow into


@dataclass(frozen=True, slots=True)
class Sizes:
    """Tokens by which a tail is cut."""

    recent: int  # β·τ: what a cut leaves
    most: int  # what tail and story so far may take together


def chunked(
    past: Sequence[Unit], sizes: Sizes, *, price: Price, least: int, whole_from: int = 0
) -> Cut:
    """The cut in force after the last of these units; `least` units are always in the tail.

    Before the turn `whole_from` not every turn is at hand: the tail does not reach there.
    """
    if not past:
        return Cut(0, 0, 0)
    costs = [price(unit.candidate.full) for unit in past]
    first = _end(past, whole_from - 1)
    end = _end(past, max(_late(past[-1].turn), past[0].turn))
    cut = _cut(past, costs, (first, end), sizes, least=least)
    while end < len(past):
        end = _end(past, past[end].turn)
        if sum(costs[cut.start : end]) + cut.so_far > sizes.most:
            cut = _cut(past, costs, (first, end), sizes, least=least)
    return cut


def whole_from(turns: Sequence[PastTurn]) -> int:
    """The first turn from which on every turn is at hand."""
    for earlier, later in pairwise(reversed(turns)):
        if earlier.turn > later.turn + 1:
            return earlier.turn
    return 0


def _end(past: Sequence[Unit], turn: int) -> int:
    end = len(past)
    while end > 0 and past[end - 1].turn > turn:
        end -= 1
    return end


def _cut(
    past: Sequence[Unit], costs: Sequence[int], span: tuple[int, int], sizes: Sizes, *, least: int
) -> Cut:
    """All of it, if that leaves room to grow; else the longest suffix ≤ max(β·τ, T_base)."""
    end = span[1]
    first = min(span[0], max(0, end - least))
    start, spent = first, sum(costs[first:end])
    if spent + _growth(past, costs, first, end, sizes.most) > sizes.most:
        start = max(0, end - least)
        spent = sum(costs[start:end])
        room = max(sizes.recent, spent)
        while start > first and spent + costs[start - 1] <= room:
            start -= 1
            spent += costs[start]
    elif first == 0:
        return Cut(0, 0, end)
    left = max(0, sizes.most - spent)
    grows = min(_growth(past, costs, start, end, sizes.most), int(left * MOST_GROWTH))
    return Cut(start, left - grows, end, grows)


def _growth(past: Sequence[Unit], costs: Sequence[int], start: int, end: int, most: int) -> int:
    """What three turns more would take, like those in the tail; and at least a sixteenth."""
    turns = len({unit.turn for unit in past[start:end]})
    turn_tokens = sum(costs[start:end]) / max(1, turns)
    return max(ceil(GROWTH_TURNS * turn_tokens * GROWTH_MARGIN), most // 16)
