"""Where hidden things are, who knows it, and when they are hidden no more (F8.12)."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.story.adopt import adoption
from storykeeper.story.places import Thing
from storykeeper.units import EntityId
from storykeeper.world.begin import adopt, begin
from storykeeper.world.finding import hidden_at, is_found_by, knows_where
from storykeeper.world.fold import fold
from storykeeper.world.plan import plan
from strategies.guarded import atom, who
from strategies.parlour import parlour, with_things

GEM = Thing(id="gem", name="the gem", at="parlour", hidden=True)
DESK = Thing(id="desk", name="the desk", at="parlour")
IN_ROOM = ("ann", "mara", "tom")


def house(*things: Thing, **more):
    story = structs.replace(with_things(parlour(), *(things or (GEM, DESK))), **more)
    return begin(plan(adoption(story)))


def does(what, *, source=a.Source.NARRATOR, number=1, **roles):
    made = atom(what, turn=1, number=number, **{r: who(*p) for r, p in roles.items()})
    return structs.replace(made, source=source)


def found(world, person: str = "ann") -> bool:
    return is_found_by(world, EntityId(person), EntityId("gem"))


def test_it_is_hidden_from_the_start_and_nobody_has_seen_it():
    world = house()
    assert world.hidden == ("gem",)
    assert "gem" not in world.sightings
    assert not any("gem" in met for met in world.met.values())
    assert hidden_at(world, EntityId("parlour")) == ["gem"]
    assert hidden_at(world, EntityId("garden")) == []
    assert not any(found(world, each) for each in (*IN_ROOM, "eve"))


def test_shown_to_all_who_are_there_it_is_hidden_no_more():
    find = does(a.deed("find"), actor=("tom",), target=("gem",), witness=("ann", "mara"))
    world = fold([find], house())
    assert world.hidden == ()
    assert all("gem" in world.met[EntityId(each)] for each in IN_ROOM)


def test_shown_to_some_it_is_found_by_them():
    find = does(a.deed("find"), actor=("tom",), target=("gem",), witness=("ann",))
    world = fold([find], house())
    assert world.hidden == ("gem",)
    assert [found(world, each) for each in IN_ROOM] == [True, False, True]


def test_nobody_finds_it_from_elsewhere():
    find = does(a.deed("find"), actor=("eve",), target=("gem",))
    world = fold([find], house())
    assert world.hidden == ("gem",)
    assert not found(world, "eve")


def test_that_a_player_says_so_finds_nothing():
    find = does(a.deed("find"), source=a.Source.PLAYER, actor=("ann",), target=("gem",),
                witness=("mara", "tom"))  # fmt: skip
    assert fold([find], house()).hidden == ("gem",)


@pytest.mark.parametrize(
    "moved",
    [
        does(a.Moved(EntityId("tom")), subject=("gem",)),  # in his hands, and nobody saw it
        does(a.EntityChanged(a.EntityChange.APPEARED), subject=("gem",)),
    ],
)
def test_in_hands_and_come_to_light_it_is_hidden_no_more(moved):
    assert fold([moved], house()).hidden == ()


def test_put_somewhere_it_stays_hidden():
    put = does(a.Moved(EntityId("desk")), subject=("gem",), witness=IN_ROOM)
    world = fold([put], house())
    assert world.hidden == ("gem",)
    assert hidden_at(world, EntityId("parlour"), inside=EntityId("desk")) == ["gem"]
    assert found(world)  # they saw where it went


@pytest.mark.parametrize(
    ("place", "teller", "expected"),
    [
        ("parlour", "tom", True),
        ("desk", "tom", True),  # which is where it is, as far as anybody knows
        ("garden", "tom", False),
        ("parlour", "mara", False),  # who is played: a player may guess
        ("parlour", "ann", False),
    ],
)
def test_who_is_told_where_it_is_knows_it_but_not_by_a_players_word(place, teller, expected):
    world = house(players=("ann", "mara"))
    said = does(a.InformationTold("", at=EntityId(place)), actor=(teller,), subject=("gem",),
                witness=tuple(each for each in IN_ROOM if each != teller))  # fmt: skip
    assert knows_where(fold([said], world), EntityId("ann"), EntityId("gem")) is expected


def test_an_edited_story_hides_what_nobody_has_seen_and_shows_what_it_hides_no_more():
    plain, hidden = (
        plan(adoption(with_things(parlour(), structs.replace(GEM, hidden=each))))
        for each in (False, True)
    )
    assert adopt(begin(hidden), plain).hidden == ()
    assert adopt(begin(plain), hidden).hidden == ()  # they have it before their eyes
    far = [
        plan(adoption(with_things(parlour(), structs.replace(GEM, at="attic", hidden=each))))
        for each in (False, True)
    ]
    assert adopt(begin(far[0]), far[1]).hidden == ("gem",)
    shown = fold([does(a.EntityChanged(a.EntityChange.APPEARED), subject=("gem",))], begin(hidden))
    again = plan(adoption(with_things(parlour(), structs.replace(GEM, description="New"))))
    assert adopt(shown, again).hidden == ()
