"""What a committed turn makes of things."""

import pytest
from msgspec import structs

from storykeeper.entities.decide import RETROACTIVE, SHIFT, Shift, decide, id_for
from storykeeper.events import atoms as a
from storykeeper.events.changes import EntityDemoted, EntityPromoted, ReferenceResolved, Weight
from storykeeper.events.turns import TurnCommitted
from storykeeper.events.vocabulary import Dimension, Sort, Tier
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.state import Edge, Entity
from strategies.parlour import parlour
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
from strategies.tables import table


def turn_of(world, *atoms, turn=1):
    """The world after a turn's atoms, and what is decided then."""
    world = evolve(world, TurnCommitted(TurnNo(turn), 1))
    for each in atoms:
        world = evolve(world, each)
    world = called_often(world)
    return world, decide(world, TurnNo(turn), atoms)


def called_often(world):
    """How often a thing was called by its own words is another test's (test_entity_called)."""
    register = world.register
    for key, known in world.register.items():
        register = register.set(key, structs.replace(known, mentions=9))
    return structs.replace(world, register=register)


def takes(ref, *, number=1, turn=1, who="mara", **more):
    return atom(
        ("actor", person(who)), ("target", ref), number=number, turn=turn,
        implied=[("attention", 0, 1, 0.18), ("possession", 0, 1, 0.45), ("proximity", 0, 1, 0.18)],
        **more,
    )  # fmt: skip


def kinds(decided):
    return [type(record).__name__ for record in decided.records]


def promoted(decided):
    return [record.key for record in decided.records if isinstance(record, EntityPromoted)]


# ── up ───────────────────────────────────────────────────────────────────────────────────────


def test_a_look_promotes_nothing():
    _, decided = turn_of(opened(), looks(at=said("the cup")))
    assert decided.records == ()
    assert decided.shifts == ()


def test_what_weighs_enough_gets_its_id_and_its_mentions():
    world, _ = turn_of(opened(), atom(("subject", said("a cup", "cup")), what=a.StateAsserted("")))
    _, decided = turn_of(world, takes(said("the cup", joins=Key("t1.1#0")), turn=2), turn=2)
    assert decided.records == (
        EntityPromoted(2, "thing-1-1-0", "", None, Tier.TRACKED,
                       Weight(0.81, 2, 1, 0.0), "weight 0.81 ≥ 0.5", "t1.1#0"),
        ReferenceResolved(2, "t1.1", 0, "thing-1-1-0", RETROACTIVE),
        ReferenceResolved(2, "t2.1", 1, "thing-1-1-0", RETROACTIVE),
    )  # fmt: skip


def test_a_promotion_names_what_was_named_in_its_own_turn():
    """Words stand in the records of the turn they were said in, so that they can be erased."""
    _, decided = turn_of(opened(), takes(said("the cup")))
    assert decided.records[0].name == "the cup"


def test_the_players_attention_is_enough_for_what_was_told():
    world, _ = turn_of(opened(), atom(("subject", said("a cup", "cup")), what=a.StateAsserted("")))
    look = looks(at=said("the cup", joins=Key("t1.1#0")), who="ann", turn=2)
    mine = structs.replace(look, source=a.Source.PLAYER)
    assert kinds(turn_of(world, mine, turn=2)[1])[0] == "EntityPromoted"
    assert turn_of(world, look, turn=2)[1].records == ()


def test_what_only_the_player_speaks_of_waits():
    sword = takes(said("the sword"), who="ann", source=a.Source.PLAYER)
    world, decided = turn_of(opened(), sword)
    assert decided.records == ()
    told = atom(("subject", said("the sword", joins=Key("t1.1#1"))), turn=2,
                what=a.StateAsserted(""))  # fmt: skip
    _, decided = turn_of(world, told, turn=2)
    assert kinds(decided) == ["EntityPromoted", "ReferenceResolved", "ReferenceResolved"]


def test_what_took_no_part_in_the_turn_does_not_rise():
    world = with_thing(opened(), "t0.1#0", total=9.0)
    _, decided = turn_of(world, looks(at=said("the bell")))
    assert decided.records == ()


def test_what_has_its_tier_is_not_promoted_again():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.TRACKED, total=0.9)
    _, decided = turn_of(world, takes(person("thing-0-1-0")))
    assert decided.records == ()


