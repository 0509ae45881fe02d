"""How items are worded: no gap where nothing was said, and as strongly as it is felt."""

from dataclasses import replace

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.history import Recalled
from storykeeper.context.sources.authored import voices
from storykeeper.context.sources.echo import echoes
from storykeeper.context.sources.entity import entities, wanted
from storykeeper.context.sources.proposing import line
from storykeeper.context.sources.recalled import recollections
from storykeeper.context.sources.revelation import revelations
from storykeeper.context.sources.standing import standing
from storykeeper.context.words import grown
from storykeeper.events.changes import MoodDelta, SecretRevealed
from storykeeper.story.knowledge import Fact, MoodShift, RelationShift, StoryEvent
from storykeeper.story.model import Soft
from storykeeper.story.places import Setting
from storykeeper.world.state import Known, LayerState, Mood, Standing
from unit.context.test_sources_alone import act, felt, one, past, seen, told


def found_again(turn, text="Where is the iron key?"):
    boundary = seen(told(), text=text, history=(turn,),
                    recalled=(Recalled("turn:5", 0.5, 0.7, turn),))  # fmt: skip
    return one(recollections(boundary))


def test_what_was_told_before_anybody_spoke():
    turn = replace(past(5), text="", prose="The rain falls. Bob has the iron key.")
    found = found_again(turn)
    assert found.full == "- Bob has the iron key."
    assert found.sources == ("piece:5/1",)


def test_of_a_turn_what_answers_is_recalled_in_its_own_words():
    """The piece that answers best; more of the turn joins it where there is room."""
    prose = "You give Bob the cup. The iron key falls out. Nobody stirs. The door has no key."
    found = found_again(replace(past(5), text="I wait.", prose=prose))
    assert found.full == "- The iron key falls out."
    assert found.brief == found.hint == ""


def test_what_was_typed_is_quoted_as_such():
    turn = replace(past(5), text="I ask for the iron key", prose="Nobody stirs. It rains.")
    assert found_again(turn).full == "- Ann’s player: I ask for the iron key. Nobody stirs."


def test_a_turn_without_words_is_no_memory():
    turn = replace(past(5), text=" ", prose="\n")
    boundary = seen(told(), text="x", history=(turn,),
                    recalled=(Recalled("turn:5", 0.5, 0.7, turn),))  # fmt: skip
    assert list(recollections(boundary)) == []


def test_an_echo_says_with_whom_it_was_or_else_where():
    boundary = seen(told(), act(20, 1), text="I give Bob the cup", history=(past(5),))
    found = one(echoes(boundary))
    assert found.brief.startswith("- Once before with Bob: ")
    assert "cast:bob" in found.sources
    then, now = (
        structs.replace(a, participants=a.participants[:1]) for a in (act(5, 1), act(20, 1))
    )
    turn = replace(past(5), atoms=(then,))
    boundary = seen(told(), now, text="I give it away", history=(turn,),
                    recalled=(Recalled("turn:5", 1.0, 0.9, turn),))  # fmt: skip
    assert one(echoes(boundary)).brief.startswith("- Once before at the hall: ")


def in_the_hall(prose):
    hall = Setting(id="hall", name="the hall", description="A long room with a clock.")
    described = told(settings=(hall, Setting(id="hill", name="the hill")))
    return seen(described, text="I look at the hall.", history=(replace(past(19), prose=prose),))


def cards(boundary):
    return [each.id for each in entities(boundary, frozenset())]


def test_how_a_place_looks_is_not_said_again_right_after_it_was_told():
    assert cards(in_the_hall("The hall. A long room with a clock. Bob laughs.")) == ["entity:bob"]
    assert cards(in_the_hall("Bob laughs.")) == ["entity:hall", "entity:bob"]


