"""Laws of who knows what: of sightings, and of what anybody thinks that anybody thinks."""

from itertools import product
from unittest.mock import patch

import hypothesis.strategies as st
from hypothesis import given
from msgspec import structs

from storykeeper.engine import Engine
from storykeeper.units import EntityId
from storykeeper.world.fold import fold
from storykeeper.world.knowledge import believed, believed_place, sightings
from storykeeper.world.knowledge.beliefs import shows
from storykeeper.world.knowledge.sightings import everyone, noted
from storykeeper.world.met import with_what_is_seen
from storykeeper.world.snapshot import dump, load
from storykeeper.world.state import Sighting
from strategies.cottage import PEOPLE, ROOMS, THINGS, Happens, empty
from strategies.runs import go, unkept
from strategies.worlds import READER

WHO = st.sampled_from(PEOPLE)
CHAINS = [chain for depth in (1, 2, 3) for chain in product(("ada", "ben", "cid"), repeat=depth)]
SHORT = [chain for chain in CHAINS if len(chain) < 3]
STEPS = st.one_of(
    st.tuples(st.just("goes"), WHO, st.sampled_from(ROOMS)),
    st.tuples(st.just("leaves"), WHO),
    st.tuples(st.just("puts"), WHO, st.just("pie"), st.sampled_from([*ROOMS, *THINGS, *PEOPLE])),
    st.tuples(st.just("lies"), st.sampled_from(THINGS), st.sampled_from([*ROOMS, *THINGS])),
    st.tuples(st.just("says"), WHO, st.just("pie"), st.sampled_from([*ROOMS, *THINGS])),
    st.tuples(st.just("acts"), WHO, st.sampled_from(
        ["hide", "emerge", "sleep", "wake", "go out", "come back", "turn invisible", "look"])),
)  # fmt: skip
STORIES = st.lists(STEPS, max_size=24)


def told(steps, happens=None):
    happens = Happens() if happens is None else happens
    for name, *arguments in steps:
        getattr(happens, name)(*arguments)
    return happens


def thoughts(world, chains=CHAINS):
    return {chain: believed_place(world, chain, EntityId("pie")) for chain in chains}


@given(STORIES, STEPS)
def test_knowing_never_shrinks(steps, another):
    """Whoever has thought of a thing has something to think of it ever after."""
    happens = told(steps)
    before = {c: believed(happens.world, c, EntityId("pie")) for c in CHAINS}
    told([another], happens)
    for chain, held in before.items():
        now = believed(happens.world, chain, EntityId("pie"))
        assert held is None or now is not None
        # And what they think has changed only by what they perceived since.
        assert held == now or now is None or chain[0] in everyone(now)


@given(STORIES)
def test_what_is_thought_at_depth_is_perceived_above_it(steps):
    """What a thought of depth n + 1 rests on, that of depth n may rest on too.

    But for what was only said: who said it does not think so for that.
    """
    world = told(steps).world
    for chain in CHAINS:
        held = believed(world, chain, EntityId("pie"))
        if held is None:
            continue
        supposed = {whom for _, whom in held.supposed}
        assert chain[0] in everyone(held)
        assert {*chain} <= everyone(held) | supposed
        if len(chain) > 1 and held.teller is None:
            assert shows(held, chain[:-1])
            assert shows(held, chain[1:]) or chain[1] in supposed


@given(STORIES)
def test_letting_go_of_sightings_changes_no_thought(steps):
    """As if every sighting had been kept: also of what comes out later."""
    records = told(steps).records
    with patch.object(sightings, "covers", lambda *_, **__: False):
        everything = fold(records, empty())
    assert thoughts(fold(records, empty())) == thoughts(everything)


_SEEN = st.builds(
    lambda i, by, apart, teller: Sighting(
        1, f"t1.{i}", EntityId(f"place-{i}"), tuple(sorted(by)),
        tuple((each,) for each in sorted(apart - by)), (), teller,
    ),
    st.integers(0, 99), st.sets(WHO), st.sets(WHO, max_size=2), st.none() | WHO,
)  # fmt: skip


@given(st.lists(_SEEN, max_size=30))
def test_what_is_let_go_nobody_needs(rows):
    world = empty()
    for each in rows:
        world = noted(world, EntityId("pie"), each)
    everything = structs.replace(world, sightings=world.sightings.set("pie", tuple(rows)))
    assert thoughts(world) == thoughts(everything)


@given(STORIES, STORIES)
def test_what_comes_after_does_not_change_what_was_thought_before(steps, after):
    """The world as it was at a moment is all that its records say, whatever came later."""
    first = told(steps)
    before, records = thoughts(first.world), list(first.records)
    told(after, first)
    assert thoughts(fold(records, empty())) == before


@given(STORIES, st.data())
def test_from_a_snapshot_or_from_zero_it_is_the_same_world(steps, data):
    records = told(steps).records
    cut = data.draw(st.integers(0, len(records)))
    first = fold(records[:cut], empty())
    restored = load(dump(first), first.plan)
    assert restored == first
    assert dump(fold(records[cut:], restored)) == dump(fold(records, empty()))


@given(STORIES)
def test_where_whom_is_seen_is_indexed(steps):
    """`haunts` says again what the sightings of people say, and no more."""
    world = told(steps).world
    for place in {*ROOMS, *world.haunts}:
        there = sorted(
            who
            for who in world.plan.cast
            if any(s.place == place for s in world.sightings.get(EntityId(who), ()))
        )
        assert list(world.haunts.get(place, ())) == there


@given(STORIES)
def test_whatever_is_before_somebodys_eyes_they_have_come_across(steps):
    """What is noted step by step is what all would see who look round: nothing is left out."""
    happens = told([])
    for step in steps:
        told([step], happens)
        assert with_what_is_seen(happens.world).met == happens.world.met


@given(STORIES)
def test_a_reader_who_is_nowhere_changes_nothing_for_those_in_it(steps):
    """Whom it is told to is thought by nobody to know it."""
    happens = told(steps)
    for who in PEOPLE:
        assert happens.thinks(who, "ren") is None


# ── in a run ─────────────────────────────────────────────────────────────────────────────────

LINES = st.sampled_from(["I take the key.", "I give Bob the key.", "I go to the attic.",
                         "I go to the hall.", "I wait.", "I ring the bell."])  # fmt: skip


def known(world):
    return {
        (*chain, thing): believed_place(world, chain, EntityId(thing))
        for chain in product(("ann", "bob", "eve"), repeat=2)
        for thing in ("key", "letter", "ann", "bob")
    }


def played(lines, keeper: Engine) -> Engine:
    go(keeper, *lines)
    keeper.end_scene()
    return keeper


@given(st.lists(LINES, min_size=1, max_size=3), st.lists(LINES, min_size=1, max_size=3))
def test_a_past_turn_shows_nothing_of_what_was_learned_since(lines, after):
    keeper = played(lines, unkept())
    then, before = keeper.last_turn(), known(keeper.world())
    played(after, keeper)
    assert known(keeper.world(at=then)) == before


@given(st.lists(LINES, min_size=1, max_size=3), LINES, LINES)
def test_forks_do_not_share_what_was_learned_since_they_parted(lines, one, other):
    keeper = played(lines, unkept())
    there = keeper.fork(at=keeper.last_turn(), name="other")
    fork = Engine(keeper.ledger, there.run, reader=READER)
    played([one], keeper)
    apart = known(keeper.world())
    played([other], fork)
    assert known(keeper.world()) == apart
    alone = played([other], played(lines, unkept()))
    assert known(fork.world()) == known(alone.world())
    fork.replay()