def test_an_id_is_used_again():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.REFERENCED,
                       at=("t0.1#0",))  # fmt: skip
    _, decided = turn_of(world, takes(person("thing-0-1-0")))
    (up,) = decided.records
    assert (up.entity, up.before, up.after, up.key) == (
        "thing-0-1-0", Tier.REFERENCED, Tier.TRACKED, ""
    )  # fmt: skip


def test_the_second_scene_makes_persistent():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.TRACKED,
                       total=1.9, events=2)  # fmt: skip
    here = takes(person("thing-0-1-0"))
    assert turn_of(world, here)[1].records == ()
    world = goes_to(world, GARDEN, turn=1)
    _, decided = turn_of(world, structs.replace(here, scene=GARDEN))
    assert decided.records[0].after is Tier.PERSISTENT


def test_a_full_scene_tracks_only_what_weighs_more_and_what_the_player_wants():
    world = opened(parlour(soft_budget=3))
    world = with_thing(world, "t0.1#0", tier=Tier.TRACKED)
    world = with_thing(world, "t0.1#1", head="bell")
    first = takes(said("the lamp"))  # Mara and the first thing are two, the lamp is the third
    second = takes(said("the jug"), number=2)
    by_player = structs.replace(
        looks(at=said("the bell", joins=Key("t0.1#1")), who="mara", number=3),
        source=a.Source.PLAYER,
    )
    heavy = takes(said("the ring"), number=4)
    again = takes(said("the ring", joins=Key("t1.4#1")), number=5)
    _, decided = turn_of(world, first, second, by_player, heavy, again)
    # The bell is the player's; the ring's 1.62 ≥ 1; the lamp and the jug, .81 each, are too light.
    assert promoted(decided) == ["t0.1#1", "t1.4#1"]


def test_the_weightiest_comes_first_and_ties_go_by_mention():
    world = opened(parlour(soft_budget=3))
    one, two = takes(said("the lamp")), takes(said("the jug"), number=2)
    _, decided = turn_of(world, one, two)
    assert promoted(decided) == ["t1.1#1", "t1.2#1"]
    world = opened(parlour(soft_budget=2))
    _, decided = turn_of(world, one, two)
    assert promoted(decided) == ["t1.1#1"]  # Mara is one, the lamp the second


def test_ties_do_not_depend_on_how_words_hash():
    keys = [f"t0.{i}#0" for i in range(1, 9)]
    world = opened()
    for key in keys:
        world = with_thing(world, key, total=0.6, seen=0, head=key)
    world = evolve(world, TurnCommitted(TurnNo(1), 1))
    for i, key in enumerate(keys):
        watching = a.Unresolved("it", PARLOUR, TurnNo(0), joins=Key(key))
        parts = [("actor", person("mara")), ("witness", watching)]
        world = evolve(world, atom(*parts, number=i + 1, implied=[("attention", 0, 0, 0.2)]))
    decided = decide(called_often(world), TurnNo(1), ())
    assert promoted(decided) == keys


@pytest.mark.parametrize(
    ("key", "sort", "made"),
    [
        ("t3.2#1", Sort.THING, "thing-3-2-1"),
        ("t12.14#0", Sort.PERSON, "person-12-14-0"),
        ("t3.2#1", Sort.ANIMAL, "animal-3-2-1"),
        ("t3.2#1", Sort.PLACE, "place-3-2-1"),
        ("t3.2#1", Sort.GROUP, "group-3-2-1"),
        ("t3.2#1", Sort.UNKNOWN, "thing-3-2-1"),
        ("t3.2#1", Sort.PART, "thing-3-2-1"),
    ],
)
def test_an_id_says_where_it_was_first_mentioned_and_nothing_of_the_text(key, sort, made):
    known = Entity(words="the poisoned cup", head="cup", sort=sort, scene=PARLOUR)
    assert id_for(Key(key), known) == made


# ── between ──────────────────────────────────────────────────────────────────────────────────

MEASURES = [
    ("emotional-connection", 0.5, [("affection", 0.5)]),
    ("emotional-connection", 0.0, [("affection", 1.0)]),
    ("emotional-connection", -0.5, [("benevolence", -0.5), ("reliability", -0.5)]),
    ("trust", 0.0, [("benevolence", 1.0), ("reliability", 1.0)]),
    ("trust", -0.1, [("benevolence", -1.0), ("reliability", -1.0)]),
    ("conflict", 0.0, [("affection", -1.0), ("benevolence", -1.0)]),
    ("care", 0.0, [("affection", 1.0), ("benevolence", 1.0)]),
    ("obligation", 0.0, [("debt", 1.0)]),
    ("possession", 0.0, []),
    ("proximity", 0.0, []),
    ("attention", 0.0, []),
    ("information", 0.0, []),
]


