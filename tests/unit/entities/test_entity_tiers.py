"""What a weight is enough for, how full a scene is, and how edges fade."""

import pytest

from storykeeper.entities.tiers import (
    Entered,
    at_least,
    earned,
    tier_now,
    tracked_in,
    tracking_threshold,
)
from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.story.tuning import EntityTuning
from storykeeper.units import Key, SceneId, TurnNo
from storykeeper.world.state import Edge, Entity
from strategies.parlour import parlour
from strategies.referred import GARDEN, PARLOUR, goes_to, opened, with_thing
from strategies.tables import table

USUAL = EntityTuning()
TWO_SCENES = (PARLOUR, GARDEN)


def entity(**fields) -> Entity:
    usual = {"words": "the cup", "head": "cup", "sort": Sort.THING, "scene": PARLOUR}
    return Entity(**usual | {"told": True, "mentions": 4} | fields)


@table(
    "fields, tier, why",
    [
        ({}, Tier.MENTIONED, "only mentioned"),
        ({"total": 0.01}, Tier.REFERENCED, "weight 0.01"),
        ({"total": 0.49}, Tier.REFERENCED, "weight 0.49"),
        ({"total": 0.5}, Tier.TRACKED, "weight 0.50 ≥ 0.5"),
        ({"total": 0.12, "by_player": 0.12}, Tier.TRACKED, "the player turned to it"),
        ({"total": 0.11, "by_player": 0.11}, Tier.REFERENCED, "weight 0.11"),
        ({"total": 2.0, "events": 3, "scenes": TWO_SCENES}, Tier.PERSISTENT,
         "weight 2.00 ≥ 2 in 3 events over 2 scenes"),
        ({"total": 1.99, "events": 3, "scenes": TWO_SCENES}, Tier.TRACKED, "weight 1.99 ≥ 0.5"),
        ({"total": 2.0, "events": 2, "scenes": TWO_SCENES}, Tier.TRACKED, "weight 2.00 ≥ 0.5"),
        ({"total": 9.0, "events": 9, "scenes": (PARLOUR,)}, Tier.TRACKED, "weight 9.00 ≥ 0.5"),
        # what was told of once and called once more
        ({"total": 0.79, "mentions": 3}, Tier.REFERENCED, "weight 0.79"),
        ({"total": 0.8, "mentions": 3}, Tier.TRACKED, "weight 0.80 ≥ 0.8"),
        ({"total": 0.2, "by_player": 0.2, "mentions": 3}, Tier.TRACKED, "the player turned to it"),
        ({"total": 0.12, "by_player": 0.12, "mentions": 3}, Tier.REFERENCED, "weight 0.12"),
        # and what was not called again
        ({"total": 9.0, "mentions": 2}, Tier.REFERENCED, "not called by its own words again"),
        ({"total": 9.0, "by_player": 9.0, "mentions": 2}, Tier.REFERENCED,
         "not called by its own words again"),
        ({"total": 9.0, "mentions": 2, "floor": Tier.MENTIONED}, Tier.TRACKED, "weight 9.00 ≥ 0.5"),
        # what is hardly one particular thing
        ({"total": 0.99, "plural": True}, Tier.REFERENCED, "weight 0.99"),
        ({"total": 1.0, "plural": True}, Tier.TRACKED, "weight 1.00 ≥ 1"),
        ({"total": 0.99, "sort": Sort.PART}, Tier.REFERENCED, "weight 0.99"),
        ({"total": 0.99, "sort": Sort.UNKNOWN}, Tier.REFERENCED, "weight 0.99"),
        ({"total": 0.99, "head": "floor"}, Tier.REFERENCED, "weight 0.99"),
        ({"total": 0.99, "by_player": 0.99, "head": "floor"}, Tier.REFERENCED, "weight 0.99"),
        ({"total": 0.99, "by_player": 0.2, "plural": True}, Tier.TRACKED,
         "the player turned to it"),
        # whoever has a name
        ({"total": 0.05, "named": True, "sort": Sort.PERSON}, Tier.TRACKED, "weight 0.05 ≥ 0.05"),
        ({"total": 0.04, "named": True, "sort": Sort.PERSON}, Tier.REFERENCED, "weight 0.04"),
        ({"total": 0.19, "named": True, "sort": Sort.PLACE}, Tier.REFERENCED, "weight 0.19"),
        ({"total": 0.2, "named": True, "sort": Sort.PLACE}, Tier.TRACKED, "weight 0.20 ≥ 0.2"),
        ({"total": 0.49, "named": True}, Tier.REFERENCED, "weight 0.49"),
        # what only a player's words speak of
        ({"total": 9.0, "by_player": 9.0, "told": False}, Tier.REFERENCED,
         "only the player spoke of it"),
        ({"total": 9.0, "events": 9, "scenes": TWO_SCENES, "told": False}, Tier.REFERENCED,
         "only the player spoke of it"),
        ({"told": False}, Tier.MENTIONED, "only the player spoke of it"),
        ({"by_player": 0.1, "told": False, "floor": Tier.MENTIONED}, Tier.TRACKED,
         "the player turned to it"),
    ],
)  # fmt: skip
def test_what_is_earned(fields, tier, why):
    assert earned(entity(**fields), USUAL, threshold=USUAL.tracking_threshold) == (tier, why)


