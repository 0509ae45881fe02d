"""A world to bytes and back; what does not fit is not loaded."""

import hashlib
import time
from typing import get_type_hints

import msgspec
import pytest
from immutables import Map
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.events.vocabulary import Tier
from storykeeper.story.adopt import adoption
from storykeeper.world import snapshot, state
from storykeeper.world.fold import fold
from storykeeper.world.plan import plan
from storykeeper.world.snapshot import SCHEMA, dump, load
from storykeeper.world.state import Known, Noticed, World
from strategies.worlds import atom, begun, example, house, play

LINES = ["", "I ask Bob about the key.", "I ring.", "I listen.", "I wake.", "I go to the attic."]


def played():
    world = play(begun(), LINES)[1]
    cup = a.Unresolved("a cup", "attic-scene", 7, head="cup", place="on the table")
    weight = ch.Weight(0.6, 1, 1, 0.0)
    return fold(
        [
            t.InputReceived(7, "ann", "I wait."),
            t.Rendered(7, 1, "There is a cup on the table, and Bob sleeps beside it."),
            t.TurnCommitted(7, 1),
            atom(a.deed("sleep"), turn=7, actor="bob"),
            structs.replace(
                atom(a.deed("take"), turn=7, actor="ann"),
                participants=(a.Participant(a.Role.TARGET, cup),),
                source=a.Source.NARRATOR,
            ),
            ch.FactGuessed(7, "ann", "rumour"),
            ch.EntityPromoted(7, "thing-1", "a cup", None, Tier.TRACKED, weight, "", "t7.1#0"),
            t.InputReceived(9, "ann", "“Здравствуй” 👋\u2028"),
            t.Rendered(9, 1, "p"),
        ],
        world,
    )


@pytest.mark.parametrize("world", [begun(), played(), begun(example())], ids=["new", "old", "big"])
def test_there_and_back(world):
    body = dump(world)
    back = load(body, world.plan)
    assert back == world
    assert dump(back) == body


def test_a_world_in_the_middle_of_everything_was_tried():
    """Each field of a world is something else than empty in one of the worlds above."""
    worlds = (played(), play(begun(), LINES[:4])[1])
    empty = World(plan=begun().plan)
    same = [
        name
        for name in World.__struct_fields__
        if all(getattr(world, name) == getattr(empty, name) for world in worlds)
    ]
    unseen = {"containers", "closed", "hidden", "invisible", "away", "lines", "ringing", "aloud",
              "keyed", "muted", "deaf", "unsure", "shown"}  # fmt: skip
    assert set(same) == {"plan", "player", "one_with", "answered", "noticed", *unseen}


def test_rare_fields_come_back_too():
    world = structs.replace(
        played(),
        one_with=Map({"fox": "ann"}),
        noticed=Map({"ann": (Noticed("bob", 1, "hall", 1, 3, 0.5),)}),
        connective_turns=4,
        scene_turns=2,
        answered=played().pending,
        containers=Map({"key": "letter"}),
        closed=("letter",),
        hidden=("key",),
        invisible=("fox",),
        away=("bob",),
        lines=(("ann", "eve"),),
        ringing=(("bob", "ann"),),
        aloud=("eve",),
        keyed=("eve",),
        muted=("ann",),
        unsure=("eve",),
        deaf=("bob",),
        shown=Map({"bob/does/0": 3}),
    )
    assert load(dump(world), world.plan) == world


def test_somebody_who_knows_nothing_any_more_comes_back():
    world = fold([t.Corrected(1, "secret", "", "secret", ("ann",))], begun())
    assert world.known["ann"] == Map()
    assert load(dump(world), world.plan) == world


def test_the_story_is_named_and_not_carried():
    body = dump(begun(example()))
    assert begun(example()).plan.digest.encode() in body
    assert b"lighthouse" not in body
    assert len(body) < 20_000


def test_another_schema_is_not_loaded():
    raw = msgspec.json.decode(dump(played()))
    assert raw["schema"] == SCHEMA
    raw["schema"] = SCHEMA + 1
    assert load(msgspec.json.encode(raw), begun().plan) is None
    raw["something"] = "new"
    assert load(msgspec.json.encode(raw), begun().plan) is None


def test_another_story_is_not_loaded():
    edited = plan(adoption(house(version="2")))
    assert load(dump(begun()), edited) is None


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'{"schema":1}', b"\xff\xfe", dump(begun())[:-9]]
)
def test_what_is_no_snapshot_is_not_loaded(body):
    assert load(body, begun().plan) is None


def test_a_snapshot_of_this_schema_with_something_wrong_in_it_is_not_loaded():
    raw = msgspec.json.decode(dump(played()))
    raw["places"]["ann"] = 7
    assert load(msgspec.json.encode(raw), begun().plan) is None


def test_every_field_of_a_world_is_saved():
    """But its plan, and whose turn is being decided: between turns it is nobody's."""
    saved = snapshot._Saved.__struct_fields__
    assert [name for name in saved if name not in ("schema", "story")] == [
        name for name in World.__struct_fields__ if name not in ("plan", "player")
    ]


SHAPE = "010788b2c1b9"


def test_a_change_of_shape_is_a_change_of_schema():
    """If this fails, raise snapshot.SCHEMA and put the new shape here: old snapshots are let go."""
    kinds = [
        kind for kind in vars(state).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind is not World
        and kind.__module__ == state.__name__
    ]  # fmt: skip
    kinds.append(snapshot._Saved)
    shape = [(kind.__name__, sorted((k, str(v)) for k, v in get_type_hints(kind).items()))
             for kind in sorted(kinds, key=lambda kind: kind.__name__)]  # fmt: skip
    now = hashlib.sha256(repr((SCHEMA, shape)).encode()).hexdigest()[:12]
    assert now == SHAPE


def test_a_large_world_is_quick():
    """250,000 things known; a tenth of a second on an idle machine, and never seconds."""
    facts = {f"fact-{i}": Known("saw", i % 900) for i in range(5_000)}
    known = Map({f"person-{i}": Map(facts) for i in range(50)})
    world = structs.replace(begun(), known=known)
    start = time.process_time()
    body = dump(world)
    assert time.process_time() - start < 5
    start = time.process_time()
    back = load(body, world.plan)
    assert time.process_time() - start < 10
    assert back == world
