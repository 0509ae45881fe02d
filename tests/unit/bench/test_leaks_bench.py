"""`bench leaks`: what is planted, who may have it, what counts as a leak, and that it bites."""

from __future__ import annotations

from itertools import combinations, islice
from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.bench.leaks import carriers, cost, evaluation
from storykeeper.bench.leaks.carriers import CARRIERS, planted
from storykeeper.bench.leaks.cost import cases, no_boundary
from storykeeper.bench.leaks.counting import Tally
from storykeeper.bench.leaks.detecting import CANARY, SOURCE, WORDS, Shown, forbidden, leaks
from storykeeper.bench.leaks.flipping import twins
from storykeeper.bench.leaks.memories import SUMMARY, Talk
from storykeeper.bench.leaks.playing import Playing, Sizes
from storykeeper.bench.leaks.secrets import BRANCH, NARRATOR, TRUNK, Moment, Secret, only
from storykeeper.bench.leaks.usual import FILTER_AFTER, INSTRUCTION
from storykeeper.bench.leaks.viewing import long_run
from storykeeper.bench.registry import BENCHES, Setup
from storykeeper.errors import UnknownAudience
from storykeeper.play.knowing import Level, knowledge
from storykeeper.scoring.pack import TOO_MANY
from storykeeper.story.overlap import sentences, tells, words_of
from strategies.sizes import times
from strategies.worlds import READER

SMALL = Sizes(turn=2, branch=3, end=10, again=2, talk=4)
NOW = Moment(5, TRUNK, {"ann": "hall", "bo": "hall", "cy": "yard"}, "ann")


def played(seed: int, folder: Path, sizes: Sizes = SMALL) -> tuple[Playing, Tally, list]:
    playing, tally = Playing(planted(seed), folder / "run.db", READER, sizes), Tally()
    found = [
        leak
        for shown in playing.everything_shown()
        for leak in tally.add(shown, playing.secrets(), seed=seed)
    ]
    return playing, tally, found


# ── what is planted ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(20))
def test_a_secret_is_said_in_two_ways_and_by_nothing_else(seed):
    stage = planted(seed)
    wordings = [stage.words.wording() for _ in range(5)]
    for wording in wordings:
        assert wording.canary in wording.said
        assert wording.canary not in wording.otherwise
        for text in (wording.said, wording.otherwise):
            assert tells(words_of(text), wording.content)
            assert len(sentences(text)) == 1
        assert not tells(words_of(f"I ask Bo about the {wording.topic}."), wording.content)
    contents = [s.content for s in stage.authored if s.content]
    contents += [s.wording.content for s in stage.spoken if s.wording.content]
    assert all(not one & other for one, other in combinations(contents, 2))
    canaries = [s.canary for s in stage.authored if s.canary]
    canaries += [s.wording.canary for s in stage.spoken]
    assert len(set(canaries)) == len(canaries)


def test_the_same_seed_gives_the_same_story():
    assert planted(3).story() == planted(3).story() != planted(4).story()
    assert list(planted(3).script()) == list(planted(3).script())


def test_every_carrier_plants_something():
    for seed in range(5):
        stage = planted(seed)
        named = {s.carrier for s in stage.authored} | {s.carrier for s in stage.spoken}
        assert named == set(CARRIERS)


def test_the_script_knows_where_everybody_is(story):
    """What may be known follows from places: they must be those of the engine."""
    playing = story[0]
    with Storykeeper.open(playing.path, reader=READER) as keeper:
        there = {turn: world.places for turn, world in keeper.checkpoints()}
    for turn, places in playing.places.items():
        assert {who: there[turn][who] for who in places} == places
    assert len({frozenset(places.items()) for places in playing.places.values()}) > 1


