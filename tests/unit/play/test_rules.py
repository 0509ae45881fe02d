"""What follows by the author's rules, in a house made for it."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import turns as t
from storykeeper.play.rules import settle
from storykeeper.play.unfolding import Unfolding
from storykeeper.story.conditions import At, Condition, Did, Knows, Within
from storykeeper.story.knowledge import Reveal
from storykeeper.story.layers import Portal, Reinforcement
from storykeeper.story.scenes import Beat, Gate, Scene, Transition
from storykeeper.story.tuning import LayerOverride, Overrides
from storykeeper.world.fold import fold
from storykeeper.world.plan import key
from storykeeper.world.state import Inside, Known, Mark, Pending, SceneStatus, present
from strategies.worlds import RANG, atom, begun, changed, committed, example, house, play

RING = Condition(did=Did(who="player", act="ring"))


def opened(story=None):
    """The world after the opening turn."""
    return play(begun(story), [""])[1]


def after(*lines, story=None):
    return play(begun(story), ["", *lines])[1]


def written(kind, *lines, story=None):
    """The records of one kind, of all turns."""
    return [r for r in play(begun(story), ["", *lines])[0] if isinstance(r, kind)]


def scene_changes(records):
    return [
        (r.what.scene, r.what.change.value)
        for r in records
        if isinstance(r, a.Atom) and isinstance(r.what, a.SceneChanged)
    ]


def bare(world, *records, turn=1, may_move=True):
    """A turn of these records and what follows from them."""
    unfolding = Unfolding(world, turn)
    for record in (t.TurnCommitted(turn), *records):
        unfolding.add(record)
    settle(unfolding, may_move=may_move)
    return unfolding


# ── scenes ───────────────────────────────────────────────────────────────────────────────────


def test_a_story_begins_in_its_first_scene_with_those_it_needs():
    story = changed(house(), "cast", "bob", at="cellar")
    world = opened(story)
    assert world.scene == "hall-scene"
    assert world.scenes["hall-scene"].status is SceneStatus.ACTIVE
    assert present(world) == ("ann", "bob")  # brought to its place; Eve is not needed
    assert world.scenes["attic-scene"].status is SceneStatus.REACHABLE
    assert "tale-scene" not in world.scenes


def test_a_transition_fires_when_its_condition_holds():
    assert after("I wait.").scene == "hall-scene"
    world = after("I go to the attic.")
    assert world.scene == "attic-scene"
    assert world.scenes["hall-scene"].status is SceneStatus.REACHABLE  # left before it was done


def test_a_scene_that_is_done_is_completed_when_it_is_left():
    world = after("I ring.", "I go to the attic.")
    assert world.scenes["hall-scene"].completed
    assert world.scenes["hall-scene"].status is SceneStatus.COMPLETED


def test_a_completed_scene_is_not_entered_again_unless_one_may_come_back():
    lines = ("I ring.", "I go to the attic.", "I go to the hall.")
    assert after(*lines).scene == "attic-scene"
    open_house = changed(house(), "scenes", "hall-scene", revisitable=True)
    world = after(*lines, story=open_house)
    assert world.scene == "hall-scene"
    assert world.scenes["hall-scene"].visits == 2


def test_time_alone_moves_on():
    """The bell in turn 1, "three turns after" in turn 4."""
    lines = ["I ring.", "I wait.", "I wait.", "I wait."]
    assert [after(*lines[:n]).scene for n in (1, 2, 3, 4)] == [
        "hall-scene", "hall-scene", "hall-scene", "end-scene"
    ]  # fmt: skip


def test_the_first_open_transition_wins():
    ways = (Transition(to="attic-scene", when=RING), Transition(to="end-scene", when=RING))
    story = changed(house(), "scenes", "hall-scene", leads_to=ways)
    assert after("I ring.", story=story).scene == "attic-scene"
    story = changed(house(), "scenes", "hall-scene", leads_to=ways[::-1])
    assert after("I ring.", story=story).scene == "end-scene"


def test_a_transition_that_asks_nothing_waits_until_the_scene_is_told():
    beats = tuple(Beat(id=f"b{i}", prose="x") for i in range(3))
    story = changed(house(), "scenes", "hall-scene", beats=beats, done_when=None,
                    leads_to=(Transition(to="end-scene"),))  # fmt: skip
    assert [after(*["I wait."] * n, story=story).scene for n in (0, 1, 2)] == [
        "hall-scene", "hall-scene", "end-scene"
    ]  # fmt: skip


def chain(*ways):
    """Scenes without a word in them, joined by transitions that ask nothing."""
    names = sorted({name for way in ways for name in way})
    return house(
        start=names[0], events=(), prophecies=(), layers=(), things=(),
        scenes=tuple(
            Scene(id=name, title=name, revisitable=True,
                  leads_to=tuple(Transition(to=to) for here, to in ways if here == name))
            for name in names
        ),
    )  # fmt: skip


def test_one_scene_boundary_a_step():
    story = chain(("a", "b"), ("b", "c"), ("c", "d"))
    unfolding = Unfolding(begun(story), 0)
    settle(unfolding)
    assert unfolding.world.scene == "a"  # the first scene, too, is seen before it is left
    for name in "bcd":
        settle(unfolding)
        assert unfolding.world.scene == name
    settle(unfolding)
    assert unfolding.world.scene == "d"


@pytest.mark.parametrize("ways", [[("a", "b"), ("b", "a")], [("a", "a")]], ids=["two", "itself"])
def test_a_circle_of_scenes_does_not_turn_by_itself(ways):
    world = begun(chain(*ways))
    settled = bare(world, turn=0).world
    unfolding = bare(settled)
    assert len(scene_changes(unfolding.records)) <= 3  # one left, one entered, one reached
    assert unfolding.world.scene == ways[0][1]


def test_settling_again_finds_nothing_more():
    world = after("I ask Bob about the key.", "I ring.", "I listen.")
    unfolding = Unfolding(world, 4)
    unfolding.add(t.TurnCommitted(4))
    settle(unfolding, may_move=False)
    decided = len(unfolding.records)
    settle(unfolding, may_move=False)
    assert len(unfolding.records) == decided


# ── gates and paths ──────────────────────────────────────────────────────────────────────────


def test_a_gate_opens_once_when_all_its_conditions_hold():
    assert written(ch.GateOpened, "I wait.") == []
    assert written(ch.GateOpened, "I ring.", "I ring.", "I wait.") == [ch.GateOpened(1, "hatch")]
    both = (RANG, Condition(at=At(who="player", place="attic")))
    story = changed(house(), "scenes", "hall-scene", gates=(Gate(id="hatch", conditions=both),))
    assert written(ch.GateOpened, "I ring.", story=story) == []
    opened_in = [r.turn for r in written(ch.GateOpened, "I ring.", "I go to the attic.",
                                         story=story)]  # fmt: skip
    assert opened_in == [2]


def test_a_gate_tells_the_players():
    story = changed(house(), "events", "bell", reveals=())
    (told,) = [r for r in written(ch.SecretRevealed, "I ring.", story=story) if r.fact == "rumour"]
    assert told == ch.SecretRevealed(1, "rumour", ("ann",), "revealed")


def test_a_path_stays_shut_until_its_condition_holds():
    assert after("I go to the cellar.").places["ann"] == "hall"
    assert after("I ring.", "I go to the cellar.").places["ann"] == "cellar"


# ── layers ───────────────────────────────────────────────────────────────────────────────────


def test_into_a_tale_and_out_of_it():
    world = after("I listen.")
    assert world.scene == "tale-scene"
    assert world.inside == (Inside("tale", "hall-scene"),)
    assert world.scenes["hall-scene"].status is SceneStatus.ACTIVE  # it waits
    world = after("I listen.", "I wake.")
    assert world.scene == "hall-scene"
    assert world.inside == ()
    assert world.layers["tale"].completed
    assert world.layers["tale"].last_left == 2


def test_a_scene_that_waited_is_left_if_the_tale_ends_elsewhere():
    elsewhere = (Portal(from_="tale-scene", to="end-scene",
                        when=Condition(did=Did(who="player", act="wake"))),)  # fmt: skip
    story = changed(house(), "layers", "tale", exits=elsewhere)
    world = after("I listen.", "I wake.", story=story)
    assert world.scene == "end-scene"
    assert world.scenes["hall-scene"].status is SceneStatus.REACHABLE


def test_a_boundary_that_falls_makes_one_of_two_once():
    stated = Overrides(layers={"tale": LayerOverride(permeability=0.995)})
    records = written(ch.LayerMerged, "I wait.", "I wait.", story=house(overrides=stated))
    assert records == [ch.LayerMerged(0, "tale", {"fox": "ann"})]
    below = Overrides(layers={"tale": LayerOverride(permeability=0.994)})
    assert written(ch.LayerMerged, "I wait.", story=house(overrides=below)) == []


# ── events, secrets, prophecies ──────────────────────────────────────────────────────────────


def test_an_event_happens_once():
    assert [r.turn for r in written(ch.EventHappened, "I ring.", "I ring.") if r.event == "bell"] \
        == [1]  # fmt: skip


def test_an_event_of_a_beat_happens_when_it_is_told():
    assert ch.EventHappened(0, "storm") in written(ch.EventHappened)


def test_those_who_are_there_learn_what_an_event_reveals():
    """Eve comes down with the bell, and was not there when it rang; Bob knew."""
    told = [r for r in written(ch.SecretRevealed, "I ring.") if r.fact == "rumour"]
    assert told == [ch.SecretRevealed(1, "rumour", ("ann",), "saw", seen_by=("bob",))]


def test_asking_reveals():
    world = after("I ask Bob about the key.")
    assert world.known["ann"]["secret"] == Known("told by bob", 1)
    again = written(ch.SecretRevealed, "I ask Bob about the key.", "I ask Bob about the key.")
    assert len(again) == 1


def reveals(*each):
    return changed(house(), "facts", "rumour", revealed_by=tuple(each))


def test_of_two_ways_to_learn_at_once_the_first_is_on_record():
    story = reveals(Reveal(when=RING, how="heard"), Reveal(when=RING, how="saw"))
    told = [r for r in written(ch.SecretRevealed, "I ring.", story=story) if r.fact == "rumour"]
    assert told == [ch.SecretRevealed(1, "rumour", ("ann",), "heard")]


def test_to_know_is_more_than_to_suspect():
    story = reveals(Reveal(when=RING, how="heard", suspects=True), Reveal(when=RING, how="saw"))
    told = [r for r in written(ch.SecretRevealed, "I ring.", story=story) if r.fact == "rumour"]
    assert told == [ch.SecretRevealed(1, "rumour", ("ann",), "saw")]


def test_who_is_present_and_does_not_know_learns():
    story = reveals(Reveal(when=RING, to=("present",), how="saw"))
    story = changed(story, "cast", "eve", at="hall")
    told = [r for r in written(ch.SecretRevealed, "I ring.", story=story) if r.fact == "rumour"]
    seen = ch.SecretRevealed(1, "rumour", ("ann", "eve"), "saw", seen_by=("bob",))
    assert told == [seen]  # Bob knows it


def test_a_beat_reveals_to_those_present_when_it_is_told():
    lines = ("I ring.", "I wait.", "I wait.", "I wait.")
    assert after(*lines[:3]).known["ann"]["secret"].suspected
    world = after(*lines)
    assert "end-scene/opening" in world.told
    assert world.known["ann"]["secret"] == Known("told by bob", 4)  # the only way its author has


def test_one_thing_leads_to_another_in_one_turn():
    """The bell, so the event, so the gate, so what it reveals, so what that reveals."""
    chained = Reveal(when=Condition(knows=Knows(who="player", fact="rumour")), how="inferred")
    story = changed(house(), "facts", "lie", revealed_by=(chained,))
    world = after("I ring.", story=story)
    assert world.known["ann"]["lie"] == Known("inferred", 1)


def test_a_prophecy_is_born_reinforced_once_and_fulfilled():
    kinds = (ch.ProphecyBorn, ch.ProphecyReinforced, ch.ProphecyFulfilled)
    open_house = changed(house(), "scenes", "hall-scene", done_when=Condition(holds="lie"))
    lines = ("I ring.", "I ring.", "I go to the attic.", "I go to the hall.", "I wait.")
    assert written(kinds, *lines, story=open_house) == [
        ch.ProphecyBorn(0, "omen", "storm"),
        ch.ProphecyReinforced(1, "omen", "bell", 0.2),
        ch.ProphecyFulfilled(4, "omen", "attic-scene"),  # its target is completed
    ]


def test_a_prophecy_that_was_never_spoken_is_neither_reinforced_nor_fulfilled():
    story = changed(house(), "scenes", "hall-scene", beats=(Beat(id="opening", prose="x"),))
    kinds = (ch.ProphecyBorn, ch.ProphecyReinforced, ch.ProphecyFulfilled)
    assert written(kinds, "I ring.", story=story) == []


def test_a_prophecy_may_say_what_fulfils_it_and_is_then_done():
    story = changed(house(), "prophecies", "omen", fulfilled_by=RANG,
                    reinforced_by=(Reinforcement(event="bell"),))  # fmt: skip
    records = written((ch.ProphecyReinforced, ch.ProphecyFulfilled), "I ring.", "I ring.",
                      story=story)  # fmt: skip
    assert [type(r) for r in records] == [ch.ProphecyReinforced, ch.ProphecyFulfilled]


# ── what is remembered ───────────────────────────────────────────────────────────────────────


def remembering(condition):
    """The house with a gate that asks whether something held in this turn or the one before."""
    lately = Condition(within=Within(turns=2, of=condition))
    gate = Gate(id="lately", conditions=(lately, Condition(holds="lie")))
    return changed(house(), "scenes", "end-scene", gates=(gate,))


def test_a_deed_is_remembered_by_the_turn():
    world = after("I ring.", "I wait.", "I wait.", story=remembering(RING))
    assert world.marks[key(RING)] == Mark(1, 1, holds=False)


def test_what_is_so_from_the_start_is_so_from_the_first_look():
    here = Condition(at=At(who="player", place="hall"))
    world = after("I wait.", "I go to the attic.", story=remembering(here))
    assert world.marks[key(here)] == Mark(0, 1, holds=False)  # gone before the rules looked


def test_what_held_early_in_a_turn_held_in_it():
    """Untold when the rules first look at turn 3, told when they look again: so in turn 3."""
    untold = Condition(not_=Condition(told="hall-scene/opening"), present="bob")
    story = remembering(untold)
    world = bare(begun(story), turn=1, may_move=False).world
    assert world.marks[key(untold)] == Mark(1, 1, holds=True)
    turn = Pending(3, "ann", "", ("beat:hall-scene/opening",), "", 1, 1, "The hall.")
    world = committed(world, turn).world
    assert world.marks[key(untold)] == Mark(1, 3, holds=False)


# ── the example ──────────────────────────────────────────────────────────────────────────────


def test_the_example_opens_on_the_causeway():
    records, world = play(begun(example()), [""])
    assert world.scene == "causeway"
    assert ("causeway", "entered") in scene_changes(records)


def test_asking_for_the_tale_goes_into_it():
    lines = ["", "I go on to Harrow.", "I ask Pell about the blue plate."]
    world = play(begun(example()), lines)[1]
    assert world.scene == "tale-coal"
    assert world.inside == (Inside("heron-tale", "kitchen"),)


def test_the_rules_do_not_look_at_what_is_under_way():
    world = opened()
    pending = fold([t.InputReceived(1, "ann", "I ring.")], world)
    seen = bare(pending, atom(a.ActionTaken("wait"), actor="ann")).world
    assert seen.pending is None
    other = fold([t.InputReceived(7, "ann", "I ring.")], world)
    assert structs.replace(bare(other).world, pending=None) == bare(world).world
