"""Stories that are odd to gravity, and windows of odd sizes, through the real engine.

Each is played for some turns with the offline narrator. Every window is legal, or refused in plain
words; and of each story the landscape can be asked for, as a table, a map, a picture and as data.
"""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs
from typer.testing import CliRunner

from storykeeper import Storykeeper
from storykeeper.cli.main import app
from storykeeper.context.items import Tier
from storykeeper.context.window import Window
from storykeeper.errors import WindowRefused
from storykeeper.gravity.gates import proximity
from storykeeper.gravity.landscape import landscape
from storykeeper.language.tokens import counter
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.loader import read_story
from storykeeper.story.model import Story
from storykeeper.story.scenes import Beat, SceneCast, SceneType
from storykeeper.story.writer import write_story
from strategies.hills import gate, happened, knows, never, place, scene, story
from strategies.runs import tell
from strategies.worlds import READER

COUNT = counter("o200k")
LINES = ("", "I look at Bob.", "I wait.", "I ask Eve about Bob.", "I wait.", "I go to the yard.")
WAITED = Condition(did=Did(who="player", act="wait"))


def told(*scenes, **more) -> Story:
    """Two places; and every scene opens with a beat."""
    opened = tuple(
        structs.replace(s, beats=(Beat(id="opening", prose=f"It opens: {s.id}."),)) for s in scenes
    )
    settings = (place("hall", "yard"), place("yard"))
    return story(*opened, settings=settings, **more)


def weightless() -> Story:
    """Nothing weighs anything: no masses, no kinds that add some, no themes, nothing foretold."""
    kinds = {"type": SceneType.CONNECTIVE, "mass": 0.0}
    return told(
        scene("a", ("b", WAITED), **kinds), scene("b", ("c", WAITED), **kinds),
        scene("c", ending=True, **kinds),
    )  # fmt: skip


def single() -> Story:
    return told(scene("only", ending=True, setting="hall", mass=1.0, themes=("debt",)))


def level() -> Story:
    """Five scenes ahead that weigh the same and are as far away as each other."""
    ahead = [scene(name, mass=0.5, ending=True, type=SceneType.GATE) for name in "bcdef"]
    ways = [(name, WAITED) for name in "bcdef"]
    return told(scene("a", *ways, mass=0.5, type=SceneType.GATE), *ahead)


def circular() -> Story:
    """Three scenes that lead to each other for ever."""
    common = {"mass": 0.6, "revisitable": True, "cast": SceneCast(contingent=("bob",))}
    return told(
        scene("a", ("b", WAITED), **common), scene("b", ("c", WAITED), **common),
        scene("c", ("a", WAITED), **common),
    )  # fmt: skip


def contradictory() -> Story:
    """A gate that wants a fact known and unknown, and one that wants an event both to have been."""
    torn = gate("torn", knows("f1"), never(knows("f1")))
    double = gate("double", happened("e1"), never(happened("e1")))
    return told(
        scene("a", "b", setting="hall"),
        scene("b", setting="yard", mass=0.8, type=SceneType.GATE, ending=True,
              gates=(torn, double)),
    )  # fmt: skip


STORIES = {
    "no gravity": weightless, "a single scene": single, "all masses equal": level,
    "a circle": circular, "contradictory gates": contradictory,
}  # fmt: skip
every_story = pytest.mark.parametrize("make", STORIES.values(), ids=STORIES.keys())
every_size = pytest.mark.parametrize("tokens", [50, 400, 3_300, 100_000])


def assert_legal(window: Window, tokens: int) -> None:
    spent = window.receipt.spent
    assert COUNT(window.text) <= window.tokens <= spent.budget == tokens
    assert len(set(window.shown)) == len(window.shown)
    assert window.stable.startswith("# Voice")
    for entry in window.receipt.shown:
        assert 0.0 < entry.score < 10.0
    retrieved = sum(e.tokens for e in window.receipt.shown if e.tier is Tier.RETRIEVED)
    assert retrieved <= 800 * tokens / 3_300


@every_story
@every_size
def test_every_window_is_legal_or_refused_in_plain_words(make, tokens, tmp_path):
    run = tmp_path / "run.db"
    with Storykeeper.open(run, story=make(), reader=READER, tokens=tokens) as keeper:
        if tokens == 50:
            with pytest.raises(WindowRefused, match="too small for what must be in it") as refused:
                keeper.opening()
            enough = tokens + refused.value.shortfall
            assert f"allow at least {enough:,}" in str(refused.value)
        else:
            for text in LINES:
                turn = keeper.begin(text) if text else keeper.opening()
                assert_legal(turn.window, tokens)
                tell(keeper, turn)
    with Storykeeper.open(run, reader=READER) as again:  # it can be played on, with room
        turn = again.turn() if tokens == 50 else again.begin("I wait.")
        assert_legal(turn.window, 3_300)


