"""Where things are, through hands and containers."""

from immutables import Map
from msgspec import structs

from storykeeper.world.whereabouts import (
    contents,
    directly,
    everyone_at,
    is_hidden,
    put,
    setting_of,
)
from strategies.cottage import all_in, empty


def test_a_thing_is_in_a_setting_in_hands_or_in_a_thing():
    world = all_in("kitchen", "ada").world
    for to, setting in (("garden", "garden"), ("ada", "kitchen"), ("tin", None)):
        there = put(world, "pie", to)
        assert directly(there, "pie") == to
        assert setting_of(there, "pie") == setting


def test_what_is_in_a_container_goes_where_it_goes():
    world = all_in("kitchen", "ada").world
    world = put(put(put(world, "tin", "kitchen"), "pie", "tin"), "crate", "cellar")
    assert (world.places["pie"], setting_of(world, "pie")) == ("kitchen", "kitchen")
    world = put(world, "tin", "crate")
    assert world.places["pie"] == "cellar"
    assert contents(world, "crate") == ("pie", "tin")
    world = put(world, "crate", "ada")
    assert "pie" not in world.places
    assert "tin" not in world.places
    assert setting_of(world, "pie") == "kitchen"  # ada is there
    assert put(world, "pie", "garden").containers == Map({"tin": "crate"})


def test_a_box_is_not_in_itself_nor_in_what_it_holds():
    world = put(empty(), "tin", "crate")
    assert put(world, "tin", "tin") == world
    assert put(world, "crate", "tin") == world


def test_a_setting_is_where_it_is_and_the_unknown_nowhere():
    assert setting_of(empty(), "kitchen") == "kitchen"
    assert setting_of(empty(), "pie") is None
    assert directly(empty(), "pie") is None


def test_however_deep_it_ends():
    loop = empty().containers.set("pie", "tin").set("tin", "pie")
    world = structs.replace(empty(), containers=loop)
    assert setting_of(world, "pie") is None
    assert contents(world, "pie") == ("tin",)
    assert is_hidden(world, "pie")


def test_what_is_shut_away_or_hidden_is_not_seen():
    world = put(put(empty(), "tin", "crate"), "pie", "tin")
    assert not is_hidden(world, "pie")
    assert is_hidden(structs.replace(world, closed=("crate",)), "pie")
    assert is_hidden(structs.replace(world, hidden=("tin",)), "pie")
    assert is_hidden(structs.replace(world, hidden=("pie",)), "pie")
    assert not is_hidden(structs.replace(world, closed=("pie",)), "pie")
    assert is_hidden(structs.replace(world, invisible=("ada",)), "ada")


def test_everyone_somewhere():
    assert list(everyone_at(all_in("kitchen", "ben", "ada").world, "kitchen")) == ["ada", "ben"]