# ── who may have it ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("now", "told", "branch", "there"),
    [
        (Moment(5, TRUNK, {}, ""), 5, TRUNK, True),
        (Moment(5, TRUNK, {}, ""), 6, TRUNK, False),
        (Moment(5, TRUNK, {}, "", retracted=frozenset({3})), 3, TRUNK, False),
        (Moment(5, TRUNK, {}, "", retracted=frozenset({3})), 4, TRUNK, True),
        (Moment(9, TRUNK, {}, ""), 7, BRANCH, False),
        (Moment(9, BRANCH, {}, "", forked_at=6), 7, BRANCH, True),
        (Moment(9, BRANCH, {}, "", forked_at=6), 6, TRUNK, True),
        (Moment(9, BRANCH, {}, "", forked_at=6), 7, TRUNK, False),
    ],
)
def test_what_is_told_at_a_moment(now, told, branch, there):
    assert now.has(told, branch) is there


def test_who_is_where_the_player_is():
    assert NOW.sees("bo")
    assert not NOW.sees("bo", "cy")


# ── what is a leak ───────────────────────────────────────────────────────────────────────────

SECRET = Secret(
    "aside", only("ann"), "bazix", frozenset("abcde"), frozenset({"atom:t3.1", "turn:3"})
)


@pytest.mark.parametrize(
    ("texts", "items", "how"),
    [
        (("It is the Bazix stone.",), (), CANARY),
        (("Nothing.",), (("entity:cup", ("cast:bo", "mention:t3.1#2")),), SOURCE),
        (("Nothing.",), (("atom:t3.1", ()),), SOURCE),
        (("First. So a and c or b. Then.",), (), WORDS),
        (("Nothing.",), (("so-far:3/1", ("piece:2/0", "piece:3/1")),), SOURCE),
        (("So a. And c. Or b.",), (("atom:t3.2", ("atom:t3.2", "piece:2/3")),), None),
    ],
)
def test_each_kind_of_leak(texts, items, how):
    shown = Shown("window", "bo", NOW, texts, items)
    found = list(leaks(shown, forbidden(shown, [SECRET]), seed=1))
    assert [leak.how for leak in found] == ([how] if how else [])
    mine = Shown("window", "ann", NOW, texts, items)
    assert forbidden(mine, [SECRET]) == []


def test_a_leak_says_how_to_play_it_again():
    shown = Shown("window", "bo", NOW, (), (("fact:x", ("atom:t3.1",)),))
    (leak,) = leaks(shown, [SECRET], seed=12)
    assert str(leak) == "LEAK seed 12: aside to bo in turn 5, window, by source, item fact:x"


# ── played ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    made = played(7, tmp_path_factory.mktemp("story"))
    assert made[0].stage.permeability < 0.5  # nothing of the tale is for anybody
    assert made[0].stage.second is not None  # and two play
    return made


def test_nothing_that_is_shown_leaks(story):
    _, tally, found = story
    assert found == []
    assert set(tally.shown) == {"window", "receipt", "recall", "error", FILTER_AFTER, INSTRUCTION}


def test_every_carrier_has_windows_that_it_is_closed_to(story):
    _, tally, _ = story
    assert {name for name, windows in tally.closed.items() if windows} == set(CARRIERS)


def test_those_who_may_have_a_secret_get_it(story):
    """Or a carrier would carry nothing; a list of errors is for nobody."""
    _, tally, _ = story
    told = {name for name in CARRIERS if tally.told[name]}
    assert told >= {"aside", "whisper", "overheard", "retracted", "fork", "hint", "card"}
    assert told >= {"telephone", "note"}
    assert told >= {"gravity", "prophecy", "hidden_tale", "bridge", "echo", "recalled"}
    assert told >= {"so_far", "earlier"}


def test_the_usual_designs_leak(story):
    _, tally, _ = story
    rates = tally.rates()
    assert rates[FILTER_AFTER]["rate"] > 5
    assert rates[INSTRUCTION]["rate"] > 90


@pytest.mark.long
def test_the_same_seed_shows_the_same(tmp_path):
    texts = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        playing = Playing(planted(2), tmp_path / name / "run.db", READER, Sizes(0, 1, 4, 1))
        texts.append([s.texts for s in playing.everything_shown() if s.where != "error"])
    assert texts[0] == texts[1]


