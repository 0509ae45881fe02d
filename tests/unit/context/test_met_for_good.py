"""What somebody has come across they have come across for good; not where it went since (F8.11)."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.history import PresentTurn
from storykeeper.context.window import assemble
from storykeeper.events.atoms import InformationTold, Moved, StateAsserted, deed
from storykeeper.language.tokens import counter
from storykeeper.story.model import NARRATOR
from storykeeper.story.places import Thing
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.fold import fold
from storykeeper.world.met import has_come_across, with_what_is_seen
from storykeeper.world.snapshot import dump, load
from strategies.guarded import atom, who
from strategies.parlour import engine, parlour, with_things

VASE = Thing(id="vase", name="the vase", at="parlour", description="Blue, and cracked")
RING = Thing(id="ring", name="the ring", held_by="tom", description="Thin as a hair")
SPADE = Thing(id="spade", name="the spade", at="garden", description="Rusty")


def house():
    return engine(with_things(parlour(), VASE, RING, SPADE)).world()


def going(whom: str, to: str, *seeing: str, number: int = 1):
    return atom(Moved(EntityId(to)), turn=1, number=number, actor=who(whom), witness=who(*seeing))


def taking(whom: str, thing: str, *seeing: str, number: int = 1):
    return atom(
        Moved(EntityId(whom)), turn=1, number=number, subject=who(thing), witness=who(*seeing)
    )


def may_have(world, audience: str, *sources: str) -> list[bool]:
    present = PresentTurn(TurnNo(2), EntityId("ann"), "I wait.")
    boundary = Boundary(world, (), present, audience=audience)
    return [boundary.open(source) for source in sources]


@pytest.mark.parametrize("audience", [NARRATOR, "ann"])
def test_a_thing_seen_is_not_forgotten_on_leaving_the_room(audience):
    world = fold([going("ann", "garden", "ann", "eve")], house())
    assert may_have(world, audience, "thing:vase", "thing:spade", "thing:ring") == [
        True, True, False
    ]  # fmt: skip


def test_a_character_remembers_too_and_nobody_has_what_others_saw():
    world = fold([going("mara", "garden", "mara", "eve")], house())
    assert may_have(world, "mara", "thing:vase", "thing:spade", "setting:parlour") == [True] * 3
    assert may_have(world, "eve", "thing:vase", "thing:spade", "setting:parlour") == [
        False, True, False
    ]  # fmt: skip
    assert may_have(world, NARRATOR, "thing:spade", "setting:garden") == [False, False]


def test_whom_one_saw_one_has_met():
    before = house()
    assert may_have(before, "eve", "cast:mara") == may_have(before, "mara", "cast:eve") == [False]
    there = going("mara", "garden", "mara", "eve")
    back = going("mara", "attic", "mara", "eve", number=2)
    world = fold([there, back], before)
    assert may_have(world, "eve", "cast:mara", "line:mara") == [True, False]
    assert may_have(world, "mara", "cast:eve") == [True]
    assert may_have(world, "tom", "cast:eve") == [False]


def test_what_was_held_is_remembered_when_it_is_given_away():
    world = fold([taking("mara", "ring", "mara", "tom"), going("tom", "attic", "tom", number=2)],
                 house())  # fmt: skip
    assert may_have(world, "tom", "thing:ring", "where:ring") == [True, False]
    assert may_have(world, "ann", "thing:ring") == [False]


def test_what_was_moved_meanwhile_is_not_shown_where_it_is_now():
    left = fold([going("ann", "garden", "ann", "eve")], house())
    taken = taking("tom", "vase", "tom", "mara", number=2)
    world = fold([taken, going("tom", "attic", "tom", "mara", number=3)], left)
    assert world.holders["vase"] == "tom"
    for audience in (NARRATOR, "ann", "eve"):
        assert shown(world, audience) == shown(left, audience)
    assert "Blue, and cracked" in shown(world, NARRATOR)[0]
    assert "Blue" not in shown(world, "eve")[0]


def shown(world, audience: str) -> tuple[str, str]:
    present = PresentTurn(TurnNo(2), EntityId("ann"), "I think of the vase.")
    made = assemble(world, (), present, audience=audience, tokens=None, count=counter("o200k"))
    return made.text, repr(made.receipt_for(audience))


def test_what_was_hidden_later_or_seen_in_passing_was_seen():
    hidden = atom(deed("hide"), turn=1, number=2, actor=who("tom"), target=who("vase"),
                  witness=who("tom"))  # fmt: skip
    here = going("eve", "parlour", "eve", "ann")
    world = fold([here, hidden, going("eve", "garden", "eve", number=3)], house())
    assert "vase" in world.hidden
    assert may_have(world, "eve", "thing:vase") == [True]
    late = fold([hidden, here], house())
    assert may_have(late, "eve", "thing:vase") == [False]
    assert may_have(late, "ann", "thing:vase") == [True]


@pytest.mark.parametrize("state", ["asleep", "away"])
def test_who_sees_nothing_comes_across_nothing(state):
    world = structs.replace(house(), **{state: (EntityId("eve"),)})
    lamp = structs.replace(world, met=world.met.delete(EntityId("eve")))
    assert EntityId("eve") not in with_what_is_seen(lamp).met


def test_what_was_only_said_was_not_come_across():
    world = house()
    said = atom(InformationTold("", at=EntityId("attic")), turn=1, number=1, actor=who("eve"),
                subject=who("spade"), target=who("mara"))  # fmt: skip
    world = fold([going("eve", "parlour", "eve", "mara"), said], world)
    assert world.sightings[EntityId("spade")]
    assert not has_come_across(world, EntityId("mara"), "spade")
    stated = atom(StateAsserted("", EntityId("parlour")), turn=1, number=3, subject=who("spade"),
                  witness=who("mara"))  # fmt: skip
    assert has_come_across(fold([stated], world), EntityId("mara"), "spade")


def test_it_is_kept_and_grows_only_with_what_is_new():
    world = house()
    again = fold([going("ann", "parlour", "ann", number=1)], world)
    assert again.met is world.met
    gone = fold([going("ann", "garden", "ann", number=1)], world)
    assert all(gone.met[each] >= world.met[each] for each in world.met)
    assert load(dump(gone), gone.plan) == gone
