"""The window: what the narrator, or one character, gets to see in a turn.

    Window(q, a) = I1(a) ∪ I2*(a) ∪ SoFar*(a) ∪ T_recent(a) ∪ Proj(V_rest(a), q) ∪ Input(q)

One assembler serves all audiences: a character's brief is the same law with another audience and
another size. Sources propose, the gate rules, claims are laid out in order, the text is made, and
the finished window is checked before it leaves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from storykeeper.context.boundary import Boundary, Ruling
from storykeeper.context.check import check_window
from storykeeper.context.counting import remembering
from storykeeper.context.foreign import mended
from storykeeper.context.gathering import Gathered
from storykeeper.context.history import PastTurn, PresentTurn, Recalled, Summed
from storykeeper.context.inputs import ASKS
from storykeeper.context.items import Missed, Shown, Tier
from storykeeper.context.materials import Layout
from storykeeper.context.nested_layout import lay_out
from storykeeper.context.parts import Part
from storykeeper.context.receipt import (
    AudienceReceipt,
    AuthorReceipt,
    Spent,
    as_told,
    by_class,
    by_tier,
    done,
    event_names,
    hint_names,
    in_window,
    out_of_window,
    withheld,
    without_canon,
)
from storykeeper.context.render import headings_for, in_parts, rendered, whole
from storykeeper.context.tail import BASE_UNITS
from storykeeper.context.whereabouts import Whereabouts, whereabouts
from storykeeper.errors import WindowRefused
from storykeeper.language.tokens import Counter
from storykeeper.units import Digest, TurnNo
from storykeeper.world.state import World

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
    missed: tuple[Missed, ...] = field(default=(), repr=False, compare=False)  # as the receipt has

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
    def unasked(self) -> str:
        """What is new in it without the request at its end, for a host with one of its own."""
        kept = [each for each in self.items if each.candidate.origin != ASKS]
        return rendered(kept, headings_for(self.audience))[1]

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
    def inline(self) -> bool:
        """Whether it asks the narrator to declare what it tells."""
        return self._boundary.inline

    @property
    def handles(self) -> tuple[str, ...] | None:
        """The facts that it offers to be told, by their handles F1, F2 …; None, if it does not."""
        return self._boundary.offered if self.inline else None

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

    def whereabouts(self, words: str) -> list[Whereabouts]:
        """Where these words of the past stand in it, or why they do not. For the author's eyes."""
        return list(whereabouts(self._boundary, self.items, words))

    def receipt_for(self, audience: str) -> AudienceReceipt:
        """What an audience may be told: its own window's receipt, and of another's nothing.

        What is in a window, in which form and at what score, follows from all that its audience has
        of its own. Whatever was listed of it would change with what the reader may not know.
        """
        if audience != self.audience:
            self._boundary.seen_by(audience)  # refuses one who is nobody here
            return AudienceReceipt(audience, self.turn, (), (), (ANOTHERS,))
        receipt, names = self.receipt, (event_names(self._boundary), hint_names(self._boundary))
        canon = self._boundary.plan.story.canon
        private = {f"{c.id}@{c.version}" for c in canon if c.compliance.local_only}
        shown = as_told(without_canon(receipt.shown, private), *names)
        left_out = as_told(without_canon(receipt.left_out, private), *names)
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
    summaries: Sequence[Summed] = (),
    without: Collection[Part] = (),
    inline: bool = False,
) -> Window:
    """The window of an audience. `world` is the one in which the present turn's records hold.

    `recalled` is what memory found for the turn's words, the likeliest first; `summaries` are those
    on record of turns in `history`. `without` leaves parts out; `inline` asks for a stage block.
    """
    boundary = Boundary(
        world, history, present, audience=audience, recalled=recalled, summaries=summaries,
        inline=inline,
    )  # fmt: skip
    budget = world.plan.story.budget
    limit = tokens or (budget.tokens if boundary.narrator else budget.brief_tokens)
    gathered = Gathered(boundary, limit, count, frozenset(without))
    slack, before = 0, limit + 1
    while True:
        sized = partial(gathered.sized, slack=slack)
        try:
            layout = lay_out(*sized(limit), sized)
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


def _window(
    gathered: Gathered, layout: Layout, stable: str, fresh: str, counted: int, limit: int
) -> Window:
    boundary, missed = gathered.boundary, (*gathered.missed, *layout.missed)
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
        left_out=out_of_window(missed),
        refused=withheld(gathered.refused),
        notes=_notes(layout, limit, is_cut=gathered.is_cut),
        classes=by_class(shown, window_tokens=limit),
        heat=gathered.heat,
        landscape="" if gathered.field is None else gathered.field.landscape.digest,
        prefix=_sha256(stable.encode()),
        intents=done(boundary.present.decided),
        mended=tuple(mended(shown, boundary.recent, boundary.present.text, gathered.mended)),
    )
    return Window(
        boundary.audience, boundary.present.turn, stable, fresh, counted, shown, receipt,
        boundary, missed,
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
