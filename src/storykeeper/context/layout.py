"""The order of claims: who gets how much of a window.

    I1, T_base, Input, mandatory items, tier 3 up to its least, I2*, more recent turns, Journal*,
    the rest of tier 3

Each takes what it needs, up to its share, from what those before it left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from storykeeper.context.inputs import ACTS_SHARE, fitted
from storykeeper.context.items import BRIEF, CLASS_ORDER, FULL, Candidate, Class, Missed, Shown
from storykeeper.context.render import Headings
from storykeeper.context.sources import BEAT, ECHO, EVENT, RECALLED, REVELATION
from storykeeper.context.tail import BASE_UNITS, Sizes, Unit, chunked, journal
from storykeeper.errors import WindowRefused
from storykeeper.scoring.pack import NO_ROOM, Form, Offer, Packed, pack
from storykeeper.scoring.shares import Shares, growth_limit, shortfall
from storykeeper.story.tuning import Policy

Price = Callable[[str], int]
OLDER = "older than the journal has room for"
TOLD_ABOVE = "it stands above, as it was told"
PAST_SHARE = "soft material is cut from the end"


@dataclass(frozen=True, slots=True)
class Materials:
    """All that passed the gate, by the part of the window it is for."""

    hard: Sequence[Candidate]
    soft: Sequence[Candidate]
    past: Sequence[Unit]
    mandatory: Sequence[Candidate]
    others: Sequence[Candidate]
    acts: Sequence[Candidate]
    words: str  # the player's, unquoted; empty where they are not for this audience
    input: Candidate | None


@dataclass(frozen=True, slots=True)
class Terms:
    """What a layout is made under."""

    tokens: int
    slack: int  # kept free, where joined texts count for more than their parts
    shares: Shares
    headings: Headings
    price: Price
    policy: Policy
    most_snippets: int | None


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands in a window, in order, and what does not."""

    shown: tuple[Shown, ...]
    missed: tuple[Missed, ...]
    base_units: int  # m
    heading_tokens: int

    @property
    def tokens(self) -> int:
        """What its parts and headings cost."""
        return _sum(self.shown) + self.heading_tokens


def lay_out(materials: Materials, terms: Terms, sized: Callable[[int], Terms]) -> Layout:
    """The layout with as many mandatory recent turns as are legal: three, two or one.

    `sized` gives the terms of another size: a refusal says which would do.
    """
    for units in range(BASE_UNITS, 0, -1):
        claims = _Claims(materials, terms, units)
        if claims.short <= 0:
            return claims.layout()
    enough = _enough(claims, sized)
    short = enough - terms.tokens
    raise WindowRefused(
        f"a window of {terms.tokens:,} tokens is {short:,} too small for what must be in it:"
        f" rules, the last turn and the player's words; allow at least {enough:,}",
        shortfall=short,
    )


def _enough(claims: _Claims, sized: Callable[[int], Terms]) -> int:
    """The least size that is legal, from one that is not.

    The reserve and the input's share grow with the size, each by less than it does: so what one
    size lacks is added until the size lacks nothing, and no smaller one is legal.
    """
    while claims.short > 0:
        terms = sized(claims.terms.tokens + claims.short)
        claims = _Claims(claims.materials, terms, claims.asked)
    return claims.terms.tokens


