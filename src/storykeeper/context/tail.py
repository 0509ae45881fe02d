"""Tier 2: the recent turns, exact, and before them the journal of this scene at falling resolution.

The unit is the turn for the narrator, and for a character the event it perceived. Boundaries move
in chunks (F4.7): at a turn that is a multiple of four the tail is cut to the longest suffix of at
most max(β·τ, T_base) tokens; until the next such turn it only grows; if the tier would pass its
size, the cut comes early. All of it is a function of the turns told: the same history gives the
same bytes, and between cuts tiers 1 and 2 change only by what is appended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.words import quoted, told
from storykeeper.events.atoms import Atom, InformationTold, RelationShifted
from storykeeper.language.shortening import SKELETON_WORDS, first_sentence, first_words
from storykeeper.scoring.composite import Terms, recency
from storykeeper.units import TurnNo

CHUNK_TURNS = 4
BASE_UNITS = 3  # m
BRIEF_UNITS = 2 * CHUNK_TURNS  # so many before the tail are brief, the others a few words
HEAVY_SHIFT = 0.3
RECENT, JOURNAL = "recent", "journal"


@dataclass(frozen=True, slots=True)
class Unit:
    """A turn told, or an event perceived."""

    turn: TurnNo
    candidate: Candidate
    atoms: tuple[Atom, ...] = ()

    @property
    def heavy(self) -> bool:
        """Whether something weighty happened: a fact was told, or a standing moved a good deal."""
        return any(map(_heavy, self.atoms))


# ── the units of an audience ─────────────────────────────────────────────────────────────────


def reach(journal_tier: int) -> int:
    """How many units a tier of so many tokens could show at the very most, or nearly so."""
    return 24 + journal_tier // 24


def units(boundary: Boundary) -> Iterator[list[Unit]]:
    """What could be shown of the past, turn by turn, the last turn first.

    That is this scene's turns, and the last few whatever their scene.
    """
    return _told(boundary) if boundary.narrator else _perceived(boundary)


def _told(boundary: Boundary) -> Iterator[list[Unit]]:
    for turn in reversed(_of_this_scene(boundary)):
        said_something = turn.text.strip() or turn.prose.strip()
        yield [_whole(boundary, turn)] if said_something else []


def _perceived(boundary: Boundary) -> Iterator[list[Unit]]:
    """A character's: which scene it is in, and which turns are its last, is what it perceived.

    Where the story has gone without it may be hidden, and must not shape what it remembers. Of the
    very last turns it is offered everything, so that the author's receipt says what it missed.
    """
    scene, seen = None, 0
    for back, turn in enumerate(reversed(boundary.recent)):
        mine = [a for a in turn.atoms if boundary.witnessed(a) and told(boundary.plan, a)]
        if mine:
            scene = turn.scene if scene is None else scene
            if turn.scene != scene and seen >= BASE_UNITS:
                return
            seen += 1
        offered = turn.atoms if back < BASE_UNITS else mine
        yield [_event(boundary, turn, atom) for atom in offered if told(boundary.plan, atom)]


def _of_this_scene(boundary: Boundary) -> Sequence[PastTurn]:
    recent, scene = boundary.recent, boundary.world.scene
    start = len(recent)
    while start > 0 and recent[start - 1].scene == scene:
        start -= 1
    return recent[min(start, max(0, len(recent) - BASE_UNITS)) :]


def _whole(boundary: Boundary, turn: PastTurn) -> Unit:
    full, brief, skeleton = _lengths(turn.text, turn.prose)
    name = f"turn:{turn.turn}"
    candidate = Candidate(
        id=name, origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY, sources=(name,),
        full=full, brief=brief, hint=skeleton, terms=_aged(boundary, turn.turn),
    )  # fmt: skip
    return Unit(turn.turn, candidate, turn.atoms)


@lru_cache(maxsize=1_024)
def _lengths(text: str, prose: str) -> tuple[str, str, str]:
    """A turn word for word; its first sentence with what the player said; a few words of it."""
    full = "\n\n".join(part for part in (quoted(text), prose) if part.strip())
    said = f"“{first_words(text, SKELETON_WORDS * 2)}”" if text.strip() else ""
    brief = " ".join(part for part in (said, first_sentence(prose)) if part)
    return full, brief, first_words(text if text.strip() else prose, SKELETON_WORDS)


def _event(boundary: Boundary, turn: PastTurn, atom: Atom) -> Unit:
    text = told(boundary.plan, atom)
    candidate = Candidate(
        id=f"atom:{atom.id}", origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY,
        sources=(f"atom:{atom.id}",), full=f"- {text}", brief=first_sentence(text),
        hint=first_words(text, SKELETON_WORDS), terms=_aged(boundary, turn.turn),
    )  # fmt: skip
    return Unit(turn.turn, candidate, (atom,))


def _aged(boundary: Boundary, turn: TurnNo) -> Terms:
    return Terms(recency=recency(max(0, boundary.present.turn - turn)))


def _heavy(atom: Atom) -> bool:
    match atom.what:
        case InformationTold(fact=fact):
            return fact is not None
        case RelationShifted(by=by):
            return abs(by) >= HEAVY_SHIFT
        case _:
            return False


# ── where the tail begins ────────────────────────────────────────────────────────────────────

Price = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the tail begins, and how much room the journal before it was given."""

    start: int
    journal_room: int


