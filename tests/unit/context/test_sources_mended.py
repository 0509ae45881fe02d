"""What a review of the sources found: gates far off, moods alone, events as ties."""

from __future__ import annotations

from msgspec import structs

from storykeeper.context.history import PastTurn, Recalled
from storykeeper.context.sources.moments import of_turn
from storykeeper.context.sources.recalled import recollections
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.scenes import MoodTarget
from strategies.hills import asks, happened
from unit.context.test_sources_alone import PEAK, ahead, seen, told

EVENTS = {"e1": 1, "e2": 2, "e3": 3}


def test_a_gate_nearly_open_is_said_however_far_the_scene_is():
    far = ahead(seen(told(near=1.0), happened=EVENTS))["peak"]
    assert far.full == ""
    assert "Nearly come about: A door that was nailed shut" in far.hint
    assert "nailed" not in ahead(seen(told(near=1.0), happened={"e1": 1}))["peak"].hint


def test_a_mood_alone_leads_nowhere_by_halves():
    peak = structs.replace(PEAK, approach=(asks(mood=MoodTarget(valence=0.5)),))
    assert "what leads to it" not in ahead(seen(told(peak=peak)))["peak"].full


def recalled_from(turn, **more):
    """A turn that memory found, in a story with an oath."""
    oath = StoryEvent(id="oath", summary="An oath.", themes=("debt",))
    peak = structs.replace(PEAK, approach=(asks(happened("oath")),))
    past = PastTurn(turn, "first", "ann", "I wait.", "It rains.", ())
    found = Recalled(f"turn:{turn}", 1.0, 0.5, past)
    return seen(told(peak=peak, events=(oath,)), recalled=(found,), **more)


def test_a_turn_in_which_an_event_came_to_be_is_about_it():
    (found,) = recollections(recalled_from(4, happened={"oath": 4}))
    assert (found.about, found.themes) == (("oath",), ("debt",))
    (other,) = recollections(recalled_from(4, happened={"oath": 5}))
    assert (other.about, other.themes) == ((), ())


def test_what_rhymes_follows_the_story_in_force():
    """A turn is found once for each story: an edited one may have put its scene elsewhere."""
    turn = PastTurn(4, "first", "ann", "I wait.", "It rains.", ())
    first = next(each for each in told().scenes if each.id == "first")
    moved = told()
    moved = structs.replace(moved, scenes=tuple(
        structs.replace(first, setting="hill") if each.id == "first" else each
        for each in moved.scenes
    ))  # fmt: skip
    places = {of_turn(seen(story), turn).place for story in (told(), moved)}
    assert len(places) == 2
