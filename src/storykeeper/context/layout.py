"""The order of claims: who gets how much of a window (F4.4).

    I1, T_base, Input, mandatory items, tier 3 up to its least, I2*, more recent turns, the story so
    far, tier 3 up to its share; and what is then left, to more of the past, piece by piece

Each takes what it needs, up to its share, from what those before it left. Where the tail begins and
what the story so far says is settled where the tail is cut (`tail`), so that an append moves
nothing; what is left over in a turn goes behind them, where everything is new each turn anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from storykeeper.context.earlier import LEAST_PIECE, Above, Earlier, Kept, Order, line_tokens
from storykeeper.context.history import Summed
from storykeeper.context.inputs import laid_out
from storykeeper.context.items import (
    CLASS_ORDER,
    FULL,
    Candidate,
    Class,
    Missed,
    Shown,
    Tier,
    is_said_once,
    ranked,
)
from storykeeper.context.materials import TOLD_ABOVE, Layout, Materials, Terms
from storykeeper.context.parts import Part
from storykeeper.context.pieces import PIECE, Piece
from storykeeper.context.so_far import Settling, settled, summed, told
from storykeeper.context.sources import BEAT, EARLIER, ECHO, RECALLED, REVELATION, STANDING
from storykeeper.context.sources.entity import ENTITY
from storykeeper.context.tail import BASE_UNITS, Cut, Sizes, Unit, chunked
from storykeeper.scoring.pack import NO_ROOM, Form, LeftOut, Offer, Packed, Taken, pack
from storykeeper.scoring.shares import past_room, shortfall
from storykeeper.story.tuning import Policy

Price = Callable[[str], int]
PAST_SHARE = "soft material is cut from the end"
FOR_THE_PAST, MOST_FOR_IT = 0.6, 360  # of tier 3, and tokens: what it quotes of the past, about
STANDS = frozenset({STANDING, ENTITY})  # what holds and who is here: at most half of tier 3


class Claims:
    """One pass through the order of claims."""

    def __init__(
        self, materials: Materials, terms: Terms, units: int, *, holds: bool = False
    ) -> None:
        """`holds`: what a smaller window shows is kept free of older turns, whatever it takes."""
        self.holds = holds
        self.materials = materials
        self.terms = terms
        self.price = terms.price
        self.units = min(units, len(materials.past))
        self.asked = units
        self.snippets = 0
        self.waiting: list[Candidate] = []  # for what is left in the end
        self.reasons: dict[str, LeftOut[Candidate]] = {}
        self.hard = [self._whole(c) for c in materials.hard]
        self.base = materials.past[len(materials.past) - self.units :]
        self.input, self.missed = laid_out(
            materials.acts, materials.input, materials.words,
            room=terms.shares.input, price=terms.price, here=materials.here, asks=materials.asks,
        )  # fmt: skip
        base = self._headed(terms.headings.recent, sum(self._cost(u) for u in self.base))
        self.room = terms.tokens - terms.slack - _sum(self.hard) - base - self._input_cost()
        self.short = shortfall(
            hard_tokens=_sum(self.hard),
            base_tokens=base,
            input_tokens=self._input_cost(),
            reserve=terms.shares.reserve,
            hints_tokens=self._hints(),
            window_tokens=terms.tokens - terms.slack,
        )

    def layout(self, order: Order, kept: Kept) -> Layout:
        """Everything that is not mandatory shares what is left, in the order of claims."""
        self.order, self.kept = order, kept
        heads = self._retrieved_heading()
        reserved = max(self._reserved(heads), min(self.room, kept.tokens) if self.holds else 0)
        soft = self._soft(self.room - reserved)
        room = self.room - reserved - _sum(soft)
        cut = self._cut(_sum(self.hard) + _sum(soft))
        start = self._start(cut, room)
        tail = [self._whole(unit.candidate) for unit in self.materials.past[start:]]
        room -= _sum(tail) - self._base_cost()
        pieces, summaries = self._so_far(cut, room)
        so_far = [
            self._whole(each) for each in told(pieces, summaries, as_list=self.materials.is_listed)
        ]
        room -= self._headed(self.terms.headings.so_far, _sum(so_far))
        left = room + reserved - heads
        whole = [piece for unit in self.materials.past[start:] for piece in unit.pieces]
        above = Above(pieces, _sources(tail), whole=whole)
        firm = kept.untold(self.materials, above)
        packed = self._pack(left, line_tokens(firm, self.price), above)
        retrieved = self._retrieved(packed, above, left - packed.spent, firm)
        first, then = _parted(retrieved)
        before = (*self.hard, *soft, *so_far, *tail)
        last = self._last((*before, *first, *then, *self.input))
        listed = ranked([*first, *last])
        more = self._more_soft((*before, *listed, *then, *self.input), len(soft))
        shown = (*before, *listed, *more, *then, *self.input)
        heading_tokens = sum(self.price(h) for h in self.terms.headings.used(shown))
        return Layout(shown, tuple(self.missed), self.asked, heading_tokens)

    # ── prices ───────────────────────────────────────────────────────────────────────────────

    def _cost(self, unit: Unit) -> int:
        return self.price(unit.candidate.full)

    def _whole(self, candidate: Candidate) -> Shown:
        return Shown(candidate, FULL, self.price(candidate.full))

    def _headed(self, heading: str, tokens: int) -> int:
        return tokens + self.price(heading) if tokens else 0

    def _base_cost(self) -> int:
        return sum(self._cost(u) for u in self.base)

    def _input_cost(self) -> int:
        return _sum(self.input) + sum(map(self.price, self.terms.headings.used(self.input)))

    # ── tiers 1 and 2 ────────────────────────────────────────────────────────────────────────

    def _soft(self, room: int) -> list[Shown]:
        """I2*: the longest prefix in authored order, in its share."""
        room = min(self.terms.shares.soft, room)
        shown: list[Shown] = []
        for candidate in self.materials.soft:
            each = self._whole(candidate)
            if each.tokens > room:
                break
            room -= each.tokens
            shown.append(each)
        return shown

    def _more_soft(self, shown: tuple[Shown, ...], at: int) -> list[Shown]:
        """The soft material goes on behind the tail, if in the end there is room for it; the rest
        is missed. It stops where tier 3 says the same.
        """
        retrieved = (each for each in shown if each.candidate.tier is Tier.RETRIEVED)
        said = {s for each in retrieved for s in each.candidate.sources if is_said_once(s)}
        after = self.materials.soft[at:]
        more = [replace(each, tier=Tier.RETRIEVED, klass=Class.REST) for each in after]
        room = self._free(shown)
        taken: list[Shown] = []
        while more and said.isdisjoint(more[0].sources):
            each = self._whole(more[0])
            if each.tokens > room:
                break
            room -= each.tokens
            taken.append(each)
            more.pop(0)
        for candidate in more[:1]:
            lacking = max(0, self.price(candidate.full) - room)
            self.missed.append(Missed(candidate, PAST_SHARE, lacking))
        self.missed += [Missed(candidate, PAST_SHARE) for candidate in more[1:]]
        return taken

    def _free(self, shown: tuple[Shown, ...]) -> int:
        """What is left beside all that is shown, and the headings that more would stand under."""
        used = sum(self.price(h) for h in self.terms.headings.used(shown)) + _sum(shown)
        heads = self.terms.headings
        if heads.retrieved not in heads.used(shown):
            used += self.price(heads.retrieved)
        return max(0, self.terms.tokens - self.terms.slack - used)

    def _cut(self, above: int) -> Cut:
        """The cut in force: of what was told, and of nothing that is new each turn."""
        heads = self.terms.headings
        fixed = (heads.recent, heads.so_far, heads.retrieved, heads.earlier, heads.input, heads.ask,
                 *(each.full for each in self.materials.asks))  # fmt: skip
        most = past_room(
            self.terms.shares, window_tokens=self.terms.tokens, above_tokens=above,
            headings=sum(map(self.price, fixed)),
        )  # fmt: skip
        sizes, whole_from = Sizes(self.terms.shares.recent, most), self.materials.whole_from
        told = self.materials.past
        return chunked(told, sizes, price=self.price, least=BASE_UNITS, whole_from=whole_from)

    def _start(self, cut: Cut, room: int) -> int:
        """Where the exact turns begin: at the cut, or later if this turn leaves less room."""
        past = self.materials.past
        last = len(past) - self.units
        start = last if Part.TAIL in self.terms.without else min(cut.start, last)
        more = sum(self._cost(u) for u in past[start:last])
        while start < last and more > room:
            more -= self._cost(past[start])
            start += 1
        return start

    def _so_far(self, cut: Cut, room: int) -> tuple[list[Piece], list[Summed]]:
        """What the story so far says: as it was settled at the cut; less, if there is less room."""
        past, ends = self.materials.past[: cut.end], self.materials.ends
        room = min(cut.so_far, room - self.price(self.terms.headings.so_far))
        if room < LEAST_PIECE or not cut.start or Part.SO_FAR in self.terms.without:
            return [], []
        span = (past[cut.start].turn, past[-1].turn) if cut.start < cut.end else (0, 0)
        short = summed(self.materials.summaries, cut=span, room=room, price=self.price)
        quoted = min(MOST_FOR_IT, int(self.terms.shares.retrieved * FOR_THE_PAST))
        asked = Settling(
            self.materials.told[: ends[cut.end]], ends[cut.start], tuple(short),
            self.materials.is_listed, room, cut.grows // 2 + quoted, self.price,
        )  # fmt: skip
        return list(settled(asked)), short

    # ── tier 3 ───────────────────────────────────────────────────────────────────────────────

    def _offers(self, candidates: Sequence[Candidate]) -> list[Offer[Candidate]]:
        return [
            Offer(
                item=c,
                forms=tuple(Form(name, self._asked(c, text)) for name, text in c.forms),
                score=c.terms.score,
                tie=(CLASS_ORDER.index(c.klass), i, c.id),
            )
            for i, c in enumerate(candidates)
        ]

    def _asked(self, candidate: Candidate, text: str) -> int:
        """The price of an item; a beat brings its own heading, so that it takes none of others."""
        heading = self.terms.headings.tell if candidate.origin == BEAT else ""
        return self.price(text) + self.price(heading)

    def _hints(self) -> int:
        offers = self._offers([c for c in self.materials.mandatory if c.origin == REVELATION])
        least = sum(offer.least for offer in offers if offer.forms)
        return self._headed(self.terms.headings.retrieved, least)

    def _retrieved_heading(self) -> int:
        """What the headings of tier 3 cost, if there is anything to stand under them."""
        heads, told = self.terms.headings, self.materials.past or self.materials.found
        listed_ = self.price(heads.retrieved) if self._is_listed else 0
        return listed_ + (self.price(heads.earlier) if told else 0)

    @property
    def _is_listed(self) -> bool:
        wanted = (*self.materials.mandatory, *self.materials.others)
        return any(c.origin not in (BEAT, RECALLED) for c in wanted)

    def _reserved(self, heads: int) -> int:
        """What tier 3 holds against the soft material and the older turns: its least, if wanted."""
        if not (self.materials.mandatory or self.materials.others):
            return 0
        room = min(self.terms.shares.retrieved, self.room - heads)
        spent = self._packed(self._offers(self.materials.mandatory), [], room).spent
        others = self._offers(self.materials.others)
        wanted = spent + sum(offer.forms[0].tokens for offer in others if offer.forms)
        least = max(spent, min(self.terms.shares.retrieved_least, wanted))
        return max(0, min(self.room, least + heads))

    def _pack(self, room: int, held: int, above: Above) -> Packed[Candidate]:
        """What is mandatory, what a smaller window has, and the others in one ranking; of what
        stands, at most half of it. So many tokens are held for what is quoted.
        """
        mandatory = self._offers(self.materials.mandatory)
        budget = max(room - held, min(room, self._packed(mandatory, [], room).spent))
        others = self._at_most_half(self._offers(self._untold(above)), budget)
        firm = [each for each in others if self._is_kept(each)]
        others = [each for each in others if not self._is_kept(each)]
        packed = self._packed([*mandatory, *firm], others, budget)
        self.snippets = len(packed.taken)
        self.waiting += [each.item for each in packed.left]
        self.reasons.update((each.item.id, each) for each in packed.left)
        return packed

    def _at_most_half(self, offers: list[Offer[Candidate]], budget: int) -> list[Offer[Candidate]]:
        """Without those facts and people that would leave gravity and memory less than half.

        They wait: if there is room in the end, they come in.
        """
        room, kept = budget // 2, []
        for offer in sorted(offers, key=lambda each: (-each.score, each.tie)):
            stands = offer.item.origin in STANDS and bool(offer.forms)
            if stands and offer.forms[0].tokens > room and not self._is_kept(offer):
                self.waiting.append(offer.item)
                continue
            room -= offer.forms[0].tokens if stands else 0
            kept.append(offer)
        return kept

    def _is_kept(self, offer: Offer[Candidate]) -> bool:
        return offer.item.id in self.kept.items and offer.item.origin != RECALLED

    def _last(self, shown: tuple[Shown, ...]) -> list[Shown]:
        """What waited and fits into what is left in the end; the rest is missed, and why."""
        room = self._free(shown)
        said = {s for each in shown for s in each.candidate.sources if is_said_once(s)}
        waiting = [
            c
            for c in self.waiting
            if c.origin not in (BEAT, RECALLED) and said.isdisjoint(c.sources)
        ]
        room = room if self.terms.policy is Policy.FILL else 0  # otherwise packing has stopped
        most = self.terms.most_snippets
        places = None if most is None else max(0, most - self.snippets)
        packed = pack([], self._offers(waiting), budget=room, policy=Policy.FILL, most=places)
        taken = {each.item.id for each in packed.taken}
        for each in packed.left:
            first = self.reasons.get(each.item.id)
            why = each if first is None or first.reason == NO_ROOM else first
            self.missed.append(Missed(each.item, why.reason, why.lacking))
        for candidate in self.waiting:
            if candidate not in waiting and candidate.id not in taken:
                first = self.reasons.get(candidate.id)
                reason = TOLD_ABOVE if first is None else first.reason
                lacking = 0 if first is None else first.lacking
                self.missed.append(Missed(candidate, reason, lacking))
        return [self._shown(each) for each in packed.taken]

    def _untold(self, above: Above) -> list[Candidate]:
        """The others without what stands above: pieces that are told, moments that just were, and
        facts in the words in which they were told.
        """
        kept: list[Candidate] = []
        for candidate in self.materials.others:
            past = candidate.origin in (RECALLED, ECHO)
            is_told = past and any(map(above.tells, candidate.sources))
            if is_told or (candidate.origin == STANDING and above.says(_held(candidate))):
                self.missed.append(Missed(candidate, TOLD_ABOVE))
            else:
                kept.append(candidate)
        return kept

    def _packed(
        self, mandatory: list[Offer[Candidate]], others: list[Offer[Candidate]], budget: int
    ) -> Packed[Candidate]:
        most = self.terms.most_snippets
        return pack(mandatory, others, budget=max(0, budget), policy=self.terms.policy, most=most)

    def _retrieved(
        self, packed: Packed[Candidate], above: Above, room: int, firm: Sequence[Piece]
    ) -> list[Shown]:
        """As taken; then what comes from earlier, in order, with more of it in what is left; then
        the author's beats: they are what is told now.
        """
        taken = {kind: [t for t in packed.taken if _kind(t) == kind] for kind in range(3)}
        quoted = {s for t in packed.taken for s in t.item.sources if s.startswith(f"{PIECE}:")}
        above = replace(above, quoted=frozenset(quoted - _of(taken[1])))
        if not taken[0] and self._is_listed:
            room += self.price(self.terms.headings.retrieved)  # nothing stands under it
        spare = self.terms.tokens * 3 // 100
        earlier = Earlier(self.materials, self.price, above, self.order, spare=spare, firm=firm)
        found = [] if Part.RECALL in self.terms.without else earlier.lines(taken[1], room)
        lines = map(self._whole, found)
        return [*map(self._shown, taken[0]), *lines, *map(self._shown, taken[2])]

    def _shown(self, taken: Taken[Candidate]) -> Shown:
        return Shown(taken.item, taken.form, self.price(taken.item.text(taken.form)))


def _parted(retrieved: Sequence[Shown]) -> tuple[list[Shown], list[Shown]]:
    """What there is to write from, and behind it what comes from earlier and what is told now."""
    behind = (RECALLED, EARLIER, BEAT)
    first = [each for each in retrieved if each.candidate.origin not in behind]
    return first, [each for each in retrieved if each.candidate.origin in behind]


def _held(candidate: Candidate) -> str:
    """What is held, without who holds it and how."""
    return candidate.text(candidate.forms[0][0]).partition(": ")[2] if candidate.forms else ""


def _kind(taken: Taken[Candidate]) -> int:
    return {RECALLED: 1, BEAT: 2}.get(taken.item.origin, 0)


def _of(taken: Sequence[Taken[Candidate]]) -> set[str]:
    return {source for each in taken for source in each.item.sources}


def _sources(shown: Sequence[Shown]) -> frozenset[str]:
    return frozenset(source for each in shown for source in each.candidate.sources)


def _sum(shown: Sequence[Shown]) -> int:
    return sum(each.tokens for each in shown)
