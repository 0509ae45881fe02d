"""Laws of scores, in whole windows: what gravity can do to an item, and what it never can.

Stories are drawn with scenes that weigh, themes, a tale and a prophecy; then the same moment is
assembled again with other masses, and nothing else changed.
"""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from storykeeper.context.history import PresentTurn, Recalled
from storykeeper.context.items import Class, Tier
from storykeeper.context.window import Window, assemble
from storykeeper.errors import WindowRefused
from storykeeper.gravity.landscape import landscape
from storykeeper.language.tokens import counter
from storykeeper.scoring.composite import Terms
from storykeeper.story.adopt import adoption
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.layers import Prophecy
from storykeeper.story.model import NARRATOR, Story
from storykeeper.story.scenes import SceneType
from storykeeper.story.tuning import GravityTuning, Overrides, SceneOverride, Tuning
from storykeeper.world.plan import plan
from storykeeper.world.state import ProphecyState, World
from strategies.windows import FACTS, Played, lines, small_stories
from strategies.worlds import READER

COUNT = counter("o200k")
AHEAD = ("inner", "second")
THEMES = ("debt", "sea", "fire")
MASSES = st.floats(0, 3)
BUDGETS = st.sampled_from([700, 1_500, 3_300, 100_000])
ENORMOUS = 1e6


@pytest.fixture(autouse=True, scope="module")
def parser():
    """Loaded before anything is drawn: loading it draws random numbers, as no strategy may."""
    READER.read("It rains.")


@st.composite
def weighty(draw: st.DrawFn) -> Story:
    """A small story in which what lies ahead pulls."""
    story = draw(small_stories())
    some = st.lists(st.sampled_from(THEMES), max_size=2, unique=True).map(tuple)
    scenes = tuple(
        structs.replace(s, type=SceneType.GRAVITATIONAL, mass=draw(st.floats(0, 1)),
                        themes=draw(some))
        for s in story.scenes
    )  # fmt: skip
    facts = tuple(structs.replace(f, themes=draw(some)) for f in story.facts)
    layers = tuple(structs.replace(g, themes=draw(some)) for g in story.layers)
    weights = {f"{name}_weight": draw(st.floats(0, 1))
               for name in ("attractor", "thematic", "layer", "prophetic")}  # fmt: skip
    return structs.replace(
        story, scenes=scenes, facts=facts, layers=layers, themes={"debt": ("sea",)},
        events=(StoryEvent(id="dream", summary="A dream."),),
        prophecies=(Prophecy(id="omen", source="dream", target="second", base=0.4),),
        tuning=Tuning(gravity=GravityTuning(**weights)),
    )  # fmt: skip


@st.composite
def moments(draw: st.DrawFn) -> tuple[Played, World, PresentTurn]:
    """A run some turns in, with a prophecy about or not, and the turn under way."""
    played = Played.of(draw(weighty()))
    played.play("", "It begins.")
    for i in range(draw(st.integers(0, 8))):
        played.play(draw(lines(played.world.plan.story)), f"It rains, {i}. It goes on raining.")
    world, present = played.under_way(draw(lines(played.world.plan.story)))
    if draw(st.booleans()):
        world = structs.replace(world, prophecies=world.prophecies.set("omen", ProphecyState(0)))
    return played, world, present


def stated(world: World, **masses: float) -> World:
    """The same world, with masses stated."""
    story = world.plan.story
    scenes = {name: SceneOverride(mass=mass, distance=0.1) for name, mass in masses.items()}
    overrides = Overrides(scenes=scenes, layers=story.overrides.layers)
    changed = structs.replace(story, overrides=overrides)
    return structs.replace(world, plan=plan(adoption(changed)))


def window(
    moment: tuple[Played, World, PresentTurn], world: World, tokens: int,
    recalled: tuple[Recalled, ...] = (),
) -> Window:  # fmt: skip
    played, _, present = moment
    try:
        return assemble(
            world, played.history, present, audience=NARRATOR, tokens=tokens, count=COUNT,
            recalled=recalled,
        )  # fmt: skip
    except WindowRefused:
        assume(False)
        raise


def terms(made: Window) -> dict[str, Terms]:
    """All that was ranked, in or out."""
    entries = (*made.receipt.shown, *made.receipt.left_out)
    return {e.id: e.terms for e in entries if e.tier is Tier.RETRIEVED}


# ── the explanation ──────────────────────────────────────────────────────────────────────────


