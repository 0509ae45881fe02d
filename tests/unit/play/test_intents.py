"""Characters act on what they know: what is on record, what shows, and what stays shut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from storykeeper.context.history import PresentTurn
from storykeeper.context.window import assemble
from storykeeper.events.changes import (
    BeliefFormed,
    EventHappened,
    IntentPredicted,
    IntentResolved,
    SecretRevealed,
)
from storykeeper.events.vocabulary import Grade
from storykeeper.gravity.landscape import landscape
from storykeeper.language.tokens import counter
from storykeeper.play.narrate import offline
from storykeeper.play.resolution import chance
from storykeeper.play.utility import confidence, utility
from storykeeper.units import EntityId, TurnNo
from strategies.minds import COAT, LIE, LINE, SCENE, SECRET, TEXT, engine, kitchen, take

ASK = "I ask Mara about the key."
OUTWARD = ("does not answer", "speaks of something else", "looks away")


def decided(turn, *kinds):
    return [each for each in turn.present.decided if isinstance(each, kinds)]


def seen(turn):
    """What shows of each of those who do something."""
    return {each.who: each.outcome for each in decided(turn, IntentResolved)}


def test_who_has_a_secret_acts_on_it_without_a_word_of_it():
    turn = take(engine(), "I look at the crock.")
    assert LINE in turn.window.text
    assert f"- Mara Rudd: Mara's {LINE}." in turn.window.text
    assert "oat crock before" not in turn.window.text
    assert SECRET not in str(turn.window.receipt)
    (intent,) = decided(turn, IntentPredicted)
    assert (intent.who, intent.option) == ("mara", "mara/fact:key-in-crock/shows/0")
    assert intent.mood is not None
    assert intent.mood.arousal > 0


def test_it_stands_on_the_authors_receipt_and_on_nobody_elses():
    keeper = engine()
    (done,) = take(keeper, "I look at the crock.").window.receipt.intents
    assert (done.who, done.option) == ("mara", "mara/fact:key-in-crock/shows/0")
    assert 0 < done.confidence < 1
    pell, _ = (turn := take(keeper, "I open the lamp.")).window.receipt.intents
    assert (pell.who, pell.grade) == ("pell", "success")
    assert 0 <= pell.drawn < 1
    assert "matches" not in str(turn.window.receipt_for("narrator").notes)
    assert not hasattr(turn.window.receipt_for("narrator"), "intents")


def test_a_line_is_shown_so_often_and_no_more():
    keeper = engine()
    shown = [LINE in take(keeper, "I look at the crock.").window.text.split("# What shows")[-1]
             for _ in range(4)]  # fmt: skip
    assert shown == [True, False, False, True]


def test_asked_about_it_they_keep_it_in_one_of_a_few_ways():
    turn = take(engine(), ASK)
    assert any(f"Mara {way}." in turn.window.text for way in OUTWARD)
    assert SECRET not in turn.window.text


def test_a_goal_forbids_what_may_be_told_until_it_is_reached_and_then_a_lie_will_do():
    keeper = engine()
    take(keeper, "I push the lamp.")  # from here on both the truth and the lie could be told
    turn = take(keeper, ASK)
    (belief,) = decided(turn, BeliefFormed)
    assert (belief.fact, belief.how) == ("key-lost", "told by mara")
    assert LIE in turn.window.text
    assert SECRET not in turn.window.text
    held = keeper.world().beliefs["coyle:key-lost"] if keeper.end_scene() is None else None
    assert held is not None
    assert held.lie
    take(keeper, "I open the lamp.")  # the storm: her goal to keep it is over
    turn = take(keeper, ASK)
    (told,) = decided(turn, SecretRevealed)
    assert (told.fact, told.to, told.how) == ("key-in-crock", ("coyle",), "told by mara")
    assert SECRET in turn.window.text


def test_what_is_told_to_all_there_is_known_to_all_there():
    turn = take(engine(), "I look at the coat.")
    (told,) = decided(turn, SecretRevealed)
    assert set(told.to) == {"coyle", "mara"}
    assert seen(turn)["pell"] == "Pell answers."


def test_nobody_tells_what_they_do_not_have():
    text = TEXT.replace("known_by: {pell: saw}", "known_by: {tobit: saw}")
    turn = take(engine(kitchen(text)), "I look at the coat.")
    assert decided(turn, SecretRevealed) == []


def test_whoever_is_more_determined_comes_first_and_what_is_taken_is_gone():
    keeper = engine()
    turn = take(keeper, "I open the lamp.")
    first, second = decided(turn, IntentResolved)
    assert (first.who, first.event, first.grade) == ("pell", "matches-taken", Grade.SUCCESS)
    assert (second.who, second.succeeded, second.outcome) == ("mara", False, "")
    assert "matches" in second.why
    keeper.end_scene()
    assert keeper.world().holders["matches"] == "pell"


@pytest.fixture(scope="module")
def ends():
    """What comes of Mara's attempt, by the words of the line in which she makes it."""
    text = TEXT.replace("text: Pell puts out a hand.", "text: Pell puts out a hand., weight: 0")
    text = text.replace("mood: {determination: 0.9}\n", "mood: {determination: 0.1}\n")
    story = kitchen(text)
    found = {}
    for n in range(14):
        turn = engine(story).begin(f"I open the lamp {'now ' * n}.")
        mara = [each for each in decided(turn, IntentResolved) if each.who == "mara"]
        happened = {each.event for each in decided(turn, EventHappened)}
        found[n] = (mara[0], happened, turn.window.text)
    return found


