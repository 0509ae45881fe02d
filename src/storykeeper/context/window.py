"""The window: what the narrator, or one character, gets to see in a turn.

    Window(q, a) = I1(a) ∪ I2*(a) ∪ Journal*(a) ∪ T_recent(a) ∪ Proj(V_rest(a), q) ∪ Input(q)

One assembler serves all audiences: a character's brief is the same law with another audience and
another size. Sources propose, the gate rules, claims are laid out in order, the text is made, and
the finished window is checked before it leaves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import msgspec

from storykeeper.context.boundary import Boundary, Ruling
from storykeeper.context.check import check_window
from storykeeper.context.counting import cost, remembering
from storykeeper.context.gate import gate
from storykeeper.context.history import PastTurn, PresentTurn, Recalled
from storykeeper.context.inputs import fitted, happenings, words
from storykeeper.context.items import Candidate, Missed, Refused, Shown, Tier
from storykeeper.context.layout import Layout, Materials, Terms, lay_out, split
from storykeeper.context.preamble import hard_material, soft_material
from storykeeper.context.rank import above_the_floor, merged, warmth, weighed
from storykeeper.context.receipt import (
    AudienceReceipt,
    AuthorReceipt,
    Spent,
    as_told,
    by_class,
    by_tier,
    event_names,
    hint_names,
    in_window,
    out_of_window,
    withheld,
)
from storykeeper.context.render import headings_for, in_parts, rendered, whole
from storykeeper.context.sources import proposals
from storykeeper.context.tail import BASE_UNITS, Unit, is_enough, reach, units
from storykeeper.errors import WindowRefused
from storykeeper.gravity.landscape import landscape
from storykeeper.gravity.modifier import Field
from storykeeper.language.tokens import Counter
from storykeeper.scoring.shares import shares
from storykeeper.units import Digest, TurnNo
from storykeeper.world.state import World

BRIEF_SNIPPETS = 8
MAX_CANDIDATES = 200
MAX_POOL_TOKENS = 5_000
SAID_ALREADY = "said by another item"
BELOW_THE_FLOOR = "scores too low"
POOL_FULL = "enough candidates already"
OF_PEOPLE = ("card", "line", "mood", "intent")  # what there is to know of somebody
ANOTHERS = "This is the window of somebody else, who alone may be told what is in it."


@dataclass(frozen=True, slots=True)
class Window:
    """What one audience gets to see, and why."""

    audience: str
    turn: TurnNo
    stable: str  # tier 1: the same until the scene changes
    fresh: str  # tiers 2 to 4
    tokens: int
    items: tuple[Shown, ...] = field(repr=False)
    receipt: AuthorReceipt = field(repr=False)
    _boundary: Boundary = field(repr=False, compare=False)

    @property
    def text(self) -> str:
        """All of it."""
        return whole(self.stable, self.fresh)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The same as OpenAI-style messages, what is stable first."""
        parts = (("system", self.stable), ("user", self.fresh))
        return [{"role": role, "content": text} for role, text in parts if text]

    @property
    def cached_messages(self) -> list[dict[str, Any]]:
        """The same for models that cache what is marked: content in parts, joined exactly `text`.

        What stays the same from turn to turn is marked with `cache_control`.
        """
        first, rest = in_parts(self.stable, self.items, headings_for(self.audience))
        both = (("system", first), ("user", rest))
        return [{"role": role, "content": parts} for role, parts in both if parts]

    @property
    def shown(self) -> tuple[str, ...]:
        """The ids of what is in it, in order."""
        return tuple(entry.id for entry in self.receipt.shown)

    @property
    def recalled(self) -> tuple[Recalled, ...]:
        """What memory found for it, whether or not it is in."""
        return self._boundary.recalled

    @property
    def tokens_by_tier(self) -> dict[int, int]:
        """Tokens of the items of each tier; headings are apart."""
        spent = self.receipt.spent
        return {1: spent.preamble, 2: spent.journal, 3: spent.retrieved, 4: spent.input}

    @property
    def digest(self) -> Digest:
        """SHA-256 of the text."""
        return _sha256(self.text.encode())

    @property
    def receipt_digest(self) -> Digest:
        """SHA-256 of the author's receipt."""
        return _sha256(msgspec.json.encode(self.receipt, order="deterministic"))

    def rulings(self, word: str) -> dict[str, Ruling]:
        """How each source with this word in its id is ruled on here. For the author's eyes.

        Also of what no source proposed, which most of what is hidden is: nothing looks at it.
        """
        plan = self._boundary.plan
        people = [f"{kind}:{who}" for kind in OF_PEOPLE for who in plan.cast]
        named = (*(f"fact:{fact}" for fact in plan.facts), *people,
                 *(f"atom:{atom}" for atom in self._boundary.atoms))  # fmt: skip
        return {name: self._boundary.ruling(name) for name in named if word in name}

    def receipt_for(self, audience: str) -> AudienceReceipt:
        """What an audience may be told: its own window's receipt, and of another's nothing.

        What is in a window, in which form and at what score, follows from all that its audience has
        of its own. Whatever was listed of it would change with what the reader may not know.
        """
        if audience != self.audience:
            self._boundary.seen_by(audience)  # refuses one who is nobody here
            return AudienceReceipt(audience, self.turn, (), (), (ANOTHERS,))
        receipt, names = self.receipt, (event_names(self._boundary), hint_names(self._boundary))
        shown, left_out = as_told(receipt.shown, *names), as_told(receipt.left_out, *names)
        return AudienceReceipt(audience, self.turn, shown, left_out, receipt.notes)


