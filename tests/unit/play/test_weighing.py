"""What a scene is dense with must not hang on what another player did."""

from msgspec import structs

from storykeeper.play.weighing import densities
from strategies.parlour import engine, parlour, tell


def dense(*players):
    keeper = engine(structs.replace(parlour(), players=players))
    tell(keeper, "Mara puts a silver cup on the table.")
    tell(keeper, "Mara takes the silver cup. The silver cup gleams.", "I look at the silver cup.")
    keeper.end_scene()
    known = [view.id for view in keeper.entities() if view.id]
    return densities(keeper.world(), known)


def test_to_the_one_player_a_scene_is_dense_with_what_earned_its_place():
    assert dense("ann")["in-parlour"] > 0


def test_where_several_play_no_memory_weighs_more():
    assert dense("ann", "tom") == {}
