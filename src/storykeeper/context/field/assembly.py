"""Assembly: proposals through the gate, packed into a budget, written, checked, as a `TurnBrief`.

Claims in order: who they are, what binds them and what they may do, whole or the brief is refused;
then what they are aware of, what they hold, how they stand and what they perceived, each in short;
then the same in full; then passages of canon by score, the first that does not fit ends them. So,
as the budget shrinks, it gives way from the other end (C §2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from storykeeper.canon.brief import (
    Available,
    Held,
    LeftOut,
    Perceived,
    Presence,
    Snippet,
    Standing,
    Threat,
    TurnBrief,
)
from storykeeper.canon.provenance import CANON, outdated
from storykeeper.context.boundary import CLOSED
from storykeeper.context.counting import pricing
from storykeeper.context.field.fog import CITE, Fog
from storykeeper.context.field.proposals import (
    AWARE,
    HELD,
    MAY,
    PAST,
    STANDS,
    WRITTEN,
    YOU,
    Data,
    Proposal,
    aware,
    held,
    may,
    past,
    query_of,
    stands,
    threat_of,
    written,
    you,
)
from storykeeper.context.gate import gate, rule_on
from storykeeper.context.gathering import BELOW_THE_FLOOR
from storykeeper.context.items import FULL, Candidate, Missed, Refused, Shown, Tier
from storykeeper.context.receipt import (
    AudienceReceipt,
    AuthorReceipt,
    Entry,
    Spent,
    by_tier,
    in_window,
    out_of_window,
    withheld,
)
from storykeeper.context.render import rendered, whole
from storykeeper.context.window import ANOTHERS
from storykeeper.errors import WindowBreach, WindowRefused
from storykeeper.language.tokens import Counter
from storykeeper.memory.evidence import MOST, Evidence
from storykeeper.scoring.composite import in_range
from storykeeper.scoring.pack import Form, Offer, Packed, Taken, pack
from storykeeper.story.tuning import Policy
from storykeeper.units import TurnNo

BRIEF_TOKENS = 2_500
LEAST_SCORE = 0.1
HEADINGS = {
    AWARE: "# Around you", PAST: "# What you saw and heard", HELD: "# What you know",
    STANDS: "# How you stand to others", WRITTEN: "# What is written", MAY: "# What you can do",
}  # fmt: skip
_ORDER = (YOU, AWARE, PAST, HELD, STANDS, WRITTEN, MAY)
_NEVER_CUT = (YOU, MAY)
AskCanon = Callable[[str, Fog], Sequence[Evidence]]


class Heads:
    """What says under which heading an item stands."""

    def over(self, shown: Shown, /) -> str:
        """The heading, or nothing."""
        return HEADINGS.get(shown.candidate.origin, "")


@dataclass(frozen=True, slots=True)
class Briefing:
    """A brief, and why: every item in or out, with its terms and its sources."""

    brief: TurnBrief
    receipt: AuthorReceipt
    local_only: bool = False  # nothing of its sources may leave this machine

    def receipt_for(self, audience: str) -> AudienceReceipt:
        """What somebody may be told about it: its owner which items are in and out, and of which
        canon they come; anybody else nothing. Of private canon nothing is listed.
        """
        turn = TurnNo(self.brief.turn)
        if audience != self.brief.who:
            return AudienceReceipt(audience, turn, (), (), (ANOTHERS,))
        shown = tuple(self._as_told(self.receipt.shown))
        left_out = tuple(self._as_told(self.receipt.left_out))
        return AudienceReceipt(audience, turn, shown, left_out, self.receipt.notes)

    def _as_told(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Entries without ids of what happened, which would number what they did not perceive."""
        for each in entries:
            canon = tuple(s for s in each.sources if s.partition(":")[0] in (CANON, CITE))
            if not (self.local_only and canon):
                yield replace(each, sources=canon)


def nothing_written(_: str, __: Fog) -> Sequence[Evidence]:
    """No canon is asked."""
    return ()


