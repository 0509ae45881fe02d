"""Who leaves and who is back, as prose tells it; and what only sounds so."""

import pytest

from storykeeper.events import atoms as a
from strategies.parlour import engine, tell

STAYS = [
    "Tom looks right and left.",
    "Tom looked left and right.",
    "Tom glances to the right and then left.",
    "Tom leaves it at that.",
    "Tom left it there.",
    "Tom leaves that to Mara.",
    "Tom leaves nothing to chance.",
    "Tom leaves off.",
    "Tom left off talking.",
    "Tom leaves the letter on the table.",
    "Tom left his coat on the chair.",
    "Tom leaves a coin and sits down.",
    "Tom leaves you no choice.",
    "Tom is about to leave.",
    "Tom was just leaving when Mara stops him.",
    "Tom makes to leave.",
    "Tom starts to leave, then thinks better of it.",
    "Tom looks at what is left.",
    "Tom eats what is left and smiles.",
    "Tom has an hour left.",
    "Tom has nothing left.",
    "Only Tom and Mara are left.",
    "Her smile leaves her.",
    "Tom's smile leaves him.",
    "The colour leaves Tom's face.",
    "Tom turns left.",
    "Tom raises his left hand.",
    "Tom never leaves.",
    "Tom does not leave.",
    "Nobody leaves, not even Tom.",
    "Tom leaves the door open.",
    "Tom leaves Mara alone.",
    "Tom leaves them to their cards.",
    "Tom rakes twigs and leaves.",
    "Tom leaves his glass untouched.",
    "Before Tom can leave, Mara takes his arm.",
    "If Tom leaves, Mara will weep.",
    "Tom is left to wonder.",
    "Tom leaves the question unanswered.",
    "Tom leaves out the worst.",
    "Tom takes his leave of the idea.",
    "Tom wishes he could leave.",
    "It leaves Tom cold.",
    "Tom disappears into his thoughts.",
    "Tom goes quiet.",
    "Tom goes pale.",
    "Tom is out of breath.",
    "Tom is gone on Mara.",
    "Tom steps away from the window.",
    "Tom walks up and down.",
]
GOES = [
    "Tom leaves.",
    "Tom left without a word.",
    "He nods to Mara and Tom leaves.",
    "Tom nods and leaves.",
    "Before Tom leaves, he nods.",
    "Tom nods before he leaves.",
    "Before leaving, Tom kisses Mara.",
    "Tom kisses Mara before leaving.",
    "Tom bows and is gone.",
    "Tom takes his leave.",
    "Tom took his leave with a bow.",
    "Tom makes his exit.",
    "Tom slips away.",
    "Tom is gone.",
    "Tom leaves the room.",
    "Tom walks out and the door falls shut.",
    "Tom turns on his heel and leaves.",
    "Tom has left.",
    "With that, Tom departs.",
    "Tom excuses himself and goes.",
    "Tom leaves the letter on the table and goes out.",
    "Tom hurries from the room.",
    "Tom left a moment ago.",
    "Having left, Tom is soon forgotten.",
    "Tom goes home.",
]
BACK = [
    "Tom is back.",
    "Then he is back.",
    "Tom's back with the lamp.",
    "Tom was back, out of breath.",
    "A moment later Tom is back with the lamp.",
    "Soon Tom is back from the kitchen.",
    "Tom is there again.",
    "Tom is with you again.",
    "Tom is here once more.",
    "Tom stands in the doorway again.",
    "Tom reappears in the doorway.",
    "Tom reappeared.",
    "He comes back.",
    "He came back in.",
    "Tom returns a moment later with the lamp.",
    "Tom has returned.",
    "Tom rejoins you.",
    "Tom comes in again.",
    "Tom steps back inside.",
    "The door opens and Tom comes in.",
]
NOT_BACK = [
    "Tom is back to his old self.",
    "Tom is back on his feet.",
    "Tom is back in the garden.",
    "Tom will be back.",
    "Tom is not back yet.",
    "If Tom is back, he is quiet.",
    "Tom's back is broad.",
    "Mara's back is to the door.",
    "The rain is back.",
    "Mara hopes that Tom is back soon.",
    "Tom was back yesterday.",
    "Mara wonders whether Tom is back.",
    "Tom would return, she thinks.",
    "Mara waits for Tom to come back.",
    "Until Tom is back, Mara says nothing.",
    "Tom is still out there again.",
    "Mara looks back.",
    "Mara remembers how Tom came back.",
    "Is Tom back?",
    "Mara imagines that Tom is there again.",
]


