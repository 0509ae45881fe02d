"""Laws of the world: folding, snapshots, knowing, boundaries, and playing at random."""

import hypothesis.strategies as st
from hypothesis import Phase, given, settings
from msgspec import structs

from storykeeper.events import turns as t
from storykeeper.events.atoms import RelationShifted
from storykeeper.events.vocabulary import Dimension
from storykeeper.play.commit import play_out
from storykeeper.story.adopt import adoption
from storykeeper.story.layers import Layer, LayerKind, Permeability, Sigmoid, Waypoint
from storykeeper.world.compare import difference
from storykeeper.world.fold import bundle, fold, fold_all
from storykeeper.world.layers import bumped, permeability, psi
from storykeeper.world.snapshot import dump, load
from storykeeper.world.state import Bump, LayerState, Pending
from strategies.stories import stories
from strategies.worlds import atom, begun, committed, example, house_changes, house_turns, play

EXAMPLE = example()
WHOLE = settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))


@given(house_turns(), st.data())
def test_folding_in_two_parts_is_folding(records, data):
    cut = data.draw(st.integers(0, len(records)))
    first = fold(records[:cut], begun())
    assert fold(records[cut:], first) == fold(records, begun())


@given(house_turns(), st.data())
def test_going_on_from_a_snapshot_is_folding_from_zero(records, data):
    cut = data.draw(st.integers(0, len(records)))
    first = fold(records[:cut], begun())
    restored = load(dump(first), first.plan)
    assert restored == first
    assert dump(fold(records[cut:], restored)) == dump(fold(records, begun()))


@given(house_turns(), house_turns())
def test_the_same_bytes_are_the_same_world(one, other):
    a, b = fold(one, begun()), fold(other, begun())
    assert (dump(a) == dump(b)) == (a == b)
    assert (difference(a, b) == ()) == (a == b)
    assert all(change.before != change.after for change in difference(a, b))


@given(house_turns(corrections=False))
def test_knowing_never_shrinks_without_a_correction(records):
    world = begun()
    for record in records:
        after = world if isinstance(record, t.Corrected) else fold([record], world)
        for who, facts in world.known.items():
            for fact, known in facts.items():
                now = after.known[who][fact]
                assert known.suspected or now == known
        world = after


@given(house_turns())
def test_standings_moods_and_boundaries_stay_within_bounds(records):
    world = begun()
    for record in records:
        world = fold([record], world)
        for s in world.standings.values():
            five = (s.reliability, s.competence, s.benevolence, s.affection, s.debt)
            assert all(-1.0 <= value <= 1.0 for value in five)
        for mood in world.moods.values():
            assert -1.0 <= mood.valence <= 1.0
            assert 0.0 <= mood.arousal <= 1.0
            assert 0.0 <= mood.determination <= 1.0
        assert 0.0 <= psi(world, "tale") <= 1.0


@given(st.lists(st.tuples(st.sampled_from(Dimension), st.floats(-1, 1)), max_size=12))
def test_a_standing_stays_within_bounds_however_often_it_shifts(shifts):
    world = begun()
    for turn, (dimension, by) in enumerate(shifts):
        shift = atom(RelationShifted(dimension, by), turn=turn, actor="ann", target="bob")
        before = getattr(world.standings["ann", "bob"], dimension.value)
        world = fold([shift], world)
        value = getattr(world.standings["ann", "bob"], dimension.value)
        assert -1.0 <= value <= 1.0
        assert value == before + by or abs(value) == 1.0
    assert world.standings["ann", "bob"].shifts == len(shifts)


@given(house_turns(), st.data())
def test_a_swiped_take_leaves_nothing_behind(records, data):
    shown = [i for i, r in enumerate(records) if isinstance(r, t.Rendered) and r.prose == "Prose."]
    at = data.draw(st.sampled_from(shown))
    take = structs.replace(records[at], take=2)
    put_aside = [structs.replace(take, take=1, prose="Another."), t.Swiped(take.turn, 1)]
    without = [*records[:at], take, *records[at + 1 :]]
    swiped = [*records[:at], *put_aside, take, *records[at + 1 :]]
    assert dump(fold(swiped, begun())) == dump(fold(without, begun()))