def brief_of(
    fog: Fog, *, count: Counter, ask: AskCanon = nothing_written, tokens: int = BRIEF_TOKENS
) -> Briefing:
    """What one actor gets this turn, in at most so many tokens."""
    proposals = _proposed(fog, ask)
    data = {each.candidate.id: each.data for each in proposals}
    permitted, refused = gate((each.candidate for each in proposals), fog)
    slack = 0
    while True:
        shown, missed = _packed(permitted, tokens - slack, count)
        text = whole(*rendered(shown, Heads()))
        counted = count(text)
        if counted <= tokens:
            break
        slack += counted - tokens
    _check(shown, data, fog, text)
    brief = _as_data(fog, shown, missed, data, text=text, counted=counted, tokens=tokens)
    return Briefing(brief, _receipt(fog, shown, missed, refused, counted, tokens))


def _proposed(fog: Fog, ask: AskCanon) -> list[Proposal]:
    around = aware(fog)
    open_ = {c.id for c in gate((each.candidate for each in around), fog)[0]}
    around = [each for each in around if each.candidate.id in open_]
    told = past(fog)
    presences = [d for each in around for d in (each.data[FULL],) if isinstance(d, Presence)]
    found = ask(query_of(fog, (*around, *told)), fog)
    return [
        *you(fog), *may(fog, presences), *around, *held(fog), *stands(fog), *told, *written(found),
    ]  # fmt: skip


# ── packing ──────────────────────────────────────────────────────────────────────────────────


def _packed(
    permitted: Sequence[Candidate], room: int, count: Counter
) -> tuple[list[Shown], list[Missed]]:
    price = pricing(count)
    fixed = [c for c in permitted if c.origin in _NEVER_CUT]
    origins = {c.origin for c in permitted}
    heads = sum(price(HEADINGS[origin]) for origin in _ORDER if origin in origins & {*HEADINGS})
    left = room - heads - sum(price(c.full) for c in fixed)
    if left < 0:
        raise WindowRefused(
            f"who they are, what binds them and what they may do take {-left:,} tokens more than"
            f" the {room:,} there are; raise the budget, or shorten the card", shortfall=-left
        )  # fmt: skip
    firm = [c for c in permitted if c.origin not in (*_NEVER_CUT, WRITTEN)]
    first, is_whole = _firm(firm, left, price)
    every = [c for c in permitted if c.origin == WRITTEN]
    passages = [c for c in every if c.terms.score >= LEAST_SCORE]
    faint = [Missed(c, BELOW_THE_FLOOR) for c in every if c.terms.score < LEAST_SCORE]
    then: Packed[Candidate] = pack(
        [], _offers(passages, price), budget=left - first.spent if is_whole else 0,
        policy=Policy.PREFIX, most=MOST,
    )  # fmt: skip
    shown = [Shown(c, FULL, price(c.full)) for c in fixed]
    shown += [Shown(each.item, each.form, each.tokens) for each in (*first.taken, *then.taken)]
    shown.sort(key=lambda each: _ORDER.index(each.candidate.origin))
    missed = [Missed(each.item, each.reason, each.lacking) for each in (*first.left, *then.left)]
    return shown, [*missed, *faint]


def _firm(
    candidates: Sequence[Candidate], room: int, price: Counter
) -> tuple[Packed[Candidate], bool]:
    """All in short, as far as they fit; then in full, who is there before what was. And whether all
    of them stand in full: where one does not, nothing that gives way before it has any room.
    """
    offers = _offers(candidates, price)
    short = pack([replace(o, forms=o.forms[-1:]) for o in offers], [], budget=room)
    room -= short.spent
    taken = {each.item.id: each for each in short.taken}
    growing = [o for origin in (AWARE, PAST) for o in offers if o.item.origin == origin]
    is_whole = not short.left
    for offer in growing:
        held = taken.get(offer.item.id)
        if not is_whole or held is None or offer.forms[0].tokens - held.tokens > room:
            is_whole = False
            break
        room -= offer.forms[0].tokens - held.tokens
        taken[offer.item.id] = Taken(offer.item, offer.forms[0].name, offer.forms[0].tokens)
    return Packed(tuple(taken.values()), short.left), is_whole


