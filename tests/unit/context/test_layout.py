"""The order of claims, on made-up material where a character is a token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from storykeeper.context.items import Candidate, Class, Tier
from storykeeper.context.layout import PAST_SHARE, TOLD_ABOVE
from storykeeper.context.materials import Layout, Materials, Terms
from storykeeper.context.nested_layout import lay_out
from storykeeper.context.pieces import Piece
from storykeeper.context.render import Headings
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.sources import BEAT, EARLIER, ECHO, RECALLED, REVELATION, STANDING
from storykeeper.context.sources.recalled import recall_line
from storykeeper.context.tail import RECENT, Unit
from storykeeper.errors import WindowRefused
from storykeeper.scoring.composite import Terms as ScoreTerms
from storykeeper.scoring.pack import NO_ROOM
from storykeeper.scoring.shares import shares
from storykeeper.story.tuning import Budget, Policy
from storykeeper.units import SceneId, TurnNo

HEADINGS = Headings(so_far="J", recent="R", retrieved="3", earlier="E", tell="T", input="I")
HEADS = 6
OPEN = ScoreTerms(boundary=1.0)
HALL = SceneId("hall")


def item(
    item_id: str, size: int, *, origin: str, tier: Tier, klass: Class, least: int = 0,
    relevance: float = 1.0,
) -> Candidate:  # fmt: skip
    hint = "h" * least if 0 < least < size else ""
    return Candidate(
        id=item_id, origin=origin, tier=tier, klass=klass, sources=(item_id,), full="x" * size,
        hint=hint, terms=ScoreTerms(relevance=relevance, boundary=1.0),
    )  # fmt: skip


def piece(turn: int, place: int, size: int) -> Piece:
    """Something that says a word of its own, and nothing else."""
    word = f"zq{turn}x{place}"
    text = word + "." * (size - len(word))
    return Piece(f"piece:{turn}/{place}", TurnNo(turn), HALL, place, text, frozenset({word}),
                 frozenset())  # fmt: skip


def turn_of(number: int, size: int, pieces: Sequence[int] = ()) -> Unit:
    """A turn of so many tokens, of which these pieces can be quoted."""
    name = f"turn:{number}"
    whole = Candidate(
        id=name, origin=RECENT, tier=Tier.JOURNAL, klass=Class.MANDATORY, sources=(name,),
        full="t" * size, terms=OPEN,
    )  # fmt: skip
    quoted = tuple(piece(number, place, each) for place, each in enumerate(pieces))
    return Unit(TurnNo(number), whole, (), quoted)


def recalled(turn: int, places: Sequence[int], size: int = 20) -> Candidate:
    """What memory found of a turn."""
    pieces = [piece(turn, place, size) for place in places]
    return Candidate(
        id=f"recalled:{turn}", origin=RECALLED, tier=Tier.RETRIEVED, klass=Class.ENRICHMENT,
        sources=tuple(p.source for p in pieces), full=recall_line(pieces),
        brief=recall_line(pieces[:1]), terms=OPEN,
    )  # fmt: skip


def material(
    *, hard: int = 10, soft: Sequence[int] = (), past: Sequence[int] = (),
    named: Sequence[int] = (), others: Sequence[int] = (), stands: Sequence[int] = (),
    revealed: Sequence[int] = (), beat: int = 0, words: str = "", pieces: Sequence[int] = (),
    **more: Any,
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
    entered = Candidate(
        id="input", origin="input", tier=Tier.INPUT, klass=must, sources=("input",), full=typed,
        terms=OPEN,
    )  # fmt: skip
    return replace(
        Materials(
            hard=[item("hard", hard, origin="hard", tier=one, klass=must)],
            soft=[item(f"s{i}", n, origin="soft", tier=one, klass=must)
                  for i, n in enumerate(soft)],
            past=[turn_of(i, n, pieces) for i, n in enumerate(past)],
            mandatory=mandatory,
            others=[
                *(item(f"f{i}", n, origin=STANDING, tier=three, klass=may)
                  for i, n in enumerate(stands)),
                *(item(f"o{i}", n, origin="gravity", tier=three, klass=may, least=4, relevance=0.5)
                  for i, n in enumerate(others)),
            ],
            acts=[], words=words, input=entered if words else None,
        ),
        **more,
    )  # fmt: skip


def laid_out(
    materials: Materials, tokens: int, *, most: int | None = None, policy: Policy = Policy.FILL
) -> Layout:
    def sized(size: int) -> tuple[Materials, Terms]:
        return materials, Terms(
            tokens=size, slack=0, shares=shares(Budget(), window_tokens=size), headings=HEADINGS,
            price=len, policy=policy, most_snippets=most,
        )  # fmt: skip

    return lay_out(*sized(tokens), sized)


def spent(layout: Layout, origin: str = "", tier: Tier | None = None) -> int:
    return sum(
        s.tokens for s in layout.shown
        if origin in ("", s.candidate.origin) and tier in (None, s.candidate.tier)
    )  # fmt: skip


def ids(layout: Layout, *origins: str) -> list[str]:
    return [s.candidate.id for s in layout.shown if s.candidate.origin in origins]


def sources(layout: Layout, *origins: str) -> list[str]:
    found = (s.candidate for s in layout.shown if s.candidate.origin in origins)
    return [source for candidate in found for source in candidate.sources]


def why(layout: Layout) -> dict[str, str]:
    return {each.candidate.id: each.reason for each in layout.missed}


# ── of every layout ──────────────────────────────────────────────────────────────────────────

sizes = st.lists(st.integers(1, 120), max_size=12)
ANY = {
    "hard": st.integers(1, 200), "soft": sizes, "past": sizes, "named": sizes, "others": sizes,
    "stands": sizes, "revealed": sizes, "beat": st.integers(0, 300),
    "words": st.text("ab ", max_size=300).map(str.strip),
    "pieces": st.lists(st.integers(6, 90), max_size=3),
}  # fmt: skip
materials = st.fixed_dictionaries(ANY).map(lambda given: material(**given))


def made(materials: Materials, tokens: int) -> Layout:
    """The layout; where there is none, this is no case."""
    try:
        return laid_out(materials, tokens)
    except WindowRefused:
        return assume(False)


@given(st.integers(50, 4_000), materials)
def test_every_layout_keeps_to_its_size_and_its_order(tokens, given_):
    layout, share = made(given_, tokens), shares(Budget(), window_tokens=tokens)
    assert spent(layout) + layout.heading_tokens <= tokens
    assert spent(layout, tier=Tier.INPUT) <= share.input
    tiers = [s.candidate.tier for s in layout.shown]
    assert tiers == sorted(tiers)
    past = [unit.candidate.id for unit in given_.past]
    tail, soft = ids(layout, RECENT), ids(layout, "soft")
    assert tail == past[len(past) - len(tail) :]
    assert len(tail) >= min(layout.base_units, len(past))
    assert soft == [f"s{i}" for i in range(len(soft))]


@given(st.integers(50, 4_000), materials)
def test_what_was_just_learned_is_always_in_the_hint_at_least(tokens, given_):
    layout, share = made(given_, tokens), shares(Budget(), window_tokens=tokens)
    learned = [c for c in given_.mandatory if c.origin == REVELATION]
    if sum(min(len(c.full), 3) for c in learned) + HEADS <= share.retrieved:
        assert ids(layout, REVELATION) == [c.id for c in learned]


@given(st.integers(50, 4_000), materials)
def test_everything_is_shown_once_or_missed_once(tokens, given_):
    layout = made(given_, tokens)
    everything = (*given_.soft, *given_.mandatory, *given_.others)
    named = [*(s.candidate.id for s in layout.shown), *(m.candidate.id for m in layout.missed)]
    assert {c.id for c in everything} <= set(named)
    assert len(set(named)) == len(named)
    told = sources(layout, SO_FAR, RECALLED, EARLIER)
    assert len(set(told)) == len(told)
    whole = {name.partition(":")[2] for name in ids(layout, RECENT)}
    assert not any(each.partition(":")[2].partition("/")[0] in whole for each in told)


@given(st.integers(50, 4_000), materials)
def test_no_room_is_left_that_anything_would_fit_into(tokens, given_):
    """Law 12: at least 97 % is used, or nothing that remains fits."""
    layout = made(given_, tokens)
    left = tokens - spent(layout) - layout.heading_tokens
    if left <= 0.03 * tokens:
        return
    shown = {s.candidate.id for s in layout.shown}
    told = {*sources(layout, SO_FAR, RECALLED, EARLIER)}
    rest = [unit for unit in given_.past if unit.candidate.id not in shown]
    lacking = [p for unit in rest for p in unit.pieces if p.source not in told]
    assert all(len(recall_line([each])) + 1 + HEADS > left for each in lacking)
    for each in (*given_.mandatory, *given_.others):
        if each.id not in shown:
            assert min(len(text) for _, text in each.forms) + HEADS > left
    soft = [c for c in given_.soft if c.id not in shown]
    assert not soft or len(soft[0].full) > left


# ── what must be in ──────────────────────────────────────────────────────────────────────────


def test_a_beat_does_not_take_the_room_of_what_was_just_learned():
    """Exactly legal: rules 84, one hint of 15 with its heading; nothing for a beat's heading."""
    story = material(hard=84, revealed=[15], beat=40)
    layout = laid_out(story, 100)
    assert [s.candidate.id for s in layout.shown] == ["hard", "r0"]


