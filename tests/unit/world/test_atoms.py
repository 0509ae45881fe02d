"""What an atom changes: places, hands, standings, moods, knowledge, scenes."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events import turns as t
from storykeeper.events.vocabulary import Awareness, Dimension
from storykeeper.world.compare import DERIVED
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.state import Deed, Feeling, Known, SceneState, SceneStatus, present
from strategies.worlds import atom, begun, scene_changed


def after(what, **roles):
    return evolve(begun(), atom(what, **roles))


def test_people_go_to_places():
    world = after(a.Moved("attic"), actor="ann")
    assert world.places["ann"] == "attic"
    assert present(world) == ("ann", "eve")


def test_things_go_into_hands_and_out_of_them():
    world = after(a.Moved("ann"), subject="key")
    assert world.holders["key"] == "ann"
    assert "key" not in world.places
    world = evolve(world, atom(a.Moved("attic"), subject="key"))
    assert world.places["key"] == "attic"
    assert "key" not in world.holders


def test_a_bridge_object_that_changes_hands_brings_its_layer_nearer():
    world = after(a.Moved("ann"), subject="key")
    assert [bump.amount for bump in world.layers["tale"].bumps] == [0.03]
    again = evolve(world, atom(a.Moved("ann"), subject="key", turn=2))
    assert again.layers == world.layers  # it is in her hand already
    assert "tale" not in after(a.Moved("ann"), subject="letter").layers


@pytest.mark.parametrize("change", ["departed", "destroyed"])
def test_who_departs_is_nowhere(change):
    assert "bob" not in after(a.EntityChanged(a.EntityChange(change)), subject="bob").places


@pytest.mark.parametrize("change", ["appeared", "created"])
def test_who_appears_is_placed_by_a_movement_of_its_own(change):
    assert after(a.EntityChanged(a.EntityChange(change)), subject="bob") == begun()


def test_deeds_are_kept_for_the_turn():
    world = after(a.ActionTaken("ask", about="key"), actor="ann", target=("bob", "eve"))
    assert world.deeds == (Deed("ann", "ask", "bob", "key"), Deed("ann", "ask", "eve", "key"))
    assert after(a.SpeechUttered("Well."), actor="ann").deeds == (Deed("ann", "say"),)


def test_nobody_known_did_it():
    cup = a.Unresolved("a cup", "hall-scene", 1)
    unknown = a.Atom(
        turn=1, id="t1.1", scene="hall-scene", what=a.ActionTaken("fall"),
        participants=(a.Participant(a.Role.ACTOR, cup),), source=a.Source.NARRATOR,
        confidence=a.Confidence(1.0), priority=a.Priority.NORMAL,
    )  # fmt: skip
    world = evolve(begun(), unknown)
    assert world.register["t1.1#0"].words == "a cup"
    assert world.deeds == ()
    noted = {"register", *DERIVED}
    assert [f for f in noted if getattr(world, f) != getattr(begun(), f)]
    assert structs.replace(world, **{f: getattr(begun(), f) for f in noted}) == begun()


@pytest.mark.parametrize("dimension", Dimension)
@pytest.mark.parametrize(("by", "times", "value"), [(0.3, 1, 0.3), (-0.6, 2, -1.0), (1.0, 3, 1.0)])
def test_standings_move_within_bounds(dimension, by, times, value):
    world = begun()
    for turn in range(times):
        shift = atom(a.RelationShifted(dimension, by), turn=turn, actor="bob", target="eve")
        world = evolve(world, shift)
    standing = world.standings["bob", "eve"]
    assert getattr(standing, dimension.value) == pytest.approx(value)
    assert (standing.shifts, standing.last_shift) == (times, times - 1)
    assert world.standings["ann", "bob"] == begun().standings["ann", "bob"]


def emotion(feeling="dread", awareness=Awareness.ARTICULATE):
    return a.EmotionShown(feeling, -0.5, 0.9, 0.2, awareness)


def test_an_emotion_shown_sets_the_mood_and_comes_last():
    mood = after(emotion("joy"), actor="ann", target="bob").moods["ann"]
    assert (mood.valence, mood.arousal, mood.determination) == (-0.5, 0.9, 0.2)
    assert [f.name for f in mood.feelings] == ["dread", "joy"]
    assert mood.feelings[-1] == Feeling("joy", 0.9, Awareness.ARTICULATE, "bob")


def test_how_a_defended_feeling_is_shown_is_not_forgotten():
    mood = after(emotion(), actor="ann").moods["ann"]
    assert mood.feelings == (Feeling("dread", 0.9, Awareness.ARTICULATE, "ann", "tidying"),)


def test_being_told_is_learning_from_the_teller():
    told = a.InformationTold("Eve is above.", "secret")
    world = after(told, actor="bob", target="ann", witness="fox")
    assert world.known["ann"]["secret"] == Known("told by bob", 1)
    assert world.known["fox"]["secret"] == Known("told by bob", 1)
    assert after(told, target="ann").known["ann"]["secret"].how == "heard"


def test_a_claim_is_not_a_fact():
    assert after(a.InformationTold("It rains.", None), actor="bob", target="ann") == begun()


@pytest.mark.parametrize("what", [a.StateAsserted("So."), a.EnvironmentChanged("Dark.")])
def test_texts_change_no_state(what):
    assert after(what, actor="ann") == begun()


# ── the life of a scene ──────────────────────────────────────────────────────────────────────

HALL, ATTIC = "hall-scene", "attic-scene"


def life(scene, *steps):
    changes = [scene_changed(scene, step, turn=turn) for turn, step in enumerate(steps, start=1)]
    return fold(changes, begun()).scenes.get(scene, SceneState())


def test_scenes_begin_dormant():
    assert life(HALL) == SceneState(SceneStatus.DORMANT)


@pytest.mark.parametrize(
    ("scene", "steps", "state"),
    [
        (HALL, ["reached"], SceneState(SceneStatus.REACHABLE)),
        (HALL, ["reached", "entered"], SceneState(SceneStatus.ACTIVE, 1, 2, 2)),
        (HALL, ["entered", "left"], SceneState(SceneStatus.REACHABLE, 1, 1, 1)),
        (HALL, ["entered", "completed"], SceneState(SceneStatus.COMPLETED, 1, 1, 1, True)),
        (ATTIC, ["entered", "completed"], SceneState(SceneStatus.REVISITABLE, 1, 1, 1, True)),
        (ATTIC, ["entered", "completed", "revisited"],
         SceneState(SceneStatus.ACTIVE, 2, 1, 3, True)),  # it stays completed while one is there
        (ATTIC, ["entered", "completed", "revisited", "left"],
         SceneState(SceneStatus.REVISITABLE, 2, 1, 3, True)),
        (HALL, ["entered", "completed", "reached"],
         SceneState(SceneStatus.COMPLETED, 1, 1, 1, True)),
        ("gone", ["entered", "completed"], SceneState(SceneStatus.COMPLETED, 1, 1, 1, True)),
    ],
)  # fmt: skip
def test_the_life_of_a_scene(scene, steps, state):
    assert structs.replace(life(scene, *steps), found=()) == state


def test_a_scene_knows_who_was_there_when_it_was_last_entered():
    assert life(HALL, "reached").found == ()
    assert life(HALL, "entered", "left").found == ("ann", "bob")
    assert life(ATTIC, "entered").found == ("eve",)


def test_entering_makes_it_the_present_scene_and_starts_its_turns():
    world = fold([scene_changed(HALL, "entered"), t.TurnCommitted(1), t.TurnCommitted(2)], begun())
    assert (world.scene, world.scene_turns) == (HALL, 2)
    world = evolve(world, scene_changed(ATTIC, "entered", turn=2))
    assert (world.scene, world.scene_turns) == (ATTIC, 0)


def test_turns_between_scenes_count_from_the_last_that_was_not_connective():
    """The attic is connective, the hall is not."""
    steps = [scene_changed(HALL, "entered"), t.TurnCommitted(1)]
    world = fold(steps, begun())
    assert world.connective_turns == 0
    world = fold([scene_changed(ATTIC, "entered"), t.TurnCommitted(2), t.TurnCommitted(3)], world)
    assert world.connective_turns == 2
    world = evolve(world, scene_changed("end-scene", "entered", turn=3))
    assert world.connective_turns == 2  # connective as well: they add up
    assert evolve(world, scene_changed(HALL, "revisited", turn=3)).connective_turns == 0
