"""Deeds told as unseen, or of another time: those who are there do not perceive them."""

import pytest

from unit.engine.test_not_for_all import CAST, played

SEEN = {"ann", "mara", "tom", "zed"}
HIDDEN = {"ann", "mara"}

UNSEEN = [
    "Only you see Mara take the knife.",
    "Behind Tom's back, Mara takes the knife.",
    "Behind the others' backs Mara took the knife.",
    "Unnoticed by the others, Mara takes the knife.",
    "Mara takes the knife, unobserved.",
    "Mara discreetly takes the knife.",
    "Mara furtively took the knife from the table.",
    "While nobody is looking, Mara takes the knife.",
    "While Tom looks away, Mara takes the knife.",
    "When Tom was distracted, Mara took the knife.",
    "Mara takes the knife. Nobody notices.",
    "Mara took the knife. No one saw it.",
    "Mara takes the knife. Only you notice.",
    "Mara takes the knife without being seen.",
    "Mara takes the knife before anyone sees it.",
    "Last night Mara took the knife.",
    "Yesterday, Mara took the knife.",
    "An hour ago Mara took the knife.",
    "Mara had taken the knife.",
    "With a furtive glance, Mara takes the knife.",
    "Mara pockets the knife.",
    "In the dark, Mara takes the knife.",
    "You alone see Mara take the knife.",
    "Years earlier, Mara took the knife.",
    "The day before, Mara took the knife.",
    "Mara had already taken the knife.",
]
PLAIN = [
    "Mara takes the knife.",
    "Mara took the knife.",
    "You see Mara take the knife.",
    "Mara quickly takes the knife.",
    "Mara takes the knife from the back of the table.",
    "Mara takes the knife. Nobody speaks.",
    "Mara takes the knife. Only Tom laughs.",
    "Mara takes the knife. Tom does not speak.",
    "Mara had a cold. Mara takes the knife.",
    "Mara had to hurry. She took the knife.",
    "Last night it rained. Mara takes the knife.",
    "Tom looks away. Mara takes the knife.",
    "Everybody sees Mara take the knife.",
    "Mara takes the knife and nobody stops her.",
    "Mara takes the dark knife.",
]


def seeing(prose):
    """Those who know that Mara has it."""
    keeper = played(prose)
    found = {who: [p.place for p in keeper.knows(who).places if p.what == "knife"] for who in CAST}
    return {who for who, places in found.items() if places == ["mara"]}


@pytest.mark.parametrize("prose", UNSEEN)
def test_others_do_not_see_it(prose):
    assert seeing(prose) <= HIDDEN
    assert "mara" in seeing(prose)


@pytest.mark.parametrize("prose", PLAIN)
def test_all_see_it(prose):
    assert seeing(prose) == SEEN


@pytest.mark.parametrize(
    ("prose", "knows"),
    [("Secretly, Mara takes the knife from Tom.", False), ("Mara takes the knife from Tom.", True),
     ("Secretly, Mara hands Tom the knife.", True)],
)  # fmt: skip
def test_whom_it_is_done_to(prose, knows):
    keeper = played(f"Tom takes the knife. {prose}")
    places = [p.place for p in keeper.knows("tom").places if p.what == "knife"]
    assert (places == [keeper.world().holders["knife"]]) is knows
