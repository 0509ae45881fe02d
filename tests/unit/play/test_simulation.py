"""A story played by itself: who plays, what a run comes to, what is said of many."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec import structs

import storykeeper
from storykeeper import Storykeeper
from storykeeper.cli.simulation_words import summary
from storykeeper.language.tokens import counter
from storykeeper.play import narrate
from storykeeper.play.simulation.players import (
    CuriousPlayer,
    RandomPlayer,
    SeekingPlayer,
    lines_here,
    odd_line,
)
from storykeeper.play.simulation.report import Fault, report
from storykeeper.play.simulation.simulated_run import SimulatedRun
from storykeeper.play.simulation.wishes import Wish, wishes
from storykeeper.story.adopt import adoption
from storykeeper.story.conditions import At, Condition, Did
from storykeeper.story.loader import load_story
from storykeeper.story.scenes import Transition
from storykeeper.world.plan import plan
from strategies.worlds import READER, begun, changed, house

FIRST = Path(storykeeper.__file__).parent / "story" / "first_story"
STORY = load_story(FIRST, counters=counter)
RECORD = adoption(STORY)
PLAN = plan(RECORD)
ENDINGS = ("stays", "six-o-clock")


def simulated(player, *, record=RECORD, number=0, most_turns=60, **settings):
    return SimulatedRun(record, player, **settings).play(number, most_turns=most_turns)


def several(runs=6, *, record=RECORD, target="stays"):
    players = [SeekingPlayer, RandomPlayer, CuriousPlayer]
    made = (players[n % 3] for n in range(runs))
    return [
        simulated(
            each(Random(n), target) if each is SeekingPlayer else each(Random(n)),
            record=record, number=n,
        )
        for n, each in enumerate(made)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def outcomes():
    return several()


# ── who plays ────────────────────────────────────────────────────────────────────────────────


def test_what_leads_to_a_scene_begins_with_what_can_be_done():
    world = begun(STORY)
    found = wishes(world, "stays")
    assert Wish(steps=found[-1].steps) not in found[:1]
    assert any(wish.place == "house" for wish in found), found
    acts = {(wish.act.act, wish.act.to) for wish in found if wish.act is not None}
    assert ("read", "letter") in acts
    assert ("ask", "jon") not in acts  # of no use before the letter is read


def test_a_way_that_needs_nothing_needs_time():
    world = begun(house())
    story = changed(house(), "scenes", "hall-scene", leads_to=(Transition(to="end-scene"),))
    world = structs.replace(begun(story), scene="hall-scene")
    assert wishes(world, "end-scene") == [Wish(1)]


@pytest.mark.parametrize("ending", ENDINGS)
def test_who_plays_toward_an_ending_comes_there(ending):
    ends = [simulated(SeekingPlayer(Random(n), ending)).scene for n in range(3)]
    assert ends.count(ending) >= 2, ends


def test_who_plays_types_what_can_be_tried():
    world = begun(STORY)
    assert "go to the house" in lines_here(world)
    assert "wait" in lines_here(world)
    assert not any("copybook" in line for line in lines_here(world))
    assert odd_line(world, Random(1)) != odd_line(world, Random(2))


def test_the_same_chance_plays_the_same_run():
    assert simulated(RandomPlayer(Random(7))) == simulated(RandomPlayer(Random(7)))


# ── what a run comes to ──────────────────────────────────────────────────────────────────────


def test_a_run_ends_with_an_ending(outcomes):
    for run in outcomes:
        assert run.ended
        assert run.scene in ENDINGS
        assert run.scene in run.scenes
        assert not run.stuck


@pytest.mark.long
def test_a_simulated_run_comes_out_as_it_is_played(tmp_path):
    run = simulated(SeekingPlayer(Random(1), "stays"))
    with Storykeeper.open(tmp_path / "run.db", story=FIRST, reader=READER) as keeper:
        turn = keeper.opening()
        for line in (*run.lines, ""):
            prose = narrate.offline(turn.world, turn.present, keeper.history())
            keeper.render(turn, prose, narrator=narrate.NAME, stage=narrate.STAGE)
            if line and keeper.guidance(line) is None:
                turn = keeper.begin(line)
        world = keeper.world(shown=True)
    assert world.scene == run.scene
    assert frozenset(world.told) == run.told
    assert frozenset(world.happened) == run.happened
    assert {f for f, known in world.known["ada"].items() if not known.suspected} == run.known


def dead_end():
    """The house, with a cellar that nothing leads out of."""
    story = changed(house(), "scenes", "hall-scene", leads_to=(
        Transition(to="attic-scene", when=Condition(at=At(who="player", place="attic"))),
    ))  # fmt: skip
    never = Condition(did=Did(who="eve", act="ring"))
    return changed(
        story, "scenes", "attic-scene", leads_to=(Transition(to="end-scene", when=never),)
    )


def test_where_nothing_brings_anything_is_a_dead_end():
    run = simulated(RandomPlayer(Random(3)), record=adoption(dead_end()), most_turns=400)
    assert run.stuck
    assert not run.ended
    assert run.turns < 400


def test_who_only_dawdles_is_not_stuck():
    class Dawdler:
        name = "dawdler"

        def line(self, world, typed):
            return "wait"

    story = changed(house(), "scenes", "hall-scene", leads_to=(
        Transition(to="end-scene", when=Condition(did=Did(who="player", act="ring"))),
    ))  # fmt: skip
    run = simulated(Dawdler(), record=adoption(story), most_turns=40)
    assert (run.stuck, run.ended, run.turns) == (False, False, 40)


def test_windows_are_made_where_they_are_wanted(outcomes):
    run = simulated(CuriousPlayer(Random(2)), windows=True, most_turns=4)
    assert len(run.tokens) == 4
    assert all(0 < each <= STORY.budget.tokens for each in run.tokens)
    assert outcomes[0].tokens == ()


# ── what many come to ────────────────────────────────────────────────────────────────────────


def test_what_is_reached_is_counted(outcomes):
    found = report(PLAN, outcomes, seed=1)
    assert found.runs == 6
    assert sum(each.runs for each in found.endings) == 6
    yard = next(each for each in found.scenes if each.id == "yard")
    assert (yard.runs, yard.example) == (6, 0)
    assert {each.id for each in found.secrets} == {"the-letter", "his-hand", "the-water"}
    assert found == report(PLAN, reversed(outcomes), seed=1)
    assert report(PLAN, outcomes[:1], seed=1).endings != found.endings


def test_what_never_comes_is_said(outcomes):
    left = [run for run in outcomes if run.scene == "six-o-clock"]
    found = report(PLAN, left, seed=1)
    assert [each.runs for each in found.endings if each.id == "stays"] == [0]
    assert not found.is_clean


def test_a_pull_that_rises_to_nowhere_is_said(outcomes):
    run = structs.replace(
        outcomes[0], pulls={"house": structs.replace(_pulled(), first=0.1, most=0.5)}
    )
    found = report(PLAN, [run], seed=1).risen
    assert [(each.scene, each.runs, each.of, each.most) for each in found] == [("house", 1, 1, 0.5)]
    steady = structs.replace(run, pulls={"house": _pulled()})
    assert report(PLAN, [steady], seed=1).risen == ()


def _pulled():
    from storykeeper.play.simulation.simulated_run import Pulled

    return Pulled(0.4, 0.5, "yard")


def test_a_fault_is_a_run_too(outcomes):
    fault = Fault(9, "1/9", "random", "ValueError: x", "rules.py:1", ("wait",))
    found = report(PLAN, outcomes, [fault], seed=1)
    assert found.runs == 7
    assert found.faults == (fault,)
    assert not found.is_clean


def test_it_is_counted_by_whom_something_was_reached(outcomes):
    found = report(PLAN, outcomes, seed=1)
    assert sum(n for each in found.endings for n in each.by.values()) == 6
    assert {name for each in found.endings for name in each.by} == set(found.players)
    for each in (*found.scenes, *found.endings):
        assert sum(each.by.values()) == each.runs


def test_endings_without_what_is_required_are_said(outcomes):
    required = plan(adoption(changed(STORY, "scenes", "at-the-well", required=True)))
    past = [structs.replace(run, scenes=run.scenes - {"at-the-well"}) for run in outcomes]
    assert report(PLAN, past, seed=1).bypassed == ()
    (passed,) = report(required, past, seed=1).bypassed
    assert (passed.scene, passed.runs, passed.of) == ("at-the-well", 6, 6)
    assert sum(passed.endings.values()) == 6
    said = summary(required, report(required, past, seed=1))
    assert "! at-the-well is `required`, and 6 of 6 runs ended without it:" in said
    through = [structs.replace(run, scenes=run.scenes | {"at-the-well"}) for run in outcomes]
    assert report(required, through, seed=1).bypassed == ()


def test_what_never_comes_is_said_with_what_was_typed_for_it(outcomes):
    """The players tried it over and over, and it was not understood."""
    run = structs.replace(
        outcomes[0], happened=frozenset(), known=frozenset(), told=frozenset(),
        lines=("read the letter",) * 3, refused=("read the letter",) * 2,
    )  # fmt: skip
    said = summary(PLAN, report(PLAN, [run], seed=1))
    assert "! the event water-kept never happened. It waits for: " in said
    never = next(line for line in said.splitlines() if "! the-letter was never found" in line)
    assert "“read the letter” was typed 3 times, refused 2" in never


def test_lines_that_are_no_turn_are_kept():
    class Milker:
        name = "milker"

        def line(self, world, typed):
            return "wait" if typed[-1:] == ["milk the letter"] else "milk the letter"

    run = simulated(Milker(), most_turns=5)
    assert set(run.refused) == {"milk the letter"}
    assert run.lines.count("milk the letter") == len(run.refused)


def silent(way):
    """An attic that one can walk to, and to whose scene a way leads under some condition."""
    return changed(
        house(), "scenes", "hall-scene", leads_to=(Transition(to="attic-scene", when=way),)
    )


def test_standing_where_nothing_is_told_is_said():
    class Walker:
        name = "walker"

        def line(self, world, typed):
            return "go to the attic"

    never = Condition(at=At(who="player", place="attic"), did=Did(who="eve", act="ring"))
    made = adoption(silent(never))
    run = simulated(Walker(), record=made, most_turns=3)
    assert run.silent == {"attic": "hall-scene"}
    (stood,) = report(plan(made), [run], seed=1).silent
    assert (stood.place, stood.scene, stood.runs) == ("attic", "hall-scene", 1)
    assert "! told nothing at attic: in 1 runs" in summary(
        plan(made), report(plan(made), [run], seed=1)
    )
    opens = silent(Condition(at=At(who="player", place="attic")))
    assert simulated(Walker(), record=adoption(opens), most_turns=3).silent == {}
    elsewhere = silent(Condition(did=never.did))  # nothing there waits for the player to come
    assert simulated(Walker(), record=adoption(elsewhere), most_turns=3).silent == {}


def test_nothing_is_felt_where_it_ends():
    late = simulated(SeekingPlayer(Random(1), "six-o-clock"))
    assert late.ended
    assert all(each.at != "six-o-clock" for each in late.pulls.values())
