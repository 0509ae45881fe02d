"""Who goes and comes back by what is said: read, decided and folded as in play."""

from pathlib import Path

import pytest

from storykeeper.events import atoms as a
from strategies.parlour import engine, tell

GOES = "“I have to run,” says Tom."


def told(*proses):
    """The run after these renderings: Ann is played; Mara and Tom are with her, Eve is not."""
    keeper = engine()
    for prose in proses:
        tell(keeper, prose)
    keeper.end_scene()
    return keeper


def atoms(keeper):
    records = [entry.record for entry in keeper.ledger.read(keeper.run)]
    return [r for r in records if isinstance(r, a.Atom) and r.source is not a.Source.PLAYER]


def perceiving(atom):
    roles = (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
    people = [p.entity for p in atom.participants if p.role in roles]
    return {each.entity for each in people if isinstance(each, a.Resolved)}


def all_heard(keeper, who="tom"):
    """The words that somebody perceives, without their marks."""
    return [
        atom.what.words.strip(",.!?")
        for atom in atoms(keeper)
        if isinstance(atom.what, a.SpeechUttered) and who in perceiving(atom)
    ]


def hears(keeper, who="tom"):
    """The same, after the first."""
    return all_heard(keeper, who)[1:]


def stepping(keeper):
    """Who goes and comes by what was said."""
    return [
        (atom.what.act, sorted(perceiving(atom)))
        for atom in atoms(keeper)
        if atom.source is a.Source.RULE and isinstance(atom.what, a.ActionTaken)
    ]


# ── per utterance, in one turn's prose ───────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("prose", "heard"),
    [
        (f"{GOES} “One,” says Mara.", []),
        (f"{GOES} “One,” says Mara. “I'm back,” says Tom. “Two,” says Mara.", ["I'm back", "Two"]),
        (f"{GOES} “One,” says Mara. “Welcome back, Tom,” says Mara. “Two,” says Mara.",
         ["Welcome back, Tom", "Two"]),
        (f"{GOES} “One,” says Mara. Tom comes in. “Two,” says Mara.", ["Two"]),
        (f"{GOES} “Safe trip, Tom,” says Mara. “Thanks,” says Tom. “One,” says Mara.",
         ["Safe trip, Tom", "Thanks"]),
        (f"{GOES} “Take care,” says Mara. “One,” says Mara.", ["Take care"]),
        (f"{GOES} “Take care! And the key is under the mat, where it always was,” says Mara.", []),
        (f"{GOES} “Wait,” says Mara to Tom. “One,” says Mara.", ["Wait"]),
        (f"{GOES} “Oh, where is my hat?” says Tom. “One,” says Mara.",
         ["Oh, where is my hat", "One"]),
        (f"{GOES} Tom takes his hat. “One,” says Mara.", []),
        (f"{GOES} Mara nods. Tom takes his hat. “One,” says Mara.", []),
        (f"{GOES} Mara kisses Tom. Tom sits down. “One,” says Mara.", ["One"]),
        (f"{GOES} “Stay,” says Mara to Tom. Tom stays. “One,” says Mara.", ["Stay", "One"]),
        ("“Mara and I have to go,” says Tom. You nod. “One,” you say.", []),
        ("“Safe trip, Tom,” says Mara. “One,” says Mara.", ["One"]),
        ("“If I have to leave, I'll tell you,” says Tom. “One,” says Mara.", ["One"]),
        ("“Hello,” says Tom. “Tom has left,” says Mara. “One,” says Mara.",
         ["Tom has left", "One"]),
        ("“Good night,” says Tom. “One,” says Mara.", ["One"]),  # not sure
    ],
)  # fmt: skip
def test_what_somebody_hears_who_says_that_they_go(prose, heard):
    assert hears(told(prose)) == heard


def test_the_page_says_so():
    page = Path(__file__).parents[3] / "docs" / "reference" / "presence.md"
    part = next(p for p in page.read_text("utf-8").split("\n## ") if p.startswith("In play"))
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 5
    for prose, heard in rows:
        assert "; ".join(all_heard(told(prose.strip()))) == heard.strip()