@table("kind, valence, moves", MEASURES)
def test_a_standing_is_made_when_something_gets_its_id(kind, valence, moves):
    feels = atom(("actor", person("mara")), ("target", said("the cup")),
                 implied=[(kind, 0, 1, 0.8, valence)])  # fmt: skip
    _, decided = turn_of(opened(), feels)
    assert isinstance(decided.records[0], EntityPromoted)
    assert sorted((s.dimension.value, s.by) for s in decided.shifts) == [
        (measure, round(sign * 0.8 * SHIFT, 6)) for measure, sign in moves
    ]
    assert all((s.who, s.toward) == ("mara", "thing-1-1-1") for s in decided.shifts)


@table("kind, valence, moves", MEASURES)
def test_and_moved_by_what_happens_later(kind, valence, moves):
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.TRACKED)
    feels = atom(("actor", person("mara")), ("target", person("thing-0-1-0")),
                 implied=[(kind, 0, 1, 0.4, valence)])  # fmt: skip
    _, decided = turn_of(world, feels)
    assert sorted((s.dimension.value, s.by) for s in decided.shifts) == [
        (measure, round(sign * 0.4 * SHIFT, 6)) for measure, sign in moves
    ]


def test_what_gathered_before_is_made_real_at_once():
    world = opened()
    for turn in (1, 2):
        ref = said("the cup", joins=None if turn == 1 else Key("t1.1#1"))
        cares = atom(("actor", person("mara")), ("target", ref), turn=turn,
                     implied=[("care", 0, 1, 0.3)])  # fmt: skip
        world, decided = turn_of(world, cares, turn=turn)
    assert Shift("mara", "thing-1-1-1", Dimension.AFFECTION, 0.15) in decided.shifts


def test_nothing_is_made_real_twice():
    feels = atom(("actor", person("mara")), ("target", said("the cup")),
                 implied=[("care", 0, 1, 0.6)])  # fmt: skip
    world, decided = turn_of(opened(), feels)
    assert len(decided.shifts) == 2
    for record in decided.records:
        world = evolve(world, record)
    _, decided = turn_of(world, looks(at=person("thing-1-1-1"), turn=2), turn=2)
    assert decided.shifts == ()


def test_two_who_are_new_stand_toward_each_other():
    man = said("a man", sort=Sort.PERSON)
    loves = atom(("actor", man), ("target", said("the cup")), implied=[("care", 0, 1, 0.6)])
    _, decided = turn_of(opened(), loves)
    assert len([r for r in decided.records if isinstance(r, EntityPromoted)]) == 2
    assert [(s.who, s.toward) for s in decided.shifts] == [("person-1-1-0", "thing-1-1-1")] * 2


def test_what_is_between_two_of_the_authors_is_the_authors():
    hits = atom(("actor", person("mara")), ("target", person("tom")),
                implied=[("conflict", 0, 1, 0.6)])  # fmt: skip
    assert turn_of(opened(), hits)[1].shifts == ()


def test_what_follows_by_a_rule_moves_nothing_again():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.TRACKED)
    rule = atom(("actor", person("mara")), ("target", person("thing-0-1-0")),
                source=a.Source.RULE, implied=[("care", 0, 1, 0.6)])  # fmt: skip
    assert turn_of(world, rule)[1].shifts == ()


def test_a_standing_moves_by_no_more_than_all_of_it():
    world = with_thing(opened(), "t0.1#0", edges={Key("mara"): Edge(9.0, TurnNo(0), PARLOUR)})
    mara = world.register[Key("mara")]
    edge = Edge(9.0, TurnNo(0), PARLOUR, debt=9.0)
    register = world.register.set(Key("mara"), structs.replace(mara, edges={Key("t0.1#0"): edge}))
    world = structs.replace(world, register=register)
    _, decided = turn_of(world, takes(said("the cup", joins=Key("t0.1#0"))))
    assert [s.by for s in decided.shifts] == [1.0]


# ── in whose hands ───────────────────────────────────────────────────────────────────────────


def test_what_is_tracked_because_it_was_taken_is_held():
    _, decided = turn_of(opened(), takes(said("the cup")))
    assert decided.held == (("thing-1-1-1", "mara"),)