def test_nobody_is_told_who_is_hidden_by_asking_for_a_window(tmp_path):
    stage = planted(1)
    with (
        Storykeeper.open(tmp_path / "run.db", story=stage.story(), reader=READER) as keeper,
        pytest.raises(UnknownAudience, match="nobody called 'ghost'") as refused,
    ):
        keeper.window("ghost", text="I wait.")
    assert stage.unmet.id not in str(refused.value)
    assert stage.player.id in str(refused.value)


def test_further_carriers_may_join(monkeypatch, tmp_path):
    def told_to_all(stage, carrier):
        stage.steps.append(carriers.said.Step(stage.hall, 'I say: "gavotix"', "Rain."))
        stage.keep(carrier, stage.words.wording(), only("nobody"))
        stage.authored.append(Secret(carrier, only("nobody"), "gavotix"))

    monkeypatch.setitem(CARRIERS, "rumour", told_to_all)
    _, tally, found = played(1, tmp_path, Sizes(turn=0, branch=0, end=4, again=0))
    assert tally.figures()["carriers"]["rumour"]["leaks"] > 0
    assert {leak.carrier for leak in found} == {"rumour"}


def test_a_summary_is_for_those_who_said_it(tmp_path):
    summed_up = False
    for seed in range(3):
        talk, tally = Talk(seed, tmp_path / f"{seed}.db", embedder="none"), Tally()
        for shown in talk.everything_shown(8):
            assert tally.add(shown, talk.secrets(), seed=seed) == []
            summed_up |= shown.audience in talk.pair and "(in short)" in shown.texts[0]
        assert tally.closed[SUMMARY] > 0
        assert tally.told[SUMMARY] > 0
    assert summed_up, "no summary reached those it is for, so nothing was tried"


# ── what it costs, and all of it ─────────────────────────────────────────────────────────────


def test_the_floor_has_the_same_facts():
    """All of them stand in it, but for those that are too many: a brief has only so many places,
    and without a boundary there is more to fill them.
    """
    for case in cases(3, people=12, facts=60):
        whole = case.make(case.whole)
        with no_boundary():
            bare = case.make(case.open)
        facts = {each.id for each in whole.receipt.shown if each.id.startswith("fact:")}
        too_many = {each.id for each in bare.receipt.left_out if each.reason == TOO_MANY}
        assert facts
        assert facts <= {each.id for each in bare.receipt.shown} | too_many
        assert case.audience != NARRATOR or not too_many
        assert whole.receipt.refused
        assert not bare.receipt.refused


def test_a_long_run_has_something_to_view():
    world = long_run(120)
    views = [knowledge(world, who) for who in world.plan.cast]
    assert world.now == 120
    levels = {held.level for each in views for held in each.values()}
    assert levels == set(Level)
    assert any(held.how.startswith("told by") for each in views for held in each.values())
    assert all(each.places for each in views)


def test_the_benchmark_says_what_it_should(monkeypatch):
    monkeypatch.setattr(evaluation, "ProseReader", lambda: READER)
    monkeypatch.setattr(evaluation, "QUICK_STORIES", 1)
    monkeypatch.setattr(evaluation, "QUICK_LOOKS", times(1, evaluation.QUICK_LOOKS))
    monkeypatch.setattr(cost, "ROUNDS", times(1, cost.ROUNDS))
    # Whole pairs are compared by property/test_flip_laws.py: here it is counted.
    few = lambda *given, **named: islice(twins(*given, **named), times(120, 10_000))  # noqa: E731
    monkeypatch.setattr(evaluation, "twins", few)
    said = []
    figures = BENCHES["leaks"].run(Setup(say=said.append, quick=True))
    ours = figures["storykeeper"]
    assert ours["windows"] > 0
    assert set(ours["carriers"]) == {*CARRIERS, SUMMARY}
    assert ours["leaks"] == sum(each["leaks"] for each in ours["carriers"].values())
    assert ours["flip"]["cases"] > 100
    assert ours["flip"]["differences"] == 0
    for name in ("gate", "view"):
        assert {"p50_ms", "p95_ms"} <= set(ours[name])
    assert set(figures["floor"]) == {"gate", "view"}
    assert set(figures["usual"]) == {FILTER_AFTER, INSTRUCTION}
    assert said[-1].startswith("story 1:")
