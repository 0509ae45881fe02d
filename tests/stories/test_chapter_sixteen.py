"""The worked example of maths §10: one window of Chapter Sixteen, with every figure by hand.

Chris has come to New Mexico and looks at Sarah. What lies ahead is one transition away, with mass
2.1 at distance 0; the tale on the tape weighs .8 behind a boundary of .8; one prophecy has
magnitude .5.
"""

from pathlib import Path

import pytest

from storykeeper import Storykeeper
from storykeeper.context.items import Class, Tier
from storykeeper.context.sources import EARLIER, RECALLED
from storykeeper.gravity.landscape import Felt, landscape
from storykeeper.gravity.layers import Collective
from storykeeper.gravity.pull import Band
from storykeeper.language.tokens import counter
from storykeeper.play.narrate import offline
from storykeeper.scoring.shares import shares
from storykeeper.story.loader import read_story
from strategies.worlds import READER

FOLDER = Path(__file__).parents[2] / "examples" / "chapter-sixteen"
TOKENS = 2_475  # of the window: so tier 3 has 600
RETRIEVED = 600
LINE, SEEN = "I look at Sarah.", "I look at the photographs."

SARAH, AHEAD, BRIDGE = "entity:sarah", "gravity:cave", "bridge:datura/mountain-tale"
CHRIS, DREAM, PHOTOGRAPHS = "emotion:chris", "prophecy:fire-dream", "echo:1"
PROPHET, TALE = "hint:sent-for", "layer:mountain-tale"
SEVEN = [SARAH, AHEAD, BRIDGE, CHRIS, PHOTOGRAPHS, DREAM, PROPHET]  # by score


def lines():
    told = (FOLDER / "paths" / "daybreak.txt").read_text("utf-8").splitlines()
    return [line for line in told if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def turns(tmp_path_factory):
    """All turns of the path."""
    run = tmp_path_factory.mktemp("chapter") / "run.db"
    with Storykeeper.open(run, story=FOLDER, reader=READER, tokens=TOKENS) as keeper:
        opening = tell_at_length(keeper, keeper.opening())
        return [opening, *(tell_at_length(keeper, keeper.begin(line)) for line in lines())]


def tell_at_length(keeper, turn):
    """As a narrator would: so that what is eight turns back no longer stands as it was told."""
    told = offline(turn.world, turn.present, keeper.history())
    weather = " ".join(f"Rain falls on roof {turn.number}.{i} and runs away." for i in range(16))
    keeper.render(turn, f"{told}\n\n{weather}", narrator="offline")
    return turn


@pytest.fixture(scope="module")
def turn(turns):
    """The one in which Chris meets Sarah."""
    return turns[1 + lines().index(LINE)]


@pytest.fixture(scope="module")
def items(turn):
    """What stands in its retrieved tier, in order; older turns that memory finds are beside it."""
    retrieved = (each for each in turn.window.items if each.candidate.tier is Tier.RETRIEVED)
    beside = (RECALLED, EARLIER)
    return {each.candidate.id: each for each in retrieved if each.candidate.origin not in beside}


def terms(items, name):
    return items[name].candidate.terms


# ── the story ────────────────────────────────────────────────────────────────────────────────


def test_it_loads_without_a_word():
    reading = read_story(FOLDER, counters=counter)
    assert [str(p) for p in (*reading.errors, *reading.warnings)] == []


def test_its_script_leads_through_to_the_end(turns):
    world = turns[-1].world
    assert world.scene == "daybreak"
    assert world.plan.scenes["daybreak"].ending
    assert all(world.scenes[scene].visits for scene in world.plan.scenes)


# ── the landscape ────────────────────────────────────────────────────────────────────────────


def test_what_lies_ahead_pulls_with_all_of_its_mass(turn):
    seen = landscape(turn.world)
    assert seen.here == "arrival"
    assert seen.strongest.scene == "cave"
    assert (seen.strongest.way.steps, seen.strongest.band) == (1, Band.IMMINENT)
    assert seen.strongest.pull == pytest.approx(2.1, abs=1e-12)
    assert [(each.layer, each.active) for each in seen.layers] == [("mountain-tale", False)]
    assert seen.layers[0].strength == pytest.approx(0.64, abs=1e-12)
    assert [each.magnitude for each in seen.prophecies] == [0.5]


@pytest.mark.parametrize(("psi", "felt"), [(0.1, 0.08), (0.7, 0.56), (0.8, 0.64)])
def test_a_tale_is_felt_as_its_boundary_lets_it(psi, felt):
    assert Felt("tale", Collective(base=0.8), psi, active=False).strength == pytest.approx(felt)


# ── the terms ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "pull", "term", "gravity"),
    [
        (AHEAD, "scene", 0.63, 1.63),
        (SARAH, "scene", 0.63, 1.63),
        (BRIDGE, "layer", 0.16, 1.16),
        (DREAM, "prophecy", 0.10, 1.10),
    ],
)
def test_what_gravity_adds(turn, name, pull, term, gravity):
    entry = next(each for each in turn.window.receipt.shown if each.id == name)
    assert getattr(entry.terms.pulls, pull) == pytest.approx(term, abs=1e-12)
    assert entry.terms.gravity == pytest.approx(gravity, abs=1e-12)