def test_those_there_see_them_go_and_come_back():
    keeper = told(f"{GOES} “One,” says Mara. “Welcome back, Tom,” says Mara.")
    everyone = ["ann", "mara", "tom"]
    assert stepping(keeper) == [("leave", everyone), ("return", everyone)]
    assert keeper.world().places["tom"] == "parlour"


def test_a_deed_that_is_not_for_them_they_do_not_see_either():
    keeper = told(f"{GOES} Mara takes the cup. Mara slaps Tom.")
    seen = {x.what.act: perceiving(x) for x in atoms(keeper) if isinstance(x.what, a.ActionTaken)}
    assert "tom" not in seen["take"]


# ── from turn to turn ────────────────────────────────────────────────────────────────────────


def test_who_went_is_gone_in_the_next_turn_until_they_act():
    keeper = told(GOES, "“One,” says Mara.", "“Welcome back, Tom,” says Mara.", "Tom takes a cup.",
                  "“Two,” says Mara.")  # fmt: skip
    assert hears(keeper) == ["Two"]
    assert keeper.world().away == ()


def test_what_the_player_says_aloud_is_not_heard_by_who_went():
    keeper = engine()
    tell(keeper, GOES)
    tell(keeper, "Rain falls.", "I say “The key is under the mat.”")
    keeper.end_scene()
    records = [entry.record for entry in keeper.ledger.read(keeper.run)]
    aloud = [r for r in records if isinstance(r, a.Atom) and isinstance(r.what, a.SpeechUttered)]
    assert aloud[-1].source is a.Source.PLAYER
    assert perceiving(aloud[-1]) == {"ann", "mara"}


def test_a_swipe_and_a_retraction_bring_them_back():
    keeper = engine()
    turn = tell(keeper, GOES)
    keeper.render(turn, "Tom smiles.")
    tell(keeper, GOES)
    keeper.end_scene()
    assert keeper.world().away == ("tom",)
    keeper.retract(1)
    assert keeper.world().away == ()
    assert keeper.replay()


# ── never wider ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "prose",
    [
        "Tom goes out. “Welcome back, Tom,” says Mara. “One,” says Mara.",
        "Tom goes out. “Tom is back,” says Mara. “One,” says Mara.",
        "Tom left the parlour. “Welcome back, Tom,” says Mara. “One,” says Mara.",
        "Tom is asleep. “Welcome back, Tom,” says Mara. “One,” says Mara.",
    ],
)
def test_talk_brings_nobody_back_whom_it_did_not_take_out(prose):
    assert "tom" not in set().union(*(perceiving(x) for x in atoms(told(prose))[-2:]))


def test_talk_brings_nobody_in():
    keeper = told("“Glad you could make it, Eve,” says Mara. “One,” says Mara.")
    assert hears(keeper, "eve") == []
    assert keeper.world().places["eve"] == "garden"


@pytest.mark.parametrize(
    "prose",
    ["“I have to run,” you say. “One,” says Mara.", "“Ann and I have to go,” says Mara.",
     "“Ann has left,” says Mara. “One,” says Mara."],
)  # fmt: skip
def test_no_player_goes_by_it(prose):
    keeper = told(prose)
    steps = [x for x in atoms(keeper) if x.source is a.Source.RULE]
    assert not [
        x for x in steps if a.Participant(a.Role.ACTOR, a.Resolved("ann")) in x.participants
    ]
    assert keeper.world().away in ((), ("mara",))
    assert all("ann" in perceiving(x) for x in atoms(keeper) if isinstance(x.what, a.SpeechUttered))


def test_who_goes_somewhere_is_there_and_hears_what_is_said_there():
    keeper = told(f"{GOES} Tom went to the garden. “One,” says Eve.")
    assert stepping(keeper) == []
    assert hears(keeper) == ["One"]


def test_as_many_who_go_as_there_are_words_the_telling_ends():
    keeper = told(" ".join(["“I have to run,” says Tom. “One,” says Mara."] * 40))
    assert "One" not in hears(keeper)
    assert keeper.world().away == ("tom",)
