"""What comes back out of a tale within the tale."""

import pytest
from msgspec import structs

from storykeeper.events.atoms import Atom, Participant, RelationShifted, Resolved, Role, Source
from storykeeper.events.changes import LayerEntered, LayerLeft, LayerMerged
from storykeeper.events.vocabulary import Dimension
from storykeeper.story.layers import Layer, Portal
from storykeeper.world.evolve import evolve
from storykeeper.world.state import Standing
from strategies.hills import scene, story, world_of


def told(kind="frame"):
    def layer(name, at, to):
        return Layer(id=name, name=name, kind=kind, scenes=(to,),
                     portals=(Portal(from_=at, to=to),))  # fmt: skip

    return story(scene("first"), scene("in"), scene("deep"),
                 layers=(layer("tale", "first", "in"), layer("dream", "in", "deep")))  # fmt: skip


def shift(by, number, toward="eve"):
    parts = (Participant(Role.ACTOR, Resolved("bob")), Participant(Role.TARGET, Resolved(toward)))
    moved = RelationShifted(Dimension.AFFECTION, by)
    return Atom(turn=1, id=f"t1.{number}", scene="in", what=moved, participants=parts,
                source=Source.RULE, confidence=1.0, priority="normal")  # fmt: skip


def affection(world, toward="eve"):
    return world.standings.get(("bob", toward), Standing()).affection


def after(*records, kind="frame", **fields):
    world = world_of(told(kind), **fields)
    for record in records:
        world = evolve(world, record)
    return world


IN, OUT = LayerEntered(1, "tale", "first"), LayerLeft(2, "tale", "first")


@pytest.mark.parametrize(
    ("kind", "share"),
    [("frame", 0.3), ("memory", 0.7), ("dream", 0.2), ("parallel", 1.0), ("text", 0.1),
     ("alternate", 0.4)],
)  # fmt: skip
def test_a_share_of_what_moved_comes_out_by_the_kind_of_tale(kind, share):
    held = {("bob", "eve"): Standing(affection=0.2)}
    world = after(IN, shift(0.3, 1), shift(0.1, 2), kind=kind, standings=held)
    assert affection(world) == pytest.approx(0.6)  # inside, all of it
    out = evolve(world, OUT)
    assert affection(out) == pytest.approx(0.2 + share * 0.4)
    assert out.inside == ()


def test_what_moved_outside_stays():
    world = after(shift(0.5, 1), IN, shift(0.2, 2, toward="ann"), OUT)
    assert affection(world) == 0.5
    assert affection(world, "ann") == pytest.approx(0.06)


def test_a_tale_in_the_tale_comes_out_with_it():
    deeper = LayerEntered(1, "dream", "in")
    world = after(IN, shift(0.2, 1), deeper, shift(0.5, 2), OUT)
    # Of .5 in the dream three tenths, on top of .2, and of all that three tenths again.
    assert affection(world) == pytest.approx(0.3 * (0.2 + 0.3 * 0.5))
    assert world.inside == ()


def test_once_the_boundary_fell_all_of_it_stays():
    world = after(IN, shift(0.5, 1), LayerMerged(1, "tale"), OUT)
    assert affection(world) == 0.5


def test_leaving_what_one_is_not_in_changes_nothing():
    world = after(shift(0.5, 1))
    left = evolve(world, OUT)
    assert (left.standings, left.inside) == (world.standings, ())


def test_a_tale_that_the_edited_story_has_no_more_gives_all_back():
    world = after(IN, shift(0.5, 1))
    gone = structs.replace(world, plan=world_of(story(scene("first"))).plan)
    assert affection(evolve(gone, OUT)) == 0.5