def test_nor_does_a_heading_that_nothing_stands_under():
    """The same with a turn: rules 86, the turn 9 with its heading, one hint of 3 with its own."""
    layout = laid_out(material(hard=86, revealed=[15], past=[9]), 100)
    assert [s.candidate.id for s in layout.shown] == ["hard", "turn:0", "r0"]


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


# ── tier 1 ───────────────────────────────────────────────────────────────────────────────────

MANY = [60] * 40  # turns with more to quote than there is room for
TWO = [28, 28]


def test_tier_3_has_its_least_before_soft_material_gets_anything():
    """1,000 tokens: tier 3 is 242, at least 121; hard and soft material may have 240."""
    others = {"others": [60, 60], "soft": [90]}
    layout = laid_out(material(hard=100, past=[230, 230, 230], **others), 1_000)
    assert spent(layout, tier=Tier.RETRIEVED) == 120
    assert spent(layout, "soft") == 0
    roomy = laid_out(material(hard=100, past=[150, 150, 150], **others), 1_000)
    assert spent(roomy, "soft") == 90


@pytest.mark.parametrize(("first", "shown"), [(5, 3), (6, 2), (25, 2), (26, 1), (45, 1), (46, 0)])
def test_soft_material_has_its_share(first, shown):
    given_ = material(hard=100, soft=[first, 20, 20], past=MANY, pieces=TWO)
    layout = laid_out(given_, 1_000)
    above = [s.candidate.id for s in layout.shown if s.candidate.tier is Tier.PREAMBLE]
    assert above == ["hard", "s0", "s1", "s2"][: shown + 1]
    left = ["s0", "s1", "s2"][len(ids(layout, "soft")) :]  # more may come in the end
    assert [name for name, reason in why(layout).items() if reason == PAST_SHARE] == left


