"""A character's brief holds the deeds it saw, and none that it did not."""

import pytest

from strategies.parlour import engine, tell

SEEN = [
    ("Mara takes a cup.", "Mara takes a cup."),
    ("Mara gave Tom a coin.", "Mara gave Tom a coin."),
    ("Eve came into the parlour.", "Eve came into the parlour."),
    ("Mara leads Tom into the cellar.", "Mara leads Tom into the cellar."),
]
NOT_BY_EVE = [
    "Mara takes a cup.",
    "Mara gave Tom a coin.",
    "Mara slapped Tom.",
    "Unseen, Mara put a coin in her pocket.",
]
NOT_BY_TOM = [
    "Tom leaves. Mara takes a cup.",
    "Tom went to the cellar. Mara takes a cup.",
    "Tom is asleep. Mara takes a cup.",
    "Unseen, Mara takes a cup.",
    "Mara leads you into the cellar. Mara takes a cup.",
    "Mara takes, unseen, a cup.",
]


def brief(prose, who, line=None):
    keeper = engine()
    tell(keeper, "Rain falls.")
    tell(keeper, prose, line)
    tell(keeper, "Rain falls on.")
    return keeper.window(who).text


@pytest.mark.parametrize(("prose", "deed"), SEEN)
def test_what_somebody_saw_done_is_in_their_brief(prose, deed):
    assert f"- {deed}" in brief(prose, "tom")


@pytest.mark.parametrize("prose", NOT_BY_EVE)
def test_who_was_elsewhere_is_told_nothing_of_it(prose):
    assert brief(prose, "eve") == brief("Rain falls on the roof.", "eve")


@pytest.mark.parametrize("prose", NOT_BY_TOM)
def test_who_did_not_see_it_has_nothing_of_it(prose):
    text = brief(prose, "tom")
    assert "cup" not in text
    assert "loves" not in text


def test_what_is_typed_and_told_again_is_one_deed():
    text = brief("You slap Tom.", "mara", "I slap Tom.")
    assert text.count("slap") == 1


@pytest.mark.parametrize("line", ["I tell.", "I tell them everything.", "I say “So.”"])
def test_that_somebody_tells_is_no_line(line):
    text = brief("Rain.", "mara", line)
    assert "Ann tells." not in text
    assert "Ann says." not in text
