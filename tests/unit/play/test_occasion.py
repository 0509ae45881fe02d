"""What a turn leaves room for: who is there, what is under way, what is told beside it, what a
gesture needs.
"""

import pytest

from storykeeper.events.changes import IntentResolved
from strategies.minds import LINE, SCENE, TEXT, engine, kitchen, take

SQUARES = "Mara squares the knives to the edge of the table."
KNITS = "Pell knits."
BOTH = TEXT.replace("    mood: {determination: 0.9}\n", (
    "    mood: {determination: 0.9}\n"
    f"    shows: [{{text: {KNITS}, every: 2}}, {{text: Pell hums., about: [coat], every: 1}}]\n"
))  # fmt: skip


def seen(line, *before, text=TEXT, scene=SCENE):
    """What shows of everybody in the last of some lines, and in its window."""
    keeper = engine(kitchen(text, scene))
    for each in before:
        take(keeper, each)
    turn = take(keeper, line)
    done = [each for each in turn.present.decided if isinstance(each, IntentResolved)]
    shown = {each.who: each.outcome for each in done if each.outcome}
    assert all(each in turn.window.text for each in shown.values())
    return shown


@pytest.mark.parametrize("line", [
    "I look at the crock and climb up to the roof.", "Tuesday. I look at the crock.",
    "When they sleep I look at the crock.", "I look at the crock. (Can we skip a week?)",
    "I look at the crock. Then I go home.", "Up top. I look at the crock.",
    "I look at the crock. I ask Tobit about the lamp.",
])  # fmt: skip
def test_whom_the_player_may_have_left_shows_nothing(line):
    text = TEXT.replace("scope: {entities: [key]}", "scope: {entities: [key, tobit]}")
    assert LINE in seen("I look at the crock.", text=text)["mara"]
    assert seen(line, text=text) == {}


def test_a_habit_is_of_who_is_not_turned_to_and_one_of_all_there():
    assert seen("I wait.") == {"mara": SQUARES}
    assert seen("I thank Mara.") == {}
    assert seen("I thank Mara.", text=BOTH) == {"pell": KNITS}
    assert seen("I wait.", text=BOTH) in ({"mara": SQUARES}, {"pell": KNITS})
    first, second = seen("I wait.", text=BOTH), seen("I wait.", "I wait.", text=BOTH)
    assert {*first} != {*second}  # in turn


def test_a_habit_stands_beside_nothing_that_means_something():
    assert seen("I look at the crock.", text=BOTH).keys() == {"mara"}


@pytest.mark.parametrize(("line", "text", "scene"), [
    ("I push Pell.", TEXT, SCENE),
    ("I SCREAM AT EVERYBODY!!", TEXT, SCENE),
    ("I wait.", TEXT.replace("    taboos:", "    mood: {arousal: 0.8}\n    taboos:"), SCENE),
    ("I wait.", TEXT, SCENE.replace("cast:", "approach: [{mood: {arousal: 0.9}}]\ncast:")),
])  # fmt: skip
def test_nobody_has_a_habit_in_a_crisis(line, text, scene):
    assert seen(line, text=text, scene=scene) == {}


def test_in_an_ending_nothing_shows():
    ending = SCENE.replace("revisitable: true", "ending: true")
    assert seen("I look at the crock.", scene=ending) == {}


# ── beside what is told ──────────────────────────────────────────────────────────────────────

BEAT = (
    SCENE.replace(
        "cast:", "beats: {oats: {when: {did: {who: player, act: look, to: crock}}%s}}\ncast:"
    )
    + "\n## oats\n\n%s\n"
)


def test_beside_what_is_told_of_somebody_nothing_of_them_shows():
    assert "mara" in seen("I look at the crock.", scene=BEAT % ("", "The oats are smooth."))
    assert seen("I look at the crock.", scene=BEAT % ("", "“Porridge,” says Mara.")) == {}
    assert seen("I look at the crock.", scene=BEAT % (", with: [mara]", "She is at it.")) == {}


def test_beside_what_is_told_of_others_a_habit_shows_if_nothing_comes_of_it():
    plain = BEAT.replace("act: look, to: crock", "act: wait")
    assert seen("I wait.", scene=plain % ("", "It rains.")) == {"mara": SQUARES}
    told = plain % (", happens: [lamp-lit]", "It rains.")
    assert seen("I wait.", scene=told) == {}


def test_whom_a_beat_has_yet_to_tell_of_shows_nothing_before_it():
    waits = BEAT.replace("act: look, to: crock", "act: push, to: lamp")
    assert seen("I wait.", scene=waits % ("", "It rains.")) == {"mara": SQUARES}
    mara = waits % ("", "A young woman comes out of the larder. “Mara Rudd,” she says.")
    assert seen("I wait.", scene=mara) == {}
    keeper = engine(kitchen(TEXT, mara))
    take(keeper, "I push the lamp.", "A young woman comes out of the larder. It is Mara Rudd.")
    assert SQUARES in take(keeper, "I wait.").window.text


