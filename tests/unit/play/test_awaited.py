"""What the story waits for: acts of conditions, until nothing comes of them any more."""

from msgspec import structs

from storykeeper.events import changes as ch
from storykeeper.play.awaited import Waiting, awaited
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, Reveal, StoryEvent
from storykeeper.story.scenes import Beat
from storykeeper.world.fold import fold
from strategies.worlds import begun, house

ASKED = Condition(did=Did(who="player", act="ask", to="bob", about="attic"))
OTHERS = Condition(did=Did(who="bob", act="dance"))


def world(*records):
    story = house()
    fact = Fact(id="stair", full="The stair is rotten.", revealed_by=(Reveal(when=ASKED),))
    fall = StoryEvent(id="fall", summary="Somebody falls.", when=ASKED)
    dance = StoryEvent(id="dance", summary="He dances.", when=OTHERS)
    events, facts = (*story.events, fall, dance), (*story.facts, fact)
    return fold(records, begun(structs.replace(story, facts=facts, events=events)))


def found(*records):
    return [each for each in awaited(world(*records)) if each.about == "attic"]


KNOWN = ch.SecretRevealed(1, "stair", ("ann",), "told")
FALLEN = ch.EventHappened(1, "fall")


def test_an_act_stands_once_with_all_that_comes_of_it():
    assert found() == [Waiting("ask", "bob", "attic", ("The stair is rotten.", "Somebody falls."))]


def test_a_fact_that_the_story_does_not_have_is_no_purpose():
    story = house()
    beat = Beat(id="low", prose="Somebody is heard.", reveals=("lost",), when=ASKED)
    (first, *rest) = story.scenes
    scenes = (structs.replace(first, beats=(*first.beats, beat)), *rest)
    fall = StoryEvent(id="fall", summary="Somebody falls.", when=ASKED, reveals=("lost",))
    changed = structs.replace(story, scenes=scenes, events=(*story.events, fall))
    (waiting,) = [each for each in awaited(begun(changed)) if each.about == "attic"]
    assert waiting.purposes == ("Somebody falls.", "Somebody is heard.")


def test_what_is_known_or_has_happened_is_not_waited_for():
    assert [each.purposes for each in found(KNOWN)] == [("Somebody falls.",)]
    assert found(KNOWN, FALLEN) == []


def test_what_others_do_is_not_the_players():
    assert "dance" not in {each.act for each in awaited(world())}
