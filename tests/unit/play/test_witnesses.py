"""Who perceives what happens."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.play.witnesses import witnesses
from storykeeper.story.places import Setting
from storykeeper.units import EntityId
from strategies.parlour import parlour
from strategies.referred import opened, person, said

DEED, WORDS, WHISPER = a.ActionTaken("nod"), a.SpeechUttered("Hm."), a.SpeechUttered("Hm.", True)


def parts(**roles):
    return [a.Participant(a.Role(role), person(who)) for role, who in roles.items()]


def house(**settings):
    """The parlour, where other rooms may hear and see."""
    story = parlour()
    made = tuple(structs.replace(s, **settings.get(s.id, {})) for s in story.settings)
    assert all(isinstance(each, Setting) for each in made)
    return opened(structs.replace(story, settings=made))


@pytest.mark.parametrize("what", [DEED, WORDS])
def test_everyone_there_without_a_part_in_it(what):
    assert witnesses(opened(), what, parts(actor="mara")) == ("ann", "tom")
    assert witnesses(opened(), what, parts(actor="mara", target="tom")) == ("ann",)


def test_who_is_only_spoken_of_hears_it_too():
    assert witnesses(opened(), WORDS, parts(actor="mara", subject="tom")) == ("ann", "tom")


def test_a_whisper_is_for_whom_it_is_for():
    assert witnesses(opened(), WHISPER, parts(actor="mara", target="tom")) == ()


def test_a_whisper_to_somebody_unknown_is_nobody_elses_either():
    to = a.Participant(a.Role.TARGET, said("the stranger"))
    assert witnesses(opened(), WHISPER, [*parts(actor="mara"), to]) == ()


def test_who_sleeps_perceives_nothing():
    world = structs.replace(opened(), asleep=(EntityId("tom"),))
    assert witnesses(world, DEED, parts(actor="mara")) == ("ann",)
    assert witnesses(world, WORDS, parts(actor="mara")) == ("ann",)


def test_behind_a_door_one_hears_and_does_not_see():
    world = house(garden={"hears": ("parlour",)})
    assert "eve" in witnesses(world, WORDS, parts(actor="mara"))
    assert "eve" not in witnesses(world, DEED, parts(actor="mara"))
    assert "eve" not in witnesses(world, WHISPER, parts(actor="mara"))


def test_through_a_window_one_sees_and_does_not_hear():
    world = house(garden={"sees": ("parlour",)})
    assert "eve" in witnesses(world, DEED, parts(actor="mara"))
    assert "eve" not in witnesses(world, WORDS, parts(actor="mara"))


def test_nobody_perceives_what_happens_nowhere():
    world = opened()
    nowhere = structs.replace(world, places=world.places.delete(EntityId("mara")))
    assert witnesses(nowhere, DEED, parts(actor="mara")) == ()
    assert witnesses(nowhere, WORDS, parts(actor="mara")) == ()
