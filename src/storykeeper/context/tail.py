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

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PastTurn
from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.words import SKELETON_WORDS, first_sentence, first_words, quoted, told
from storykeeper.events.atoms import Atom, InformationTold, RelationShifted
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
    heavy: bool = False


# ── the units of an audience ─────────────────────────────────────────────────────────────────


def reach(journal_tier: int) -> int:
    """How many units a tier of so many tokens could show at the very most, or nearly so."""
    return 48 + journal_tier // 24


def units(boundary: Boundary) -> Iterator[list[Unit]]:
    """What could be shown of the past, turn by turn, the last turn first.

    That is this scene's turns, and the last few whatever their scene.
    """
    for turn in reversed(_of_this_scene(boundary)):
        if boundary.narrator:
            told_something = turn.text.strip() or turn.prose.strip()
            yield [_whole(boundary, turn)] if told_something else []
        else:
            yield [_event(boundary, turn, atom) for atom in _seen(boundary, turn)]


def _of_this_scene(boundary: Boundary) -> Sequence[PastTurn]:
    recent, scene = boundary.recent, boundary.world.scene
    start = len(recent)
    while start > 0 and recent[start - 1].scene == scene:
        start -= 1
    return recent[min(start, max(0, len(recent) - BASE_UNITS)) :]


def _whole(boundary: Boundary, turn: PastTurn) -> Unit:
    said = quoted(turn.text)
    words = turn.text if turn.text.strip() else turn.prose
    candidate = Candidate(
        id=f"turn:{turn.turn}", origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY,
        sources=(f"turn:{turn.turn}",),
        full="\n\n".join(part for part in (said, turn.prose) if part.strip()),
        brief=_brief(turn), hint=first_words(words, SKELETON_WORDS),
        terms=_aged(boundary, turn.turn),
    )  # fmt: skip
    return Unit(turn.turn, candidate, any(map(_heavy, turn.atoms)))


def _brief(turn: PastTurn) -> str:
    said = f"“{first_words(turn.text, SKELETON_WORDS * 2)}”" if turn.text.strip() else ""
    return " ".join(part for part in (said, first_sentence(turn.prose)) if part)


def _seen(boundary: Boundary, turn: PastTurn) -> Iterator[Atom]:
    """Every event of a turn that can be put into words; the gate decides which were perceived."""
    return (atom for atom in turn.atoms if told(boundary.plan, atom))


def _event(boundary: Boundary, turn: PastTurn, atom: Atom) -> Unit:
    text = told(boundary.plan, atom)
    candidate = Candidate(
        id=f"atom:{atom.id}", origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY,
        sources=(f"atom:{atom.id}",), full=f"- {text}", brief=first_sentence(text),
        hint=first_words(text, SKELETON_WORDS), terms=_aged(boundary, turn.turn),
    )  # fmt: skip
    return Unit(turn.turn, candidate, _heavy(atom))


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
) -> tuple[list[Candidate], list[Candidate]]:
    """Lines for the units before the tail, newest first to be given room; shown and left out."""
    lines = _lines(past[:start])
    kept: list[Candidate] = []
    while lines:
        spent = price(lines[-1].full)
        if spent > room:
            break
        room -= spent
        kept.append(lines.pop())
    return kept[::-1], lines


def journal_cost(past: Sequence[Unit], cut: Cut, price: Price) -> int:
    """Tokens of the journal before a cut."""
    kept, _ = journal(past, start=cut.start, room=cut.journal_room, price=price)
    return sum(price(line.full) for line in kept)


def _lines(older: Sequence[Unit]) -> list[Candidate]:
    """Brief, then a few words; heavy ones resist by one level; repeats become one line."""
    merged: list[tuple[str, list[Unit]]] = []
    for i, unit in enumerate(older):
        near = len(older) - i <= BRIEF_UNITS or unit.heavy
        text = unit.candidate.brief if near else unit.candidate.hint
        if merged and merged[-1][0] == text:
            merged[-1][1].append(unit)
        elif text.strip():
            merged.append((text, [unit]))
    return [_line(text, group) for text, group in merged]


def _line(text: str, group: Sequence[Unit]) -> Candidate:
    ids = [unit.candidate.id.partition(":")[2] for unit in group]
    name = ids[0] if len(ids) == 1 else f"{ids[0]}-{ids[-1]}"
    again = f" ({len(ids)} times)" if len(ids) > 1 else ""
    terms = group[-1].candidate.terms
    return Candidate(
        id=f"journal:{name}", origin=JOURNAL, tier=Tier.JOURNAL, klass=Class.ENRICHMENT,
        sources=tuple(s for unit in group for s in unit.candidate.sources),
        full=f"- {text}{again}", terms=terms,
    )  # fmt: skip
