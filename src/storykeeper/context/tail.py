"""Tier 2: the recent turns, exact, and before them the journal of this scene at falling resolution.

The unit is the turn for the narrator, or of another player's turn the event that the one whose
turn it is perceived; for a character it is the event it perceived. Boundaries move in chunks
(F4.7): at a turn that is a multiple of eight the tail is cut to the longest suffix of at most
max(β·τ, T_base) tokens; until the next cut it only grows, also into what the window leaves free
(F4.7a); if it would pass that, the cut comes early, and one that would be due within four turns of
it is left out. All of it is a function of the turns told: the same history gives the same bytes,
and between cuts tiers 1 and 2 change only by what is appended.

So that this holds, nothing else may move from turn to turn. The last turns of the scene before
stand in the tail until its first cut; in a long scene the past begins at a turn that is a multiple
of sixteen; and cuts are followed from such a turn, or from where the scene began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from storykeeper.context.boundary import REACH_TURNS, Boundary
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.naming import told_to
from storykeeper.context.words import quoted
from storykeeper.events.atoms import Atom, InformationTold, RelationShifted, Source, SpeechUttered
from storykeeper.language.shortening import SKELETON_WORDS, first_sentence, first_words
from storykeeper.scoring.composite import Terms, recency
from storykeeper.units import TurnNo

CHUNK_TURNS = 8
STEADY_TURNS = 2 * CHUNK_TURNS  # where the past begins, and cuts are counted from, moves by so many
BASE_UNITS = 3  # m
BRIEF_UNITS = 8  # so many before the tail are brief, the others a few words
HEAVY_SHIFT = 0.3
GROWTH_MARGIN = 1.1  # turns are not all of one length
LEAST_JOURNAL, LEAST_GROWTH = 3, 4  # parts of what the tail leaves
RECENT, JOURNAL = "recent", "journal"


@dataclass(frozen=True, slots=True)
class Unit:
    """A turn told, or an event perceived."""

    turn: TurnNo
    candidate: Candidate
    atoms: tuple[Atom, ...] = ()
    earlier: bool = False  # of a scene before this one

    @property
    def heavy(self) -> bool:
        """Whether something weighty happened: a fact was told, or a standing moved a good deal."""
        return any(map(_heavy, self.atoms))


# ── the units of an audience ─────────────────────────────────────────────────────────────────


def reach(journal_tier: int) -> int:
    """How many units a tier of so many tokens could show at the very most, or nearly so."""
    return 24 + journal_tier // 24


def is_enough(past: Sequence[Unit], *, most: int) -> bool:
    """Whether the past may begin here; the newest unit comes first.

    What was added since cuts are followed does not count, so that it begins there until they are
    followed from a later turn.
    """
    if not past or past[-1].turn % STEADY_TURNS:
        return False
    late = _late(past[0].turn)
    return sum(unit.turn <= late for unit in past) >= most


def _late(turn: int) -> int:
    """The last turn up to this one from which cuts may be followed."""
    return turn - turn % STEADY_TURNS


def units(boundary: Boundary) -> Iterator[list[Unit]]:
    """What could be shown of the past, turn by turn, the last turn first.

    That is this scene's turns, and the last few before it.
    """
    return _told(boundary) if boundary.narrator else _perceived(boundary)


def _in_reach(boundary: Boundary) -> Sequence[PastTurn]:
    """The turns that a window can look at; if there are more, from one that stays the first."""
    recent = boundary.recent
    if len(recent) < REACH_TURNS:
        return recent
    first = _late(recent[-1].turn) - _late(REACH_TURNS - STEADY_TURNS)
    return [turn for turn in recent if turn.turn >= first]


def _told(boundary: Boundary) -> Iterator[list[Unit]]:
    before = 0
    for turn in reversed(_in_reach(boundary)):
        earlier = before > 0 or turn.scene != boundary.world.scene
        if earlier and before == BASE_UNITS:
            return
        before += earlier
        said_something = turn.text.strip() or turn.prose.strip()
        whole = [_whole(boundary, turn, earlier=earlier)] if said_something else []
        shared = boundary.shared(turn)
        yield whole if shared else [*whole, *_in_part(boundary, turn, earlier=earlier)]


def _in_part(boundary: Boundary, turn: PastTurn, *, earlier: bool) -> list[Unit]:
    """Of another player's turn, which is not told whole: what this one perceived of it.

    Such as what they were told over the telephone, or what was said aloud beside a whisper.
    """
    mine = [a for a in turn.atoms if boundary.witnessed(a) and told_to(boundary, a)]
    return [_event(boundary, turn, atom, earlier=earlier) for atom in mine]


def _perceived(boundary: Boundary) -> Iterator[list[Unit]]:
    """A character's: which scene it is in, and which turns are its last, is what it perceived.

    Where the story has gone without it may be hidden, and must not shape what it remembers. Of the
    very last turns it is offered everything, so that the author's receipt says what it missed.
    """
    scene, before = None, 0
    for back, turn in enumerate(reversed(_in_reach(boundary))):
        mine = _seen_once(boundary, turn)
        if mine:
            scene = turn.scene if scene is None else scene
            before += before > 0 or turn.scene != scene
            if before > BASE_UNITS:
                return
        once = {atom.id for atom in mine}
        rest = [a for a in turn.atoms if a.id in once or not boundary.witnessed(a)]
        offered = rest if back < BASE_UNITS else mine
        yield [
            _event(boundary, turn, atom, earlier=before > 0)
            for atom in offered
            if told_to(boundary, atom)
        ]


def _seen_once(boundary: Boundary, turn: PastTurn) -> list[Atom]:
    """What a character perceived in a turn; a deed that was typed and told again is one."""
    found: dict[str, Atom] = {}
    for atom in turn.atoms:
        if boundary.witnessed(atom):
            text = told_to(boundary, atom)
            words = isinstance(atom.what, SpeechUttered)  # what is said twice was said twice
            if text:
                found.setdefault(atom.id if words else text, atom)
    return list(found.values())


def _whole(boundary: Boundary, turn: PastTurn, *, earlier: bool) -> Unit:
    full, brief, skeleton = _lengths(turn.text, turn.prose)
    name = f"turn:{turn.turn}"
    candidate = Candidate(
        id=name, origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY, sources=(name,),
        full=full, brief=brief, hint=skeleton, terms=_aged(boundary, turn.turn),
    )  # fmt: skip
    return Unit(turn.turn, candidate, turn.atoms, earlier)


@lru_cache(maxsize=1_024)
def _lengths(text: str, prose: str) -> tuple[str, str, str]:
    """A turn word for word; its first sentence with what the player said; a few words of it."""
    full = "\n\n".join(part for part in (quoted(text), prose) if part.strip())
    said = f"“{first_words(text, SKELETON_WORDS * 2)}”" if text.strip() else ""
    brief = " ".join(part for part in (said, first_sentence(prose)) if part)
    return full, brief, first_words(text if text.strip() else prose, SKELETON_WORDS)


def _event(boundary: Boundary, turn: PastTurn, atom: Atom, *, earlier: bool) -> Unit:
    text = told_to(boundary, atom)
    candidate = Candidate(
        id=f"atom:{atom.id}", origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY,
        sources=(f"atom:{atom.id}",), full=f"- {text}", brief=first_sentence(text),
        hint=first_words(text, SKELETON_WORDS), terms=_aged(boundary, turn.turn),
    )  # fmt: skip
    return Unit(turn.turn, candidate, (atom,), earlier)


def _aged(boundary: Boundary, turn: TurnNo) -> Terms:
    return Terms(recency=recency(max(0, boundary.present.turn - turn)))


def _heavy(atom: Atom) -> bool:
    match atom.what:
        case InformationTold(claim="") if atom.source is Source.RULE:
            return False  # what words come to: that they told a fact is not for everybody
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


@dataclass(frozen=True, slots=True)
class Sizes:
    """Tokens by which a tail is cut."""

    recent: int  # β·τ: what a cut leaves
    tier: int  # tier 2: what a cut leaves with the journal before it
    most: int  # what both may grow to until the next


def chunked(past: Sequence[Unit], sizes: Sizes, *, price: Price, least: int) -> Cut:
    """The cut in force after the last of these units; `least` units are always in the tail."""
    if not past:
        return Cut(0, 0)
    at = _steady(past)
    end = _end(past, at)
    cut = _cut(past, end, sizes, price=price, least=least)
    before = None  # tokens of the journal before the cut; counted when it is asked for
    while end < len(past):
        turn = past[end].turn
        end = _end(past, turn)
        tail = _cost(past[cut.start : end], price)
        due = turn % CHUNK_TURNS == 0 and turn - at > CHUNK_TURNS // 2
        if not due and tail + cut.journal_room > sizes.most:
            before = journal_cost(past, cut, price) if before is None else before
        if due or tail + (before or 0) > sizes.most:
            at, before = turn, None
            cut = _cut(past, end, sizes, price=price, least=least)
    return cut


def _steady(past: Sequence[Unit]) -> int:
    """The turn that cuts are followed from: one that stays the same while turns are added.

    That is the last turn of the scene before, until sixteen turns on there is a later one.
    """
    before = max((unit.turn for unit in past if unit.earlier), default=-1)
    late = _late(past[-1].turn)
    return late if late - before >= STEADY_TURNS else before


def _end(past: Sequence[Unit], turn: int) -> int:
    end = len(past)
    while end > 0 and past[end - 1].turn > turn:
        end -= 1
    return end


def _cut(past: Sequence[Unit], end: int, sizes: Sizes, *, price: Price, least: int) -> Cut:
    """The longest suffix ≤ max(β·τ, T_base) of this scene, and its room to grow kept free."""
    start = max(0, end - least)
    spent = _cost(past[start:end], price)
    room = max(sizes.recent, spent)
    while (
        start > 0
        and not past[start - 1].earlier
        and spent + price(past[start - 1].candidate.full) <= room
    ):
        start -= 1
        spent += price(past[start].candidate.full)
    turns = len({unit.turn for unit in past[start:end]})
    left = max(0, sizes.tier - spent)
    return Cut(start, _journal_room(left, sizes.most - sizes.tier, spent / max(1, turns)))


def _journal_room(left: int, spare: int, turn_tokens: float) -> int:
    """What the tail may not grow into: all but three turns like those in it, or what they lack.

    An eighth is the journal's however long turns are, and a quarter is not, however short.
    """
    growth = max(ceil((CHUNK_TURNS - 1) * turn_tokens * GROWTH_MARGIN), left // LEAST_GROWTH)
    return max(left // LEAST_JOURNAL, left - max(0, growth - spare))


def _cost(past: Sequence[Unit], price: Price) -> int:
    return sum(price(unit.candidate.full) for unit in past)


# ── the journal ──────────────────────────────────────────────────────────────────────────────


def journal(
    past: Sequence[Unit], *, start: int, room: int, price: Price
) -> tuple[list[Candidate], Candidate | None]:
    """Lines for the units before the tail, the newest served first; and the rest as one."""
    lines = _lines([unit for unit in past[:start] if not unit.earlier])
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