@given(moments(), BUDGETS)
def test_the_explanation_multiplies_out_in_and_out_of_the_window(moment, tokens):
    made = window(moment, moment[1], tokens)
    weights = moment[1].plan.story.tuning.gravity
    entries = (*made.receipt.shown, *made.receipt.left_out)
    assert entries
    for entry in entries:
        t = entry.terms
        product = t.relevance * t.gravity * t.boundary * t.trust * t.recency * t.temperature
        assert isclose(entry.score, product, rel_tol=1e-12)
        felt = (t.pulls.scene, t.pulls.theme, t.pulls.layer, t.pulls.prophecy)
        assert t.gravity == 1.0 + max(felt)
        strongest = landscape(moment[1]).strongest
        most = 0.0 if strongest is None else strongest.pull
        assert t.pulls.scene <= weights.attractor_weight * most + 1e-12
        assert t.pulls.theme <= weights.thematic_weight * most + 1e-12


@given(moments(), BUDGETS)
def test_by_falling_score_what_is_not_mandatory_gets_in(moment, tokens):
    """One ranking, whatever their class; what only fills the rest of the room is not ranked."""
    made = window(moment, moment[1], tokens)
    offered = [
        each for each in made.items
        if each.candidate.tier is Tier.RETRIEVED
        and each.candidate.klass not in (Class.MANDATORY, Class.REST)
    ]  # fmt: skip
    scores = [each.candidate.terms.score for each in offered]
    assert scores == sorted(scores, reverse=True)


# ── more mass ────────────────────────────────────────────────────────────────────────────────


@given(moments(), st.sampled_from(AHEAD), MASSES, MASSES, BUDGETS)
def test_more_mass_lowers_no_score_and_raises_only_what_has_to_do_with_it(
    moment, scene, mass, more, tokens
):
    other = next(name for name in AHEAD if name != scene)
    light = stated(moment[1], **{scene: mass, other: 0.5})
    heavy = stated(moment[1], **{scene: mass + more, other: 0.5})
    before, after = terms(window(moment, light, tokens)), terms(window(moment, heavy, tokens))
    pulls = {e.scene: e.pull for e in landscape(heavy).attractors}
    for name in before.keys() & after.keys():
        assert after[name].score >= before[name].score - 1e-12
        if scene not in pulls:  # it is here, or over, or beyond all ways: it pulls nothing
            assert after[name].score == before[name].score


@given(moments(), st.floats(0, 1), st.floats(0, 1), BUDGETS)
def test_farther_away_nothing_weighs_more(moment, one, two, tokens):
    near, far = sorted((one, two))
    found = []
    for distance in (near, far):
        made = stated(moment[1], second=1.0)
        scenes = {"second": SceneOverride(mass=1.0, distance=distance)}
        overrides = structs.replace(made.plan.story.overrides, scenes=scenes)
        story = structs.replace(made.plan.story, overrides=overrides)
        world = structs.replace(made, plan=plan(adoption(story)))
        found.append(terms(window(moment, world, tokens)))
    for name in found[0].keys() & found[1].keys():
        assert found[1][name].score <= found[0][name].score + 1e-12


# ── what gravity never does ──────────────────────────────────────────────────────────────────


@given(moments(), BUDGETS)
def test_what_is_forbidden_stays_so_whatever_its_pull(moment, tokens):
    """An enormous mass ahead: the same is refused, none of it is in or was even ranked."""
    world = moment[1]
    calm = window(moment, stated(world, second=0.0, inner=0.0), tokens)
    drawn = window(moment, stated(world, second=ENORMOUS, inner=ENORMOUS), tokens)
    refused = {(e.id, e.rule) for e in drawn.receipt.refused}
    assert refused == {(e.id, e.rule) for e in calm.receipt.refused}
    ranked = {s for e in (*drawn.receipt.shown, *drawn.receipt.left_out) for s in e.sources}
    facts = {name for name, _ in refused if name.startswith("fact:")}
    assert not facts & ranked
    for name in FACTS:
        if f"fact:{name}" in facts:
            assert f"fact:{name}" not in drawn.shown


@given(moments(), BUDGETS)
def test_what_is_irrelevant_stays_out_whatever_its_pull(moment, tokens):
    """Memory found it and it has nothing in common with the words: its share is 0."""
    played, world, _ = moment
    assume(len(played.history) > 3)
    old = tuple(Recalled(f"turn:{t.turn}", 0.0, 0.0, t) for t in played.history[:2])
    heavy = stated(world, second=ENORMOUS, inner=ENORMOUS)
    made = window(moment, heavy, tokens, old)
    names = {f"recalled:{turn.turn}" for turn in played.history[:2]}
    assert not names & set(made.shown)
    for entry in made.receipt.left_out:
        if entry.id in names:
            assert entry.score == 0.0
