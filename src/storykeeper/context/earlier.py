"""What comes back from earlier: the turns that memory found, and more of the past while there is
room for it, piece by piece; all of a turn in one line, the lines in order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise

from storykeeper.context.items import Candidate, Class, Shown, Tier
from storykeeper.context.materials import Materials
from storykeeper.context.passages import CRUMB, FEW, widened
from storykeeper.context.pieces import Piece
from storykeeper.context.so_far import ordered, worths
from storykeeper.context.sources.echo import ECHO
from storykeeper.context.sources.recalled import EARLIER, LIKELY, RECALLED, recall_line
from storykeeper.context.tail import RECENT
from storykeeper.context.vocabulary import has_most_of
from storykeeper.scoring.composite import Terms
from storykeeper.scoring.pack import Taken

LEAST_PIECE = 4  # tokens; no piece fits into fewer
MOST_MISSES = 40  # pieces in a row for the last of the room: nearly all is used

Price = Callable[[str], int]


@dataclass(frozen=True)
class Above:
    """What of the past stands in tier 2."""

    pieces: Sequence[Piece]
    tail: frozenset[str]  # turns and events, word for word
    quoted: frozenset[str] = frozenset()  # pieces in other items
    whole: Sequence[Piece] = ()  # the pieces of what stands word for word

    def tells(self, source: str) -> bool:
        """Whether a piece stands there, or the turn of a moment."""
        whole = f"turn:{_turn_of(source)}"
        return source in self._sources or source in self.tail or whole in self.tail

    @cached_property
    def _sources(self) -> frozenset[str]:
        return self.quoted | {piece.source for piece in self.pieces}

    def says(self, text: str) -> bool:
        """Whether some turn, as far as it stands there, has most of a text's words, by rarity."""
        return any(has_most_of(told, text) for told in self._by_turn)

    @cached_property
    def _by_turn(self) -> list[set[str]]:
        """The words of each turn, as far as it stands there."""
        found: dict[int, set[str]] = {}
        for piece in (*self.pieces, *self.whole):
            found.setdefault(piece.turn, set()).update(piece.terms)
        return list(found.values())

    @cached_property
    def turns(self) -> frozenset[int]:
        """The turns of which something stands in the story so far."""
        return frozenset(piece.turn for piece in self.pieces)


