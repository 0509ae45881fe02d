"""What somebody thinks where something is, and what they think that others think."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.units import EntityId
from storykeeper.world.knowledge import believed, believed_place, believed_way, how
from storykeeper.world.state import Sighting
from strategies.cottage import Happens, all_in, empty


def with_pie(*people):
    """These people in the kitchen, and before them the pie in the tin."""
    happens = all_in("kitchen", *people)
    happens.lies("tin", "kitchen")
    happens.lies("crate", "kitchen")
    happens.lies("pie", "tin")
    return happens


def test_whoever_was_there_thinks_it_where_it_was_put():
    at = with_pie("ada", "ben")
    assert (at.thinks("ada"), at.thinks("ben"), at.thinks("ada", "ben")) == ("tin",) * 3
    assert at.thinks("cid") is None
    assert at.thinks("ada", "cid") is None
    assert at.thinks("cid", "ada") is None


def test_who_left_before_it_was_moved_thinks_it_where_it_was():
    at = with_pie("ada", "ben")
    at.leaves("ben")
    at.puts("ada", "pie", "crate")
    assert at.thinks() == "crate"  # what is so
    assert (at.thinks("ada"), at.thinks("ben")) == ("crate", "tin")
    assert at.thinks("ada", "ben") == "tin"
    assert at.thinks("ben", "ada") == "tin"  # nobody saw ada know better


def test_who_comes_back_sees_it_and_is_seen_to_see_it():
    at = with_pie("ada", "ben")
    at.leaves("ben")
    at.puts("ada", "pie", "crate")
    at.goes("ben", "kitchen")
    assert [at.thinks(*chain) for chain in (["ben"], ["ada", "ben"], ["ben", "ada"])] == [
        "crate", "crate", "crate"
    ]  # fmt: skip


def test_who_comes_back_unseen_knows_and_is_not_thought_to():
    at = with_pie("ada", "ben")
    at.leaves("ben")
    at.puts("ada", "pie", "crate")
    at.leaves("ada")
    at.goes("ben", "kitchen")
    assert at.thinks("ben") == "crate"
    assert at.thinks("ada", "ben") == "tin"


def test_whom_one_left_with_it_one_takes_to_know_what_became_of_it():
    at = with_pie("ada", "ben")
    at.leaves("ben")
    at.puts("ada", "pie", "crate")
    at.leaves("ada")
    at.goes("ben", "kitchen")
    assert at.thinks("ben", "ada") == "crate"
    assert at.thinks("ben", "ada", supposing=False) == "tin"
    found = believed(at.world, ("ben",), "pie")
    assert (how(found, ("ben",)), how(found, ("ben", "ada"))) == ("saw", "inferred")
    assert at.thinks("ben", "ada", "ben") == "tin"  # ada was not there to see him find it


def test_whom_one_saw_leave_before_one_takes_to_know_nothing_of_it():
    at = with_pie("ada", "ben", "cid")
    at.leaves("cid")
    at.leaves("ben")
    at.puts("ada", "pie", "crate")
    at.leaves("ada")
    at.goes("ben", "kitchen")
    assert at.thinks("ben", "cid") == "tin"


def test_whom_one_does_not_find_is_gone_from_where_one_thought():
    at = all_in("kitchen", "ada", "ben")
    at.leaves("ben")
    at.leaves("ada")
    assert at.thinks("ben", of="ada") == "kitchen"
    at.goes("ben", "kitchen")
    assert at.thinks("ben", of="ada") is None


def test_to_any_depth():
    at = with_pie("ada", "ben", "cid")
    at.leaves("cid")
    at.puts("ada", "pie", "crate")
    for chain in (["ada", "ben", "ada", "ben"], ["ben", "ada", "ben"]):
        assert at.thinks(*chain) == "crate"
    for chain in (["ada", "cid", "ben"], ["ada", "ben", "cid"], ["ben", "ada", "cid", "ada"]):
        assert at.thinks(*chain) == "tin"


def test_who_watches_from_the_garden_knows_and_is_not_seen_to():
    at = with_pie("ada", "ben")
    at.goes("dot", "garden")
    at.puts("ada", "pie", "crate")
    assert at.thinks("dot") == "crate"
    assert at.thinks("dot", "ada") == "crate"
    assert at.thinks("ada", "dot") is None
    assert at.thinks("dot", "ada", "dot") is None
    assert at.thinks("dot", "ada", "ben") == "crate"


def test_those_who_watch_together_see_each_other_watch():
    at = with_pie("ada")
    at.goes("dot", "garden")
    at.goes("cid", "garden")
    at.puts("ada", "pie", "crate")
    assert at.thinks("dot", "cid") == "crate"
    assert at.thinks("dot", "cid", "ada") == "crate"
    assert at.thinks("dot", "ada", "cid") is None


def test_who_hides_sees_and_is_not_seen():
    at = with_pie("ada", "ben")
    at.acts("ben", "hide")
    at.puts("ada", "pie", "crate")
    assert at.thinks("ben") == "crate"
    assert at.thinks("ben", "ada") == "crate"
    assert at.thinks("ada", "ben") == "tin"
    at.acts("ben", "emerge")
    at.puts("ada", "pie", "tin")
    at.puts("ada", "pie", "crate")
    assert at.thinks("ada", "ben") == "crate"


def test_who_is_invisible_is_not_seen_to_come_either():
    at = with_pie("ada")
    at.acts("ben", "turn invisible")
    at.goes("ben", "kitchen")
    assert at.thinks("ben") == "tin"
    assert at.thinks("ada", "ben") is None
    assert at.thinks("ada", of="ben") is None


def test_who_sleeps_sees_nothing_of_it():
    at = with_pie("ada", "ben")
    at.acts("ben", "sleep")
    at.puts("ada", "pie", "crate")
    assert (at.thinks("ben"), at.thinks("ada", "ben")) == ("tin", "tin")


def test_who_stepped_out_misses_it_and_sees_it_coming_back():
    at = with_pie("ada", "ben")
    at.acts("ben", "go out")
    at.puts("ada", "pie", "crate")
    assert (at.thinks("ben"), at.thinks("ada", "ben")) == ("tin", "tin")
    at.acts("ben", "come back")
    assert (at.thinks("ben"), at.thinks("ada", "ben")) == ("crate", "crate")


# ── what is said ─────────────────────────────────────────────────────────────────────────────


def test_who_is_told_believes_it_and_who_told_may_know_better():
    at = with_pie("ada", "ben")
    at.leaves("ben")
    at.goes("ada", "cellar")
    at.goes("ben", "cellar")
    at.says("ada", "pie", "crate")
    assert at.thinks() == "tin"
    assert (at.thinks("ada"), at.thinks("ben")) == ("tin", "crate")
    assert at.thinks("ada", "ben") == "crate"
    assert at.thinks("ben", "ada") == "crate"
    assert at.thinks("ada", "ben", "ada") == "crate"
    assert how(believed(at.world, ("ben",), "pie"), ("ben",)) == "told by ada"


def test_one_believes_ones_eyes_before_what_is_said():
    at = with_pie("ada", "ben", "cid")
    at.leaves("cid")
    at.says("ada", "pie", "crate", to="cid")
    assert at.thinks("ben") == "tin"
    assert at.thinks("cid") == "crate"


def test_who_overhears_it_thinks_so_too_and_nobody_thinks_they_do():
    at = with_pie("ada", "ben")
    at.goes("dot", "cellar")
    at.says("ada", "pie", "crate")
    assert at.thinks("dot") == "crate"
    assert at.thinks("ada", "dot") is None


def test_on_the_line_one_hears_and_is_known_to_hear():
    at = with_pie("ada")
    at.goes("cid", "garden")
    at.deed(a.LineChanged(a.LineChange.OPENED), actor="ada", target="cid")
    at.says("ada", "pie", "crate")
    assert at.thinks("cid") == "crate"
    assert at.thinks("ada", "cid") == "crate"
    at.acts("cid", "hang up")
    at.says("ada", "pie", "cellar")
    assert at.thinks("cid") == "crate"


# ── the answer ───────────────────────────────────────────────────────────────────────────────


def test_where_it_is_thought_to_be_and_where_that_is():
    at = with_pie("ada")
    assert believed_way(at.world, ("ada",), "pie") == ("tin", "kitchen")
    assert believed_way(at.world, ("ben",), "pie") == ()


def test_things_in_each_other_as_somebody_thinks_end_somewhere():
    seen = Sighting(1, "t1.1", EntityId("tin"), ("ada",))
    inside = structs.replace(seen, place=EntityId("pie"))
    world = structs.replace(
        empty(), sightings=empty().sightings.set("pie", (seen,)).set("tin", (inside,))
    )
    assert believed_way(world, ("ada",), "pie") == ("tin", "pie")


@pytest.mark.parametrize("chain", [("nobody",), ("ada", "nobody"), ("nobody", "ada")])
def test_who_is_unknown_thinks_nothing(chain):
    assert believed_place(with_pie("ada").world, chain, "pie") is None


def test_what_is_unknown_is_nowhere():
    assert believed_place(with_pie("ada").world, ("ada",), "nothing") is None
    assert believed_place(Happens().world, (), "pie") is None
