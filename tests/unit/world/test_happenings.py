"""What an authored event changes: what its author wrote, and no more."""

import pytest

from storykeeper.events.changes import EventHappened
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from strategies.worlds import begun


def after(event="bell"):
    return evolve(begun(), EventHappened(4, event))


def test_it_is_kept_that_it_happened_and_when():
    assert after().happened["bell"] == 4
    assert after("storm").happened["storm"] == 4


def test_an_event_that_the_story_lost_has_still_happened():
    world = after("gone")
    assert world.happened["gone"] == 4
    assert world.places == begun().places


def test_masses_add_up():
    assert after().masses["attic-scene"] == 0.2
    twice = fold([EventHappened(4, "bell"), EventHappened(5, "bell")], begun())
    assert twice.masses["attic-scene"] == 0.4


def test_boundaries_get_thinner():
    """By .3 as stated, and by .03 since the key, which is a tooth in the tale, changed hands."""
    (bump,) = after().layers["tale"].bumps
    assert (bump.turn, bump.amount) == (4, pytest.approx(0.33))


def test_standings_and_moods_move_within_bounds():
    world = after()
    assert world.standings["ann", "bob"].affection == pytest.approx(0.5)
    assert (world.moods["bob"].valence, world.moods["bob"].arousal) == (-0.2, 0.9)
    often = fold([EventHappened(4, "bell")] * 9, begun())
    assert often.standings["ann", "bob"].affection == 1.0
    assert (often.moods["bob"].valence, often.moods["bob"].arousal) == (-1.0, 1.0)


def test_people_and_things_move():
    world = after()
    assert world.places["eve"] == "hall"
    assert world.holders["key"] == "ann"
    assert "key" not in world.places


def test_what_is_not_the_authors_to_change_stays():
    world = after()
    assert world.known == begun().known  # what it reveals is a record of its own
    assert world.scenes == begun().scenes
