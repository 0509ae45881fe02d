"""Who is in a tale within the tale has a body, which stays where it is."""

from msgspec import structs

from storykeeper.story.conditions import Condition, Did
from storykeeper.story.layers import Layer, LayerKind, Permeability, Portal, Waypoint
from storykeeper.story.people import Character
from storykeeper.story.places import Setting
from storykeeper.story.scenes import Beat, Scene, SceneCast
from strategies.wherry import begun, play, wherry

THIN, THICK = 0.9, 0.3
INSIDE = "You stand on wet sand. “You are late,” says Gull."
VOICE = "“There was no robbery,” says Dov, a long way off."


def keeper(psi=THICK):
    """Ilse dreams of the shore while she looks at the lamp, and wakes by taking a shell."""
    looks = Condition(did=Did(who="player", act="look", to="lamp"))
    wakes = Condition(did=Did(who="player", act="wait"))
    known = wherry()
    dream = Layer(
        id="dream", name="The shore", kind=LayerKind.DREAM, scenes=("shore",),
        permeability=Permeability(waypoints=(Waypoint(progress=0.0, value=psi),)),
        portals=(Portal(from_="evening", to="shore", when=looks),),
        exits=(Portal(from_="shore", to="evening", when=wakes),),
    )  # fmt: skip
    cast = SceneCast(required=("gull",))
    shore = Scene(id="shore", title="The shore", setting="shore", cast=cast,
                  beats=(Beat(id="sand", prose="Sand."),))  # fmt: skip
    gull = Character(id="gull", name="Gull", pronouns="she/her", line="A bird.")
    made = begun(structs.replace(
        known, cast=(*known.cast, gull), layers=(dream,), scenes=(*known.scenes, shore),
        settings=(*known.settings, Setting(id="shore", name="the shore")),
    ))  # fmt: skip
    play(made, "The flame leans.", {}, line="I look at the lamp.")
    assert [each.layer for each in made.world().inside] == ["dream"]
    return made


def lived(made, who):
    return made.brief(who, "a knock").text


def test_the_body_stays_where_it_is():
    made = keeper()
    world = made.world()
    assert (world.places["ilse"], world.bodies["ilse"]) == ("shore", "parlour")


def test_what_is_told_inside_is_perceived_inside():
    made = keeper(THIN)
    play(made, INSIDE, {}, line="I look at the sand.")
    assert "You are late" in lived(made, "ilse")
    assert "You are late" not in lived(made, "dov")


def test_a_voice_beside_the_body_is_heard_inside_where_the_boundary_lets_it():
    for psi, heard in ((THIN, True), (THICK, False)):
        made = keeper(psi)
        play(made, VOICE, {}, line="I look at the sand.")
        assert ("no robbery" in lived(made, "ilse")) is heard
        assert "no robbery" in lived(made, "renna")


def test_a_voice_from_another_room_than_the_body_is_not_heard_inside():
    made = keeper(THIN)
    play(made, "“There was no robbery,” says Hagen.", {}, line="I look at the sand.")
    assert "no robbery" not in lived(made, "ilse")


def test_each_sees_who_is_on_their_side():
    made = keeper()
    assert [each.who for each in made.presence("ilse")] == ["gull"]
    assert [each.who for each in made.presence("dov")] == ["ilse", "renna"]


def test_who_is_declared_into_a_tale_that_does_not_have_them_hears_nothing_of_it():
    made = keeper()
    play(made, INSIDE, {"here": ["dov"]}, line="I look at the sand.")
    assert "You are late" in lived(made, "ilse")
    assert "You are late" not in lived(made, "dov")


def test_coming_out_they_are_where_the_body_stayed():
    made = keeper()
    play(made, "You wake.", {}, line="I wait.")
    world = made.world()
    assert (world.inside, world.places["ilse"]) == ((), "parlour")
    assert not world.bodies
    assert [each.who for each in made.presence("ilse")] == ["dov", "renna"]
