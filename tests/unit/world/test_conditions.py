"""Each key of a condition, at the edges of what it asks; time, turn by turn."""

import pytest

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.events.vocabulary import Dimension
from storykeeper.story.conditions import (
    COMBINING,
    At,
    Condition,
    Did,
    Has,
    Knows,
    MoodNear,
    RelationRange,
    Since,
    Threshold,
    Within,
)
from storykeeper.world.conditions import holds
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.plan import key
from strategies.tables import table
from strategies.worlds import RANG, atom, begun, changed, house, scene_changed

YES, NO = Condition(present="bob"), Condition(present="eve")


def shifted(*by):
    shifts = [
        atom(a.RelationShifted(Dimension.DEBT, each), actor="bob", target="ann") for each in by
    ]
    return fold(shifts, begun())


def debt(**ends):
    return Condition(
        relation=RelationRange(from_="bob", to="player", dimension=Dimension.DEBT, **ends)
    )


ASKING = [
    # condition, records before, whether it holds
    (Condition(knows=Knows(who="bob", fact="secret")), [], True),
    (Condition(knows=Knows(who="player", fact="secret")), [], False),  # only suspected
    (Condition(knows=Knows(who="player", fact="secret", suspects=True)), [], True),
    (Condition(knows=Knows(who="ann", fact="rumour", suspects=True)), [], False),
    (Condition(knows=Knows(who="bob", fact="rumour")), [], True),  # .6 takes part
    (Condition(knows=Knows(who="bob", fact="lie")), [], False),  # .3 does not
    (Condition(knows=Knows(who="bob", fact="gone")), [], False),
    (Condition(holds="secret"), [], True),
    (Condition(holds="rumour"), [], False),  # .6 is not true in the world
    (Condition(holds="lie"), [], False),
    (Condition(at=At(who="player", place="hall")), [], True),
    (Condition(at=At(who="eve", place="hall")), [], False),
    (Condition(at=At(who="fox", place="hall")), [], False),  # in no place at all
    (Condition(present="player"), [], True),
    (Condition(present="bob"), [], True),
    (Condition(present="eve"), [], False),
    (Condition(has=Has(who="bob", thing="letter")), [], True),
    (Condition(has=Has(who="player", thing="key")), [], False),  # nobody holds it
    (Condition(happened="bell"), [], False),
    (Condition(happened="bell"), [ch.EventHappened(1, "bell")], True),
    (Condition(told="hall-scene/rung"), [], False),
    (Condition(told="hall-scene/rung"), [ch.BeatTold(1, "hall-scene", "rung")], True),
    (Condition(visited="attic-scene"), [scene_changed("attic-scene", "reached")], False),
    (Condition(visited="attic-scene"), [scene_changed("attic-scene", "entered")], False),
    (Condition(visited="attic-scene"), [scene_changed("attic-scene", "entered"),
                                        ch.BeatTold(1, "attic-scene", "opening")], True),
    (Condition(visited="tale"), [], False),
    (Condition(visited="tale"), [ch.EventHappened(1, "bell")], False),  # nearer, not visited
    (Condition(visited="tale"), [ch.LayerEntered(1, "tale", "hall-scene")], True),
    (Condition(completed="attic-scene"), [scene_changed("attic-scene", "entered")], False),
    (Condition(completed="attic-scene"), [scene_changed("attic-scene", "completed")], True),
    (Condition(completed="attic-scene"), [scene_changed("attic-scene", "completed"),
                                          scene_changed("attic-scene", "revisited")], True),
    (Condition(opened="hatch"), [], False),
    (Condition(opened="hatch"), [ch.GateOpened(1, "hatch")], True),
]  # fmt: skip


@table("condition, records, so", ASKING)
def test_asking_one_thing(condition, records, so):
    world = fold(records, begun())
    assert holds(world, condition) is so
    assert holds(world, Condition(not_=condition)) is not so


@pytest.mark.parametrize(
    ("confidence", "true", "counts"),
    [(0.0, False, False), (0.49, False, False), (0.5, False, True), (0.79, False, True),
     (0.8, True, True), (1.0, True, True)],
)  # fmt: skip
def test_a_fact_is_so_from_four_fifths_and_counts_from_a_half(confidence, true, counts):
    world = begun(changed(house(), "facts", "rumour", confidence=confidence))
    assert holds(world, Condition(holds="rumour")) is true
    assert holds(world, Condition(knows=Knows(who="bob", fact="rumour"))) is counts


@pytest.mark.parametrize(
    ("by", "ends", "so"),
    [
        ([], {"at_least": 0.0}, True),  # nothing between them is 0
        ([0.3], {"at_least": 0.3}, True),
        ([0.29], {"at_least": 0.3}, False),
        ([0.1, 0.1, 0.1], {"at_most": 0.3}, True),  # .30000000000000004 is .3 to an author
        ([0.7, 0.1], {"at_least": 0.8}, True),
        ([0.31], {"at_most": 0.3}, False),
        ([-0.5], {"at_least": -0.6, "at_most": -0.4}, True),
        ([0.3], {"at_least": 0.4, "at_most": 0.5}, False),
    ],
)
def test_relations_at_the_ends_of_a_range(by, ends, so):
    assert holds(shifted(*by), debt(**ends)) is so


@pytest.mark.parametrize(
    ("asked", "so"),
    [
        ({"valence": 0.4}, True),  # Ann's is .1, and .3 is near enough
        ({"valence": 0.41}, False),
        ({"valence": -0.2}, True),
        ({"valence": 0.1, "within": 0.0}, True),
        ({"arousal": 0.8}, True),
        ({"arousal": 0.5, "determination": 0.9}, False),  # each one that is stated
        ({}, True),
    ],
)
def test_moods_at_the_edge_of_near(asked, so):
    assert holds(begun(), Condition(mood=MoodNear(who="player", **asked))) is so