@given(house_turns(corrections=False), st.data())
def test_an_edited_turn_is_as_if_it_had_been_so_at_first(records, data):
    records = [r for r in records if not isinstance(r, t.TurnEdited | t.TurnRetracted)]
    places = [i for i, r in enumerate(records) if isinstance(r, t.TurnCommitted)]
    at = data.draw(st.sampled_from(places))
    turn = records[at].turn
    fresh = [records[at], *data.draw(st.lists(house_changes(turn), max_size=3))]
    end = at + len(bundle(records, at))
    as_if = [*records[:at], *fresh, *records[end:]]
    edited = [*records, t.TurnEdited(records[-1].turn, turn, "x"), *fresh]
    adopted = adoption(begun().plan.story)
    assert dump(fold_all([adopted, *edited])) == dump(fold([adopted, *as_if]))
    gone = [adopted, *records, t.TurnRetracted(records[-1].turn, turn)]
    nothing = [adopted, *records[: at + 1], *records[end:]]
    assert dump(fold_all(gone)) == dump(fold(nothing))


# ── permeability ─────────────────────────────────────────────────────────────────────────────

_UNIT = st.floats(0, 1)
_POINTS = st.lists(st.builds(Waypoint, progress=_UNIT, value=_UNIT), max_size=4).map(tuple)
_SIGMOIDS = st.builds(
    Sigmoid, low=_UNIT, high=_UNIT, k=st.floats(0, 1e9, allow_nan=False), t0=_UNIT
)
_CURVES = st.builds(Permeability, waypoints=_POINTS) | st.builds(Permeability, sigmoid=_SIGMOIDS)
_LAYERS = _CURVES.map(
    lambda curve: Layer(id="tale", name="", kind=LayerKind.DREAM, scenes=("x",), permeability=curve)
)
_BUMPS = st.lists(st.builds(Bump, st.integers(0, 400), st.floats(-1, 1)), max_size=5).map(tuple)


@given(_LAYERS, _BUMPS, _UNIT, st.integers(0, 500))
def test_permeability_is_a_share(layer, bumps, progress, now):
    assert 0.0 <= permeability(layer, LayerState(bumps=bumps), progress=progress, now=now) <= 1.0


@given(_LAYERS, _BUMPS, _UNIT, st.integers(0, 400), st.integers(0, 100), st.floats(0, 1))
def test_a_bump_never_makes_a_boundary_thicker(layer, bumps, progress, turn, age, amount):
    """But for what has faded, which is let go when another comes."""
    before = LayerState(bumps=bumps)
    after = bumped(before, amount=amount, turn=turn)
    now = max([turn + age, *(b.turn for b in bumps)])
    low = permeability(layer, before, progress=progress, now=now)
    assert permeability(layer, after, progress=progress, now=now) >= low - 1e-9


# ── playing at random ────────────────────────────────────────────────────────────────────────

_ACTS = ("ask", "tell", "look at", "take", "give", "go to", "listen to", "light", "follow", "wait",
         "open", "read", "carry", "refuse", "thank", "sit", "leave", "climb", "pump")  # fmt: skip


def lines_of(story):
    """Lines a player might type: an act, somebody or something, about somebody or something."""
    names = [each.name for each in (*story.cast, *story.things, *story.settings)]
    name = st.sampled_from(names)
    return st.one_of(
        st.just(""),
        st.just("I wait."),
        st.builds("I {} {}.".format, st.sampled_from(_ACTS), name),
        st.builds("I {} {} about {}.".format, st.sampled_from(("ask", "tell")), name, name),
        st.builds("“Well,” I say, and go to {}.".format, name),
        st.builds("I give {} {}.".format, name, name),
        st.text(max_size=20),
    )


def check_playthrough(story, lines):
    begin = fold([adoption(story)])
    records, live = play(begin, lines)
    assert live.scene in live.plan.scenes
    assert all(state.visits >= 0 for state in live.scenes.values())
    assert len(live.inside) <= len(story.layers)
    assert fold(records, begin) == live
    assert dump(fold_all([adoption(story), *records])) == dump(live)


@settings(max_examples=max(6, settings().max_examples // 4))
@given(st.lists(lines_of(EXAMPLE), min_size=5, max_size=30))
def test_the_example_can_be_played_at_random(lines):
    check_playthrough(EXAMPLE, lines)


@settings(WHOLE, max_examples=max(4, settings().max_examples // 4))
@given(stories(), st.data())
def test_any_story_can_be_played_at_random(story, data):
    check_playthrough(story, data.draw(st.lists(lines_of(story), min_size=2, max_size=6)))


@settings(max_examples=max(6, settings().max_examples // 4))
@given(st.lists(lines_of(EXAMPLE), min_size=1, max_size=10), lines_of(EXAMPLE))
def test_looking_ahead_changes_nothing_and_says_the_same_twice(lines, line):
    world = play(begun(EXAMPLE), lines)[1]
    before = dump(world)
    turn = Pending(len(lines), world.plan.players[0], line, (), "", 1, 1, "Prose.")
    assert play_out(world, turn).records == play_out(world, turn).records
    assert committed(world, turn).records == committed(world, turn).records
    assert dump(world) == before
