"""The sub-graph source: every open bridge is named, nothing is lost in joining, news grows old."""

from __future__ import annotations

import pytest
from immutables import Map
from msgspec import structs

from storykeeper.context.boundary import Boundary
from storykeeper.context.gate import gate
from storykeeper.context.history import PresentTurn
from storykeeper.context.items import Class
from storykeeper.context.rank import merged
from storykeeper.context.sources.entity import entities
from storykeeper.context.sources.layers import ANEW_TURNS, anew
from storykeeper.gravity.known_since import known_since
from storykeeper.story.conditions import At, Condition, Since, Threshold
from storykeeper.story.knowledge import Fact
from storykeeper.story.layers import EntityMap
from storykeeper.story.tuning import GravityTuning
from storykeeper.world.plan import key
from storykeeper.world.state import Inside, Known, LayerState, Mark, SceneState, SceneStatus
from strategies.hills import happened, knows, world_of
from unit.context.test_sources_alone import BEEN, RING, TALE, felt, seen, told

BOWL = structs.replace(RING, id="bowl", name="the bowl", symbolism="An empty place.")
INSIDE = {"layers": {"tale": LayerState(visits=1)}, "inside": (Inside("tale", "first"),)}


def kept(boundary):
    """What is left of what comes through, once it is gated and joined."""
    permitted, _ = gate(list(felt(boundary).values()), boundary)
    return {each.id: each for each in merged(permitted)[0]}


def test_two_things_out_of_one_tale_are_two():
    found = kept(seen(told(psi=0.8, things=(RING, BOWL)), **BEEN))
    assert list(found) == ["bridge:ring/tale", "bridge:bowl/tale"]
    assert found["bridge:ring/tale"].also == ("layer",)
    assert found["bridge:bowl/tale"].also == ()
    for name, symbol in (("ring", "A promise kept too long"), ("bowl", "An empty place")):
        assert symbol in found[f"bridge:{name}/tale"].full


def test_what_is_joined_keeps_what_the_tale_left_and_who_is_who():
    found = kept(seen(told(psi=1.0, things=(RING, BOWL)), **BEEN))
    first, second = found.values()
    for words in (" with Ann", "Eve there is as Bob here"):
        assert words in first.full
        assert words not in second.full
    assert {"mood:ann", "cast:eve", "cast:bob"} <= set(first.sources)
    assert "with Ann" in first.brief


@pytest.mark.parametrize("psi", [0.1, 0.8, 1.0])
def test_who_the_player_is_in_it_is_said_with_the_thing(psi):
    role = structs.replace(TALE, player_role="the one who carries it")
    found = kept(seen(told(psi=psi, layers=(role,)), **INSIDE))
    full = found["bridge:ring/tale"].full
    assert "Ann in it: the one who carries it" in full
    assert ("Elsewhere it is the ring" in full, "Eve there" in full) == (psi > 0.7, psi == 1.0)


def test_who_the_player_is_in_it_is_said_once():
    stands_for = EntityMap(projected={"eve": "ann", "bob": "eve"})
    tale = structs.replace(TALE, player_role="Eve, who carries it", entity_map=stands_for)
    fields = {**INSIDE, "known": {"ann": Map({"f1": Known("saw", 1)})}}
    facts = (Fact(id="f1", full="Eve is.", about=("eve",)), *told().facts[1:])
    (found,) = kept(seen(told(psi=1.0, layers=(tale,), facts=facts), **fields)).values()
    assert "Ann in it: Eve, who carries it. Bob there is as Eve here" in found.full
    assert "as Ann" not in found.full


# ── a thing as it is where they are ──────────────────────────────────────────────────────────

BRIGHT = structs.replace(RING, description="A band of gold.", held_by="ann", at=None)


def cards(boundary):
    """All that is said of things, once it is gated and joined."""
    found = [*entities(boundary, frozenset()), *felt(boundary).values()]
    kept, gone = merged(gate(found, boundary)[0])
    return {c.id: c for c in kept if "ring" in c.entities}, {c.id for c in gone}


@pytest.mark.parametrize(("psi", "more"), [
    (0.8, ". A promise kept too long. Elsewhere it is a coal: It does not go out. What that tale"),
    (0.5, ". A promise kept too long. What that tale left is"),
    (0.1, ""),
])  # fmt: skip
def test_a_thing_that_is_named_and_what_comes_through_by_it_are_one_item(psi, more):
    found, gone = cards(seen(told(psi=psi, things=(BRIGHT,)), text="I look at the ring.", **BEEN))
    assert list(found) == ["entity:ring"]
    assert found["entity:ring"].full.startswith(f"- The ring. A band of gold. Ann has it{more}")
    assert found["entity:ring"].brief == "- The ring. A band of gold"
    assert found["entity:ring"].klass is Class.MANDATORY
    assert found["entity:ring"].also == ("layer", "bridge")
    assert "bridge:ring/tale" in found["entity:ring"].sources
    assert gone >= {"bridge:ring/tale", "layer:tale"}


