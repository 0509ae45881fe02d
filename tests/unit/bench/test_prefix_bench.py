"""`bench prefix`: what is reused, what a naive layout reuses, and why a prompt changed."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import mean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storykeeper.bench.prefix import explaining
from storykeeper.bench.prefix.evaluation import (
    EXAMPLE_WORDS,
    WORDS,
    Told,
    measure,
    played,
    shared_prefix,
)
from storykeeper.bench.prefix.explaining import Made, reason
from storykeeper.bench.prefix.naive import naive
from storykeeper.bench.prefix.script import prose, script
from storykeeper.bench.prefix.stage import ROOMS, stage
from storykeeper.bench.registry import BENCHES, Setup
from storykeeper.context.tail import GROWTH_MARGIN, GROWTH_TURNS, MOST_GROWTH
from storykeeper.context.words import quoted
from storykeeper.language.reading import Reading, Somebody
from storykeeper.language.tokens import counter
from storykeeper.scoring.shares import past_room, shares
from storykeeper.story.loader import read_story
from storykeeper.story.tuning import Budget
from storykeeper.story.writer import write_story
from strategies.windows import Played

TRANSCRIPTS = Path(__file__).parents[2] / "stories" / "transcripts"


class Unread:
    """A reader that finds nothing: how prose is read is not what is measured here."""

    def read(self, text: str, *, cast: tuple[Somebody, ...] = ()) -> Reading:
        return Reading(text)


@pytest.fixture(scope="module")
def run() -> Told:
    return played(script(100, words=70), reader=Unread())


def test_most_of_the_stable_part_is_that_of_the_turn_before(run: Told):
    reused = run.figures()["reused"]
    assert reused["stable"]["median"] >= 90
    assert reused["whole"]["median"] >= 50


def test_a_cache_of_what_is_marked_finds_as_much(run: Told):
    """Where a turn was appended all of what was there is before a mark; after a cut, tier 1."""
    appended = [
        (stable, marked)
        for stable, marked in zip(run.ours.stable, run.ours.marked, strict=True)
        if stable > 75
    ]
    assert len(appended) >= run.reasons[explaining.APPENDED] >= 70
    assert all(stable - marked < 0.5 for stable, marked in appended)
    assert run.figures()["reused"]["marked"]["median"] >= 90
    assert run.ours.marked.count(0.0) == run.reasons[explaining.SCENE]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "stable", "whole"), [(150, 86, 50), pytest.param(200, 83, 45, marks=pytest.mark.long)]
)
def test_with_long_turns_most_prompts_still_begin_as_the_one_before(words, stable, whole):
    figures = played(script(60, words=words), reader=Unread()).figures()
    assert figures["reused"]["stable"]["median"] >= stable
    assert figures["reused"]["whole"]["median"] >= whole


def test_a_naive_layout_reuses_less(run: Told):
    ours, usual = run.figures()["reused"], run.naive.figures()["reused"]
    for part in ("stable", "whole"):
        assert usual[part]["median"] < ours[part]["median"] - 20


def test_every_change_has_a_reason_and_tier_1_changes_with_the_scene_alone(run: Told):
    changed = run.figures()["changed"]
    assert sum(changed.values()) == 99
    assert changed[explaining.SCENE] == 4
    assert explaining.OTHER not in changed
    assert explaining.PREAMBLE not in changed
    assert changed[explaining.APPENDED] >= 70


def test_quickly_with_the_real_reader_people_come_and_go():
    said: list[str] = []
    figures = measure(Setup(say=said.append, quick=True))
    assert figures["storykeeper"]["turns"] == len(said) == 23
    assert figures["storykeeper"]["presence_lines"] > 0
    assert explaining.PREAMBLE not in figures["storykeeper"]["changed"]
    assert 0 < figures["naive"]["reused"]["whole"]["median"] < 100
    assert any(explaining.SCENE in line for line in said)
    assert BENCHES["prefix"].module.endswith("prefix.evaluation")


# ── the parts ────────────────────────────────────────────────────────────────────────────────


def test_the_stage_is_a_story_that_loads(tmp_path):
    for name, text in write_story(stage()).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    read = read_story(tmp_path)
    assert not (*read.errors, *read.warnings)


def test_turns_are_as_long_as_they_should_be_and_end_with_a_sentence():
    for words in (70, 150):
        for text in islice(prose(words), 100):
            assert words <= len(text.split()) <= words + 60
            assert text.rstrip("\"”’'")[-1] in ".!?"


def test_its_turns_are_as_long_as_those_of_the_example():
    told = [
        len(turn.split())
        for path in TRANSCRIPTS.glob("*.txt")
        for turn in re.split(r"(?m)^> .*$", path.read_text("utf-8"))
    ]
    ours = [len(step.prose.split()) for step in script(200, words=EXAMPLE_WORDS)]
    assert len(told) > 90
    assert abs(mean(ours) - median(told)) < 0.05 * median(told)


def test_the_first_length_is_what_the_sizes_are_made_for():
    count, share = counter("o200k"), shares(Budget(), window_tokens=3_300)
    turns = [count(f"{quoted(step.line)}\n\n{step.prose}") for step in script(200, words=WORDS)]
    room = past_room(share, window_tokens=3_300, above_tokens=600, headings=40)
    most = MOST_GROWTH * (room - share.recent) / (GROWTH_TURNS * GROWTH_MARGIN)
    assert 3 * mean(turns) <= share.recent  # the last three stand in what a cut leaves
    assert mean(turns) <= most  # and three more, before the next


def test_the_script_goes_through_every_room():
    steps = script(200, words=70)
    assert [s.line for s in steps if s.line.startswith("I go to")] == [
        f"I go to the {room}." for room, *_ in ROOMS[1:]
    ]
    assert sum(not step.line for step in steps) == 1
    assert script(1, words=70)[0].line == ""


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=40))
def test_a_shared_prefix_is_counted_byte_by_byte(head, one, other):
    one, other = head + one, head + other
    slowly = next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    assert shared_prefix(one, other) == slowly


def made(turns: int, *, scene: str = "landing", last: int = -1, tier: int = 99_999) -> Made:
    run = Played.of(stage())
    run.play("", "It begins.")
    for i in range(turns):
        run.play(f"I hum, {i}.", f"Nothing much happens, {i}. " * 20)
    return Made(run.window("I wait."), scene, turns if last < 0 else last, tier)


def test_reasons_are_told_apart():
    assert reason(made(5), made(5)) == explaining.NOTHING
    assert reason(made(5), made(6)) == explaining.APPENDED
    assert reason(made(5), made(6, scene="hall")) == explaining.SCENE
    one, other = made(5), cut_anew(made(6))
    assert reason(one, replace(other, tier=300)) == explaining.FULL
    assert reason(one, replace(other, last=16)) == explaining.STEADY
    assert reason(one, replace(other, last=17)) == explaining.ROOM


def cut_anew(one: Made) -> Made:
    """The same with a tail that begins one turn later."""
    gone = next(s for s in one.window.items if s.candidate.id == one.first)
    items = tuple(s for s in one.window.items if s is not gone)
    return replace(one, window=replace(one.window, items=items))


def test_a_tail_that_is_cut_in_play_is_cut_for_want_of_room():
    before = made(5)
    after = next(now for now in map(made, range(6, 30)) if now.first != before.first)
    assert reason(made(after.last - 1), replace(after, tier=0)) == explaining.FULL


def test_what_cannot_be_explained_is_not_explained_away():
    one, two = made(5), made(6)
    items = two.window.items
    tampered = [
        replace(s, candidate=replace(s.candidate, full="Something else.")) if i == at else s
        for at in (0,)
        for i, s in enumerate(items)
    ]
    other = replace(two, window=replace(two.window, items=tuple(tampered)))
    assert reason(one, other) == explaining.PREAMBLE
    last = max(i for i, s in enumerate(items) if s.candidate.origin == "recent") - 1
    tampered = [
        replace(s, candidate=replace(s.candidate, full="Something else.")) if i == last else s
        for i, s in enumerate(items)
    ]
    other = replace(two, window=replace(two.window, items=tuple(tampered)))
    assert reason(one, other) == explaining.OTHER


def test_the_naive_layout_shows_the_same_and_slides():
    text, sizes = naive(made(16).window)
    assert len(text.encode()) == sum(sizes)
    assert "Nothing much happens, 15." in text
    assert text.index("# Voice") < text.index("Nothing much happens, 15.") < text.index("> I wait.")
    after, _ = naive(made(17).window)
    same = shared_prefix(text.encode(), after.encode())
    assert same < sizes[0] + sizes[1] + 200  # the story so far is another one
