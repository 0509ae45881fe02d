"""What is seen of those whose author gave them no mind: few signs, of what is open, that say
nothing of what they keep.
"""

from itertools import pairwise
from unittest.mock import patch

from storykeeper.context.boundary import Boundary
from storykeeper.context.outward import SIGNS
from storykeeper.events.changes import IntentPredicted, IntentResolved
from storykeeper.play import options
from storykeeper.play.narrate import offline
from storykeeper.play.signs import APART, RESTS
from strategies.guarded import wide
from strategies.minds import SCENE, engine, kitchen, take

TEXT = """
format: 1
id: kitchen
title: The kitchen
players: [coyle]
start: supper
voice: Plain.
cast:
  - {id: coyle, name: Coyle, line: A clerk., at: kitchen, scope: {entities: [tobit, key, coat]}}
  - id: mara
    name: Mara Rudd
    aliases: [Mara]
    line: Keeps the light.
    at: kitchen
    goals: [{text: See the storm out., open: true, until: {happened: storm}}]
    relations: [{to: tobit, affection: -0.6}]
  - {id: pell, name: Pell Rudd, aliases: [Pell], line: Nearly blind., at: kitchen}
  - {id: tobit, name: Tobit Orme, aliases: [Tobit], line: Carries., at: kitchen}
settings:
  - {id: kitchen, name: the kitchen, paths: [{to: yard}]}
  - {id: yard, name: the yard}
things:
  - {id: key, name: the key, at: yard}
  - {id: coat, name: the coat, at: kitchen}
  - {id: lamp, name: the lamp, at: kitchen}
facts:
  - id: hid-key
    full: Mara hid the key.
    hint: It is gone.
    secret: true
    about: [key, mara]
    known_by: {mara: lived}
    revealed_by: [{when: {happened: storm}}]
events:
  - {id: storm, summary: A storm breaks., when: {did: {who: player, act: open, to: lamp}}}
"""
ABOUT_TOBIT = "I ask Mara about Tobit."
ABOUT_KEY = "I ask Mara about the key."
HEARD = "I ask Pell about Tobit."


def shown(keeper, *lines):
    """What shows in each of some turns."""
    found = []
    for line in lines:
        turn = take(keeper, line)
        done = [each for each in turn.present.decided if isinstance(each, IntentResolved)]
        assert all(f"shows of the others now\n- Mara Rudd: {each.outcome}" in turn.window.text
                   for each in done)  # fmt: skip
        found.append([(each.option, each.outcome) for each in done])
    return found


def made(text=TEXT):
    return engine(kitchen(text, SCENE))


def test_whom_it_concerns_shows_it_in_one_of_a_few_ways():
    (asked,), (heard,) = shown(made(), ABOUT_TOBIT)[0], shown(made(), HEARD)[0]
    assert asked == ("mara/sign:asked/0", SIGNS["asked"][0].format(who="Mara"))
    assert heard == ("mara/sign:heard/0", SIGNS["heard"][0].format(who="Mara"))
    assert shown(made(), "I ask Mara about the coat.", "I ask Mara about Pell.") == [[], []]


def test_how_they_stand_to_who_is_not_in_sight_is_closed_and_makes_none():
    away = TEXT.replace("line: Carries., at: kitchen", "line: Carries., at: yard")
    assert shown(made(away), ABOUT_TOBIT, HEARD) == [[], []]


def test_offline_it_is_no_answer_and_that_is_said():
    keeper = made()
    turn = keeper.begin(ABOUT_TOBIT)
    told = offline(turn.world, turn.present, keeper.history())
    assert told == "Mara says nothing to that."


def test_no_sign_comes_twice_in_ten_turns_and_none_at_every_turn():
    found = shown(made(), *[ABOUT_TOBIT] * 24)
    at = [n for n, each in enumerate(found) if each]
    assert all(later - sooner >= RESTS for sooner, later in pairwise(at))
    for n in at:
        near = [found[m] for m in at if m != n and abs(m - n) < APART]
        assert found[n] not in near


def test_what_somebody_keeps_makes_no_sign_and_changes_none():
    """The signs of who has a secret are to the byte those of who has none."""
    lines = (ABOUT_KEY, HEARD, "I look at the coat.", ABOUT_KEY, ABOUT_TOBIT, ABOUT_KEY)
    without = TEXT.replace("known_by: {mara: lived}", "known_by: {tobit: lived}")
    other = TEXT.replace("Mara hid the key.", "Mara burned a letter.").replace(
        "about: [key, mara]", "about: [coat, mara, tobit]"
    )
    expected = shown(made(), *lines)
    assert expected[0] == expected[2] == expected[3] == []
    assert expected[1]
    for text in (without, other):
        assert text != TEXT
        assert shown(made(text), *lines) == expected
    windows = [take(made(text), HEARD).window for text in (TEXT, without, other)]
    assert windows[0].text == windows[1].text == windows[2].text


def test_what_the_player_knows_of_both_ties_them():
    open_now = TEXT.replace("known_by: {mara: lived}", "known_by: {coyle: told}")
    assert shown(made(open_now), ABOUT_KEY)[0][0][0] == "mara/sign:asked/0"
    hinted = TEXT.replace("known_by: {mara: lived}", "suspected_by: {coyle: told}")
    assert shown(made(hinted), ABOUT_KEY) == [[]]


def test_what_somebody_was_seen_to_take_is_watched():
    *_, found = shown(made(), "I take the coat.", "I give Mara the coat.", "I push the coat.")
    assert [option for option, _ in found] == ["mara/sign:touched/0"]
    assert shown(made(), "I push the coat.") == [[]]


def test_who_has_reached_all_they_wanted_shows_none():
    assert shown(made(), "I open the lamp.", ABOUT_TOBIT)[1] == []


def test_where_the_author_gave_a_mind_there_are_no_signs():
    own = TEXT.replace("    goals:", "    shows: [{text: Mara counts., about: [coat]}]\n    goals:")
    assert shown(made(own), ABOUT_TOBIT) == [[]]


def test_a_sign_says_nothing_of_a_motive():
    turn = take(made(), HEARD)
    (made_of,) = [each for each in turn.present.decided if isinstance(each, IntentPredicted)]
    assert (made_of.intent, made_of.motive, made_of.mood) == ("show", "", None)


def test_without_the_boundary_somebody_shows_what_only_they_know():
    def open_to_all(*given, **named):
        return wide(Boundary(*given, **named))

    assert shown(made(), ABOUT_KEY) == [[]]
    with patch.object(options, "Boundary", open_to_all):
        assert shown(made(), ABOUT_KEY) != [[]]
