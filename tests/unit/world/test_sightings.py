"""Sightings: what shows where something is, who perceived it, and which are let go."""

from msgspec import structs

from storykeeper.events.atoms import Moved, StateAsserted
from storykeeper.units import EntityId
from storykeeper.world.knowledge import believed_place
from storykeeper.world.knowledge.beliefs import shows
from storykeeper.world.knowledge.sightings import (
    MANY,
    MAX_OPEN,
    covers,
    everyone,
    needed,
    noted,
    sees,
)
from storykeeper.world.state import Sighting
from strategies.cottage import Happens, all_in, empty
from strategies.tables import table


def seen(place="tin", by=(), apart=(), **more):
    return Sighting(1, "t1.1", EntityId(place), tuple(by), tuple(map(tuple, apart)), **more)


def of(happens, entity):
    return happens.world.sightings.get(EntityId(entity), ())


# ── people ───────────────────────────────────────────────────────────────────────────────────


def test_who_leaves_is_seen_there_and_who_comes_is_seen_here():
    at = all_in("kitchen", "ada", "ben")
    at.goes("dot", "cellar")
    at.goes("ada", "cellar")
    assert at.thinks("ben", of="ada") == "cellar"  # he saw her go
    assert at.thinks("dot", of="ada") == "cellar"
    assert at.thinks("ben", "dot", of="ada") is None  # but not who saw her come
    assert at.thinks("ada", "dot", of="ada") == "cellar"
    assert at.thinks("ada", "ben", of="ada") == "cellar"


def test_who_goes_nobody_knows_where_is_gone_for_those_there():
    at = all_in("kitchen", "ada", "ben")
    at.leaves("ada")
    assert at.thinks("ben", of="ada") is None
    assert of(at, "ada")[-1].place is None
    assert at.world.places.get("ada") is None


def test_who_comes_sees_who_is_there():
    at = all_in("kitchen", "ada")
    at.goes("ben", "kitchen")
    assert at.thinks("ben", of="ada") == "kitchen"
    assert at.thinks("ada", "ben", of="ada") == "kitchen"


def test_who_is_said_to_be_somewhere_is_there_and_sees_what_is_there():
    at = all_in("kitchen", "ada")
    at.lies("pie", "kitchen")
    at.deed(StateAsserted("Ben is in the kitchen.", EntityId("kitchen")), actor="ben")
    assert at.world.places["ben"] == "kitchen"
    assert at.thinks("ben") == "kitchen"
    assert at.thinks("ada", of="ben") == "kitchen"


# ── what is found ────────────────────────────────────────────────────────────────────────────


def test_what_nothing_has_shown_is_not_found():
    at = Happens(structs.replace(empty(), places=empty().places.set("pie", "kitchen")))
    at.goes("ada", "kitchen")
    assert at.thinks("ada") is None


def test_what_is_in_something_shut_is_not_found_until_it_is_opened():
    at = all_in("kitchen", "ada")
    at.lies("tin", "kitchen")
    at.puts("ada", "pie", "tin")
    at.acts("ada", "close", target="tin")
    at.goes("ben", "kitchen")
    assert (at.thinks("ben"), at.thinks("ben", of="tin")) == (None, "kitchen")
    at.acts("ada", "open", target="tin")
    assert (at.thinks("ben"), at.thinks("ada", "ben")) == ("tin", "tin")


def test_what_is_put_unseen_by_somebody_there_is_out_of_sight():
    at = all_in("kitchen", "ada", "ben")
    at.lies("tin", "kitchen")
    at.deed(Moved(EntityId("tin")), seen_by=("ada",), subject="pie")
    at.goes("cid", "kitchen")
    assert (at.thinks("ada"), at.thinks("ben"), at.thinks("cid")) == ("tin", None, None)
    at.acts("ada", "take out", target="pie")
    at.puts("ada", "pie", "tin")
    at.goes("dot", "kitchen")
    assert (at.thinks("ben"), at.thinks("dot")) == ("tin", "tin")


def test_what_was_hidden_is_not_found():
    at = all_in("kitchen", "ada")
    at.lies("tin", "kitchen")
    at.acts("ada", "hide", target="pie")
    at.puts("ada", "pie", "tin")
    at.goes("ben", "kitchen")
    assert at.thinks("ben") is None


def test_in_hands_nothing_is_found():
    at = all_in("kitchen", "ada")
    at.puts("ada", "pie", "ada")
    at.goes("ben", "kitchen")
    assert (at.thinks("ada"), at.thinks("ben")) == ("ada", None)


# ── what comes out later ─────────────────────────────────────────────────────────────────────


def test_where_the_container_stands_may_come_out_later():
    at = all_in("kitchen", "ada", "ben")
    at.goes("cid", "garden")
    at.lies("pie", "tin")
    assert (at.thinks("ada"), at.thinks("cid")) == (None, None)  # nobody, until it is known
    at.goes("dot", "kitchen")
    at.lies("tin", "kitchen")
    assert [at.thinks(who) for who in ("ada", "ben", "dot")] == ["tin"] * 3
    assert at.thinks("ada", "dot") == "tin"
    assert at.thinks("cid") is None
    assert at.world.places["pie"] == "kitchen"