def assemble(
    world: World,
    history: Sequence[PastTurn],
    present: PresentTurn,
    *,
    audience: str,
    tokens: int | None,
    count: Counter,
    recalled: Sequence[Recalled] = (),
) -> Window:
    """The window of an audience. `world` is the one in which the present turn's records hold.

    `recalled` is what memory found for the turn's words, the likeliest first.
    """
    boundary = Boundary(world, history, present, audience=audience, recalled=recalled)
    budget = world.plan.story.budget
    limit = tokens or (budget.tokens if boundary.narrator else budget.brief_tokens)
    gathered = _Gathered(boundary, limit, count)
    slack, before = 0, limit + 1
    while True:
        sized = partial(gathered.terms, slack=slack)
        try:
            layout = lay_out(gathered.materials, sized(limit), sized)
        except WindowRefused:
            if not gathered.shorten(limit):
                raise
            continue
        stable, fresh = rendered(layout.shown, gathered.headings)
        counted = max(
            count(whole(stable, fresh)), remembering(count)(stable) + remembering(count)(fresh)
        )
        if counted <= limit or layout.tokens >= before:
            break  # it fits; or a round took nothing out, and the check below will say so
        before = layout.tokens
        # Joined, these texts count for more than their parts: take out as much as it is over.
        slack = limit - layout.tokens + (counted - limit)
    window = _window(gathered, layout, stable, fresh, counted, limit)
    check_window(
        layout.shown, boundary=boundary, soft=gathered.materials.soft,
        past=gathered.materials.past, base_units=layout.base_units, text=window.text,
        counted=counted, tokens=limit,
    )  # fmt: skip
    return window