def test_what_is_given_is_held_by_whom_it_is_given_to():
    gives = atom(("actor", person("mara")), ("target", person("tom")), ("subject", said("the cup")),
                 implied=[("possession", 0, 2, 0.9)])  # fmt: skip
    _, decided = turn_of(opened(), gives)
    assert decided.held == (("thing-1-1-2", "tom"),)


def test_what_nobody_of_the_cast_took_is_held_by_nobody_known():
    man = said("a man", sort=Sort.PERSON)
    grabs = atom(("actor", man), ("target", said("the cup")), implied=[("possession", 0, 1, 0.9)])
    assert turn_of(opened(), grabs)[1].held == ()


def test_what_is_not_tracked_is_in_no_hands():
    slight = atom(("actor", person("mara")), ("target", said("the cup")),
                  implied=[("possession", 0, 1, 0.4)])  # fmt: skip
    assert turn_of(opened(), slight)[1].held == ()


# ── down ─────────────────────────────────────────────────────────────────────────────────────


def tracked(world, **fields):
    usual = {"id": EntityId("thing-0-1-0"), "tier": Tier.TRACKED}
    return with_thing(world, "t0.1#0", **usual | fields)


def after_turns(world, number, *, first=1):
    for turn in range(first, first + number):
        world = evolve(world, TurnCommitted(TurnNo(turn), 1))
    return decide(world, TurnNo(first + number - 1), ()).records


def test_ten_turns_of_its_scene_without_an_event():
    assert after_turns(tracked(opened()), 9) == ()
    (down,) = after_turns(tracked(opened()), 10)
    assert down == EntityDemoted(
        10, "thing-0-1-0", Tier.TRACKED, Tier.REFERENCED,
        "nothing happened to it for 10 turns of its scene",
    )  # fmt: skip


def test_turns_of_another_scene_do_not_count():
    world = goes_to(tracked(opened()), GARDEN, turn=0)
    assert after_turns(world, 30) == ()


def test_an_event_in_this_turn_keeps_it():
    world = tracked(opened())
    for turn in range(1, 10):
        world = evolve(world, TurnCommitted(TurnNo(turn), 1))
    _, decided = turn_of(world, looks(at=person("thing-0-1-0"), turn=10), turn=10)
    assert not [r for r in decided.records if isinstance(r, EntityDemoted)]


def persistent(**fields):
    return tracked(opened(), tier=Tier.PERSISTENT, **fields)


def visited(world, number):
    for turn, name in enumerate("abcdefgh"[:number], start=1):
        world = goes_to(world, SceneId(name), turn=turn)
    return decide(world, TurnNo(number), ()).records


def test_three_distinct_scenes_without_an_event_and_no_active_edge():
    assert visited(persistent(), 2) == ()
    (down,) = visited(persistent(), 3)
    assert (down.before, down.after) == (Tier.PERSISTENT, Tier.TRACKED)


def test_an_active_edge_keeps_it():
    edges = {Key("mara"): Edge(0.4, TurnNo(0), PARLOUR)}
    assert visited(persistent(edges=edges), 4) == ()
    assert len(visited(persistent(edges=edges), 5)) == 1


def test_who_was_there_to_see_it_does_not_sink():
    world = tracked(opened(), tier=Tier.PERSISTENT, floor=Tier.TRACKED)
    for turn, name in enumerate("abc", start=1):
        world = goes_to(world, SceneId(name), turn=turn)
    watched = atom(("actor", person("mara")), ("witness", person("thing-0-1-0")), turn=4,
                   implied=[("attention", 0, 0, 0.2)])  # fmt: skip
    assert turn_of(world, turn=4)[1].records
    assert not turn_of(world, watched, turn=4)[1].records


def test_the_authors_own_do_not_sink_below_their_floor():
    world = tracked(opened(), floor=Tier.TRACKED)
    assert after_turns(world, 30) == ()
    higher = tracked(opened(), tier=Tier.PERSISTENT, floor=Tier.TRACKED)
    (down,) = visited(higher, 3)
    assert down.after is Tier.TRACKED


def test_what_sinks_sinks_by_one():
    ups = [Tier.TRACKED, Tier.PERSISTENT]
    for tier in ups:
        world = tracked(opened(), tier=tier)
        records = after_turns(world, 10) if tier is Tier.TRACKED else visited(world, 9)
        (down,) = records
        assert list(Tier).index(down.before) - list(Tier).index(down.after) == 1