class Order:
    """All that can be quoted in the order of what it adds, each with what it leans on: found once
    for windows of all sizes.
    """

    def __init__(self, materials: Materials, price: Price) -> None:
        self._materials = materials
        self._price = price
        self._walked: list[tuple[Piece, ...]] = []

    def __iter__(self) -> Iterator[tuple[Piece, ...]]:
        """From the first on; what was walked before is not found again."""
        at = 0
        while at < len(self._walked) or self._more():
            yield self._walked[at]
            at += 1

    def _more(self) -> bool:
        found = next(self._ordered, None)
        if found is not None:
            self._walked.append(tuple(self._materials.pieces[i] for i in found))
        return found is not None

    @cached_property
    def _ordered(self) -> Iterator[list[int]]:
        offered = (self._materials.found, self._materials.told)
        likely = {turn: 1 + LIKELY * by for turn, by in (self._materials.likely or {}).items()}
        known = worths(*offered, favoured=self._materials.favoured)
        return ordered(known, *offered, price=self._price, likely=likely)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a window of half the size shows: in some form it stands in this one too (F4.7b)."""

    items: frozenset[str] = frozenset()  # of tier 3, by id
    past: frozenset[str] = frozenset()  # turns, pieces and events that were told
    sources: frozenset[str] = frozenset()  # of all of it
    tokens: int = 0  # of tier 3 and the story so far, with their headings

    @classmethod
    def of(cls, shown: Sequence[Shown], headings: int) -> Kept:
        """All that is shown, under so many tokens of headings."""
        told = [each.candidate for each in shown if _is_told(each.candidate)]
        items = (each.candidate.id for each in shown if each.candidate.tier is Tier.RETRIEVED)
        older = (each for each in shown if each.candidate.origin != RECENT)
        behind = (
            each.tokens for each in older if each.candidate.tier in (Tier.JOURNAL, Tier.RETRIEVED)
        )
        return cls(
            frozenset(items), frozenset(s for each in told for s in each.sources), _sources(shown),
            sum(behind) + headings,
        )  # fmt: skip

    def is_lost(self, shown: Sequence[Shown], told: Collection[str] = ()) -> bool:
        """Whether something of it does not stand there in any form: a turn by one of its pieces, a
        piece by its turn, and a fact by a turn that tells it (its source is `told`).
        """
        there = _sources(shown).union(told)
        turns = {_turn_of(s) for s in there if s.startswith(("turn:", "piece:"))}
        for source in self.sources - there:
            kind = source.partition(":")[0]
            in_part = kind in ("turn", "moment") and _turn_of(source) in turns
            if not in_part and not (kind == "piece" and f"turn:{_turn_of(source)}" in there):
                return True
        return False

    def untold(self, materials: Materials, above: Above) -> list[Piece]:
        """The pieces of it that do not stand above; of a turn that stood whole, one."""
        found = [p for p in materials.pieces if p.source in self.past and not above.tells(p.source)]
        told = above.turns | {piece.turn for piece in found}
        for unit in materials.past:
            name = unit.candidate.id
            if name in self.past and name not in above.tail and unit.turn not in told:
                found += sorted(unit.pieces, key=lambda piece: -piece.tells)[:1]
        return found


def _sources(shown: Sequence[Shown]) -> frozenset[str]:
    return frozenset(source for each in shown for source in each.candidate.sources)


def _turn_of(source: str) -> str:
    """The turn of a turn, a moment or a piece."""
    return source.partition(":")[2].partition("/")[0]


def _is_told(candidate: Candidate) -> bool:
    return candidate.tier is Tier.JOURNAL or candidate.origin in (RECALLED, EARLIER, ECHO)


class Earlier:
    """What of the past comes back in one window."""

    def __init__(
        self, materials: Materials, price: Price, above: Above, order: Iterable[Sequence[Piece]], *,
        spare: int, firm: Sequence[Piece] = (),
    ) -> None:  # fmt: skip
        self.materials = materials
        self.price = price
        self.above = above
        self.order = order
        self.spare = spare  # so much may stay free, if only crumbs would fit
        self.firm = firm  # pieces that come before all others

    def lines(self, taken: Sequence[Taken[Candidate]], room: int) -> list[Candidate]:
        """What memory found and was taken, and more pieces of the past until there is no room.

        All in the order in which it was told; what memory found of a turn before the rest of it.
        """
        known = self.materials.by_source
        made = []
        for each in taken:
            pieces = [known[s] for s in each.item.sources]
            made.append(replace(each.item, full=recall_line(pieces)))
        begun = {
            _line_of(s): [known[s] for s in each.sources] for each in made for s in each.sources
        }
        lines: dict[str, list[Piece]] = {}
        for piece in self._more(begun, room):
            lines.setdefault(_line_of(piece.source), []).append(piece)
        for i, found in enumerate(made):  # what memory found of a turn, and more of it, in one line
            more = lines.pop(_line_of(found.sources[0]), [])
            made[i] = _with(found, [*(known[s] for s in found.sources), *more])
        made += [_line(name, pieces) for name, pieces in lines.items()]
        made.sort(key=lambda each: _place_of([known[s] for s in each.sources], each))
        return made

    def _more(self, begun: Mapping[str, Sequence[Piece]], room: int) -> Iterator[Piece]:
        """The passages that say most of what matters now and stand nowhere else, while they fit.

        Their order does not depend on what is shown: so in a larger window they come as well. They
        join the lines that are begun. What fits only as a crumb comes where nothing else would
        fill the room: first what stands beside something that is quoted.
        """
        if room < LEAST_PIECE:
            return
        lines = {name: list(pieces) for name, pieces in begun.items()}
        shown = {piece.source for found in begun.values() for piece in found}
        firm = [(p,) for p in self.firm if p.source not in shown | self.above.quoted]
        shown.update(piece.source for found in firm for piece in found)
        wanted = chain(
            ((each, True) for each in firm),
            ((self._whole(each, shown, lines), False) for each in self._untold(shown)),
            ((each, False) for each in self._beside(shown)),
            ((each, False) for each in self._rest(shown)),
        )
        misses = 0
        for passage, is_firm in wanted:
            if not passage or (room < self.spare and not is_firm and _is_crumb(passage)):
                continue
            line = lines.get(_line_of(passage[0].source), [])
            cost = self.price(recall_line([*line, *passage])) - self.price(recall_line(line))
            if cost <= room:
                room -= cost
                lines[_line_of(passage[0].source)] = [*line, *passage]
                shown.update(piece.source for piece in passage)
                yield from passage
            else:
                misses += room < self.spare
                if room < LEAST_PIECE or misses > MOST_MISSES:
                    return

    def _whole(
        self, found: Sequence[Piece], shown: Collection[str], lines: Mapping[str, Sequence[Piece]]
    ) -> list[Piece]:
        """Pieces with so much beside them that they can be understood where they stand."""
        pieces = self._turns[_line_of(found[0].source)]
        where = {piece.source: place for place, piece in enumerate(pieces)}
        places = [where[piece.source] for piece in found if piece.source in where]
        if not places:
            return list(found)
        begun = lines.get(_line_of(found[0].source))
        all_of = widened(pieces, places, CRUMB if begun else FEW)
        return [pieces[i] for i in all_of if not self._stands(pieces[i], shown)]

    @cached_property
    def _turns(self) -> dict[str, list[Piece]]:
        """The pieces of each turn, in order."""
        found: dict[str, list[Piece]] = {}
        for piece in self.materials.pieces:
            found.setdefault(_line_of(piece.source), []).append(piece)
        return found

    def _stands(self, piece: Piece, shown: Collection[str]) -> bool:
        return piece.source in shown or self.above.tells(piece.source)

    def _untold(self, shown: Collection[str]) -> Iterator[Sequence[Piece]]:
        """What stands nowhere yet, in the order of what it adds; nothing of turns that stand in the
        story so far, so that what is told of a turn is in one place.
        """
        for found in self.order:
            fresh = [piece for piece in found if not self._stands(piece, shown)]
            if fresh and fresh[0].turn not in self.above.turns:
                yield fresh

    def _beside(self, shown: Collection[str]) -> Iterator[Sequence[Piece]]:
        """What stands right behind or before something that is quoted here, as long as there is."""
        for pieces in self._turns.values():
            for run in (pieces, pieces[::-1]):
                for before, piece in pairwise(run):
                    if before.source in shown and not piece.typed:
                        yield () if self._stands(piece, shown) else (piece,)

    def _rest(self, shown: Collection[str]) -> Iterator[Sequence[Piece]]:
        """All else, in the order of what it adds."""
        for found in self.order:
            yield [piece for piece in found if not self._stands(piece, shown)]


def _is_crumb(passage: Sequence[Piece]) -> bool:
    return len({term for piece in passage for term in piece.terms}) < CRUMB


def line_tokens(pieces: Sequence[Piece], price: Price) -> int:
    """What pieces cost as lines."""
    lines: dict[str, list[Piece]] = {}
    for piece in pieces:
        lines.setdefault(_line_of(piece.source), []).append(piece)
    return sum(price(recall_line(line)) for line in lines.values())


def _with(candidate: Candidate, pieces: Sequence[Piece]) -> Candidate:
    """Something that memory found, with more of its turn."""
    ordered = sorted(pieces, key=lambda piece: piece.place)
    sources = tuple(piece.source for piece in ordered)
    return replace(candidate, full=recall_line(ordered), sources=sources)


def _line(name: str, pieces: Sequence[Piece]) -> Candidate:
    return Candidate(
        id=name, origin=EARLIER, tier=Tier.RETRIEVED, klass=Class.REST,
        sources=tuple(piece.source for piece in pieces), full=recall_line(pieces),
        terms=Terms(boundary=1.0),
    )  # fmt: skip


def _place_of(pieces: Sequence[Piece], item: Candidate) -> tuple[object, ...]:
    """Where a line stands: by turn, what memory found first, then in the order of the telling."""
    first = min(pieces, key=lambda piece: (piece.turn, piece.place))
    return first.turn, item.klass, first.place, item.id


def _line_of(source: str) -> str:
    """The item that a piece stands in: all of a turn in one line."""
    return f"{EARLIER}:{_turn_of(source)}"