class _Gathered:
    """What the sources propose and the gate lets through, for one window."""

    def __init__(self, boundary: Boundary, limit: int, count: Counter) -> None:
        self.boundary = boundary
        self.price = partial(cost, count=count)
        self.headings = headings_for(boundary.audience)
        self.refused: list[Refused] = []
        self.missed: list[Missed] = []
        self.is_cut = False  # the last turn stands in it with a cut
        self._budget = boundary.plan.story.budget
        self.field = _field(boundary) if boundary.narrator else None
        self.heat: float | None = None
        self.materials = self._gather(limit)

    def terms(self, tokens: int, *, slack: int) -> Terms:
        """What a layout of so many tokens is made under."""
        return Terms(
            tokens=tokens,
            slack=slack,
            shares=shares(self._budget, window_tokens=tokens),
            headings=self.headings,
            price=self.price,
            policy=self._budget.policy,
            most_snippets=None if self.boundary.narrator else BRIEF_SNIPPETS,
        )

    def _gather(self, limit: int) -> Materials:
        boundary = self.boundary
        soft = self._gated(soft_material(boundary))
        told_above = self._told_above(soft, limit)
        retrieved, others = merged(self._weighed(told_above))
        self.missed += [Missed(each, SAID_ALREADY) for each in others]
        mandatory, others = split(retrieved)
        typed = self._gated(words(boundary))
        return Materials(
            hard=self._gated(hard_material(boundary)),
            soft=soft,
            past=self._past(limit),
            mandatory=mandatory,
            others=self._pool(others),
            acts=self._gated(happenings(boundary)),
            words=boundary.present.text if typed else "",
            input=typed[0] if typed else None,
        )

    def _weighed(self, told_above: frozenset[str]) -> list[Candidate]:
        """What the sources propose and the gate lets through, each with what it weighs."""
        field = self.field
        ahead = None if field is None else field.landscape
        found = self._gated(proposals(self.boundary, told_above=told_above, landscape=ahead))
        if field is None:
            return found
        self.heat = heat = round(warmth(self.boundary), 6)
        return [weighed(each, field=field, heat=heat) for each in found]

    def _gated(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        permitted, refused = gate(candidates, self.boundary)
        self.refused += refused
        return permitted

    def _past(self, limit: int) -> list[Unit]:
        """The units of the past that this audience may see, oldest first."""
        most = reach(shares(self._budget, window_tokens=limit).journal_tier)
        past: list[Unit] = []
        for turn in units(self.boundary):
            permitted = {c.id: c for c in self._gated(unit.candidate for unit in turn)}
            past += [
                Unit(unit.turn, permitted[unit.candidate.id], unit.atoms, unit.earlier)
                for unit in reversed(turn)
                if unit.candidate.id in permitted
            ]
            if is_enough(past, most=most):
                break
        return past[::-1]

    def shorten(self, limit: int) -> bool:
        """Whether the last turn could be cut, being longer than all of tier 2 usually is.

        Without that one long turn would leave no legal window after it.
        """
        past, budget = self.materials.past, self._budget
        usual = budget.tokens if self.boundary.narrator else budget.brief_tokens
        room = shares(budget, window_tokens=limit).journal_tier
        longest = shares(budget, window_tokens=max(limit, usual)).journal_tier
        if self.is_cut or not past or self.price(past[-1].candidate.full) <= longest:
            return False
        last = past[-1]
        cut = fitted(last.candidate.full, room=room, price=self.price, written=str)
        last = replace(last, candidate=replace(last.candidate, full=cut))
        self.materials = replace(self.materials, past=[*past[:-1], last])
        self.is_cut = True
        return bool(cut)

    def _told_above(self, soft: Sequence[Candidate], limit: int) -> frozenset[str]:
        """Sources of the soft material that its share can hold; tier 3 does not repeat them."""
        room = shares(self._budget, window_tokens=limit).soft
        held: list[str] = []
        for candidate in soft:
            room -= self.price(candidate.full)
            if room < 0:
                break
            held += candidate.sources
        return frozenset(held)

    def _pool(self, others: Sequence[Candidate]) -> list[Candidate]:
        """The candidates that are ranked at all: above the floor, and not too many."""
        floor = self.boundary.plan.story.tuning.gravity.minimum_score
        pool: list[Candidate] = []
        room = MAX_POOL_TOKENS
        for each in sorted(others, key=lambda c: -c.terms.score):
            ranked = above_the_floor(each, floor)
            size = max((self.price(text) for _, text in each.forms), default=0)
            if ranked is None:
                self.missed.append(Missed(each, BELOW_THE_FLOOR))
            elif len(pool) >= MAX_CANDIDATES or size > room:
                self.missed.append(Missed(each, POOL_FULL, max(0, size - room)))
            else:
                pool.append(ranked)
                room -= size
        return pool


def _field(boundary: Boundary) -> Field:
    """Where the story is heading, as the narrator feels it."""
    return Field(boundary.plan, landscape(boundary.world))


def _window(
    gathered: _Gathered, layout: Layout, stable: str, fresh: str, counted: int, limit: int
) -> Window:
    boundary = gathered.boundary
    shown = layout.shown
    spent = Spent(
        budget=limit,
        window=counted,
        preamble=by_tier(shown, Tier.PREAMBLE),
        journal=by_tier(shown, Tier.JOURNAL),
        retrieved=by_tier(shown, Tier.RETRIEVED),
        input=by_tier(shown, Tier.INPUT),
        headings=layout.heading_tokens,
    )
    receipt = AuthorReceipt(
        audience=boundary.audience,
        turn=boundary.present.turn,
        spent=spent,
        recent_turns=layout.base_units,
        shown=in_window(shown),
        left_out=out_of_window((*gathered.missed, *layout.missed)),
        refused=withheld(gathered.refused),
        notes=_notes(layout, limit, is_cut=gathered.is_cut),
        classes=by_class(shown, window_tokens=limit),
        heat=gathered.heat,
        landscape="" if gathered.field is None else gathered.field.landscape.digest,
        prefix=_sha256(stable.encode()),
    )
    return Window(
        boundary.audience, boundary.present.turn, stable, fresh, counted, shown, receipt,
        boundary,
    )  # fmt: skip


def _notes(layout: Layout, limit: int, *, is_cut: bool) -> tuple[str, ...]:
    found: list[str] = []
    if layout.base_units != BASE_UNITS:
        kept = "turn" if layout.base_units == 1 else f"{layout.base_units} turns"
        found.append(
            f"Only the last {kept} could be kept word for word: {limit:,} tokens are too few for"
            f" {BASE_UNITS} beside the rules and the player's words. A larger budget restores them."
        )
    if is_cut:
        found.append(
            "What was told is longer than a window can carry: its middle is left out, at the mark."
            " A larger budget restores it."
        )
    return tuple(found)


def _sha256(body: bytes) -> Digest:
    return Digest(hashlib.sha256(body).hexdigest())
