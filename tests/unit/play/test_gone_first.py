"""Words that a player says once somebody has left are not heard by them."""

import pytest

from strategies.parlour import engine, tell

GONE = [
    'I wait until Tom has left, then say "Topaz is the word" to Mara',
    'I wait till Tom is gone and say to Mara "Topaz is the word"',
    'Once Tom leaves, I say "Topaz is the word" to Mara',
    'When Tom is out of earshot I tell Mara "Topaz is the word"',
    'I say "Topaz is the word" to Mara after Tom has gone out.',
    'As soon as Tom has left the room, I say "Topaz is the word"',
    "I wait until he has left. I say to Mara 'Topaz is the word.'",
    'I wait for Tom to leave, then say "Topaz is the word" to Mara',
    'After Tom walks off I turn to Mara. "Topaz is the word," I say.',
    'Now that Tom\'s gone, I say "Topaz is the word"',
]
THERE = [
    'I say "Topaz is the word" to Mara',
    'I wait until Tom has spoken, then say "Topaz is the word"',
    'I do not wait until Tom has left and say "Topaz is the word"',
    'When Tom looks up, I say "Topaz is the word"',
    'After Tom has left his cup on the table, I say "Topaz is the word"',
    'I say "Topaz is the word" to Tom. I wait until Mara has left.',
    'I say "Topaz is the word". Then I wait until Tom has left.',
    'Once Mara is gone, I say "Topaz is the word" to Tom',
    'I wait for Tom to speak, then say "Topaz is the word"',
    'When Tom goes pale, I say "Topaz is the word"',
]


def hears(who, line):
    """Whether somebody has heard the word."""
    keeper = engine()
    tell(keeper, "Rain falls.")
    tell(keeper, "Rain falls on.", line)
    keeper.end_scene()
    assert keeper.replay()
    return "topaz" in keeper.brief(who, "a knock").text.casefold()


@pytest.mark.parametrize("line", GONE)
def test_who_has_left_first_does_not_hear_it(line):
    assert not hears("tom", line)
    assert hears("mara", line)


@pytest.mark.parametrize("line", THERE)
def test_who_only_sounds_gone_hears_it(line):
    assert hears("tom", line)