@every_story
def test_what_a_refusal_asks_for_is_enough(make, tmp_path):
    with Storykeeper.open(tmp_path / "run.db", story=make(), reader=READER) as keeper:
        tell(keeper, keeper.opening())
        with pytest.raises(WindowRefused) as refused:
            keeper.window(text="I wait.", tokens=50)
        enough = 50 + refused.value.shortfall
        assert 50 < enough < 3_300
        found = keeper.window(text="I wait.", tokens=enough)
        assert found.tokens <= enough
        with pytest.raises(WindowRefused):
            keeper.window(text="I wait.", tokens=enough - 1)


@every_story
def test_with_all_the_room_there_is_nothing_is_left_out_for_want_of_it(make, tmp_path):
    with Storykeeper.open(tmp_path / "run.db", story=make(), reader=READER) as keeper:
        for text in LINES:
            tell(keeper, keeper.begin(text) if text else keeper.opening())
        window = keeper.window(text="I ask Eve about Bob.", tokens=100_000)
        assert not [e for e in window.receipt.left_out if e.lacking]
        assert len([e for e in window.receipt.shown if e.origin == "recent"]) >= 3


# ── the landscape of each ────────────────────────────────────────────────────────────────────


@every_story
def test_its_landscape_is_shown_in_every_form(make, tmp_path):
    run, drawing = tmp_path / "run.db", tmp_path / "map.svg"
    with Storykeeper.open(run, story=make(), reader=READER) as keeper:
        for text in LINES[:3]:
            tell(keeper, keeper.begin(text) if text else keeper.opening())
    with Storykeeper.open(run, reader=READER, read_only=True) as keeper:
        scenes, here = set(keeper.world().plan.scenes), keeper.world().scene
    shown = {form: asked(run, *form.split()) for form in ("", "--map", "--json")}
    assert f"in {here}" in shown[""]
    assert here in shown["--map"]
    assert {each["scene"] for each in json.loads(shown["--json"])["scenes"]} == scenes
    asked(run, "--out", str(drawing))
    assert ET.fromstring(drawing.read_text("utf-8")).tag.endswith("svg")


def asked(run: Path, *options: str) -> str:
    done = CliRunner().invoke(app, ["landscape", str(run), *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def world_of(make, tmp_path, lines=LINES[:2]):
    tmp_path.mkdir(exist_ok=True)
    with Storykeeper.open(tmp_path / "run.db", story=make(), reader=READER) as keeper:
        for text in lines:
            tell(keeper, keeper.begin(text) if text else keeper.opening())
        return keeper.world(), keeper.window(text="I ask Bob about Eve.")


def test_without_gravity_nothing_pulls_and_everything_weighs_what_it_weighs(tmp_path):
    world, window = world_of(weightless, tmp_path)
    found = landscape(world)
    assert found.strongest is None
    assert all(each.pull == 0.0 for each in found.attractors)
    assert {entry.terms.gravity for entry in window.receipt.shown} == {1.0}
    assert not [entry for entry in window.receipt.shown if entry.origin == "gravity"]


def test_a_single_scene_has_nothing_ahead(tmp_path):
    world, window = world_of(single, tmp_path)
    assert landscape(world).attractors == ()
    assert {entry.terms.gravity for entry in window.receipt.shown} == {1.0}


def test_of_equals_the_first_by_name_is_the_strongest(tmp_path):
    found = landscape(world_of(level, tmp_path)[0])
    assert [each.scene for each in found.attractors] == list("bcdef")
    assert len({each.pull for each in found.attractors}) == 1
    assert found.strongest.scene == "b"


def test_round_and_round(tmp_path):
    world, _ = world_of(circular, tmp_path, ("", "I wait.", "I wait.", "I wait.", "I wait."))
    assert all(world.scenes[name].visits for name in "abc")
    assert landscape(world).attractors == ()  # the story stood in all of them
    world, _ = world_of(circular, tmp_path / "early", ("",))
    ahead = {each.scene: each.way.steps for each in landscape(world).attractors}
    assert ahead == {"b": 1, "c": 2}


def test_gates_that_contradict_themselves_are_never_near_and_do_not_load(tmp_path):
    world, _ = world_of(contradictory, tmp_path)
    gates = world.plan.scenes["b"].gates
    assert [proximity(world, each, "b").share for each in gates] == [0.0, 0.0]
    assert all(0.0 <= each.distance.total <= 1.0 for each in landscape(world).attractors)
    for name, text in write_story(contradictory()).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    problems = read_story(tmp_path, counters=counter).problems
    assert {p.code for p in problems} >= {"contradiction"}
    assert any("torn" in str(p) or "conditions" in str(p) for p in problems)
