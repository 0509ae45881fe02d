"""Everything a run knows of, as one looks at it."""

import pytest

from storykeeper.errors import NoSuchTurn
from storykeeper.events.vocabulary import Sort, Tier
from storykeeper.play.entity_views import Density, densities
from storykeeper.units import SceneId
from strategies.parlour import all_called, called, engine, tell


@pytest.fixture
def keeper():
    """A cup that is looked at, taken, and left behind."""
    keeper = engine()
    tell(keeper, "A chipped cup stands on the table.")
    tell(keeper, "Mara looks at the cup.")
    tell(keeper, "Mara takes the cup.")
    tell(keeper, "Roses bloom.", "I go to the garden")
    tell(keeper, "A bird sings.")
    keeper.end_scene()
    return keeper


def test_tier_weight_why_and_mentions_with_their_turns(keeper):
    cup = called(keeper, "the cup")
    assert (cup.tier, cup.sort, cup.authored) == (Tier.TRACKED, Sort.THING, False)
    assert cup.why == "weight 0.99 ≥ 0.5"
    assert (cup.weight, cup.by_player, cup.events, cup.relationships) == (0.99, 0.0, 3, 1)
    assert [(m.turn, m.words) for m in cup.mentions] == [
        (0, "A chipped cup"), (1, "the cup"), (2, "the cup")
    ]  # fmt: skip
    assert (cup.scene, cup.scenes, cup.promoted) == ("in-parlour", ("in-parlour",), 2)
    assert cup.id


def test_as_it_was_after_a_turn(keeper):
    assert called(keeper, "chipped cup", at=0).tier is Tier.MENTIONED
    before = called(keeper, "the cup", at=1)
    assert (before.tier, before.id, before.promoted) == (Tier.REFERENCED, "", None)
    assert before.why == "weight 0.18"
    assert len(before.mentions) == 2
    with pytest.raises(NoSuchTurn):
        keeper.entities(at=99)


def test_the_authors_own_are_there_too(keeper):
    (mara,) = [view for view in keeper.entities() if view.id == "mara"]
    assert (mara.authored, mara.tier) == (True, Tier.PERSISTENT)
    (tom,) = [view for view in keeper.entities(at=0) if view.id == "tom"]
    assert tom.why == "the author’s"


def test_the_highest_tier_and_the_most_weight_come_first(keeper):
    order = list(Tier)
    ranks = [(-order.index(view.tier), -view.weight) for view in keeper.entities()]
    assert ranks == sorted(ranks)


def test_nothing_is_listed_for_what_follows_by_a_rule():
    """Taking puts a thing into hands; that is no second mention."""
    keeper = engine()
    tell(keeper, "A bell stands on the table.")
    tell(keeper, "You hesitate.", "I look at the bell")
    tell(keeper, "You nod.", "I take the bell")
    keeper.end_scene()
    bell = called(keeper, "the bell")
    assert keeper.world().holders[bell.id] == "ann"
    assert [(m.turn, m.words) for m in bell.mentions] == [
        (0, "A bell"), (1, "the bell"), (2, "the bell")
    ]  # fmt: skip


def test_what_only_somebody_said_is_only_mentioned():
    keeper = engine()
    tell(keeper, "“A horse is in the stable,” says Tom.")
    keeper.end_scene()
    assert [view.tier for view in all_called(keeper, "a horse")] == [Tier.MENTIONED]
    assert called(keeper, "a horse").why == "only mentioned"


def test_density_is_promotions_by_turn_of_a_scene(keeper):
    found = {d.scene: d for d in densities(keeper.world(), keeper.entities())}
    parlour = found[SceneId("in-parlour")]
    assert (parlour.promoted, parlour.per_turn) == (1, 1 / parlour.turns)
    assert found[SceneId("in-garden")].promoted == 0
    assert Density(SceneId("x"), 0, 0).per_turn == 0.0
