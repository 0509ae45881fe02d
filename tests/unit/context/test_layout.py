"""The order of claims, on made-up material where a character is a token."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.layout import Layout, Materials, Terms, lay_out
from storykeeper.context.render import Headings
from storykeeper.context.sources import BEAT, REVELATION
from storykeeper.context.tail import JOURNAL, RECENT, Unit
from storykeeper.errors import WindowRefused
from storykeeper.scoring.composite import Terms as ScoreTerms
from storykeeper.scoring.shares import shares
from storykeeper.story.tuning import Budget, Policy
from storykeeper.units import TurnNo

HEADINGS = Headings(journal="J", recent="R", retrieved="3", tell="T", input="I")
OPEN = ScoreTerms(boundary=1.0)


def item(item_id: str, size: int, *, origin: str, tier: Tier, klass: Class, least: int = 0):
    hint = "h" * least if 0 < least < size else ""
    return Candidate(
        id=item_id, origin=origin, tier=tier, klass=klass, sources=(item_id,), full="x" * size,
        hint=hint, terms=OPEN,
    )  # fmt: skip


def material(
    *, hard: int = 10, soft: Sequence[int] = (), past: Sequence[int] = (),
    named: Sequence[int] = (), others: Sequence[int] = (), revealed: Sequence[int] = (),
    beat: int = 0, words: str = "", brief: int = 0,
) -> Materials:  # fmt: skip
    one, three = Tier.PREAMBLE, Tier.RETRIEVED
    must, may = Class.MANDATORY, Class.ENRICHMENT
    mandatory = [
        *(item(f"r{i}", n, origin=REVELATION, tier=three, klass=must, least=3)
          for i, n in enumerate(revealed)),
        *(item(f"n{i}", n, origin="entity", tier=three, klass=must, least=3)
          for i, n in enumerate(named)),
        *([item("b", beat, origin=BEAT, tier=three, klass=must)] if beat else []),
    ]  # fmt: skip
    typed = f"> {words}" if words else ""
    turns = [
        Unit(TurnNo(i), Candidate(
            id=f"turn:{i}", origin=RECENT, tier=Tier.JOURNAL, klass=must, sources=(f"turn:{i}",),
            full="t" * n, brief=f"brief {i}" + "." * brief, hint=f"h{i}", terms=OPEN))
        for i, n in enumerate(past)
    ]  # fmt: skip
    entered = Candidate(
        id="input", origin="input", tier=Tier.INPUT, klass=must, sources=("input",), full=typed,
        terms=OPEN,
    )  # fmt: skip
    return Materials(
        hard=[item("hard", hard, origin="hard", tier=one, klass=must)],
        soft=[item(f"s{i}", n, origin="soft", tier=one, klass=must) for i, n in enumerate(soft)],
        past=turns,
        mandatory=mandatory,
        others=[item(f"o{i}", n, origin="entity", tier=three, klass=may, least=4)
                for i, n in enumerate(others)],
        acts=[], words=words, input=entered if words else None,
    )  # fmt: skip


def laid_out(materials: Materials, tokens: int, *, most: int | None = None) -> Layout:
    def sized(size: int) -> Terms:
        return Terms(
            tokens=size, slack=0, shares=shares(Budget(), window_tokens=size), headings=HEADINGS,
            price=len, policy=Policy.FILL, most_snippets=most,
        )  # fmt: skip

    return lay_out(materials, sized(tokens), sized)


def spent(layout: Layout, origin: str = "", tier: Tier | None = None) -> int:
    return sum(
        s.tokens for s in layout.shown
        if origin in ("", s.candidate.origin) and tier in (None, s.candidate.tier)
    )  # fmt: skip


sizes = st.lists(st.integers(1, 120), max_size=12)


@given(
    st.integers(50, 4_000), st.integers(1, 200), sizes, sizes, sizes, sizes, sizes,
    st.integers(0, 300), st.text("ab ", max_size=300), st.integers(0, 60),
)  # fmt: skip
def test_every_layout_keeps_to_its_size_and_its_shares(
    tokens, hard, soft, past, named, others, revealed, beat, words, brief
):
    given_ = material(
        hard=hard, soft=soft, past=past, named=named, others=others, revealed=revealed, beat=beat,
        words=words.strip(), brief=brief,
    )  # fmt: skip
    try:
        layout = laid_out(given_, tokens)
    except WindowRefused:
        return
    share = shares(Budget(), window_tokens=tokens)
    assert spent(layout) + layout.heading_tokens <= tokens
    assert spent(layout, "soft") <= share.soft
    assert spent(layout, tier=Tier.RETRIEVED) <= share.retrieved
    assert spent(layout, tier=Tier.INPUT) <= share.input
    tail = [s.candidate.id for s in layout.shown if s.candidate.origin == RECENT]
    assert tail == [f"turn:{i}" for i in range(len(past))][len(past) - len(tail) :]
    assert len(tail) >= min(layout.base_units, len(past))
    shown = {s.candidate.id for s in layout.shown}
    if sum(min(n, 3) for n in revealed) + 1 <= share.retrieved:
        assert {f"r{i}" for i in range(len(revealed))} <= shown  # always in, the hint at least
    everything = (*given_.soft, *given_.mandatory, *given_.others)
    assert {c.id for c in everything} <= shown | {m.candidate.id for m in layout.missed}


def test_a_beat_does_not_take_the_room_of_what_was_just_learned():
    """Exactly legal: rules 84, one hint of 15 with its heading; nothing for a beat's heading."""
    story = material(hard=84, revealed=[15], beat=40)
    layout = laid_out(story, 100)
    assert [s.candidate.id for s in layout.shown] == ["hard", "r0"]


