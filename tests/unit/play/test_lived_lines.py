"""What a player typed, in the past of whom it was said to: with its words, or not at all."""

from strategies.wherry import begun, play


def past_of(who, line):
    keeper = begun()
    play(keeper, "Dov nods.", {}, line=line)
    return keeper.brief(who).text


def test_that_somebody_asks_says_nothing():
    assert "asks" not in past_of("dov", "I ask Dov.")


def test_about_something_it_does():
    assert "Ilse asks Dov about the lamp." in past_of("dov", "I ask Dov about the lamp.")
