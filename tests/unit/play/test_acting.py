"""What the player's words do to things."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.play.commit import play_out
from storykeeper.story.places import Thing
from storykeeper.units import EntityId, Key, TurnNo
from storykeeper.world.state import Pending
from strategies.parlour import parlour, with_things
from strategies.referred import GARDEN, PARLOUR, opened, with_thing

CUP = EntityId("thing-0-1-0")


def cup(world=None, **fields):
    return with_thing(opened() if world is None else world, "t0.1#0", **fields)


def tracked(**fields):
    return cup(id=CUP, tier=Tier.TRACKED, **fields)


def typed(line, world=None, *, meant=()):
    world = opened() if world is None else world
    return play_out(world, Pending(TurnNo(1), EntityId("ann"), line, meant=meant))


def done(unfolding):
    """The first thing the player did."""
    return next(x for x in unfolding.atoms if x.source is a.Source.PLAYER)


def part(unfolding, role="target"):
    return next(p.entity for p in done(unfolding).participants if p.role.value == role)


def weights(unfolding):
    return {i.kind.value: i.weight for i in done(unfolding).implications if i.toward == 1}


# ── whom its words mean ──────────────────────────────────────────────────────────────────────


def test_words_find_what_was_mentioned():
    ref = part(typed("look at the cup", cup()))
    assert (ref.joins, ref.mention) == ("t0.1#0", "the cup")


def test_and_what_is_tracked_by_its_id():
    ref = part(typed("look at the cup", tracked()))
    assert (ref.entity, ref.mention, ref.by) == (CUP, "the cup", "descriptive")


def test_players_leave_articles_out():
    assert part(typed("take cup", cup())).joins == "t0.1#0"


def test_what_nobody_mentioned_begins_only_what_the_player_speaks_of():
    unfolding = typed("take the sword")
    sword = unfolding.world.register[Key(f"{done(unfolding).id}#1")]
    assert (sword.head, sword.told) == ("sword", False)


def test_a_tie_stays_a_tie():
    world = with_thing(cup(), "t0.1#1")
    assert part(typed("look at the cup", world)).among == ("t0.1#0", "t0.1#1")


def test_nobody_means_what_they_were_not_told_of():
    world = with_thing(cup(), "t0.1#1", told=False)
    assert part(typed("take the cup", world)).joins == "t0.1#0"


def test_what_the_player_said_they_mean():
    world = with_thing(cup(), "t0.1#1")
    ref = part(typed("take the cup", world, meant=(("the cup", Key("t0.1#1")),)))
    assert ref.joins == "t0.1#1"


def test_it_is_what_was_spoken_of():
    assert part(typed("take it", cup())).joins == "t0.1#0"


def test_whose_cup():
    world = with_thing(cup(possessor="mara"), "t0.1#1", possessor="tom")
    assert part(typed("look at Tom's cup", world)).joins == "t0.1#1"


def test_the_chip_is_the_cup_that_has_one():
    ref = part(typed("look at the chip", cup(descriptors=("chip",))))
    assert ref.joins == "t0.1#0"


def test_a_pronoun_for_nobody_is_nobody():
    unfolding = typed("take it")
    assert [p.role.value for p in done(unfolding).participants if p.role is not a.Role.WITNESS] == [
        "actor"
    ]


# ── what is implied ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "implied"),
    [
        ("look at the cup", {"attention": 0.2}),
        ("take the cup", {"attention": 0.2, "possession": 0.5, "proximity": 0.2}),
        ("kiss the cup", {"attention": 0.2, "care": 0.6}),
    ],
)
def test_whatever_a_player_turns_to_gets_attention_at_least(line, implied):
    assert implied.items() <= weights(typed(line, cup())).items()


def test_nobody_owns_somebody():
    world = with_thing(opened(), "t0.1#0", head="stranger", sort=Sort.PERSON)
    assert "possession" not in weights(typed("take the stranger", world))


# ── what comes of it ─────────────────────────────────────────────────────────────────────────


def test_taking_a_tracked_thing_puts_it_into_the_players_hands():
    assert typed("take the cup", tracked()).world.holders[CUP] == "ann"


def test_what_somebody_else_holds_is_not_taken():
    world = tracked()
    world = structs.replace(world, holders=world.holders.set(CUP, EntityId("mara")))
    assert typed("take the cup", world).world.holders[CUP] == "mara"


def holding():
    world = tracked()
    return structs.replace(world, holders=world.holders.set(CUP, EntityId("ann")))


def test_dropping_puts_it_where_the_player_is():
    world = typed("drop the cup", holding()).world
    assert (CUP in world.holders, world.places[CUP]) == (False, "parlour")


def test_into_a_pocket_is_no_dropping():
    assert typed("put the cup in my pocket", holding()).world.holders[CUP] == "ann"


def test_one_cannot_drop_what_one_does_not_hold():
    assert CUP not in typed("drop the cup", tracked()).world.places


def test_giving_puts_it_into_the_others_hands():
    assert typed("give Mara the cup", holding()).world.holders[CUP] == "mara"
    assert typed("give Eve the cup", holding()).world.holders[CUP] == "ann"  # she is not here


def test_taking_is_one_event():
    world = typed("take the cup", tracked()).world
    assert world.register[Key("t0.1#0")].events == 2  # it had one


def test_what_is_not_here_is_out_of_reach():
    horn = Thing(id="horn", name="the tin horn", at="garden")
    world = opened(with_things(parlour(), horn))
    world = structs.replace(world, heard=world.heard.set("ann", ("!~tin horn",)))
    assert not [x for x in typed("take the tin horn", world).atoms if x.source is a.Source.PLAYER]


def test_a_cup_of_another_scene_is_another_cup():
    world = cup(scene=GARDEN, scenes=(GARDEN,))
    ref = part(typed("look at the cup", world))
    assert (ref.joins, ref.first_scene) == (None, PARLOUR)


# ── what is said ─────────────────────────────────────────────────────────────────────────────


def people(atom, role):
    return {p.entity.entity for p in atom.participants if p.role is role}


def test_a_whisper_is_heard_by_whom_it_is_for():
    unfolding = typed("I whisper to Mara: “Come.”")
    (spoken,) = [x for x in unfolding.atoms if isinstance(x.what, a.SpeechUttered)]
    assert spoken.what.whispered
    assert people(spoken, a.Role.TARGET) == {"mara"}
    assert people(spoken, a.Role.WITNESS) == set()


def test_what_is_said_aloud_is_heard_by_all():
    unfolding = typed("I say to Mara: “Come.”")
    (spoken,) = [x for x in unfolding.atoms if isinstance(x.what, a.SpeechUttered)]
    assert people(spoken, a.Role.WITNESS) == {"tom"}