@pytest.mark.parametrize("name", [CHRIS, PHOTOGRAPHS, PROPHET])
def test_what_has_nothing_to_do_with_it_weighs_what_it_weighs(items, name):
    assert terms(items, name).gravity == 1.0


@pytest.mark.parametrize(
    ("name", "relevance"),
    [(SARAH, 1.0), (PROPHET, 0.9), (CHRIS, 0.8), (BRIDGE, 0.7), (DREAM, 0.5), (PHOTOGRAPHS, 0.6)],
)
def test_relevances(items, name, relevance):
    assert terms(items, name).relevance == relevance


def test_the_relevance_of_what_lies_ahead(items):
    assert terms(items, AHEAD).relevance == pytest.approx(0.1 + 0.3 * 2.1, abs=1e-12)
    assert round(terms(items, AHEAD).relevance, 1) == 0.7


def test_the_tale_and_its_flower_are_one_item(turn, items):
    assert items[BRIDGE].candidate.also == ("layer",)
    (gave_way,) = [each for each in turn.window.receipt.left_out if each.id == TALE]
    assert gave_way.terms.relevance == pytest.approx(0.1 + 0.8 * 0.64, abs=1e-12)
    assert round(gave_way.terms.relevance, 1) == 0.6


def test_nothing_else_has_a_part_in_the_scores(items):
    for each in items.values():
        found = each.candidate.terms
        assert (found.trust, found.recency, found.temperature) == (1.0, 1.0, 1.0)
        assert found.score == found.relevance * found.gravity * found.boundary


# ── the window ───────────────────────────────────────────────────────────────────────────────


def test_the_retrieved_tier_holds_the_seven(turn, items):
    budget = turn.world.plan.story.budget
    assert shares(budget, window_tokens=TOKENS).retrieved == RETRIEVED
    assert sum(each.tokens for each in items.values()) <= RETRIEVED
    assert list(items) == SEVEN


def test_sarah_comes_first_because_the_player_named_her(turn, items):
    first = next(each for each in turn.window.items if each.candidate.tier is Tier.RETRIEVED)
    assert first.candidate.id == SARAH
    assert (first.candidate.klass, first.form) == (Class.MANDATORY, "full")
    assert "Sarah more or less relies on Chris" in first.text
    assert [i for i, each in items.items() if each.candidate.klass is Class.MANDATORY] == [SARAH]


def test_the_prophet_is_only_a_hint(turn, items):
    fact = turn.world.plan.facts["sent-for"]
    assert terms(items, PROPHET).boundary == 0.5
    assert items[PROPHET].form == "hint"
    assert items[PROPHET].text == f"- Chris suspects: {fact.hint}"
    assert fact.full not in " ".join(turn.window.text.split())
    assert "Prophet" not in turn.window.text


def test_what_lies_ahead_is_felt_and_never_named(turns, turn, items):
    scene = turn.world.plan.scenes["cave"]
    assert "cave" in scene.title.casefold()
    for each in turns[: turn.number + 1]:
        assert "cave" not in each.window.text.casefold()
    said = items[AHEAD].text
    assert "sacrifice" in scene.themes
    assert "sacrifice" not in said  # themes are weighed, and never said
    assert scene.tone.rstrip(".") in said
    assert "what one person may be asked to give" in said
    assert "bound up with it: Sarah" in said


def test_the_secret_stays_with_those_who_know_it(turns, turn):
    secret = turn.world.plan.facts["one-stays"]
    for each in turns[: turn.number + 1]:
        said = " ".join(each.window.text.split())
        assert secret.full not in said
        assert secret.hint not in said
        assert "one comes out" not in said
    assert "fact:one-stays" in {each.id for each in turn.window.receipt.refused}


def test_the_mood_that_shifts(turn, items):
    assert "waking" in turn.world.happened
    assert items[CHRIS].text.startswith("- Chris grows darker, more stirred and more resolved")
    assert "grief (and could say so)" in items[CHRIS].text


def test_the_photographs_come_back_after_eight_turns(turns, turn, items):
    assert turns[1].present.text == SEEN
    assert turn.number - turns[1].number >= 8
    assert SEEN in items[PHOTOGRAPHS].text
    assert "Once before at the cab of the truck" in items[PHOTOGRAPHS].text


def test_the_dream_is_told_in_images(turn, items):
    for image in turn.world.plan.prophecies["fire-dream"].imagery:
        assert image in items[DREAM].text