def chunked(past: Sequence[Unit], *, price: Price, recent: int, tier: int, least: int) -> Cut:
    """The cut in force after the last of these units; `least` units are always in the tail."""
    if not past:
        return Cut(0, 0)
    last = past[-1].turn
    at = last - last % CHUNK_TURNS
    end = _end(past, at)
    cut = _cut(past, end, price=price, recent=recent, tier=tier, least=least)
    while end < len(past):
        at += 1
        end = _end(past, at)
        grown = _cost(past[cut.start : end], price) + journal_cost(past, cut, price)
        if grown > tier:
            cut = _cut(past, end, price=price, recent=recent, tier=tier, least=least)
    return cut


def _end(past: Sequence[Unit], turn: int) -> int:
    end = len(past)
    while end > 0 and past[end - 1].turn > turn:
        end -= 1
    return end


def _cut(
    past: Sequence[Unit], end: int, *, price: Price, recent: int, tier: int, least: int
) -> Cut:
    """The longest suffix ≤ max(β·τ, T_base). Half of the rest is the journal's, half growth's."""
    start = max(0, end - least)
    spent = _cost(past[start:end], price)
    room = max(recent, spent)
    while start > 0 and spent + price(past[start - 1].candidate.full) <= room:
        start -= 1
        spent += price(past[start].candidate.full)
    return Cut(start, max(0, tier - spent) // 2)


def _cost(past: Sequence[Unit], price: Price) -> int:
    return sum(price(unit.candidate.full) for unit in past)


# ── the journal ──────────────────────────────────────────────────────────────────────────────


def journal(
    past: Sequence[Unit], *, start: int, room: int, price: Price
) -> tuple[list[Candidate], Candidate | None]:
    """Lines for the units before the tail, the newest served first; and the rest as one."""
    lines = _lines(past[:start])
    kept: list[_Line] = []
    while lines and (spent := price(lines[-1].text)) <= room:
        room -= spent
        kept.append(lines.pop())
    return [line.candidate() for line in reversed(kept)], _together(lines)


def journal_cost(past: Sequence[Unit], cut: Cut, price: Price) -> int:
    """Tokens of the journal before a cut."""
    kept, _ = journal(past, start=cut.start, room=cut.journal_room, price=price)
    return sum(price(line.full) for line in kept)


@dataclass(slots=True)
class _Line:
    """A line of the journal in the making."""

    words: str
    units: list[Unit]

    @property
    def text(self) -> str:
        again = f" ({len(self.units)} times)" if len(self.units) > 1 else ""
        return f"- {self.words}{again}"

    def candidate(self) -> Candidate:
        ids = [unit.candidate.id.partition(":")[2] for unit in self.units]
        name = ids[0] if len(ids) == 1 else f"{ids[0]}-{ids[-1]}"
        return Candidate(
            id=f"journal:{name}", origin=JOURNAL, tier=Tier.JOURNAL, klass=Class.ENRICHMENT,
            sources=tuple(s for unit in self.units for s in unit.candidate.sources),
            full=self.text, terms=self.units[-1].candidate.terms,
        )  # fmt: skip


def _lines(older: Sequence[Unit]) -> list[_Line]:
    """Brief, then a few words; heavy ones resist by one level; repeats become one line."""
    lines: list[_Line] = []
    for i, unit in enumerate(older):
        near = len(older) - i <= BRIEF_UNITS or unit.heavy
        words = unit.candidate.brief if near else unit.candidate.hint
        if lines and lines[-1].words == words:
            lines[-1].units.append(unit)
        elif words.strip():
            lines.append(_Line(words, [unit]))
    return lines


def _together(lines: Sequence[_Line]) -> Candidate | None:
    """What did not get in, as one entry of the receipt; its size is that of the newest line."""
    if not lines:
        return None
    every = _Line(lines[-1].words, [unit for line in lines for unit in line.units])
    return every.candidate()
