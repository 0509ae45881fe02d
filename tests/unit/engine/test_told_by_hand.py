"""What a writer who told thirty turns from windows missed: hands, who knows, handles, beats."""

import pytest
from msgspec import structs

from storykeeper.story.conditions import At, Condition
from storykeeper.story.places import Thing
from storykeeper.story.scenes import Beat, Scene, SceneCast, Transition
from storykeeper.story.stage import Stage, StageMove
from strategies.wherry import begun, play, wherry


def with_things(**more):
    held = Thing(id="order", name="the order", held_by="ilse")
    return structs.replace(wherry(), things=(*wherry().things, held), **more)


def told(keeper):
    keeper.inline = True  # of a narrator that declares
    return keeper.window(text="I wait.").text


@pytest.mark.parametrize("row", [
    {"what": "the order"}, {"to": ["the order"]}, {"to": "the order"}, {},
], ids=["named", "in place of whom", "the same", "by its words alone"])  # fmt: skip
def test_a_thing_is_taken_however_its_row_names_it(row):
    keeper = begun(with_things())
    move = {"who": ["dov"], "kind": "takes", "words": "takes the order from you", **row}
    assert play(keeper, "Dov takes the order from you.", {"moves": [move]}) == ()
    assert keeper.world().holders["order"] == "dov"


def test_who_is_gone_at_the_end_and_not_told_of_was_gone_before():
    keeper = begun()
    play(keeper, "“There was no robbery,” says Dov.", {"at": {"renna": "unknown"}})
    assert "robbery" not in keeper.brief("renna").text
    keeper = begun()
    play(keeper, "“No robbery,” says Dov to Renna.", {"at": {"renna": "unknown"}})
    assert "robbery" in keeper.brief("renna").text


def test_who_is_given_something_has_seen_it_wherever_the_giver_is():
    keeper = begun(with_things())
    rows = [
        {"who": ["dov"], "kind": "takes", "what": "order", "words": "Dov has the order"},
        {"who": ["dov"], "kind": "departs", "to": "cellar", "words": "is gone"},
        {"who": ["dov"], "kind": "gives", "what": "order", "to": ["you"], "words": "in your hand"},
    ]
    prose = "Dov has the order, and then he is gone; and it is in your hand again."
    assert play(keeper, prose, {"moves": rows}) == ()
    assert keeper.world().holders["order"] == "ilse"
    assert "Ilse has the order" in told(keeper)


@pytest.mark.parametrize("name", ["order-of-arrest", "the order of arrest", "an order of arrest"])
def test_a_thing_may_be_called_by_its_id_as_words(name):
    paper = Thing(id="order-of-arrest", name="the sealed paper", at="parlour")
    keeper = begun(structs.replace(wherry(), things=(*wherry().things, paper)))
    row = {"who": ["dov"], "kind": "takes", "what": name, "words": "Dov takes up the sealed paper"}
    assert play(keeper, "Dov takes up the sealed paper.", {"moves": [row]}) == ()
    assert keeper.world().holders["order-of-arrest"] == "dov"


@pytest.mark.parametrize(("typed", "held"), [("I pay Dov two crowns.", "dov"), ("I pay.", None)])
def test_a_thing_may_be_called_as_the_player_called_it(typed, held):
    keeper = begun()
    row = {"who": ["you"], "kind": "gives", "what": "two crowns", "to": ["dov"],
           "words": "It goes into his pocket"}  # fmt: skip
    keeper.render(keeper.begin(typed), "It goes into his pocket, Dov's.", stage={"moves": [row]})
    keeper.end_scene()
    assert keeper.world().holders.get("two-crowns") == held


def test_of_two_things_in_its_words_none_is_taken():
    keeper = begun(with_things())
    move = {"who": ["dov"], "kind": "takes", "words": "takes the order and the lamp"}
    (why,) = play(keeper, "Dov takes the order and the lamp.", {"moves": [move]})
    assert "no thing of this story" in why  # and the reader alone has a say


def test_a_window_says_who_has_what_as_the_player_saw_it():
    keeper = begun(with_things())
    assert "Ilse has the order" in told(keeper)
    move = {"who": ["dov"], "kind": "takes", "to": "the order", "words": "takes the order"}
    play(keeper, "Dov takes the order.", {"moves": [move]})
    assert "Dov has the order" in told(keeper)
    assert "Ilse has the order" not in told(keeper)


def test_who_declares_is_told_what_the_places_are_called_to_which_open_ways_lead():
    keeper = begun()
    assert "From here one gets to the hall" in told(keeper)
    assert "attic" not in told(keeper)  # two ways off
    up = {"who": ["you"], "kind": "departs", "to": "hall", "words": "You step out"}
    assert play(keeper, "You step out.", {"moves": [up]}) == ()
    now = told(keeper)
    assert "From here one gets to the parlour, the attic, the cellar and the yard" in now
    assert "vault" not in now  # that way is shut
    keeper.inline = False
    assert "one gets to" not in keeper.window(text="I wait.").text