def _offers(candidates: Sequence[Candidate], price: Counter) -> list[Offer[Candidate]]:
    return [
        Offer(
            c, tuple(Form(name, price(text)) for name, text in c.forms), c.terms.score,
            (i,),
        )
        for i, c in enumerate(candidates)
    ]  # fmt: skip


# ── what leaves ──────────────────────────────────────────────────────────────────────────────


def _check(shown: Sequence[Shown], data: dict[str, dict[str, Data]], fog: Fog, text: str) -> None:
    """Raise if one law of maths F0 does not hold: nothing leaves before this has passed."""
    derived = {each.candidate.id: each.candidate.sources for each in shown}
    if len(derived) != len(shown):
        raise WindowBreach("law 3: something stands in the brief twice")
    for each in shown:
        ruling = rule_on(each.candidate, fog, derived)
        if ruling.boundary == CLOSED or ruling.boundary != each.candidate.terms.boundary:
            raise WindowBreach(f"law 9: {each.candidate.id} is closed to {fog.card.id}")
        if not in_range(each.candidate.terms):
            raise WindowBreach(f"law 5: {each.candidate.id} has a term out of range")
        if each.text not in text:
            raise WindowBreach(f"{each.candidate.id} is on the receipt and not in the brief")
        if gone := outdated(_cites(data[each.candidate.id][each.form]), fog.in_force):
            raise WindowBreach(f"law 10: {each.candidate.id} comes from {', '.join(gone)}")


def _cites(data: Data) -> tuple[str, ...]:
    match data:
        case Snippet():
            return (data.cite, *data.also)
        case Presence() | Held() | Perceived():
            return data.cites
        case _:
            return ()


def _as_data(
    fog: Fog, shown: Sequence[Shown], missed: Iterable[Missed], data: dict[str, dict[str, Data]],
    *, text: str, counted: int, tokens: int,
) -> TurnBrief:  # fmt: skip
    held_ = [data[each.candidate.id][each.form] for each in shown]
    visible = tuple(each for each in held_ if isinstance(each, Presence))
    snippets = tuple(each for each in held_ if isinstance(each, Snippet))
    card, me = fog.card, fog.perceiver.me
    threats = [(each, threat_of(fog, each)) for each in visible]
    return TurnBrief(
        who=card.id, turn=fog.world.turn, tokens=counted, budget=tokens, text=text,
        digest=hashlib.sha256(text.encode()).hexdigest(), faction=card.faction,
        at=fog.perceiver.place,
        status=me.status, resources=dict(sorted(me.resources.items())),
        objectives=tuple(goal.text for goal in card.goals),
        rules=(*card.rules, *card.taboos), doctrine=card.doctrine, visible=visible,
        threats=tuple(
            Threat(handle=each.handle, band=each.band, threat=threat)
            for each, threat in threats if threat > 0
        ),
        snippets=snippets,
        beliefs=tuple(each for each in held_ if isinstance(each, Held)),
        relations=tuple(each for each in held_ if isinstance(each, Standing)),
        actions=tuple(each for each in held_ if isinstance(each, Available)),
        past=tuple(each for each in held_ if isinstance(each, Perceived)),
        left_out=tuple(
            LeftOut(id=each.candidate.id, reason=each.reason, lacking=each.lacking)
            for each in missed
        ),
    )  # fmt: skip


def _receipt(
    fog: Fog, shown: Sequence[Shown], missed: Sequence[Missed], refused: Sequence[Refused],
    counted: int, tokens: int,
) -> AuthorReceipt:  # fmt: skip
    heads = {HEADINGS.get(each.candidate.origin, "") for each in shown} - {""}
    spent = Spent(
        budget=tokens, window=counted, preamble=by_tier(shown, Tier.PREAMBLE), journal=0,
        retrieved=by_tier(shown, Tier.RETRIEVED), input=by_tier(shown, Tier.INPUT),
        headings=len(heads),
    )  # fmt: skip
    return AuthorReceipt(
        audience=fog.card.id, turn=TurnNo(fog.world.turn), spent=spent, recent_turns=0,
        shown=in_window(shown), left_out=out_of_window(missed), refused=withheld(refused),
        notes=(),
    )  # fmt: skip