def test_thresholds_are_the_authors():
    mine = EntityTuning(
        tracking_threshold=0.9, persistence_threshold=1.0, persistence_events=1
    )  # fmt: skip
    assert earned(entity(total=0.8), mine, threshold=0.9)[0] is Tier.REFERENCED
    once = entity(total=1.0, events=1, scenes=TWO_SCENES)
    assert earned(once, mine, threshold=0.9)[0] is Tier.PERSISTENT


def test_a_full_scene_asks_the_same_of_a_name():
    named = entity(total=0.9, named=True, sort=Sort.PERSON)
    assert earned(named, USUAL, threshold=1.0)[0] is Tier.REFERENCED
    assert earned(entity(total=1.0), USUAL, threshold=1.0)[0] is Tier.TRACKED


def test_tiers_have_an_order():
    assert at_least(Tier.PERSISTENT, Tier.TRACKED)
    assert at_least(Tier.TRACKED, Tier.TRACKED)
    assert not at_least(Tier.REFERENCED, Tier.TRACKED)
    assert not at_least(None, Tier.MENTIONED)


# ── how full a scene is ──────────────────────────────────────────────────────────────────────


def filled(number: int, *, story=None, **fields):
    world = opened(story)
    for i in range(number):
        world = with_thing(world, f"t0.1#{i}", **{"tier": Tier.TRACKED} | fields)
    return world


def test_a_full_scene_asks_for_more():
    assert tracking_threshold(filled(15), PARLOUR) == 0.5
    assert tracking_threshold(filled(16), PARLOUR) == 1.0
    assert tracking_threshold(filled(16), GARDEN) == 0.5


def test_a_full_scene_never_asks_for_less_than_the_author():
    story = parlour(soft_budget=1, tracking_threshold=1.5)
    assert tracking_threshold(filled(1, story=story), PARLOUR) == 1.5


def test_a_scene_counts_what_is_tracked_and_was_last_there():
    assert tracked_in(filled(3), PARLOUR) == 3
    assert tracked_in(filled(3, tier=Tier.REFERENCED), PARLOUR) == 0
    assert tracked_in(filled(3, last_scene=GARDEN), PARLOUR) == 0
    assert tracked_in(filled(3, tier=Tier.PERSISTENT), PARLOUR) == 3


# ── how it fades ─────────────────────────────────────────────────────────────────────────────


def through(world, *scenes, first=1):
    for turn, scene in enumerate(scenes, start=first):
        world = goes_to(world, SceneId(scene), turn=turn)
    return world


def test_scenes_since_are_distinct_ones():
    world = through(opened(), "a", "b", "a", "b", "a")
    entered = Entered(world)
    assert entered.scenes_since(TurnNo(0), PARLOUR) == 2
    assert entered.scenes_since(TurnNo(4), SceneId("b")) == 1
    assert entered.scenes_since(TurnNo(5), SceneId("a")) == 0


def test_coming_back_is_no_scene_since():
    world = through(opened(), "a", PARLOUR)
    assert Entered(world).scenes_since(TurnNo(0), PARLOUR) == 1


def test_scenes_never_entered_do_not_count():
    assert Entered(opened()).scenes_since(TurnNo(0), PARLOUR) == 0


@pytest.mark.parametrize(
    ("weight", "scenes", "active"),
    [
        (0.1, 0, True),
        (0.09, 0, False),
        (0.2, 2, True),  # .2 · ½
        (0.2, 3, False),
        (0.4, 4, True),
        (0.4, 5, False),
    ],
)
def test_edges_halve_every_two_scenes(weight, scenes, active):
    world = through(opened(), *"abcdefg"[:scenes])
    cup = entity(edges={Key("mara"): Edge(weight, TurnNo(0), PARLOUR)})
    assert Entered(world).active_edges(cup) == int(active)


def test_the_tier_now_is_the_decided_one_or_follows_from_active_edges():
    entered = Entered(opened())
    edge = {Key("mara"): Edge(0.2, TurnNo(0), PARLOUR)}
    assert tier_now(entity(tier=Tier.TRACKED), entered) is Tier.TRACKED
    assert tier_now(entity(tier=Tier.PERSISTENT), entered) is Tier.PERSISTENT
    assert tier_now(entity(edges=edge), entered) is Tier.REFERENCED
    assert tier_now(entity(), entered) is Tier.MENTIONED
    assert tier_now(entity(tier=Tier.REFERENCED), entered) is Tier.MENTIONED  # it has faded


def test_nothing_sinks_below_its_floor():
    entered = Entered(opened())
    low = {"tier": Tier.REFERENCED, "floor": Tier.REFERENCED}
    assert tier_now(entity(**low), entered) is Tier.REFERENCED
    least = {"tier": Tier.MENTIONED, "floor": Tier.MENTIONED}
    assert tier_now(entity(**least), entered) is Tier.MENTIONED