def test_what_changed_hands_unseen_is_told_as_it_was_seen_last():
    keeper = begun(with_things())
    move = {"who": ["dov"], "kind": "takes", "what": "the order", "words": "takes the order"}
    play(keeper, "Dov takes the order.", {"moves": [move]})
    goes = {"who": ["dov"], "kind": "departs", "to": "cellar", "words": "goes down"}
    play(keeper, "Dov goes down.", {"moves": [goes]})
    assert "has the order" not in told(keeper)  # he is not here
    gives = {"who": ["dov"], "kind": "gives", "to": ["hagen"], "what": "the order", "words": ""}
    back = {"who": ["dov"], "kind": "arrives", "to": "parlour", "words": "Dov comes up again"}
    play(keeper, "Dov comes up again.", {"moves": [gives, back]})
    assert "Hagen has the order" not in told(keeper)


def test_who_knows_a_fact_too_is_said_of_those_who_were_seen_to_learn_it():
    keeper = begun()
    line = "“I burned the letter from Marl,” you say to Dov."
    row = {"fact": "burned", "by": "ilse", "to": ["dov", "renna"], "words": "I burned the letter"}
    play(keeper, line, {"told": [row]})
    play(keeper, "Rain.", {})
    assert "(Dov and Renna know it too)" in told(keeper)


def test_nobody_is_said_to_know_what_the_player_did_not_see_them_learn():
    keeper = begun()
    away = {"who": ["renna"], "kind": "departs", "to": "attic", "words": "Renna goes up"}
    play(keeper, "Renna goes up.", {"moves": [away]})
    row = {"fact": "ferry", "by": "dov", "to": ["ilse"], "words": "The ferry comes on Thursday"}
    play(keeper, "“The ferry comes on Thursday,” says Dov.", {"told": [row]})
    back = {"who": ["renna"], "kind": "arrives", "to": "parlour", "words": "Renna comes down"}
    play(keeper, "Renna comes down.", {"moves": [back]})
    assert "The ferry comes on Thursday" in told(keeper)
    assert "it too" not in told(keeper)  # nor of Dov, who told it


def test_a_handle_goes_on_meaning_what_it_meant():
    keeper = begun()
    keeper.inline = True
    before = keeper.window(text="I wait.").handles
    assert before == ("burned",)
    row = {"fact": "pawned", "by": "dov", "to": ["ilse"], "words": "I pawned the silver heron"}
    play(keeper, "“I pawned the silver heron to a chandler in Osk,” says Dov.", {"told": [row]})
    window = keeper.window(text="I wait.")
    assert window.handles == ("burned", "pawned")  # the author has it before the other
    assert "[F2] Just now known to Ilse" in window.text


def test_what_a_narrator_tells_goes_on_from_a_beat():
    sits = StageMove(who=("renna",), kind="arrives", to=("parlour",), words="as the author has it")
    beats = (
        Beat(id="opening", prose="It is late."),
        Beat(id="coal", prose="Renna sits, as the author has it.", stage=Stage(moves=(sits,))),
    )
    scene = Scene(id="evening", title="Evening", setting="parlour", beats=beats)
    keeper = begun(structs.replace(wherry(), scenes=(scene,)))
    goes = {"who": ["renna"], "kind": "departs", "to": "attic", "words": "Renna goes up"}
    play(keeper, "Renna sits for a while. Renna goes up.", {"moves": [goes]})
    assert keeper.world().places["renna"] == "attic"


def test_hands_are_told_to_a_narrator_that_declares():
    assert "has the order" not in begun(with_things()).window(text="I wait.").text


IN_THE_HALL = Condition(at=At(who="player", place="hall"))


@pytest.mark.parametrize(("setting", "at"), [("attic", "hall"), ("reef", "reef")])
def test_who_was_told_to_be_next_to_a_scene_has_yet_to_go_in(setting, at):
    scenes = (
        Scene(id="evening", title="Evening", setting="parlour",
              leads_to=(Transition(to="up", when=IN_THE_HALL),)),
        Scene(id="up", title="Up", setting=setting, cast=SceneCast(required=("hagen",))),
    )  # fmt: skip
    keeper = begun(structs.replace(wherry(), scenes=scenes))
    go = {"who": ["you", "renna"], "kind": "departs", "to": "hall", "words": "You step out"}
    play(keeper, "You step out, and Renna with you.", {"moves": [go]})
    world = keeper.world()
    assert (world.scene, world.places["hagen"]) == ("up", setting)
    assert (world.places["ilse"], world.places["renna"]) == (at, at)


def test_a_beat_told_in_its_own_words_ends_as_its_author_says():
    goes = StageMove(who=("renna",), kind="departs", words="Renna goes out for coal")
    prose = "Renna goes out for coal. She comes back with it."
    beats = (
        Beat(id="opening", prose="It is late."),
        Beat(id="coal", prose=prose, stage=Stage(moves=(goes,), here=("renna",))),
    )
    scene = Scene(id="evening", title="Evening", setting="parlour", beats=beats)
    keeper = begun(structs.replace(wherry(), scenes=(scene,)))
    play(keeper, prose, {})
    assert keeper.world().places["renna"] == "parlour"
    assert "renna" not in keeper.world().unsure
