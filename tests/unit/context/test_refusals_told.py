"""Why something was withheld: the rule for the author, and for an audience nothing at all."""

import msgspec
import pytest

from storykeeper.cli.why import explained
from storykeeper.story.model import NARRATOR
from strategies.runs import go, unkept
from strategies.worlds import changed, house

HIDDEN = changed(house(), "facts", "secret", suspected_by={}, about=("bob", "ann", "fox"))


def window(story, audience):
    keeper = unkept(story)
    go(keeper, "I ask Bob about the letter.", "I wait.")
    return keeper.window(audience)


@pytest.mark.parametrize("audience", [NARRATOR, "ann"])
def test_the_author_is_told_the_rule_and_the_audience_nothing(audience):
    made = window(HIDDEN, audience)
    why = explained(made, item="fact:secret")
    assert why == "- fact:secret: withheld by the rule «fact:secret: not known»"
    told = msgspec.json.encode(made.receipt_for(audience)).decode()
    for word in ("secret", "withheld", "refused", "not known"):
        assert word not in told
    assert "Eve is in the attic" not in made.text


@pytest.mark.parametrize("audience", [NARRATOR, "ann", "fox"])
def test_what_is_withheld_does_not_show_in_what_an_audience_is_told(audience):
    """The same window and the same receipt, whether or not there is anything to be withheld."""
    other = changed(HIDDEN, "facts", "secret", full="Quite another and longer thing.", hint="")
    one, two = window(HIDDEN, audience), window(other, audience)
    assert one.text == two.text
    told = [msgspec.json.encode(each.receipt_for(audience)) for each in (one, two)]
    assert told[0] == told[1]


def test_an_audience_is_told_nothing_of_another_window():
    made = window(HIDDEN, NARRATOR)
    assert made.receipt.refused
    told = made.receipt_for("fox")
    assert (told.shown, told.left_out) == ((), ())