def test_and_more_where_nothing_else_wants_the_room():
    """It goes on behind the tail: tier 1 is the same whatever the turn leaves."""
    given_ = material(hard=155, soft=[45, 50, 50], past=[60] * 3, others=[60], beat=10)
    layout = laid_out(given_, 1_000)
    assert [s.candidate.id for s in layout.shown] == [
        "hard", "s0", "turn:0", "turn:1", "turn:2", "o0", "s1", "s2", "b",
    ]  # fmt: skip


def test_but_nothing_that_tier_3_says_already():
    """What the soft material could not say has a card; the room that is left changes nothing."""
    given_ = material(hard=300, soft=[100], past=[60] * 3, others=[60])
    card = replace(given_.others[0], id="entity:bob", origin="entity", sources=("line:bob",))
    soft = replace(given_.soft[0], sources=("line:bob",))
    layout = laid_out(replace(given_, soft=[soft], others=[card]), 1_000)
    said = [s.candidate.id for s in layout.shown if "line:bob" in s.candidate.sources]
    assert len(said) == 1


# ── tier 2 ───────────────────────────────────────────────────────────────────────────────────


def test_what_is_older_than_the_tail_is_told_in_pieces_before_it():
    layout = laid_out(material(past=MANY, pieces=TWO), 1_000)
    first = int(ids(layout, RECENT)[0].partition(":")[2])
    told = [s.partition(":")[2].partition("/")[0] for s in sources(layout, SO_FAR)]
    assert told
    assert all(int(turn) < first for turn in told)
    order = [s.candidate.origin for s in layout.shown]
    assert order.index(SO_FAR) < order.index(RECENT) < order.index(EARLIER)


