"""Who goes off for something, or makes themselves scarce; and who only sounds as if they did."""

import pytest

from storykeeper.events import atoms as a
from strategies.parlour import engine, tell

ONE = "“One,” says Mara."


def played(prose):
    keeper = engine()
    tell(keeper, "Rain falls.")
    tell(keeper, f"{prose} {ONE}")
    keeper.end_scene()
    return keeper


def hearers(keeper):
    """Who hears the last words."""
    records = [entry.record for entry in keeper.ledger.read(keeper.run)]
    said = [r for r in records if isinstance(r, a.Atom) and isinstance(r.what, a.SpeechUttered)]
    roles = (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
    return {p.entity.entity for p in said[-1].participants if p.role in roles}


@pytest.mark.parametrize(
    "prose",
    [
        "Tom makes himself scarce.",
        "Tom made himself scarce.",
        "Tom goes to fetch wood.",
        "Tom went to fetch the doctor.",
        "Tom goes to look for the cat.",
        "Tom hurries off to get help.",
        "Tom goes for the doctor.",
        "Tom goes for a walk.",
        "Tom nods and goes to see about the horses.",
        "Tom excuses himself.",
        "Tom excuses himself from the table.",
        "Tom took himself off.",
        "Tom runs to fetch water.",
        "Tom has gone to find Eve.",
        "Tom goes and fetches the lamp oil.",
        "He nods. Tom goes to feed the goats.",
        "Tom absents himself.",
        "Tom went down to draw some water.",
        "Tom gets up and goes to fetch the bread.",
        "Tom leaves to find the others.",
        "Tom looks up. He goes to fetch wood.",
        "Tom goes to find Eve.",
        "Tom hurries away to alert the guards.",
        "Tom goes to see who is at the gate.",
        "Mara sends Tom to fetch wood.",
        "Mara sent Tom off to find Eve.",
        "Mara sent Tom for the doctor.",
    ],
)
def test_who_goes_for_something_hears_nothing_more(prose):
    keeper = played(prose)
    assert keeper.world().away == ("tom",)
    assert hearers(keeper) == {"ann", "mara"}
    assert keeper.replay()


@pytest.mark.parametrize(
    "prose",
    [
        "Tom goes to some trouble.",
        "Tom goes to great lengths to find the words.",
        "Tom goes to pieces.",
        "Tom goes to sit by the fire.",
        "Tom goes to fetch the cup from the table.",
        "Tom goes to get his coat from the hook.",
        "Tom goes to fetch Mara.",
        "Tom wants to go to fetch wood.",
        "Tom will go to fetch wood.",
        "Tom is going to fetch wood.",
        "Tom offers to go to fetch wood.",
        "Tom often goes to fetch wood.",
        "Tom does not go to fetch wood.",
        "Tom goes for the throat.",
        "Tom goes for the door.",
        "Tom makes himself comfortable.",
        "Tom makes himself useful.",
        "Tom excuses himself for the noise.",
        "If Tom goes to fetch wood, nobody sees it.",
        "Tom would go to fetch wood.",
        "“Tom goes to fetch wood,” says Mara.",
        "Mara sends nobody to fetch wood.",
        "Tom goes to get up.",
        "Tom goes on to find fault.",
        "Tom goes to get a better look.",
        "Tom takes himself too seriously.",
        "Tom used to go for a walk.",
        "Tom goes to help Mara.",
        "Tom goes to open the window.",
        "Tom goes red to find them there.",
        "Mara sends Tom to fetch the cup from the table.",
        "Mara sends Tom a look to find him out.",
    ],
)
def test_who_stays_hears_it(prose):
    keeper = played(prose)
    assert keeper.world().away == ()
    assert hearers(keeper) == {"ann", "mara", "tom"}


@pytest.mark.parametrize("back", ["He comes back with an armful of logs.", "Tom is back.",
                                  "Tom returns with the wood."])  # fmt: skip
def test_who_is_back_hears_again(back):
    assert hearers(played(f"Tom goes to fetch wood. {back}")) == {"ann", "mara", "tom"}