class _Claims:
    """One pass through the order of claims."""

    def __init__(self, materials: Materials, terms: Terms, units: int) -> None:
        self.materials = materials
        self.terms = terms
        self.price = terms.price
        self.units = min(units, len(materials.past))
        self.asked = units
        self.missed: list[Missed] = []
        self.hard = [self._whole(c) for c in materials.hard]
        self.base = materials.past[len(materials.past) - self.units :]
        self.input = self._input()
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

    def layout(self) -> Layout:
        """Everything that is not mandatory shares what is left, in the order of claims."""
        heads = self._retrieved_heading()
        reserved = self._reserved(heads)
        soft = self._soft(self.room - reserved)
        room = self.room - reserved - _sum(soft)
        spare = self._spare(room, reserved)
        start, journal_room = self._tail(_sum(self.hard) + _sum(soft), spare)
        tail = [self._whole(unit.candidate) for unit in self.materials.past[start:]]
        more = _sum(tail) - self._base_cost()
        lines = self._journal(start, min(journal_room, spare - more))
        room -= more
        journal_tokens = self._headed(self.terms.headings.journal, _sum(lines))
        left = room - journal_tokens + reserved - heads
        packed = self._pack(min(self.terms.shares.retrieved, left), lines, tail)
        shown = (*self.hard, *soft, *lines, *tail, *self._in_order(packed), *self.input)
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

    # ── tier 4 ───────────────────────────────────────────────────────────────────────────────

    def _input(self) -> list[Shown]:
        """The acts in words, at most a third; then the player's words, whole or with a cut."""
        room = self.terms.shares.input
        shown: list[Shown] = []
        most = room // ACTS_SHARE if self.materials.words else room
        for act in self.materials.acts:
            each = self._whole(act)
            if _sum(shown) + each.tokens <= most:
                shown.append(each)
            else:
                self.missed.append(Missed(act, NO_ROOM, _sum(shown) + each.tokens - most))
        return shown + self._words(room - _sum(shown))

    def _words(self, room: int) -> list[Shown]:
        candidate = self.materials.input
        if candidate is None:
            return []
        text = fitted(self.materials.words, room=room, price=self.price)
        if not text:
            self.missed.append(Missed(candidate, NO_ROOM, self.price(candidate.full) - room))
            return []
        form = FULL if text == candidate.full else BRIEF
        said = candidate if form == FULL else replace(candidate, brief=text)
        return [Shown(said, form, self.price(text))]

    def _input_cost(self) -> int:
        return self._headed(self.terms.headings.input, _sum(self.input))

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
        wanted = (*self.materials.mandatory, *self.materials.others)
        listed = any(c.origin != BEAT for c in wanted)
        return self.price(self.terms.headings.retrieved) if listed else 0

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

    def _pack(
        self, budget: int, lines: Sequence[Shown], tail: Sequence[Shown]
    ) -> Packed[Candidate]:
        mandatory, others = self.materials.mandatory, self._untold(lines, tail)
        packed = self._packed(self._offers(mandatory), self._offers(others), budget)
        self.missed += [Missed(each.item, each.reason, each.lacking) for each in packed.left]
        return packed

    def _untold(self, lines: Sequence[Shown], tail: Sequence[Shown]) -> list[Candidate]:
        """The others without what stands above: turns and events told, moments that just were.

        Of a moment that has its line in the journal, what rhymes may be said, and no word of it.
        """
        exact = {s for each in tail for s in each.candidate.sources}
        told = exact.union(s for each in lines for s in each.candidate.sources)
        above = {RECALLED: told, ECHO: _moments(exact), EVENT: self._events_in(told)}
        journal = _moments(told)
        kept: list[Candidate] = []
        for candidate in self.materials.others:
            if not above.get(candidate.origin, set()).isdisjoint(candidate.sources):
                self.missed.append(Missed(candidate, TOLD_ABOVE))
            elif candidate.origin == ECHO and not journal.isdisjoint(candidate.sources):
                kept.append(replace(candidate, full="", brief=""))
            else:
                kept.append(candidate)
        return kept

    def _events_in(self, told: Collection[str]) -> set[str]:
        """Events of these turns, if any is offered."""
        if all(candidate.origin != EVENT for candidate in self.materials.others):
            return set()
        units = (unit for unit in self.materials.past if unit.candidate.id in told)
        return {f"atom:{atom.id}" for unit in units for atom in unit.atoms}

    def _in_order(self, packed: Packed[Candidate]) -> list[Shown]:
        """As taken, but for the author's beats, which come last: they are what is told now."""
        taken = sorted(packed.taken, key=lambda each: each.item.origin == BEAT)
        return [Shown(t.item, t.form, self.price(t.item.text(t.form))) for t in taken]

    def _packed(
        self, mandatory: list[Offer[Candidate]], others: list[Offer[Candidate]], budget: int
    ) -> Packed[Candidate]:
        return pack(
            mandatory, others, budget=max(0, budget), policy=self.terms.policy,
            most=self.terms.most_snippets,
        )  # fmt: skip

    # ── tiers 1 and 2 ────────────────────────────────────────────────────────────────────────

    def _soft(self, room: int) -> list[Shown]:
        """I2*: the longest prefix in authored order."""
        room = min(self.terms.shares.soft, room)
        shown: list[Shown] = []
        for i, candidate in enumerate(self.materials.soft):
            each = self._whole(candidate)
            if each.tokens > room:
                rest = self.materials.soft[i:]
                lacking = each.tokens - room
                self.missed += [
                    Missed(c, PAST_SHARE, lacking if c is candidate else 0) for c in rest
                ]
                break
            room -= each.tokens
            shown.append(each)
        return shown

    def _spare(self, room: int, reserved: int) -> int:
        """What more than T_base may take: tier 2's own size, and beyond it what tier 3 leaves."""
        shares, base = self.terms.shares, self._base_cost()
        own = max(shares.journal_tier, shares.recent) - base
        free = room - max(0, shares.retrieved + self._retrieved_heading() - reserved)
        return min(room, max(own, free))

    def _tail(self, above: int, room: int) -> tuple[int, int]:
        """Where the exact turns begin: the chunked cut, or later if this turn leaves less room."""
        past, shares, heads = self.materials.past, self.terms.shares, self.terms.headings
        most = growth_limit(
            shares, window_tokens=self.terms.tokens, above_tokens=above,
            headings=self.price(heads.retrieved) + self.price(heads.input),
        )  # fmt: skip
        own = self.price(heads.recent) + self.price(heads.journal)
        sizes = Sizes(shares.recent, shares.journal_tier - own, most - own)
        cut = chunked(past, sizes, price=self.price, least=BASE_UNITS)
        start, last = min(cut.start, len(past) - self.units), len(past) - self.units
        more = sum(self._cost(u) for u in past[start:last])
        while start < last and more > room:
            more -= self._cost(past[start])
            start += 1
        return start, cut.journal_room

    def _journal(self, start: int, room: int) -> list[Shown]:
        room -= self.price(self.terms.headings.journal)
        kept, older = journal(self.materials.past, start=start, room=room, price=self.price)
        if older is not None:
            lacking = max(1, self.price(older.full) - max(0, room))
            self.missed.append(Missed(older, OLDER, lacking))
        return [self._whole(line) for line in kept]


def _moments(turns: Collection[str]) -> set[str]:
    """Turns, as an echo names them."""
    return {f"moment:{turn.partition(':')[2]}" for turn in turns}


def _sum(shown: Sequence[Shown]) -> int:
    return sum(each.tokens for each in shown)


def split(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Mandatory ones in the order of claims, revelations, named entities, beats; and the others."""
    order = {REVELATION: 0, BEAT: 2}
    mandatory = [c for c in candidates if c.klass is Class.MANDATORY]
    mandatory.sort(key=lambda c: order.get(c.origin, 1))
    return mandatory, [c for c in candidates if c.klass is not Class.MANDATORY]