def test_what_all_fits_is_told_word_for_word():
    layout = laid_out(material(past=MANY, pieces=TWO), 4_000)
    assert len(ids(layout, RECENT)) == len(MANY)
    assert ids(layout, SO_FAR, RECALLED, EARLIER) == []


def test_a_line_longer_than_usual_takes_from_what_is_new_each_turn_first():
    """And then from the older turns; of the three last nothing."""
    usual, longer, longest = (
        laid_out(material(past=MANY, pieces=TWO, words="a" * n), 1_000) for n in (20, 120, 149)
    )
    assert spent(usual, EARLIER) > spent(longer, EARLIER)
    assert sources(usual, SO_FAR, RECENT) == sources(longer, SO_FAR, RECENT)
    assert sources(longest, RECENT)[-3:] == sources(usual, RECENT)[-3:]


def test_the_story_so_far_gives_way_to_the_turns_after_it():
    """What is left when tier 1, tier 3's least and the last turns have theirs is all it has."""
    wide, tight = (
        laid_out(material(hard=hard, past=MANY, pieces=TWO, others=[60, 60]), 1_000)
        for hard in (10, 600)
    )
    assert spent(tight, SO_FAR) < spent(wide, SO_FAR)
    assert len(ids(tight, RECENT)) == 3
    assert spent(tight, "gravity") == 120


def test_the_story_so_far_says_the_same_until_the_next_cut():
    """A turn more is a turn more in the tail; the pieces before it stay as they are."""
    told = [laid_out(material(past=[60] * n, pieces=TWO), 1_000) for n in (33, 34, 35)]
    assert len({tuple(sources(each, SO_FAR)) for each in told}) == 1
    assert sources(told[0], SO_FAR)
    tails = [ids(each, RECENT) for each in told]
    assert [len(each) for each in tails] == [len(tails[0]) + more for more in range(3)]
    assert len({each[0] for each in tails}) == 1


def test_nor_does_what_comes_up_again_since_change_it():
    """A word that comes up again is worth twice as much; from the next cut on."""
    past = [turn_of(i, 60, TWO) for i in range(33)]
    before = sources(laid_out(replace(material(), past=past), 1_000), SO_FAR)
    unsaid = next(p for unit in past for p in unit.pieces if p.source not in before)
    again = replace(unsaid, source="piece:33/0", turn=TurnNo(33), place=0)
    newest = replace(turn_of(33, 60), pieces=(again,))
    after = laid_out(replace(material(), past=[*past, newest]), 1_000)
    assert ids(after, RECENT)[-1] == "turn:33"
    assert before
    assert sources(after, SO_FAR) == before


# ── tier 3 ───────────────────────────────────────────────────────────────────────────────────


def test_what_is_left_is_tier_3s_beyond_its_share():
    layout = laid_out(material(others=[60] * 8), 1_000)
    assert spent(layout, "gravity") == 480  # its share is 242


def test_only_so_many_snippets():
    layout = laid_out(material(named=[5, 5], others=[5] * 9), 3_300, most=8)
    assert len([s for s in layout.shown if s.candidate.tier is Tier.RETRIEVED]) == 8


def test_of_tier_3_at_most_half_is_what_stands_while_there_is_something_else():
    """Room for 320 beside the rules; what stands scores twice as much."""
    both = material(hard=678, stands=[40] * 8, others=[40] * 8)
    layout = laid_out(both, 1_000)
    assert (spent(layout, STANDING), spent(layout, "gravity")) == (160, 160)
    assert set(why(layout)) == {*(f"f{i}" for i in range(4, 8)), *(f"o{i}" for i in range(4, 8))}


def test_but_it_has_all_that_nothing_else_wants():
    layout = laid_out(material(hard=678, stands=[40] * 8, others=[40]), 1_000)
    assert (spent(layout, STANDING), spent(layout, "gravity")) == (280, 40)
    assert ids(layout, "gravity")


def test_what_comes_in_at_last_stands_behind_what_had_a_claim():
    """What was just learned and named comes first, however much room is left for the rest."""
    layout = laid_out(material(hard=678, revealed=[9], named=[9], stands=[40] * 6), 1_000)
    retrieved = [s.candidate.id for s in layout.shown if s.candidate.tier is Tier.RETRIEVED]
    assert retrieved == ["r0", "n0", *(f"f{i}" for i in range(6))]