def test_a_thing_of_two_worlds_is_what_it_is_in_the_tale_they_are_in():
    inside = seen(told(psi=0.8, things=(BRIGHT,)), text="I look at the ring.", **INSIDE)
    (found,) = cards(inside)[0].values()
    assert found.full.startswith(
        "- A coal. It does not go out. Ann has it. A promise kept too long."
    )
    assert "Elsewhere it is the ring: A band of gold" in found.full
    unnamed = kept(seen(told(psi=0.8, things=(BRIGHT,)), **INSIDE))["bridge:ring/tale"]
    assert unnamed.full.startswith("- A coal: A promise kept too long. It does not go out.")
    assert unnamed.hint == "- A coal: A promise kept too long"


def test_to_one_who_is_not_in_the_tale_it_is_what_it_is():
    things = (structs.replace(BRIGHT, held_by="eve"),)
    world = seen(told(things=things), **INSIDE).world
    typed = PresentTurn(20, "eve", "I look at the ring.", ())
    alone = Boundary(world, (), typed, audience="eve")
    (card,) = [c for c in entities(alone, frozenset()) if c.id == "entity:ring"]
    assert card.full == "- The ring. A band of gold. Eve has it"
    assert set(card.sources) == {"thing:ring", "where:ring"}


def test_what_speaks_for_the_tale_hangs_on_open_things_alone():
    """Bob has a ring that Ann has never seen: with it or without, she gets the same."""
    hidden = structs.replace(RING, at=None, held_by="bob")
    with_it, without = (
        kept(seen(told(psi=0.8, things=things), **BEEN)) for things in ((hidden, BOWL), (BOWL,))
    )
    assert with_it == without
    assert with_it["bridge:bowl/tale"].also == ("layer",)


# ── seen anew ────────────────────────────────────────────────────────────────────────────────

UNDER = structs.replace(TALE, hidden=True, revealed_by=happened("e2"),
                        reinterprets="The war was never won.")  # fmt: skip


def reread(turn):
    """What looks different, some turns after it came out in the fourth."""
    return felt(seen(told(layers=(UNDER,)), turn=turn, happened={"e2": 4}))["reread:tale"]


def test_what_is_seen_anew_grows_old():
    ages = (0, ANEW_TURNS, 2 * ANEW_TURNS)
    assert [anew(age) for age in ages] == pytest.approx([0.9, 0.45, 0.225])
    assert [reread(4 + age).terms.relevance for age in ages] == [anew(age) for age in ages]


def test_and_has_an_end():
    assert anew(31) > GravityTuning().minimum_score > anew(32)
    assert reread(4).hint == ""  # so the floor holds for it


ENTERED = {"scenes": {"inner": SceneState(SceneStatus.COMPLETED, 1, 7, 7, completed=True)}}
KNOWN = {"known": {"ann": Map({"f1": Known("saw", 6), "f2": Known("saw", 9)})}}
EVENTS = {"happened": {"e1": 3, "e2": 8}}
BOTH = (happened("e1"), happened("e2"))
MARKED = {"marks": {key(each): Mark(turn, 19, holds=True)
                    for each, turn in zip(BOTH, (3, 8), strict=True)}}  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "state", "since"),
    [
        (happened("e2"), EVENTS, 8),
        (knows("f1"), KNOWN, 6),
        (Condition(told="first/one"), {"told": {"first/one": 5}}, 5),
        (Condition(opened="door"), {"gates": {"door": 4}}, 4),
        (Condition(all_=BOTH), EVENTS, 8),
        (Condition(any_=BOTH), EVENTS, 3),
        (Condition(any_=(happened("e3"), happened("e2"))), EVENTS, 8),
        (Condition(threshold=Threshold(at_least=2, of=(happened("e3"), *BOTH))), EVENTS, 8),
        (Condition(happened="e1", knows=knows("f2").knows), {**EVENTS, **KNOWN}, 9),
        (Condition(since=Since(turns=5, of=happened("e2"))), MARKED, 13),
        (Condition(sequence=BOTH), MARKED, 8),
        (Condition(holds="f1"), {}, 0),
        (Condition(at=At(who="ann", place="hall")), {}, 19),
        (None, ENTERED, 7),
        (happened("e2"), {**EVENTS, **ENTERED}, 7),
        (happened("e3"), {**EVENTS, **ENTERED}, 7),
    ],
)
def test_since_when_a_tale_is_known_of(condition, state, since):
    layer = structs.replace(UNDER, revealed_by=condition)
    world = world_of(told(layers=(layer,)), scene="first", now=19, **state)
    assert known_since(world, layer) == since