def test_who_left_before_it_came_out_saw_it_all_the_same():
    at = all_in("kitchen", "ada", "ben")
    at.lies("pie", "tin")
    at.leaves("ada")
    at.lies("tin", "kitchen")
    assert (at.thinks("ada"), at.thinks("ben", "ada")) == ("tin", "tin")


def test_it_came_out_that_it_was_elsewhere():
    at = all_in("kitchen", "ada")
    at.lies("pie", "tin")
    at.lies("tin", "cellar")
    assert at.thinks("ada") is None
    assert not any(each.anywhere for each in of(at, "pie"))


def test_what_never_comes_out_is_bounded():
    at = all_in("kitchen", "ada")
    at.lies("pie", "tin")
    for _ in range(3 * MAX_OPEN):
        at.goes("ben", "cellar")
        at.goes("ben", "kitchen")
    assert len(of(at, "pie")) <= MAX_OPEN
    at.lies("tin", "kitchen")
    assert at.thinks("ben") == "tin"


def test_a_box_in_a_box():
    at = all_in("kitchen", "ada")
    at.lies("pie", "tin")
    at.lies("tin", "crate")
    at.lies("crate", "kitchen")
    assert at.thinks("ada") == "tin"
    assert (at.world.places["pie"], at.world.places["tin"]) == ("kitchen", "kitchen")


# ── which are kept ───────────────────────────────────────────────────────────────────────────


def test_who_sees_whom_perceive_it():
    s = seen(by=("ada", "ben"), apart=(("cid", "dot"),), supposed=(("ada", "ren"),))
    assert everyone(s) == {"ada", "ben", "cid", "dot"}
    assert sees(s, who="cid", whom="ada")
    assert sees(s, who="cid", whom="dot")
    assert not sees(s, who="ada", whom="cid")
    assert sees(s, who="ada", whom="ren")
    assert not sees(s, who="ben", whom="ren")
    assert not sees(s, who="ren", whom="ada")
    assert not sees(s, who="ren", whom="ren")


def test_what_somebody_supposes_others_do_not_know_of():
    s = seen(by=("ben", "cid"), supposed=(("ben", "ada"),))
    assert shows(s, ("ben", "ada"))
    assert shows(s, ("cid", "ben"))
    assert not shows(s, ("cid", "ben", "ada"))


@table(
    "newer, older, covered",
    [
        (seen(by="ab"), seen(by="a"), True),
        (seen(by="a"), seen(by="ab"), False),
        (seen(by="ab"), seen(apart=("a",)), True),
        (seen(apart=("a",)), seen(by="a"), False),
        (seen(by="a", apart=("bc",)), seen(by="a", apart=("b",)), True),
        (seen(by="a", apart=("b", "c")), seen(by="a", apart=("bc",)), False),
        (seen(by="ab", teller="a"), seen(by="ab"), False),
        (seen(by="ab", teller="a"), seen(by="ab", teller="a"), True),
        (seen(by="ab"), seen(by="ab", teller="a"), True),
        (seen(by="ab"), seen(by="a", anywhere=(("a", "x"),)), False),
        (seen(by="ab"), seen(by="a", supposed=(("a", "b"),)), True),
        (seen(by="a"), seen(by="a", supposed=(("a", "b"),)), False),
    ],
)
def test_a_newer_one_covers_an_older(newer, older, covered):
    assert covers(newer, older=older) is covered


def test_what_is_covered_is_let_go():
    at = all_in("kitchen", "ada", "ben")
    at.lies("tin", "kitchen")
    for place in ("tin", "kitchen") * 20:
        at.puts("ada", "pie", place)
    assert len(of(at, "pie")) == 1
    at.leaves("ben")
    at.puts("ada", "pie", "tin")
    assert len(of(at, "pie")) == 2


def test_nobody_is_shown_nothing():
    world = noted(empty(), EntityId("pie"), seen())
    assert world is empty()


def test_of_very_many_those_are_kept_that_two_need():
    """Hundreds of different groups: what anybody thinks of anybody is as if all were kept."""
    names = [f"p{i}" for i in range(12)]
    rows = [
        seen(f"x{i}", by=[n for k, n in enumerate(names) if (i * 7 + k * k) % 5 < 3])
        for i in range(4 * MANY)
    ]
    world = empty()
    for each in rows:
        world = noted(world, EntityId("pie"), each)
    kept = world.sightings["pie"]
    assert len(kept) < MANY
    for one in names:
        for other in names:
            last = next(r.place for r in reversed(rows) if {one, other} <= set(r.by))
            assert believed_place(world, (one, other), EntityId("pie")) == last


def test_what_was_only_said_is_needed_by_those_who_heard_it():
    rows = (seen("tin", by="ab", teller="a"), seen("crate", by="a"))
    assert needed(rows) == rows
    assert needed((seen("tin", by="a", teller="a"), seen("crate", by="b"))) == (
        seen("crate", by="b"),
    )