def told(*proses):
    """The run after these renderings: Ann is played; Mara and Tom are with her, Eve is not."""
    keeper = engine()
    for prose in proses:
        tell(keeper, prose)
    keeper.end_scene()
    return keeper


def heard(keeper, who="tom"):
    """The words that somebody perceives, without their marks."""
    roles = (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
    return [
        atom.what.words.strip(",.!?")
        for atom in (entry.record for entry in keeper.ledger.read(keeper.run))
        if isinstance(atom, a.Atom)
        and isinstance(atom.what, a.SpeechUttered)
        and who in [getattr(p.entity, "entity", "") for p in atom.participants if p.role in roles]
    ]


def seen(keeper, act):
    """Who perceives a deed."""
    found = (entry.record for entry in keeper.ledger.read(keeper.run))
    (atom,) = [x for x in found if isinstance(x, a.Atom) and x.what == a.deed(act)]
    return {p.entity.entity for p in atom.participants if isinstance(p.entity, a.Resolved)}


ONE = "“One,” says Mara."


@pytest.mark.parametrize("prose", STAYS)
def test_what_only_sounds_like_a_leaving_is_none(prose):
    assert "One" in heard(told(f"{prose} {ONE}"))


@pytest.mark.parametrize("prose", GOES)
def test_who_leaves_hears_nothing_more(prose):
    assert "One" not in heard(told(f"{prose} {ONE}"))


@pytest.mark.parametrize(
    ("prose", "hears"),
    [
        ("Before Tom leaves, Mara says: “One.” “Two,” says Mara.", ["One"]),
        ("“One,” says Mara before Tom leaves. “Two,” says Mara.", ["One"]),
        ("Before he leaves, Tom says, “One.” “Two,” says Mara.", ["One"]),
        ("Before leaving the room, Tom kisses Mara. “Two,” says Mara.", []),
        ("Mara stops Tom before he leaves. “One,” says Mara. “Two,” says Mara.", ["One", "Two"]),
        ("Before Tom left, he took the cup. “Two,” says Mara.", []),
    ],
)
def test_who_does_something_before_they_leave_leaves_after_it(prose, hears):
    assert heard(told(prose)) == hears


def test_a_deed_before_the_leaving_is_seen_by_who_leaves():
    assert "tom" in seen(told("Before Tom leaves, Mara takes a cup."), "take")


@pytest.mark.parametrize(
    "gone", ["Tom leaves.", "Tom left the parlour.", "Tom went to the cellar."]
)
@pytest.mark.parametrize("prose", BACK)
def test_who_is_said_to_be_back_hears_what_is_said_then(gone, prose):
    keeper = told("Rain falls.", f"{gone} “Zero,” says Mara. {prose} {ONE}")
    assert heard(keeper) == ["One"]
    assert keeper.world().places["tom"] == "parlour"
    assert heard(told(gone, f"{prose} {ONE}")) == ["One"]


@pytest.mark.parametrize(
    "gone", ["Tom leaves.", "Tom left the parlour.", "Tom went to the cellar."]
)
@pytest.mark.parametrize("prose", NOT_BACK)
def test_who_is_not_said_to_be_back_hears_nothing(gone, prose):
    assert heard(told(gone, f"{prose} {ONE}")) == []


def test_whom_a_pronoun_may_mean_of_several_who_are_gone_does_not_come_by_it():
    keeper = told("Mara went to the cellar.", "She is back. “One,” says Tom.")
    assert heard(keeper, "mara") == []  # Eve is gone as well


def test_those_there_see_who_is_back():
    assert seen(told("Tom leaves.", "Tom is back."), "return") == {"ann", "mara", "tom"}
