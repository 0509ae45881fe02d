"""Who comes to a place comes to its scene, from wherever they come."""

import pytest
from msgspec import structs

from storykeeper.story.conditions import At, Condition, Did, Knows
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.layers import Layer
from storykeeper.story.places import Path as Way
from storykeeper.story.places import Setting
from storykeeper.story.scenes import Beat, Scene, Transition
from storykeeper.world.conditions import holds
from strategies.worlds import begun, house, play

ROOMS = ("hall", "attic", "cellar")


def at(place):
    return Condition(at=At(who="player", place=place))


def scene(name, *ways, setting="", **more):
    leads_to = tuple(Transition(to=to, when=when) for to, when in ways)
    told = (Beat(id="opening", prose=f"The {name}."),)
    return Scene(id=name, title=name, setting=setting or name, revisitable=True, beats=told,
                 leads_to=leads_to, **more)  # fmt: skip


def rooms(*scenes, **changes):
    """Three rooms that all lie beside each other; the scenes begin in the hall."""
    settings = (
        Setting(id="hall", name="the hall", paths=(Way(to="attic"), Way(to="cellar"))),
        Setting(id="attic", name="the attic", paths=(Way(to="cellar"),)),
        Setting(id="cellar", name="the cellar"),
    )
    given = {"things": (), "events": (), "layers": (), "prophecies": ()}
    return house(start="hall", settings=settings, scenes=scenes, **(given | changes))


HUB = scene("hall", ("attic", at("attic")), ("cellar", at("cellar")))
ATTIC, CELLAR = scene("attic", ("hall", at("hall"))), scene("cellar", ("hall", at("hall")))
ON = ("I go to the attic.", "I go to the cellar.")


def where(*lines, story):
    return play(begun(story), ["", *lines])[1]


def test_a_way_from_one_room_serves_all():
    world = where(*ON, story=rooms(HUB, ATTIC, CELLAR))
    assert world.scene == "cellar"
    assert "cellar/opening" in world.told


def test_what_a_way_asks_for_is_asked_for_from_everywhere():
    rung = Condition(at=At(who="player", place="cellar"), did=Did(who="player", act="ring"))
    hub = scene("hall", ("attic", at("attic")), ("cellar", rung))
    story = rooms(hub, ATTIC, CELLAR)
    assert where(*ON, story=story).scene == "attic"
    assert where(*ON, "I ring.", story=story).scene == "cellar"


def test_what_the_present_scene_asks_for_a_place_goes_before():
    rung = Condition(at=At(who="player", place="cellar"), did=Did(who="player", act="ring"))
    attic = scene("attic", ("cellar", rung))
    assert where(*ON, story=rooms(HUB, attic, CELLAR)).scene == "attic"


def test_ways_of_a_scene_that_was_never_played_open_nothing():
    hub = scene("hall", ("attic", at("attic")))
    later = scene("later", ("cellar", at("cellar")), setting="hall")
    assert where(*ON, story=rooms(hub, ATTIC, CELLAR, later)).scene == "attic"


def test_a_scene_that_was_played_later_goes_before():
    rings = Condition(did=Did(act="ring", who="player"))
    attic = scene("attic", ("after", rings))
    after = scene("after", ("changed", at("cellar")), ("end", at("hall")), setting="attic")
    others = (scene("changed", setting="cellar"), scene("end", setting="hall"))
    lines = ("I go to the attic.", "I ring.", "I go to the hall.", "I go to the cellar.")
    world = where(*lines, story=rooms(HUB, attic, CELLAR, after, *others))
    assert world.scene == "changed"


def test_no_way_leads_into_a_tale_by_it():
    tale = Layer(id="tale", name="x", kind="frame", scenes=("cellar",))
    assert where(*ON, story=rooms(HUB, ATTIC, CELLAR, layers=(tale,))).scene == "attic"


def test_nobody_walks_out_of_an_ending():
    attic = scene("attic", ending=True)
    assert where(*ON, story=rooms(HUB, attic, CELLAR)).scene == "attic"


# ── visited ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def seen_below():
    """A secret that is seen in the cellar, which is entered only when the turn is told."""
    fact = Fact(id="well", full="There is a well.", hint="It drips.", secret=True, known_by={},
                revealed_by=(Reveal(when=Condition(visited="below"), how="saw"),))  # fmt: skip
    told = Condition(told="hall/rung")
    hub = scene("hall", ("below", told), ("attic", at("attic")))
    rung = Beat(id="rung", prose="It rings.", when=Condition(did=Did(who="player", act="ring")))
    hub = structs.replace(hub, beats=(*hub.beats, rung))
    below = scene("below", ("attic", at("attic")), setting="hall")
    return rooms(hub, ATTIC, below, facts=(fact,))


def knows(world):
    return holds(world, Condition(knows=Knows(who="player", fact="well")))


def test_a_scene_is_visited_once_its_opening_is_told(seen_below):
    world = where("I ring.", story=seen_below)
    assert world.scene == "below"
    assert not holds(world, Condition(visited="below"))
    assert not knows(world)
    assert knows(where("I ring.", "I wait.", story=seen_below))
    away = where("I ring.", "I go to the attic.", story=seen_below)
    assert (away.scene, knows(away)) == ("attic", False)


def test_a_scene_without_an_opening_is_visited_when_it_is_entered(seen_below):
    scenes = [s if s.id != "below" else Scene(id="below", title="x", setting="hall")
              for s in seen_below.scenes]  # fmt: skip
    assert knows(where("I ring.", story=rooms(*scenes, facts=seen_below.facts)))