DONE = atom(a.ActionTaken("ask", about="ann"), actor="bob", target="ann")


@pytest.mark.parametrize(
    ("asked", "so"),
    [
        ({"who": "bob", "act": "ask"}, True),
        ({"who": "bob", "act": "tell"}, False),
        ({"who": "player", "act": "ask"}, False),
        ({"who": "bob", "act": "ask", "to": "ann"}, True),
        ({"who": "bob", "act": "ask", "to": "player"}, True),
        ({"who": "bob", "act": "ask", "to": "eve"}, False),
        ({"who": "bob", "act": "ask", "about": "player"}, True),
        ({"who": "bob", "act": "ask", "about": "key"}, False),
    ],
)
def test_deeds(asked, so):
    world = fold([t.TurnCommitted(1), DONE], begun())
    assert holds(world, Condition(did=Did(**asked))) is so
    assert not holds(evolve(world, t.TurnCommitted(2)), Condition(did=Did(**asked)))


@table(
    "condition, so",
    [
        (Condition(all_=(YES, YES)), True),
        (Condition(all_=(YES, NO)), False),
        (Condition(any_=(NO, YES)), True),
        (Condition(any_=(NO, NO)), False),
        (Condition(not_=NO), True),
        (Condition(threshold=Threshold(at_least=2, of=(YES, NO, YES))), True),
        (Condition(threshold=Threshold(at_least=3, of=(YES, NO, YES))), False),
        (Condition(present="bob", holds="secret"), True),  # several keys: all of them
        (Condition(present="bob", holds="lie"), False),
        (Condition(not_=Condition(any_=(NO, Condition(not_=YES)))), True),
    ],
)
def test_combining(condition, so):
    assert holds(begun(), condition) is so


def test_every_key_is_tried_here():
    tried = {
        name
        for condition, *_ in ASKING
        for name in Condition.__struct_fields__
        if getattr(condition, name) is not None
    }
    elsewhere = {"relation", "mood", "did"}
    assert tried | elsewhere | COMBINING == set(Condition.__struct_fields__)


# ── time ─────────────────────────────────────────────────────────────────────────────────────


def at(turn, *turnings):
    """The world in a turn, with what RANG did before as (turn, holds)."""
    marks = [ch.ConditionTurned(when, key(RANG), so) for when, so in turnings]
    return evolve(fold(marks, begun()), t.TurnCommitted(turn))


@pytest.mark.parametrize(
    ("turns", "now", "so"),
    [(1, 3, False), (1, 4, True), (4, 6, False), (4, 7, True), (4, 99, True)],
)
def test_since_counts_from_the_turn_in_which_it_first_held(turns, now, so):
    """First so in turn 3: "four turns after" holds from turn 7 on, even if it is no longer so."""
    since = Condition(since=Since(turns=turns, of=RANG))
    assert holds(at(now, (3, True)), since) is so
    assert holds(at(now, (3, True), (4, False)), since) is so
    assert holds(at(now, (3, True), (4, False), (now, True)), since) is so


def test_since_of_what_never_held():
    assert not holds(at(99), Condition(since=Since(turns=1, of=RANG)))


@pytest.mark.parametrize(
    ("turns", "now", "so"),
    [(1, 3, True), (1, 4, False), (3, 3, True), (3, 5, True), (3, 6, False)],
)
def test_within_counts_this_turn_as_the_first(turns, now, so):
    """So in turn 3 only: "in the last three turns" holds in turns 3, 4 and 5."""
    within = Condition(within=Within(turns=turns, of=RANG))
    assert holds(at(now, (3, True), (3 if now == 3 else 4, False)), within) is so


def test_within_holds_for_as_long_as_it_is_so():
    within = Condition(within=Within(turns=1, of=RANG))
    world = evolve(at(50, (3, True)), ch.EventHappened(50, "bell"))
    assert holds(world, within)


@pytest.mark.parametrize(("turns", "so"), [(1, False), (2, True)])
def test_within_just_after_it_ceased_and_before_that_is_on_record(turns, so):
    """Marked as holding since turn 3, and not so in turn 50: it held up to turn 49."""
    world = at(50, (3, True))
    assert holds(world, Condition(within=Within(turns=turns, of=RANG))) is so


FIRST, THEN = Condition(visited="attic-scene"), RANG


@pytest.mark.parametrize(
    ("turnings", "so"),
    [
        ([], False),
        ([(FIRST, 2)], False),
        ([(FIRST, 2), (THEN, 3)], True),
        ([(FIRST, 2), (THEN, 2)], True),  # in one turn
        ([(FIRST, 3), (THEN, 2)], False),
    ],
)
def test_a_sequence_asks_when_each_first_held(turnings, so):
    marks = [ch.ConditionTurned(turn, key(which), holds=True) for which, turn in turnings]
    assert holds(fold(marks, begun()), Condition(sequence=(FIRST, THEN))) is so


def test_what_is_remembered_is_what_conditions_ask_about_inner_first():
    inner = Condition(within=Within(turns=2, of=RANG))
    outer = Condition(since=Since(turns=3, of=inner))
    story = changed(house(), "scenes", "end-scene", done_when=Condition(not_=outer))
    remembered = begun(story).plan.remembered
    assert remembered.index(RANG) < remembered.index(inner)
    assert outer not in remembered
    assert len(set(map(key, remembered))) == len(remembered)