def test_an_attempt_ends_as_chance_has_it(ends):
    by_grade = {each.grade: (each, happened, text) for each, happened, text in ends.values()}
    assert set(by_grade) == {Grade.SUCCESS, Grade.PARTIAL, Grade.FAILURE}
    for grade, event, words in (
        (Grade.SUCCESS, "lamp-lit", "Mara reaches for the matches."),
        (Grade.PARTIAL, "lamp-smokes", "Mara reaches for the matches. It half comes off."),
        (Grade.FAILURE, "matches-fall", "Mara reaches for the matches. It does not come off."),
    ):
        resolved, happened, text = by_grade[grade]
        assert event in happened
        assert f"- Mara Rudd: {words}\n" in text
        assert (resolved.drawn < 0.5) == (grade is Grade.SUCCESS)


def test_chance_is_the_same_again_and_even(ends):
    assert chance("a", 1, "b", "c") == chance("a", 1, "b", "c") != chance("a", 2, "b", "c")
    drawn = sorted(chance("a", turn, "b", "c") for turn in range(1_000))
    assert 0 <= drawn[0] < 0.01 < 0.99 < drawn[-1] < 1
    assert max(b - a for a, b in pairwise(drawn)) < 0.02


def test_replay_and_reopening_give_the_same():
    keeper = engine()
    for line in ("I look at the crock.", ASK, "I open the lamp.", ASK, "I look at the coat."):
        take(keeper, line)
    keeper.end_scene()
    assert keeper.replay().windows == 6
    kinds = [type(e.record) for e in keeper.ledger.read(keeper.run)]
    assert kinds.count(IntentPredicted) == kinds.count(IntentResolved) >= 5


def test_without_a_mind_nothing_is_decided():
    bare = structs.replace(
        kitchen(), facts=tuple(structs.replace(f, shows=()) for f in kitchen().facts),
        cast=tuple(structs.replace(c, shows=(), tells=(), does=(), goals=())
                   for c in kitchen().cast),
    )  # fmt: skip
    for line in ("I look at the crock.", ASK):
        turn = take(engine(bare), line)
        assert decided(turn, IntentPredicted, IntentResolved) == []
        assert "What shows" not in turn.window.text


def test_who_is_not_there_does_nothing():
    scene = SCENE.replace("setting: kitchen", "setting: yard")
    turn = take(engine(kitchen(TEXT.replace("line: A clerk., at: kitchen", "line: A clerk."),
                               scene)), "I look at the crock.")  # fmt: skip
    assert seen(turn) == {}


