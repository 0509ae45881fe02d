"""What each kind of record changes in a world: one row for each, and no kind without a row."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.events import changes as ch
from storykeeper.events import remembered as m
from storykeeper.events import turns as t
from storykeeper.events.staged import Declaration
from storykeeper.events.vocabulary import Tier
from storykeeper.story.adopt import adoption
from storykeeper.units import TurnNo
from storykeeper.world.evolve import evolve
from storykeeper.world.fold import fold
from storykeeper.world.plan import key
from storykeeper.world.register import tier_of
from storykeeper.world.state import (
    Believed,
    Deed,
    Inside,
    Known,
    Mark,
    Mood,
    Pending,
    ProphecyState,
)
from strategies.records import KINDS
from strategies.worlds import RANG, atom, begun, house

MARK = key(RANG)
BELIEF = ch.BeliefFormed(2, "eve", "b1", "It is so.", "heard", 0.7, "rumour")
SHOWN = Pending(1, "ann", "I wait.", ("beat:x",), "hall-scene", 1, 1, "Prose.")
NOTHING = "nothing"
CHOICES = (t.Choice("ann", "a"), t.Choice("bob", "b"))

# (record, what must come of it: the fields of the world that change, by name)
ROWS = [
    (t.RunBegun(0, "main"), NOTHING),
    (t.RunForked(3, "other", "main", 7), NOTHING),
    (t.InputReceived(1, "ann", "I wait."), {"pending": Pending(1, "ann", "I wait.")}),
    (t.QuestionAsked(1, "it", CHOICES), NOTHING),
    (t.QuestionAnswered(1, "bob"), NOTHING),
    (t.WindowAssembled(1, "narrator", "0", "1", 10), NOTHING),  # no turn is under way
    (t.Rendered(1, 1, "Prose."), NOTHING),
    (t.Declared(1, 1, Declaration()), NOTHING),
    (t.Swiped(1, 1), NOTHING),
    (t.Rejected(1, 1), NOTHING),
    (t.TurnCommitted(1, 1), {"now": 1, "scene_turns": 1}),
    (t.TurnEdited(3, 1, "Other."), NOTHING),
    (t.TurnRetracted(3, 1), NOTHING),
    (t.TextErased(3, 1, (t.Redaction(2, "0"),)), NOTHING),
    (t.StorySummed(3, (1, 2), "It rained."), NOTHING),
    (t.StageCorrected(3), NOTHING),
    (m.MemoryAdded(1, "Noted."), NOTHING),
    (m.MemorySummarised(3, (1, 2), "In short.", "extractive", 0.5), NOTHING),
    (m.MemoryRetired(3, (1,)), NOTHING),
    (m.MemoryRepeated(3, (1,)), NOTHING),
    (m.MemoryShown(3, (1,), "ann"), NOTHING),
    (m.EmbedderChosen(3, "minilm"), NOTHING),
    (a.Compound(turn=1, id="c1", bond=a.Bond.CAUSAL, members=(a.AtomIn("a"), a.AtomIn("b"))),
     NOTHING),
    (ch.ReferenceResolved(1, "t1.1", 0, "key", "name"), NOTHING),
    (ch.IntentPredicted(1, "bob", "leave", 0.5), NOTHING),
    (ch.IntentResolved(1, "bob", "left", True), NOTHING),
    (ch.IntentPredicted(1, "fox", "leave", 0.5, mood=ch.MoodDelta(valence=-0.2)),
     {"moods": {**dict(begun().moods), "fox": Mood(valence=-0.2)}}),
    (ch.IntentResolved(2, "bob", "left", True, option="bob/does/0"), {"shown": {"bob/does/0": 2}}),
    (ch.ActionProposed(3, "bob", "bob/does/0", "a model"), NOTHING),
    (ch.BeatTold(2, "hall-scene", "rung"), {"told": {"hall-scene/rung": 2}}),
    (ch.ActMatched(2, "ann", "ask", "bob", "key"), {"deeds": (Deed("ann", "ask", "bob", "key"),)}),
    (ch.FactGuessed(2, "ann", "secret"), {"tried": {"ann": ("secret",)}}),
    (ch.GateOpened(2, "hatch"), {"gates": {"hatch": 2}}),
    (ch.ConditionTurned(2, MARK, holds=True), {"marks": {MARK: Mark(2, 2, holds=True)}}),
    (ch.ProphecyBorn(2, "omen", "storm"), {"prophecies": {"omen": ProphecyState(2, last=2)}}),
    (ch.ProphecyReinforced(2, "omen", "bell", 0.2),
     {"prophecies": {"omen": ProphecyState(2, 0.2, 2, ("bell",))}}),
    (ch.ProphecyFulfilled(2, "omen", "attic-scene"),
     {"prophecies": {"omen": ProphecyState(2, last=2, fulfilled=2)}}),
    (BELIEF, {"beliefs": {"eve:lie": Believed("eve", "told by bob", 0, 1.0, "lie"),
                          "b1": Believed("eve", "heard", 2, 0.7, "rumour")}}),
    (ch.BeliefSuperseded(2, "eve", "eve:lie", "b1"),
     {"beliefs": {"eve:lie": Believed("eve", "told by bob", 0, 1.0, "lie", True, "b1")}}),
]  # fmt: skip

# Kinds with tests of their own, since what comes of them is more than a field or two.
ELSEWHERE = {
    a.Atom: "test_atoms.py",
    ch.EventHappened: "test_happenings.py",
    t.StoryAdopted: "test_begin.py",
    t.Corrected: "below",
    t.LeftUnread: "test_steps.py",
    ch.SecretRevealed: "below",
    ch.LayerEntered: "below",
    ch.LayerLeft: "below",
    ch.LayerMerged: "below",
    ch.EntityPromoted: "below",
    ch.EntityDemoted: "below",
}


def test_no_kind_of_record_is_left_out():
    rows = {type(record) for record, _ in ROWS}
    assert rows | set(ELSEWHERE) == set(KINDS)
    assert not rows & set(ELSEWHERE)


@pytest.mark.parametrize(("record", "after"), ROWS, ids=lambda v: type(v).__name__)
def test_a_record_changes_this_and_nothing_else(record, after):
    world = begun()
    assert evolve(world, record) == (
        world if after == NOTHING else structs.replace(world, **_maps(world, after))
    )


def _maps(world, after):
    return {
        name: type(getattr(world, name))(value) if isinstance(value, dict) else value
        for name, value in after.items()
    }


# ── the turn under way ───────────────────────────────────────────────────────────────────────

RECEIVED = t.InputReceived(1, "ann", "I wait.")
WINDOW = t.WindowAssembled(1, "narrator", "0", "1", 10, ("beat:x",), "hall-scene")
RENDERED = t.Rendered(1, 1, "Prose.")


def test_a_turn_is_received_assembled_and_shown():
    world = fold([RECEIVED, WINDOW, RENDERED], begun())
    assert world.pending == SHOWN
    assert world.now == 0


def test_a_window_for_somebody_else_is_not_what_the_narrator_was_shown():
    brief = t.WindowAssembled(1, "bob", "0", "1", 10, ("beat:y",))
    assert fold([RECEIVED, brief], begun()).pending == Pending(1, "ann", "I wait.")


def test_answering_is_what_makes_a_shown_turn_wait_for_its_commit():
    world = fold([RECEIVED, WINDOW, RENDERED, t.InputReceived(2, "ann", "I go.")], begun())
    assert world.answered == SHOWN
    assert world.pending == Pending(2, "ann", "I go.")
    world = evolve(world, t.TurnCommitted(1, 1))
    assert (world.answered, world.now) == (None, 1)
    assert world.pending == Pending(2, "ann", "I go.")


def test_a_line_that_was_never_shown_gives_way_to_the_next():
    world = fold([RECEIVED, t.InputReceived(1, "ann", "I go.")], begun())
    assert world.pending == Pending(1, "ann", "I go.")
    assert world.answered is None


ASKED = t.QuestionAsked(1, "it", CHOICES)
REPLY = t.InputReceived(1, "ann", "b")


def test_a_question_waits_and_the_next_words_may_answer_it():
    asking = Pending(1, "ann", "I wait.", choices=CHOICES, mention="it")
    world = fold([RECEIVED, ASKED], begun())
    assert world.pending == asking
    assert evolve(world, REPLY).pending == Pending(1, "ann", "b", asked=asking)
    answered = fold([REPLY, t.QuestionAnswered(1, "bob")], world)
    assert answered.pending == Pending(1, "ann", "I wait.", meant=(("it", "bob"),))
    assert answered.answered is None


def test_two_questions_one_after_the_other():
    again = [t.QuestionAsked(1, "her", CHOICES), REPLY, t.QuestionAnswered(1, "ann")]
    world = fold([RECEIVED, ASKED, REPLY, t.QuestionAnswered(1, "bob"), *again], begun())
    assert world.pending == Pending(1, "ann", "I wait.", meant=(("it", "bob"), ("her", "ann")))


def test_words_that_are_no_answer_are_a_line_of_their_own():
    world = fold([RECEIVED, ASKED, REPLY, t.Rendered(1, 1, "Prose.")], begun())
    assert world.pending == Pending(1, "ann", "b", take=1, takes=1, prose="Prose.")


def test_swiping_leaves_the_world_as_before_the_take():
    before = fold([RECEIVED, WINDOW], begun())
    after = fold([RENDERED, t.Swiped(1, 1)], before)
    assert structs.replace(after.pending, takes=0) == before.pending
    assert structs.replace(after, pending=before.pending) == before


def test_rejecting_drops_the_turn():
    world = begun()
    assert fold([RECEIVED, WINDOW, RENDERED, t.Rejected(1, 1)], world) == world


def test_a_step_of_another_turn_does_not_touch_the_one_under_way():
    world = evolve(begun(), RECEIVED)
    assert fold([t.Rendered(7, 1, "x"), t.Swiped(7, 1), t.Rejected(7, 1)], world) == world


def test_committing_clears_what_was_done_in_the_turn_before():
    world = fold([t.TurnCommitted(1), atom(a.ActionTaken("ring"), actor="ann")], begun())
    assert [deed.act for deed in world.deeds] == ["ring"]
    assert evolve(world, t.TurnCommitted(2)).deeds == ()


def test_the_clock_does_not_go_back():
    assert fold([t.TurnCommitted(5), t.TurnCommitted(2)], begun()).now == 5


# ── knowing ──────────────────────────────────────────────────────────────────────────────────


def test_a_revelation_teaches_those_it_names():
    world = evolve(begun(), ch.SecretRevealed(2, "secret", ("ann", "fox"), "saw"))
    assert world.known["ann"]["secret"] == Known("saw", TurnNo(2))
    assert world.known["fox"]["secret"] == Known("saw", TurnNo(2))
    assert world.known["bob"] == begun().known["bob"]


def test_a_correction_makes_knowing_shrink_for_those_it_names():
    world = evolve(begun(), t.Corrected(3, "secret", "no", "secret", ("bob",)))
    assert "secret" not in world.known["bob"]
    assert world.known["eve"] == begun().known["eve"]
    assert world.known["ann"] == begun().known["ann"]


def test_a_corrected_belief_is_kept_as_superseded():
    world = evolve(begun(), t.Corrected(3, "eve:lie", "no"))
    assert world.beliefs["eve:lie"].superseded
    assert world.known == begun().known


def test_a_belief_nobody_holds_cannot_be_superseded():
    assert evolve(begun(), ch.BeliefSuperseded(2, "eve", "other", None)) == begun()


# ── layers, prophecies, tiers, marks ─────────────────────────────────────────────────────────


def test_layers_are_a_stack():
    into, deeper = ch.LayerEntered(1, "tale", "hall-scene"), ch.LayerEntered(2, "dream", "x")
    world = fold([into, deeper], begun())
    assert world.inside == (Inside("tale", "hall-scene"), Inside("dream", "x"))
    assert evolve(world, ch.LayerLeft(3, "dream", "x")).inside == world.inside[:1]
    assert evolve(world, ch.LayerLeft(3, "tale", "hall-scene")).inside == ()  # and the dream in it
    assert evolve(world, ch.LayerLeft(3, "another", "x")).inside == world.inside


def test_a_layer_counts_its_visits_and_stays_completed():
    visit = [ch.LayerEntered(1, "tale", "hall-scene")]
    left = [ch.LayerLeft(2, "tale", "hall-scene", completed=True)]
    again = [ch.LayerEntered(3, "tale", "hall-scene"), ch.LayerLeft(4, "tale", "hall-scene")]
    tale = fold([*visit, *left, *again], begun()).layers["tale"]
    assert (tale.visits, tale.completed, tale.last_left) == (2, True, 4)
    assert [(b.turn, b.amount) for b in tale.bumps] == [(1, 0.05), (3, 0.05)]


def test_a_merged_layer_makes_one_of_two():
    told = ch.SecretRevealed(1, "secret", ("fox",), "saw")
    rumour = ch.SecretRevealed(1, "rumour", ("fox",), "heard", suspected=True)
    world = fold([told, rumour, ch.LayerMerged(2, "tale", {"fox": "ann"})], begun())
    assert world.layers["tale"].merged
    assert dict(world.one_with) == {"fox": "ann"}
    assert world.known["ann"]["secret"] == Known("saw", 1)  # Ann had only suspected it
    assert world.known["ann"]["rumour"] == Known("heard", 1, suspected=True)


def test_merging_does_not_make_anybody_know_less():
    told = [ch.SecretRevealed(1, "secret", ("ann",), "saw"),
            ch.SecretRevealed(1, "secret", ("fox",), "heard", suspected=True)]  # fmt: skip
    world = fold([*told, ch.LayerMerged(2, "tale", {"fox": "ann"})], begun())
    assert world.known["ann"]["secret"] == Known("saw", 1)


def test_a_prophecy_is_born_once_and_adds_up():
    born = ch.ProphecyBorn(1, "omen", "storm")
    twice = [ch.ProphecyReinforced(3, "omen", "bell", 0.2),
             ch.ProphecyReinforced(5, "omen", "gong", 0.1)]  # fmt: skip
    omen = fold([born, *twice], begun()).prophecies["omen"]
    assert omen == ProphecyState(1, 0.2 + 0.1, 5, ("bell", "gong"))
    assert fold([born, *twice, ch.ProphecyBorn(9, "omen", "storm")], begun()).prophecies[
        "omen"
    ] == structs.replace(omen)


def test_tiers_follow_promotions_and_demotions():
    weight = ch.Weight(2.0, 3, 1, 0.0)
    up = ch.EntityPromoted(1, "cup", "the cup", None, Tier.PERSISTENT, weight, "")
    assert tier_of(evolve(begun(), up), "cup") is Tier.PERSISTENT
    down = ch.EntityDemoted(2, "cup", Tier.PERSISTENT, Tier.TRACKED, "")
    assert tier_of(fold([up, down], begun()), "cup") is Tier.TRACKED
    assert tier_of(begun(), "cup") is None


def turned(turn, holds):
    return ch.ConditionTurned(turn, MARK, holds)


@pytest.mark.parametrize(
    ("turnings", "mark"),
    [
        ([(3, True)], Mark(3, 3, holds=True)),
        ([(3, True), (6, False)], Mark(3, 5, holds=False)),  # it held up to the turn before
        ([(3, True), (3, False)], Mark(3, 3, holds=False)),  # within one turn
        ([(3, True), (4, False), (8, True)], Mark(3, 8, holds=True)),
        ([(3, True), (4, False), (8, True), (8, False)], Mark(3, 8, holds=False)),
        ([(3, True), (6, True), (6, False)], Mark(3, 6, holds=False)),  # still so early in turn 6
    ],
)
def test_a_mark_keeps_the_first_and_the_last_turn(turnings, mark):
    assert fold([turned(*each) for each in turnings], begun()).marks[MARK] == mark


def test_what_never_held_leaves_no_mark():
    assert evolve(begun(), turned(3, False)) == begun()


def test_the_world_it_is_given_is_left_as_it_was():
    world = begun()
    before = structs.replace(world)
    for record, _ in ROWS:
        evolve(world, record)
    assert world == before


def test_adopting_the_same_story_again_changes_nothing():
    assert evolve(begun(), adoption(house(), turn=3)) == begun()
