"""The example story: it loads without a word, and it is as large as it says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from storykeeper.language.tokens import counter
from storykeeper.story.conditions import Did
from storykeeper.story.loader import Reading, read_story
from storykeeper.story.model import Story
from storykeeper.story.preamble import hard_text
from storykeeper.story.scenes import Scene, SceneType
from storykeeper.story.walk import walk

FOLDER = Path(__file__).parents[2] / "examples" / "the-lamp-at-harrow"
HARD_TOKENS = 380
SHORTEST_BEAT, LONGEST_BEAT = 60, 220  # words
SHORTEST_ANSWER = 30  # of a beat that answers something that the player does


@pytest.fixture(scope="module")
def reading() -> Reading:
    return read_story(FOLDER, counters=counter)


@pytest.fixture(scope="module")
def story(reading: Reading) -> Story:
    assert reading.story is not None, [str(p) for p in reading.errors]
    return reading.story


def test_it_loads_without_errors_and_warnings(reading: Reading) -> None:
    assert [str(p) for p in (*reading.errors, *reading.warnings)] == []


def test_its_scenes(story: Story) -> None:
    endings = [scene for scene in story.scenes if scene.ending]
    assert len(story.scenes) >= 16
    assert len(endings) >= 3
    assert {scene.type for scene in story.scenes} == set(SceneType)
    assert sum(scene.hinge for scene in story.scenes) >= 1
    assert all(scene.themes and scene.tone and scene.stakes for scene in story.scenes)


def test_its_branches_lead_to_different_places(story: Story) -> None:
    branches = [scene for scene in story.scenes if scene.branch]
    assert len(branches) >= 2
    for scene in branches:
        assert len({way.to for way in scene.leads_to}) >= 2
        assert len({str(way.when) for way in scene.leads_to}) == len(scene.leads_to)


def test_every_scene_but_an_ending_leads_on(story: Story) -> None:
    exits = {way.from_ for layer in story.layers for way in layer.exits}
    for scene in story.scenes:
        assert scene.ending or scene.leads_to or scene.id in exits, scene.id


def test_its_beats_can_be_told(story: Story) -> None:
    for scene in story.scenes:
        assert len(scene.beats) >= 2, scene.id
        for beat in scene.beats:
            answers = any(isinstance(part, Did) for _, part in walk(beat.when))
            shortest = SHORTEST_ANSWER if answers else SHORTEST_BEAT
            assert shortest <= len(beat.prose.split()) <= LONGEST_BEAT, (scene.id, beat.id)


def test_one_scene_is_heavier_than_all_others(story: Story) -> None:
    first, second = sorted(story.scenes, key=lambda scene: -scene.mass)[:2]
    assert first.id == "lamp-hour"
    assert first.type is SceneType.GRAVITATIONAL
    assert first.mass >= second.mass + 0.3
    assert first.approach
    assert first.relations
    assert first.required


def test_a_gate_turns_on_something_learned(story: Story) -> None:
    gates = [gate for scene in story.scenes if scene.type is SceneType.GATE for gate in scene.gates]
    assert any(condition.knows for gate in gates for condition in gate.conditions)


def test_its_secrets(story: Story) -> None:
    secrets = [fact for fact in story.facts if fact.secret]
    assert len(secrets) >= 8
    for secret in secrets:
        assert secret.full
        assert secret.hint
        assert secret.hint not in secret.full
        assert secret.revealed_by, secret.id


def test_people_know_different_things(story: Story) -> None:
    known = {
        who.id: frozenset(fact.id for fact in story.facts if who.id in fact.known_by)
        for who in story.cast
        if who.id not in story.players
    }
    informed = Counter(facts for facts in known.values() if facts)
    assert sum(informed.values()) >= 3
    assert set(informed.values()) == {1}  # no two of them know the same
    assert any(fact.suspected_by for fact in story.facts)
    assert any(fact.believed_by and fact.confidence < 0.5 for fact in story.facts)


def test_its_tales_within_the_tale(story: Story) -> None:
    assert len(story.layers) >= 2
    for layer in story.layers:
        assert 2 <= len(layer.scenes) <= 3
        assert layer.portals
        assert layer.exits
        assert layer.entity_map.projected
        values = [point.value for point in layer.permeability.waypoints]
        assert len(values) >= 3
        assert values == sorted(values)
        assert any(layer.id in thing.forms for thing in story.things)


def test_five_people_have_minds_of_their_own(story: Story) -> None:
    minds = [who for who in story.cast if len(who.shows) >= 2 and who.goals and who.beliefs]
    assert len(minds) >= 5
    assert not {who.id for who in minds} & {*story.players}


def test_its_prophecies_lean_on_the_heaviest_scene(story: Story) -> None:
    assert story.prophecies
    for prophecy in story.prophecies:
        assert prophecy.target == "lamp-hour"
        assert prophecy.imagery
        assert prophecy.reinforced_by


def test_its_hard_rules_leave_room(story: Story) -> None:
    assert counter("o200k")(hard_text(story)) <= HARD_TOKENS


def test_the_names_the_docs_use_are_there(story: Story) -> None:
    assert "mara" in {who.id for who in story.cast}
    assert "brass-key" in {thing.id for thing in story.things}


def test_there_is_a_script_for_every_ending(story: Story) -> None:
    endings = {scene.id for scene in story.scenes if scene.ending}
    assert {file.stem for file in (FOLDER / "paths").glob("*.txt")} >= endings
    for ending in endings:
        lines = (FOLDER / "paths" / f"{ending}.txt").read_text("utf-8").splitlines()
        assert f"Ends in {ending}." in lines[0]
        assert sum(not line.startswith("#") for line in lines if line) >= 5


def heads(scene: Scene) -> set[str]:
    return {*scene.cast.required, *scene.cast.contingent}


def test_nobody_of_the_heaviest_scene_is_everywhere(story: Story) -> None:
    """Who is cast in more than a third of the scenes relates to nothing (maths §2.7)."""
    casts = Counter(who for scene in story.scenes for who in heads(scene))
    heaviest = next(scene for scene in story.scenes if scene.id == "lamp-hour")
    assert all(casts[who] * 3 <= len(story.scenes) for who in heads(heaviest))
