"""Laws of windows on long runs: full, nothing twice, monotone, in the story's own words.

What is left out is worked out here a second time: from what the window was laid out from, and what
is in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from storykeeper.context.gathering import BELOW_THE_FLOOR, SAID_ALREADY
from storykeeper.context.layout import PAST_SHARE, TOLD_ABOVE
from storykeeper.context.passages import GAP
from storykeeper.context.so_far import SO_FAR
from storykeeper.context.sources import RECALLED
from storykeeper.context.sources.recalled import recall_line
from storykeeper.context.tail import RECENT
from storykeeper.events.atoms import SpeechUttered
from storykeeper.scoring.pack import NOTHING, TOO_MANY
from storykeeper.story.knowledge import Fact
from storykeeper.story.model import NARRATOR
from storykeeper.story.tuning import Policy
from strategies.long_runs import LongRun, Look, heard, long_run, long_runs
from strategies.worlds import READER, house

# A whole run takes minutes to shrink; the blob that is printed brings it back as it was.
WHOLE = settings(phases=(Phase.explicit, Phase.generate))
FULL = 0.97
# It is there, or nothing is wanted; or a brief has its eight snippets (F4.4).
SAID = {SAID_ALREADY, TOLD_ABOVE, NOTHING, BELOW_THE_FLOOR, TOO_MANY}
SIZES = st.one_of(
    st.integers(150, 900), st.integers(900, 5_000), st.sampled_from([3_300, 8_000, 32_000])
)
WORDS = re.compile(r"\w+")
NAMED = re.compile(r"(?:^|(?<= ))(?:Ana|Bo|Cy|Dee|Ann|Bob|Eve)(?:’s player: |: (?=[“\"«]))")


@pytest.fixture(autouse=True, scope="module")
def parser():
    """Loaded before anything is drawn: loading it draws random numbers, as no strategy may."""
    READER.read("It rains.")


# ── full ─────────────────────────────────────────────────────────────────────────────────────


@WHOLE
@given(long_runs(), SIZES)
def test_a_window_is_full_or_nothing_more_fits(run: LongRun, tokens: int):
    for look in run.looks(tokens):
        assert_full(look)


def assert_full(look: Look) -> None:
    """97 % is used, or there is nothing more, or it is larger than what is free.

    Where joined texts count for more than their parts, that much is not free.
    """
    spent = look.window.receipt.spent
    if spent.window >= FULL * spent.budget:
        return
    parts = sum(look.window.tokens_by_tier.values()) + spent.headings + look.terms.slack
    free = spent.budget - max(spent.window, parts)
    fitting = [(name, cost) for name, cost in remaining(look) if cost <= free]
    assert not fitting, (look.window.audience, spent, free, fitting[:3])


def remaining(look: Look) -> Iterator[tuple[str, int]]:
    """What is not shown and could be, and what its smallest form would cost with its heading."""
    yield from _candidates(look)
    yield from _pieces(look)


def _candidates(look: Look) -> Iterator[tuple[str, int]]:
    missed = [each for each in look.layout.missed if each.reason not in SAID]
    soft = [each for each in missed if each.reason == PAST_SHARE][:1]  # only a prefix of it stands
    others = [each for each in missed if each.reason != PAST_SHARE]
    if look.terms.policy is Policy.PREFIX:
        others = []  # packing stops at the first that does not fit: that is what was asked for
    for each in (*soft, *others):
        candidate = each.candidate
        if candidate.origin == RECALLED or look.sources.intersection(candidate.sources):
            continue  # of turns there are pieces; and nothing stands twice
        if candidate.forms:
            least = min(look.price(text) for _, text in candidate.forms)
            yield candidate.id, least + look.heading_of(candidate)


def _pieces(look: Look) -> Iterator[tuple[str, int]]:
    shown = look.sources
    near = [piece for unit in look.materials.past for piece in unit.pieces]
    begun = any(each.candidate.origin == RECALLED for each in look.window.items)
    heading = 0 if begun else look.price(look.headings.earlier)
    for piece in (*look.materials.found, *near):
        if not stands(piece.source, shown):
            line = look.price(recall_line([piece]))
            yield piece.source, max(line, look.price(piece.quoted) + 2) + heading


def stands(source: str, shown: set[str]) -> bool:
    """Whether a piece is there, or all of its turn."""
    return source in shown or f"turn:{turn_of(source)}" in shown


def turn_of(source: str) -> int:
    """The turn that something is from."""
    name = source.partition(":")[2].removeprefix("t")
    return int(re.split(r"[./]", name)[0])


def test_what_is_known_of_a_large_world_fills_a_large_window():
    """Four hundred facts, and a run of a few turns: there is nothing else to fill it with."""
    facts = tuple(
        Fact(id=f"f{i}", full=f"House {i} was built in {1700 + i}. It is of stone, and empty.",
             known_by={"ann": "saw"})
        for i in range(400)
    )  # fmt: skip
    run = long_run(house(facts=(*house().facts, *facts)), Random(1), turns=5)
    run.text = "I wait."
    for tokens in (3_300, 8_000, 16_000, 64_000):
        look = run.look(NARRATOR, tokens)
        assert_full(look)
        missing = {f"fact:{fact.id}" for fact in facts} - look.sources
        assert not missing or look.window.tokens >= FULL * tokens, (tokens, len(missing))


# ── nothing twice ────────────────────────────────────────────────────────────────────────────


@WHOLE
@given(long_runs(), SIZES)
def test_nothing_of_the_past_stands_twice(run: LongRun, tokens: int):
    for look in run.looks(tokens):
        told = [
            (source, each.candidate.origin)
            for each in look.window.items
            for source in each.candidate.sources
            if source.startswith(("turn:", "piece:", "atom:"))
        ]
        assert max(Counter(source for source, _ in told).values(), default=1) == 1
        whole = {source.partition(":")[2] for source, _ in told if source.startswith("turn:")}
        pieces = [source for source, _ in told if source.startswith("piece:")]
        assert not [p for p in pieces if str(turn_of(p)) in whole]
        tail = {source for source, origin in told if origin == RECENT}
        assert not [s for s, origin in told if origin in (SO_FAR, RECALLED) and s in tail]


# ── monotone ─────────────────────────────────────────────────────────────────────────────────


@WHOLE
@given(long_runs(), st.one_of(st.integers(150, 900), st.integers(900, 6_000)))
def test_what_a_window_shows_one_of_twice_the_size_does(run: LongRun, tokens: int):
    assert_monotone(run, tokens)


ALONE = [(0, 177), (11, 961), (41, 737), (48, 260)]
AROUND = [(102, 422), (125, 495), (177, 460)]


@pytest.mark.parametrize(("seed", "tokens"), [*ALONE, *AROUND])
def test_nor_is_lost_what_a_choice_of_its_own_would_lose(seed: int, tokens: int):
    """Turns, pieces and events of these runs are not in the larger window, if it is made alone; or
    if what it is made around is not what the smaller is made of, or gives way to its last turns.
    """
    random = Random(seed)
    assert_monotone(long_run(house(), random, turns=random.choice((10, 30, 60, 120))), tokens)


def assert_monotone(run: LongRun, tokens: int) -> None:
    """By source; a turn is there whole or by a piece, a piece by itself or by its turn."""
    for audience in run.audiences:
        small, large = (run.look(audience, size) for size in (tokens, 2 * tokens))
        if small is None:
            continue
        assert large is not None
        lost = [source for source in sorted(small.sources) if not still_told(source, large)]
        assert not lost, (audience, tokens, lost)


def still_told(source: str, look: Look) -> bool:
    """Whether it is there in some form. A fact may stand in a turn that tells it; that somebody is
    here tier 1 may say, if it is larger.
    """
    kind, shown = source.partition(":")[0], look.sources
    if kind in ("fact", "belief") and source in look.layout.told_above:
        return True
    if kind in ("turn", "moment"):
        return turn_of(source) in {turn_of(s) for s in shown if s.startswith(("turn:", "piece:"))}
    if kind == "where":
        name = source.partition(":")[2]
        return bool(shown & {source, f"cast:{name}"})
    return stands(source, shown) if kind == "piece" else source in shown


# ── in the story's own words ─────────────────────────────────────────────────────────────────


@WHOLE
@given(long_runs(), SIZES)
def test_the_story_so_far_is_word_for_word_what_was_told(run: LongRun, tokens: int):
    for look in run.looks(tokens):
        for item in look.window.items:
            if item.candidate.origin in (SO_FAR, RECALLED):
                assert_own_words(run, look.window.audience, item)


def assert_own_words(run: LongRun, audience: str, item) -> None:
    """Each part of it stands in the turn that its source names, which is open to this audience."""
    sources = sorted(item.candidate.sources, key=place_of)
    assert item.form == "full"
    text = item.text.removeprefix("- ")
    parts = re.split(f"{GAP}|\n", text)
    for sources_of_it, part in zip(runs_of(sources), parts, strict=True):
        turn = next(t for t in run.played.history if t.turn == turn_of(sources_of_it[0]))
        if sources_of_it[0].startswith("atom:"):
            assert_perceived(run, turn, audience, sources_of_it, part)
        else:
            assert audience == NARRATOR
            said = words_of(f"{turn.text} {turn.prose}")
            assert f" {words_of(NAMED.sub('', part))} " in f" {said} ", (part, turn)


def place_of(source: str) -> tuple[int, int]:
    """Where a piece stands in a run."""
    place = re.split(r"[./]", source)[-1]
    return turn_of(source), int(place)


def runs_of(sources: list[str]) -> list[list[str]]:
    """Pieces by what follows one another without a gap."""
    found = [[sources[0]]]
    for before, after in pairwise(sources):
        (turn, place), (next_turn, next_place) = place_of(before), place_of(after)
        same = before.partition(":")[0] == after.partition(":")[0]
        follows = same and (next_turn, next_place) == (turn, place + 1)
        found[-1:] = [[*found[-1], after]] if follows else [found[-1], [after]]
    return found


def words_of(text: str) -> str:
    return " ".join(WORDS.findall(text))


def assert_perceived(run: LongRun, turn, audience: str, sources: list[str], part: str) -> None:
    """An event, which they perceived; words in it are those that were said."""
    mind = run.moment()[1].player if audience == NARRATOR else audience
    atom = next(a for a in turn.atoms if f"atom:{a.id}" == sources[0])
    assert heard(atom, mind)
    if isinstance(atom.what, SpeechUttered):
        assert words_of(atom.what.words) in words_of(part)


@WHOLE
@given(long_runs(), SIZES)
def test_a_brief_tells_of_the_past_only_what_they_perceived(run: LongRun, tokens: int):
    """By the words: whatever was said has a number of its own."""
    for look in run.looks(tokens):
        who = look.window.audience
        unheard = [
            atom.what.words
            for turn in run.played.history
            for atom in turn.atoms
            if who != NARRATOR and isinstance(atom.what, SpeechUttered) and not heard(atom, who)
        ]
        assert not [words for words in unheard if words in look.window.text]
        if who != NARRATOR:
            kinds = {source.partition(":")[0] for source in look.sources}
            assert not kinds & {"turn", "piece", "moment"}


# ── what these laws are tried on ─────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(3))
def test_the_runs_are_long_enough(seed: int):
    """The narrator and characters have a story so far, and recalled lines."""
    run = long_run(house(), Random(seed), turns=90)
    origins = {
        who: {item.candidate.origin for item in run.look(who, tokens).window.items}
        for who, tokens in ((NARRATOR, 2_000), ("ann", 500))
    }
    for found in origins.values():
        assert {RECENT, SO_FAR, RECALLED} <= found