def test_alone_with_somebody_all_that_is_said_is_said_to_them():
    alone = TEXT.replace("    line: Nearly blind.\n    at: kitchen", (
        "    line: Nearly blind.\n    at: yard"
    ))  # fmt: skip
    assert alone != TEXT
    assert seen("I look at the coat.", text=alone) == {"mara": SQUARES}
    assert seen("What is it made of?", text=alone) == {}


def test_a_habit_in_which_words_are_said_answers():
    says = TEXT.replace("text: Mara squares the knives to the edge of the table.", (
        'text: "\\"Ten past,\\" says Mara."'
    ))  # fmt: skip
    assert says != TEXT
    assert seen("I wait.", text=says) == {}
    assert "Ten past" in seen("I thank Mara.", text=says)["mara"]


# ── what a gesture needs ─────────────────────────────────────────────────────────────────────


def test_what_a_gesture_names_must_be_at_hand_unless_its_author_says_otherwise():
    counts = "{text: Mara counts under her breath., about: [lamp]}"
    named = counts.replace("under her breath", "the matches")
    assert named != counts
    away = TEXT.replace("held_by: mara", "at: yard")
    line = "I look at the lamp."
    assert "matches" in seen(line, text=TEXT.replace(counts, named))["mara"]
    assert seen(line, text=away.replace(counts, named)) != seen(
        line, text=TEXT.replace(counts, named)
    )
    free = named.replace("about: [lamp]", "about: [lamp], with: []")
    assert "matches" in seen(line, text=away.replace(counts, free))["mara"]
    needs = counts.replace("about: [lamp]", "about: [lamp], with: [matches]")
    assert "counts" in seen(line, text=TEXT.replace(counts, needs))["mara"]
    assert "counts" not in seen(line, text=away.replace(counts, needs)).get("mara", "")


def test_what_only_answers_waits_to_be_spoken_to():
    habit = "{text: Mara squares the knives to the edge of the table., every: 5}"
    answer = "{text: Mara does not hear that., answers: true}"
    text = TEXT.replace(habit, answer)
    assert text != TEXT
    assert seen("I wait.", text=text) == {}
    assert seen("I thank Mara.", text=text) == {"mara": "Mara does not hear that."}


def test_somebody_is_a_topic_and_not_what_is_done_to_them():
    text = TEXT.replace("who: [mara], about: [crock]}}", "who: [mara], about: [pell]}}")
    text = TEXT.replace("about: [crock]}", "about: [pell]}")
    assert text != TEXT
    assert LINE in seen("I ask Mara about Pell.", text=text)["mara"]
    assert LINE not in str(seen("I push Pell.", text=text))
    assert LINE not in str(seen("I give Pell the coat.", "I take the coat.", text=text))


def test_a_pronoun_touches_nothing():
    text = TEXT.replace("about: [crock]}", "about: [crock], every: 1}")
    assert LINE in seen("I look at the crock.", "I look at the crock.", text=text)["mara"]
    assert LINE not in str(seen("I look at it.", "I look at the crock.", text=text))


# ── who is there ─────────────────────────────────────────────────────────────────────────────

LATER = """---
title: The yard
setting: yard
cast: {required: [tobit]}
beats:
  comes:
    when: {did: {who: player, act: wait}}
    stage: {moves: [{who: [tobit], kind: arrives, to: [yard], words: Tobit comes in}]}
---
Shingle.

## comes

Tobit comes in from the sand.
"""


def test_who_has_yet_to_come_is_not_there_and_nothing_tells_that_they_will():
    """That a scene needs somebody says that they live: not before its beat has them come."""
    from storykeeper.story.reading import read_files

    text = TEXT.replace("    line: Carries.\n    at: yard\n", (
        "    line: Carries.\n    at: kitchen\n    shows: [{text: Tobit spits., every: 1}]\n"
    ))  # fmt: skip
    assert "Tobit spits" in text
    scene = SCENE.replace(
        "cast:", "leads_to: [{to: yard, when: {at: {who: player, place: yard}}}]\ncast:"
    )
    files = {"story.yaml": text, "scenes/supper.md": scene, "scenes/yard.md": LATER}
    reading = read_files([(name, body.encode()) for name, body in files.items()])
    assert not reading.errors, [str(p) for p in reading.errors]
    keeper = engine(reading.story)
    turn = take(keeper, "I go to the yard.")
    assert turn.world.scene == "yard"
    assert turn.world.places["tobit"] == "kitchen"
    turn = take(keeper, "I look at the shingle.")
    for window in (turn.window, keeper.window("narrator")):
        assert "Tobit" not in window.text.split("# Here and now")[-1]
    assert "Tobit spits" not in turn.window.text
    turn = take(keeper, "I wait.", "Tobit comes in from the sand.")
    assert "Tobit comes in from the sand." in turn.window.text
    keeper.end_scene()
    assert keeper.world().places["tobit"] == "yard"
    take(keeper, "I look at the sky.")
    assert (
        any(
            isinstance(e.record, IntentResolved) and e.record.who == "tobit"
            for e in keeper.ledger.read(keeper.run)
        )
        or "Tobit" in keeper.window("narrator").text
    )