def test_more_of_the_past_comes_in_until_the_window_is_full():
    layout = laid_out(material(past=MANY, pieces=TWO), 1_000)
    assert sources(layout, EARLIER)
    left = 1_000 - spent(layout) - layout.heading_tokens
    assert left < 28 + len("- ") + len(" … ") + HEADS  # one more, wherever it stands


def test_of_one_turn_there_is_one_line_and_lines_are_in_order():
    layout = laid_out(material(past=MANY, pieces=[20, 20, 20], others=[30], beat=10), 1_000)
    lines = ids(layout, EARLIER)
    assert lines == sorted(lines, key=lambda name: int(name.partition(":")[2]))
    assert len(set(lines)) == len(lines) < len(sources(layout, EARLIER))
    retrieved = [s.candidate.id for s in layout.shown if s.candidate.tier is Tier.RETRIEVED]
    assert retrieved == ["o0", *lines, "b"]


def test_words_that_matter_now_bring_their_pieces():
    """All are alike; of those that had no room, one is asked for. It stands where it was told."""
    turns = [turn_of(i, 60, [28]) for i in range(40)]
    plain = laid_out(replace(material(), past=turns), 700)
    shown = sources(plain, SO_FAR, RECALLED, EARLIER)
    first = int(ids(plain, RECENT)[0].partition(":")[2])
    unsaid = [i for i in range(first) if f"piece:{i}/0" not in shown]
    assert len(unsaid) > 5
    for asked in (unsaid[0], unsaid[-1]):
        given_ = replace(material(favoured={f"zq{asked}x0": 1.0}), past=turns)
        layout = laid_out(given_, 700)
        assert f"piece:{asked}/0" in sources(layout, EARLIER)
        assert sources(layout, SO_FAR) == sources(plain, SO_FAR)
        lines = [int(name.partition(":")[2]) for name in ids(layout, EARLIER)]
        assert lines == sorted(lines)


def test_what_memory_found_is_there_also_from_before_the_past_at_hand():
    """And where there is room more of the same turn, in the same line."""
    found = [piece(900, 0, 20), piece(900, 1, 20)]
    given_ = material(past=[60] * 3, others=[10], found=found)
    given_ = replace(given_, others=[*given_.others, recalled(900, [1])])
    layout = laid_out(given_, 1_000)
    lines = [s for s in layout.shown if s.candidate.origin in (RECALLED, EARLIER)]
    assert [line.text for line in lines] == [recall_line(found)]
    assert [line.candidate.sources for line in lines] == [("piece:900/0", "piece:900/1")]


def above(*turns: int, recalls: Candidate) -> Layout:
    """After forty turns like the others, these of one piece that is short and one that is long."""
    past = [turn_of(i, 60, [8, 80] if i in turns else [8, 28]) for i in range(40)]
    return laid_out(replace(material(), past=past, others=[recalls]), 1_000)


def test_what_stands_above_is_not_recalled_again():
    layout = above(recalls=recalled(39, [0, 1]))
    assert why(layout) == {"recalled:39": TOLD_ABOVE}


@pytest.mark.parametrize("policy", Policy)
def test_what_an_echo_that_waited_quotes_stands_once(policy):
    """After one that does not fit it has to wait; more of the past must not say it meanwhile."""
    large = item("large", 2_000, origin="gravity", tier=Tier.RETRIEVED, klass=Class.ENRICHMENT)
    low = ScoreTerms(relevance=0.5, boundary=1.0)
    echo = replace(recalled(900, [0]), id="echo:900", origin=ECHO, terms=low)
    given_ = material(past=[60] * 3, found=[piece(900, 0, 20)])
    layout = laid_out(replace(given_, others=[large, echo]), 1_000, policy=policy)
    assert sources(layout, ECHO, RECALLED, EARLIER) == ["piece:900/0"]


def test_what_does_not_fit_is_missed_with_what_it_lacks():
    layout = laid_out(material(hard=900, stands=[150]), 1_000)
    (missed,) = layout.missed
    assert (missed.candidate.id, missed.reason) == ("f0", NO_ROOM)
    assert missed.lacking == 150 - (1_000 - 900 - 1)