@pytest.mark.parametrize(("psi", "left", "valence", "degree"), [
    (0.9, 19, -0.9, "strongly"), (0.9, 19, 0.0, "still"), (0.9, 11, 0.0, "faintly"),
    (0.9, 11, -0.9, "still"), (0.35, 19, 0.0, "faintly"),
])  # fmt: skip
def test_what_a_tale_leaves_goes_with_the_mood_the_boundary_and_time(psi, left, valence, degree):
    fields = {
        "layers": {"tale": LayerState(visits=1, last_left=left)},
        "moods": {"ann": Mood(valence, 0.5, 0.5)},
    }
    assert (
        f"What that tale left is {degree} with Ann"
        in felt(seen(told(psi=psi), **fields))["layer:tale"].brief
    )


@pytest.mark.parametrize(("how", "said", "held"), [
    ("read", " (read)", "Ann has read"), ("told by bob", " (told by Bob)", "Ann has it from Bob"),
    ("revealed", "", "As Ann has it"), ("authored", "", "As Ann has it"),
])  # fmt: skip
def test_how_something_is_known_names_no_machinery(how, said, held):
    fact = Fact(id="f1", full="It was lit.", about=("bob",))
    story = told(facts=(fact, *told().facts[1:]))
    knows = seen(story, text="I ask Bob.", known={"ann": Map({"f1": Known(how, 3)})})
    (card,) = [c for c in standing(knows, wanted(knows)) if c.id == "fact:f1"]
    assert card.full == f"- {held}: It was lit."
    news = one(revelations(seen(story, SecretRevealed(20, "f1", ("ann",), how))))
    assert news.full == f"- Ann learns now{said}: It was lit."


def test_what_follows_a_full_stop_is_written_large():
    assert line("the widow (she/her)", "", "the widow toward Ann: warm.") == (
        "- The widow (she/her). The widow toward Ann: warm"
    )


@pytest.mark.parametrize("by", [0.05, -0.05, 0.15, 0.04])
@pytest.mark.parametrize("before", [0.0, -0.3, 0.1, 0.35, 0.6])
def test_a_shift_that_is_said_when_it_comes_is_said_of_it_since(by, before):
    """-.35 - -.3 is -.0499…: what is left of adding floats up must not decide."""
    event = StoryEvent(
        id="e1", summary="x", moods=(MoodShift(who="bob", valence=by),),
        relations=(RelationShift(from_="bob", to="ann", dimension="affection", by=by),),
    )  # fmt: skip
    state = {
        "happened": {"e1": 9}, "moods": {"bob": Mood(before + by, 0.5, 0.5)},
        "standings": {("bob", "ann"): Standing(affection=before + by, shifts=1, last_shift=9)},
    }  # fmt: skip
    boundary = seen(told(events=(event, *told().events[1:])), act(20, 1), text="I give Bob the cup",
                    history=(past(5),), **state)  # fmt: skip
    now, echo = grown([MoodDelta(valence=by)]), one(echoes(boundary)).full
    assert (f"Since then Bob has grown {now}" in echo) == bool(now) == (abs(by) >= 0.05)
    closer = "fonder of" if by > 0 else "colder to"
    assert (f"Since then Bob has grown {closer} Ann" in echo) == bool(now)


@pytest.mark.parametrize(
    ("prose", "said"),
    [
        ("“The lamp at Harrow was out an hour that night,” says Bob.", "Just now known to Ann"),
        ("The rain comes in.", "Ann knows now (told by Bob), though it was not told in so many"),
    ],
)
def test_only_what_the_prose_said_is_said_to_be_known_just_now(prose, said):
    fact = Fact(id="f1", full="The lamp at Harrow was out for an hour that night.", about=("bob",))
    story = told(facts=(fact, *told().facts[1:]))
    before = replace(past(19), prose=prose)
    known = {"ann": Map({"f1": Known("told by bob", 19)})}
    (news,) = revelations(seen(story, history=(before,), known=known))
    assert news.full.startswith(f"- {said}")


def test_how_people_here_talk_stands_where_soft_material_gives_way():
    soft = (Soft("Talk", "Bob says little. Eve says much. Bob Hale, a clerk. It rains."),)
    story = told(soft=soft)
    (kept,) = voices(seen(story), frozenset())
    assert kept.full == "- Bob says little."
    assert kept.sources == ("soft:0", "cast:bob")
    assert not list(voices(seen(story), frozenset({"soft:0"})))