def test_tier_3_has_its_least_before_soft_material_gets_anything():
    """1,000 tokens: tier 3 is 242, at least 121, and soft material may have 100."""
    layout = laid_out(material(hard=400, past=[150, 150, 150], others=[60, 60], soft=[90]), 1_000)
    assert spent(layout, tier=Tier.RETRIEVED) == 120
    assert spent(layout, "soft") == 0
    roomy = laid_out(material(hard=100, past=[150, 150, 150], others=[60, 60], soft=[90]), 1_000)
    assert spent(roomy, "soft") == 90


def test_unused_room_raises_tier_3_up_to_its_size_and_no_further():
    layout = laid_out(material(others=[60] * 8), 1_000)
    assert spent(layout, tier=Tier.RETRIEVED) <= 242
    assert len([s for s in layout.shown if s.form == "full" and s.tokens == 60]) == 4


def test_the_journal_gives_way_to_the_turns_after_it():
    """What is left when the recent turns have taken theirs is all the journal may have."""
    past = [200] * 4 + [2] * 5
    tight = laid_out(material(hard=941, past=past, brief=20), 1_000)
    assert spent(tight, RECENT) == 10
    assert spent(tight, JOURNAL) == 29  # one line of two that its share would have held
    assert spent(tight) + tight.heading_tokens <= 1_000


def test_only_so_many_snippets():
    layout = laid_out(material(named=[5, 5], others=[5] * 9), 3_300, most=8)
    assert len([s for s in layout.shown if s.candidate.tier is Tier.RETRIEVED]) == 8


def test_fewer_turns_before_refusing():
    turns = material(hard=10, past=[100, 100, 100])
    assert laid_out(turns, 400).base_units == 3
    assert laid_out(turns, 250).base_units == 2
    assert laid_out(turns, 150).base_units == 1
    with pytest.raises(WindowRefused) as refused:
        laid_out(turns, 100)
    assert refused.value.shortfall == 10 + 100 + 1 + 5 - 100  # 4 at 100, but 5 at 116
    assert laid_out(turns, 116).base_units == 1


@given(
    st.integers(1, 900), st.integers(1, 900), st.lists(st.integers(1, 900), max_size=4),
    st.lists(st.integers(1, 90), max_size=4), st.text("ab ", max_size=900),
)  # fmt: skip
def test_what_a_refusal_asks_for_is_enough_and_no_less_is(tokens, hard, past, revealed, words):
    must = material(hard=hard, past=past, revealed=revealed, words=words.strip())
    enough = tokens
    try:
        laid_out(must, tokens)
    except WindowRefused as refused:
        enough, said = tokens + refused.shortfall, str(refused)
    laid_out(must, enough)
    assert enough == tokens or f"allow at least {enough:,}" in said
    for less in range(tokens, enough):
        with pytest.raises(WindowRefused):
            laid_out(must, less)
