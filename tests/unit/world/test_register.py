"""The register: what mentions and weight are folded into."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events.changes import EntityDemoted, EntityPromoted, Weight
from storykeeper.events.turns import TurnCommitted
from storykeeper.events.vocabulary import Gender, Sort, Tier
from storykeeper.story.places import Thing
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from storykeeper.world.authored import authored, gender_of, index_of
from storykeeper.world.evolve import evolve
from storykeeper.world.index import MAX_INDEXED
from storykeeper.world.register import (
    FORGOTTEN_SCENES,
    MAX_DESCRIPTORS,
    MAX_EDGES,
    MAX_MENTIONS,
    MAX_RECENT,
    entry,
    forget_texture,
    key_of,
    tier_of,
)
from strategies.parlour import parlour, with_things
from strategies.referred import (
    GARDEN,
    PARLOUR,
    atom,
    goes_to,
    looks,
    opened,
    person,
    said,
    with_thing,
)

CUP = Key("t1.1#1")


def after(*atoms, world=None):
    world = opened() if world is None else world
    for each in atoms:
        world = evolve(world, each)
    return world


def cup_after(*atoms, world=None):
    return after(*atoms, world=world).register[CUP]


def the_cup(**fields):
    return said("the cup", **{"joins": CUP} | fields)


# ── mentions ─────────────────────────────────────────────────────────────────────────────────


def test_a_mention_that_joins_none_begins_an_entry():
    ref = said("a chipped cup", descriptors=("chipped",), place="on the table", gender=Gender.IT)
    cup = cup_after(looks(at=ref))
    assert (cup.words, cup.head, cup.sort, cup.gender) == (
        "a chipped cup", "cup", Sort.THING, Gender.IT
    )  # fmt: skip
    assert (cup.scene, cup.first, cup.scenes, cup.last_scene) == (PARLOUR, 1, (PARLOUR,), PARLOUR)
    assert (cup.place, cup.descriptors, cup.at) == ("on the table", ("chipped",), (CUP,))
    assert (cup.id, cup.tier) == ("", None)


def test_one_that_joins_adds_to_it():
    cup = cup_after(
        looks(at=said("a cup", "cup")),
        looks(at=the_cup(descriptors=("old",), place="on the sill"), turn=2),
    )
    assert cup.descriptors == ("old",)
    assert cup.place == "on the sill"
    assert (cup.first, cup.last, cup.mentions, cup.events) == (1, 2, 4, 2)
    assert cup.at == ("t1.1#1", "t2.1#1")


def test_one_of_several_is_nobody_yet():
    tied = looks(at=said("the cup", among=(Key("x"), Key("y"))))
    assert set(after(tied).register) == set(opened().register)


def test_what_has_no_words_left_is_nobody():
    erased = looks(at=a.Unresolved("", PARLOUR, TurnNo(0)))
    assert set(after(erased).register) == set(opened().register)


def test_what_is_implied_has_an_entry_and_no_mention():
    sits = atom(("actor", person("mara")), ("location", a.Implicit("chair", "sits")))
    chair = cup_after(sits)
    assert (chair.words, chair.head, chair.mentions, chair.at) == ("chair", "chair", 2, ())


def test_somebody_a_later_story_has_no_more_is_kept():
    world = after(looks(at=person("stranger")))
    assert entry(world, EntityId("stranger")).id == "stranger"


def test_what_follows_by_a_rule_counts_for_nobody():
    rule = structs.replace(looks(at=said("the cup")), source=a.Source.RULE)
    assert after(rule).register == opened().register


def test_a_longer_description_is_the_better_name():
    cup = cup_after(
        looks(at=said("a cup", "cup")),
        looks(at=said("the old chipped cup", joins=CUP, descriptors=("old", "chipped")), turn=2),
        looks(at=the_cup(), turn=3),
    )
    assert cup.words == "the old chipped cup"


def test_a_name_is_the_best_name():
    man = cup_after(
        looks(at=said("a man", sort=Sort.PERSON)),
        looks(at=said("Ilya", joins=CUP, named=True, sort=Sort.PERSON), turn=2),
        looks(at=said("the tall old man", joins=CUP, descriptors=("tall", "old")), turn=3),
    )
    assert (man.words, man.named) == ("Ilya", True)


def test_whose_it_is():
    cup = cup_after(looks(at=said("her cup", possessor=person("mara"))))
    assert cup.possessor == "mara"
    tanya = a.Unresolved("", PARLOUR, TurnNo(0), joins=Key("t1.9#0"))
    cup = cup_after(looks(at=said("her cup", possessor=tanya)))
    assert cup.possessor == "t1.9#0"


def test_words_add_to_what_has_its_id_too():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.TRACKED)
    ref = a.Resolved(EntityId("thing-0-1-0"), "Tom's old cup on the sill", ("old",), "possessive",
                     "on the sill", Key("tom"))  # fmt: skip
    cup = after(looks(at=ref), world=world).register[Key("t0.1#0")]
    assert (cup.descriptors, cup.place, cup.possessor) == (("old",), "on the sill", "tom")


def test_a_thing_that_was_taken_may_be_elsewhere():
    there = looks(at=said("a cup", "cup", place="on the table"))
    taken = atom(("actor", person("mara")), ("target", the_cup()), turn=2,
                 implied=[("possession", 0, 1, 0.5)])  # fmt: skip
    assert cup_after(there, looks(at=the_cup(), turn=2)).place == "on the table"
    assert cup_after(there, taken).place == ""


def test_a_place_one_is_at_stays_where_it_is():
    there = looks(at=said("a table", "table", place="by the wall"))
    sits = atom(("actor", person("mara")), ("location", said("the table", joins=CUP)), turn=2,
                implied=[("proximity", 0, 1, 0.2)])  # fmt: skip
    assert cup_after(there, sits).place == "by the wall"


def test_how_the_story_calls_what_the_author_named():
    story = with_things(parlour(), Thing(id="cup", name="the poisoned cup", at="parlour"))
    world = opened(story)
    typed = structs.replace(
        looks(at=a.Resolved(EntityId("cup"), "the poisoned cup", by="name")),
        source=a.Source.PLAYER,
    )
    told = looks(at=a.Resolved(EntityId("cup"), "the tin cup", by="descriptive"), turn=2)
    it = looks(at=a.Resolved(EntityId("cup"), "it", by="anaphoric"), turn=3)
    assert after(typed, world=world).register[Key("cup")].called == ""
    assert after(it, world=world).register[Key("cup")].called == ""
    cup = after(typed, told, it, world=world).register[Key("cup")]
    assert (cup.called, cup.words) == ("the tin cup", "the poisoned cup")


def test_told_is_what_the_story_says_is_there():
    typed = structs.replace(looks(at=said("the cup")), source=a.Source.PLAYER)
    spoken = atom(("actor", person("tom")), ("subject", said("a cup", "cup")),
                  what=a.SpeechUttered("A cup!"))  # fmt: skip
    assert not cup_after(typed).told
    assert not cup_after(spoken).told
    assert cup_after(looks(at=said("the cup"))).told
    assert cup_after(typed, looks(at=the_cup(), turn=2)).told


# ── weight ───────────────────────────────────────────────────────────────────────────────────

ROLES = [("target", 1.0), ("instrument", 0.8), ("subject", 0.6), ("location", 0.3)]


@pytest.mark.parametrize(("role", "share"), ROLES)
def test_weight_goes_by_role(role, share):
    acts = atom(("actor", person("mara")), (role, said("the cup")),
                implied=[("attention", 0, 1, 0.5), ("possession", 0, 1, 0.25)])  # fmt: skip
    world = after(acts)
    assert world.register[CUP].total == pytest.approx(0.75 * share)
    assert world.register[Key("mara")].total == pytest.approx(0.75)


def test_a_witness_takes_part_in_all_of_it():
    acts = atom(
        ("actor", person("mara")), ("target", said("the cup")), ("target", said("the jug")),
        ("witness", person("tom")),
        implied=[("attention", 0, 1, 0.5), ("attention", 0, 2, 0.25)],
    )  # fmt: skip
    world = after(acts)
    tom = world.register[Key("tom")]
    assert tom.total == pytest.approx(0.375)
    assert (tom.events, tom.scenes, tom.last_scene) == (0, (), "")  # nothing happened to him


def test_weight_of_a_later_scene_counts_half_as_much_again():
    first = looks(at=said("the cup"), weight=0.4)
    again = looks(at=the_cup(), weight=0.4, turn=2)
    assert cup_after(first, again).total == pytest.approx(0.8)
    elsewhere = structs.replace(again, scene=GARDEN)
    assert cup_after(first, elsewhere).total == pytest.approx(1.0)
    more = structs.replace(elsewhere, turn=TurnNo(3), id="t3.1")
    assert cup_after(first, elsewhere, more).total == pytest.approx(1.6)
    back = looks(at=the_cup(), weight=0.4, turn=3)
    assert cup_after(first, elsewhere, back).total == pytest.approx(1.4)


def test_the_players_part_is_what_they_turn_to():
    mine = structs.replace(looks(at=said("the cup"), who="ann"), source=a.Source.PLAYER)
    world = after(mine)
    assert world.register[CUP].by_player == pytest.approx(0.2)
    assert world.register[Key("ann")].by_player == 0.0
    assert cup_after(looks(at=said("the cup"), who="ann")).by_player == 0.0


def test_an_atom_is_one_event_however_often_it_names_something():
    acts = atom(("actor", person("mara")), ("target", said("a cup", "cup")),
                ("instrument", the_cup()))  # fmt: skip
    cup = cup_after(acts)
    assert (cup.events, cup.mentions) == (1, 2)
    assert cup.at == ("t1.1#1", "t1.1#2")


def test_an_implication_of_nobody_is_nothing():
    acts = atom(("actor", person("mara")), implied=[("attention", 0, 7, 0.5)])
    assert after(acts).register[Key("mara")].total == 0.5  # she did turn to something


# ── edges ────────────────────────────────────────────────────────────────────────────────────


def test_an_edge_is_kept_at_both_ends():
    world = after(looks(at=said("the cup"), weight=0.2), looks(at=the_cup(), weight=0.3, turn=2))
    here, there = world.register[CUP].edges, world.register[Key("mara")].edges
    assert here[Key("mara")].weight == there[CUP].weight == pytest.approx(0.5)
    assert (here[Key("mara")].last, here[Key("mara")].scene) == (2, PARLOUR)


def test_only_who_feels_it_stands_so():
    cares = atom(("actor", person("mara")), ("target", said("the cup")),
                 implied=[("care", 0, 1, 0.6)])  # fmt: skip
    world = after(cares)
    assert world.register[Key("mara")].edges[CUP].affection == 0.6
    assert world.register[CUP].edges[Key("mara")].affection == 0.0


def test_nothing_is_between_something_and_itself():
    acts = atom(("actor", person("mara")), ("target", person("mara")),
                implied=[("attention", 0, 1, 0.5)])  # fmt: skip
    assert after(acts).register[Key("mara")].edges == {}


def test_the_weakest_edge_gives_way():
    world = opened()
    for i in range(2 * MAX_EDGES + 1):
        weight = 0.9 if i != 5 else 0.1
        world = after(looks(at=said("a cup", "cup"), weight=weight, number=i + 1), world=world)
    edges = world.register[Key("mara")].edges
    assert len(edges) == MAX_EDGES
    assert "t1.6#1" not in edges


# ── compounds ────────────────────────────────────────────────────────────────────────────────


def bound(bond, *atoms):
    return a.Compound(turn=1, id="t1.99", bond=bond, members=tuple(map(a.AtomIn, atoms)))


PAIR = (looks(at=said("the cup"), weight=0.4),
        looks(at=said("the jug"), weight=0.2, number=2, who="tom"))  # fmt: skip
JUG = Key("t1.2#1")


@pytest.mark.parametrize(
    ("bond", "cup", "jug"),
    [
        (a.Bond.CAUSAL, 0.6, 0.3),
        (a.Bond.THEMATIC, 0.6, 0.3),
        (a.Bond.TEMPORAL, 0.4, 0.2),
        (a.Bond.CONDITIONAL, 0.6, 0.2),  # the condition gets what it enabled
    ],
)
def test_a_compound_adds_to_its_members(bond, cup, jug):
    world = after(*PAIR, bound(bond, "t1.1", "t1.2"))
    assert world.register[CUP].total == pytest.approx(cup)
    assert world.register[JUG].total == pytest.approx(jug)


def test_of_a_later_scene_it_adds_half_of_what_was_given_there():
    world = with_thing(opened(), "t0.1#0", scene=GARDEN, scenes=(GARDEN,))
    both = (looks(at=said("the cup", joins=Key("t0.1#0")), weight=0.4),
            looks(at=said("the jug"), number=2))  # fmt: skip
    world = after(*both, bound(a.Bond.CAUSAL, "t1.1", "t1.2"), world=world)
    assert world.register[Key("t0.1#0")].total == pytest.approx(0.4 * 1.5 * 1.5)


def test_a_compound_inside_a_compound():
    inner = a.CompoundIn(a.Bond.CAUSAL, ("t1.1", "t1.2"))
    third = looks(at=said("the hat"), number=3, weight=0.2, who="eve")
    outer = a.Compound(turn=1, id="t1.99", bond=a.Bond.TEMPORAL, members=(inner, a.AtomIn("t1.3")))
    world = after(*PAIR, third, outer)
    assert world.register[CUP].total == pytest.approx(0.6)
    assert world.register[Key("t1.3#1")].total == pytest.approx(0.2)


def test_a_compound_of_another_turn_adds_nothing():
    world = after(*PAIR)
    world = evolve(world, TurnCommitted(TurnNo(2), 1))
    assert after(bound(a.Bond.CAUSAL, "t1.1", "t1.2"), world=world).register == world.register


def test_the_players_part_is_not_multiplied():
    mine = [structs.replace(each, source=a.Source.PLAYER) for each in PAIR]
    world = after(*mine, bound(a.Bond.CAUSAL, "t1.1", "t1.2"))
    assert world.register[CUP].by_player == pytest.approx(0.4)


# ── tiers ────────────────────────────────────────────────────────────────────────────────────


def promoted(entity, *, key="", after=Tier.TRACKED):
    return EntityPromoted(2, entity, "it", None, after, Weight(1.0, 1, 1, 0.0), "", key)


def test_a_promotion_gives_the_id_and_keeps_the_key():
    world = after(looks(at=said("the cup")))
    world = evolve(world, promoted("thing-1-1-1", key=CUP))
    assert key_of(world, EntityId("thing-1-1-1")) == CUP
    assert entry(world, EntityId("thing-1-1-1")) is world.register[CUP]
    assert tier_of(world, EntityId("thing-1-1-1")) is Tier.TRACKED
    down = EntityDemoted(3, "thing-1-1-1", Tier.TRACKED, Tier.REFERENCED, "")
    world = evolve(world, down)
    assert (world.register[CUP].tier, world.register[CUP].id) == (Tier.REFERENCED, "thing-1-1-1")


def test_a_promotion_of_what_was_erased_makes_it_again():
    world = evolve(opened(), promoted("thing-9-9-9", key="t9.9#9"))
    assert tier_of(world, EntityId("thing-9-9-9")) is Tier.TRACKED
    assert tier_of(opened(), EntityId("thing-9-9-9")) is None


def test_what_has_its_id_is_found_by_it():
    world = evolve(after(looks(at=said("the cup"))), promoted("thing-1-1-1", key=CUP))
    world = after(looks(at=person("thing-1-1-1", "the cup"), turn=2), world=world)
    assert world.register[CUP].events == 2
    assert world.register[CUP].at == (CUP,)  # its later mentions need no resolving


# ── what is let go, and what is bounded ──────────────────────────────────────────────────────


def wandered(world, number):
    for turn in range(number):
        world = goes_to(world, SceneId(f"room-{turn}"), turn=turn + 2)
    return world


def test_texture_of_scenes_long_ago_is_let_go():
    world = after(looks(at=said("the cup")))
    assert CUP in wandered(world, FORGOTTEN_SCENES).register
    assert CUP not in wandered(world, FORGOTTEN_SCENES + 1).register


@pytest.mark.parametrize("fields", [{"id": EntityId("thing-0-1-0")}, {"named": True}])
def test_what_has_an_id_or_a_name_is_never_let_go(fields):
    world = with_thing(opened(), "t0.1#0", **fields)
    assert Key("t0.1#0") in wandered(world, 20).register


def test_forgetting_forgets_nothing_of_the_author():
    world = wandered(opened(), 20)
    assert set(world.register) == set(opened().register)
    assert forget_texture(world) is world


def test_what_was_let_go_and_comes_back_is_indexed_once():
    world = wandered(after(looks(at=said("the cup"))), FORGOTTEN_SCENES + 1)
    world = after(looks(at=the_cup(), turn=99), world=world)
    assert world.index["cup"] == (CUP,)


def test_everything_is_bounded():
    world = opened()
    for i in range(MAX_MENTIONS + 20):
        ref = the_cup(descriptors=(f"d{i}",)) if i else said("the cup")
        world = after(looks(at=ref, turn=1, number=i + 1), world=world)
    cup = world.register[CUP]
    assert len(cup.at) == MAX_MENTIONS
    assert len(cup.descriptors) == MAX_DESCRIPTORS
    assert cup.mentions == 2 * (MAX_MENTIONS + 20)
    world = opened()
    for i in range(MAX_INDEXED + 20):
        world = after(looks(at=said("a cup", "cup"), number=i + 1), world=world)
    assert len(world.index["cup"]) == MAX_INDEXED
    assert world.index["cup"][-1] == f"t1.{MAX_INDEXED + 20}#1"
    assert len(world.recent) == MAX_RECENT


def test_what_has_an_id_is_found_however_many_share_its_noun():
    cup = Thing(id="cup", name="the cup", at="parlour")
    world = opened(with_things(parlour(), cup))
    for i in range(MAX_INDEXED * 2):
        world = after(looks(at=said("a cup", "cup"), number=i + 1), world=world)
    assert Key("cup") in world.index["cup"]
    assert len(world.index["cup"]) == MAX_INDEXED


def test_the_clock_of_a_mention_is_its_scenes():
    world = evolve(opened(), TurnCommitted(TurnNo(1), 1))
    world = after(looks(at=said("the cup")), world=world)
    assert world.register[CUP].clock == world.clocks[PARLOUR] == 1


# ── the author's ─────────────────────────────────────────────────────────────────────────────


def test_the_authors_own_are_there_from_the_start():
    key = Thing(id="key", name="The Brass Key", descriptors=("worn",), tier=Tier.REFERENCED)
    world = opened(with_things(parlour(), key))
    made = world.register[Key("key")]
    assert (made.id, made.head, made.named, made.floor, made.tier) == (
        "key", "key", True, Tier.REFERENCED, Tier.REFERENCED
    )  # fmt: skip
    assert made.descriptors == ("brass", "worn")
    mara = world.register[Key("mara")]
    assert (mara.sort, mara.gender, mara.named, mara.floor) == (
        Sort.PERSON, Gender.SHE, True, Tier.PERSISTENT
    )  # fmt: skip
    assert world.register[Key("garden")].sort is Sort.PLACE
    assert Key("key") in world.index["brass"]


def test_an_edited_story_keeps_what_play_added():
    world = after(looks(at=person("tom"), weight=0.4))
    again = authored(world.plan, world.register, world.keys)
    assert again[Key("tom")].total == 0.4
    assert again == world.register


def test_an_edited_story_may_raise_a_floor_and_lowers_no_tier():
    key = Thing(id="key", name="the key", tier=Tier.REFERENCED)
    low = opened(with_things(parlour(), key))
    high = opened(with_things(parlour(), structs.replace(key, tier=Tier.PERSISTENT)))
    assert authored(high.plan, low.register, low.keys)[Key("key")].tier is Tier.PERSISTENT
    kept = authored(low.plan, high.register, high.keys)[Key("key")]
    assert (kept.tier, kept.floor) == (Tier.PERSISTENT, Tier.REFERENCED)


def test_the_index_can_be_made_from_the_register():
    world = after(looks(at=said("a chipped cup", descriptors=("chipped",))))
    made = index_of(world.register)
    assert CUP in made["cup"]
    assert CUP in made["chipped"]
    assert {w: set(k) for w, k in made.items()} == {w: set(k) for w, k in world.index.items()}


@pytest.mark.parametrize(
    ("pronouns", "gender"),
    [("she/her", Gender.SHE), ("He/him", Gender.HE), ("it", Gender.IT), ("they/them", Gender.THEY),
     ("xe/xem", Gender.UNKNOWN), ("", Gender.UNKNOWN)],
)  # fmt: skip
def test_which_pronoun_fits_is_the_authors_word(pronouns, gender):
    assert gender_of(pronouns) is gender