def test_a_motive_reaches_no_window():
    keeper = engine()
    turn = take(keeper, "I open the lamp.")
    motives = {each.motive for each in decided(turn, IntentPredicted)} - {""}
    assert motives == {"Keep the lamp lit."}
    for audience in ("narrator", "coyle", "pell"):
        assert "Keep the lamp lit." not in keeper.window(audience).text


def test_a_habit_makes_no_turn_of_a_line_and_an_answer_does():
    keeper = engine()
    assert keeper.guidance("I push Pell.") is not None
    assert keeper.guidance("I look at the crock.") is None
    assert keeper.guidance(ASK) is None


def test_the_offline_narrator_tells_what_shows_and_what_is_told():
    keeper = engine()
    turn = keeper.begin("I look at the coat.")
    told = offline(turn.world, turn.present, keeper.history())
    assert f"Pell tells you: {COAT}" in told
    keeper.render(turn, told)
    turn = keeper.begin("I look at the crock.")
    assert LINE in offline(turn.world, turn.present, keeper.history())


# ── near a gate ──────────────────────────────────────────────────────────────────────────────

GATE = """\
gates:
  - id: found
    conditions:
      [{visited: supper}, {happened: letter-read}, {knows: {who: player, fact: key-in-crock}}]
"""


def test_near_a_gate_those_who_could_open_it_show_it():
    """Nobody comes near the crock: what weighs upon the window shows in who knows what it wants."""
    gated = kitchen(scene=SCENE.replace("cast:", f"{GATE}cast:"))
    for line, shown in (("I wait.", False), ("I push the lamp.", True)):
        turn = take(engine(gated), line)
        ahead = landscape(turn.world)
        assert [g.gate for g in ahead.gates if g.close] == (["found"] if shown else [])
        assert (LINE in turn.window.text) == shown
    turn = take(engine(), "I push the lamp.")
    assert LINE not in turn.window.text


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 2), st.floats(-1, 1), st.floats(0, 1),
       st.floats(0, 1), st.floats(0, 0.5))  # fmt: skip
def test_more_reason_for_it_is_never_less_wanted(weight, by, against, warmth, gate, lean, more):
    def wants(**changed):
        terms = {"weight": weight, "by": by, "against": against, "warmth": warmth, "gate": gate,
                 "lean": lean, "determination": 0.8}  # fmt: skip
        return utility(**(terms | changed))

    for name, value in (("weight", weight), ("by", by), ("warmth", warmth), ("gate", gate),
                        ("lean", lean)):  # fmt: skip
        assert wants(**{name: value + more}) >= wants()
    assert wants(against=against + more) <= wants()
    assert 0 < confidence(wants(), [wants(), wants(against=9)]) < 1


# ── what is hidden shapes nothing, given the intents on record ───────────────────────────────


def narrators(story, records):
    keeper = engine(story)
    keeper.end_scene()
    present = PresentTurn(TurnNo(1), EntityId("coyle"), "I look at the crock.", tuple(records))
    return assemble(
        keeper.world(), keeper.history(), present, audience="narrator", tokens=None,
        count=counter("o200k"),
    )  # fmt: skip


def test_given_the_intents_on_record_what_is_hidden_shapes_nothing():
    turn = take(engine(), "I look at the crock.")
    records = decided(turn, IntentPredicted, IntentResolved)
    assert records
    otherwise = (
        TEXT.replace(SECRET, "Mara burned a letter at dawn.")
        .replace("Keep the key.", "Leave the island.")
        .replace("weight: 0.7", "weight: 0.1")
        .replace("pell: heard", "tobit: heard")
    )
    one, other = narrators(kitchen(), records), narrators(kitchen(otherwise), records)
    assert LINE in one.text
    assert one.text == other.text
    assert one.receipt_for("narrator") == other.receipt_for("narrator")


def test_words_that_are_not_the_authors_pass_no_gate():
    turn = take(engine(), "I look at the crock.")
    (made,) = decided(turn, IntentResolved)
    free = structs.replace(made, outcome=f"Mara thinks: {SECRET}")
    shown = narrators(kitchen(), [free])
    assert "Mara thinks" not in shown.text
