"""Whom a pronoun means to those who overhear it: by what they heard, and by nothing else."""

import msgspec
import pytest

from storykeeper.events.atoms import InformationTold, Resolved, Role
from storykeeper.story.places import Thing
from strategies.parlour import engine, parlour, tell, with_things

THINGS = (
    Thing(id="lamp", name="the lamp", at="parlour", description="An old lamp."),
    Thing(id="key", name="the key", at="parlour", description="A small key."),
    Thing(id="desk", name="the desk", at="parlour"),
)
WHISPERS = ("", "the lamp", "the key", "a knife", "the key and the lamp", "Eve", "Tom")


def told(prose, line=None):
    keeper = engine(with_things(parlour(), *THINGS))
    tell(keeper, "Mara and Tom are here.")
    tell(keeper, prose, line)
    return keeper


def whispered(words, by="Mara"):
    return f"{by} whispers to you, “It is {words}.” " if words else ""


def seen(keeper, line, who="tom"):
    """All that somebody gets of a line, to the last byte."""
    keeper.begin(line)
    window = keeper.window(who)
    receipt = msgspec.json.encode(window.receipt_for(who), order="deterministic").decode()
    return window.text + receipt + repr(keeper.recall("What was said?", who))


LINES = [
    "I ask Mara about it.",
    "I tell Mara about it.",
    'I say: "It is late here."',
    "I ask Mara about him.",
    "I ask Mara about her.",
    "I talk to Mara about them.",
    "I warn Mara about that.",
]


@pytest.mark.parametrize("line", LINES)
def test_what_was_not_heard_does_not_say_what_is_meant(line):
    every = {seen(told(f"{whispered(words)}“A fine day,” says Tom."), line) for words in WHISPERS}
    assert len(every) == 1


@pytest.mark.parametrize("line", LINES[:2])
def test_in_a_turn_gone_by_neither(line):
    runs = (told(f"{whispered(words)}The rain goes on.", None) for words in WHISPERS)
    every = set()
    for keeper in runs:
        tell(keeper, "“Perhaps,” says Mara.", line)
        every.add(seen(keeper, "I wait."))
    assert len(every) == 1


@pytest.mark.parametrize(
    ("prose", "line", "thing"),
    [
        ("“The lamp is old,” says Mara.", "I ask Mara about it.", "the lamp"),
        ("Mara takes the key.", "I ask Mara about it.", "the key"),
        ("The rain goes on.", "I take the lamp and ask Mara about it.", "the lamp"),
        ("“The key is new,” says Tom.", "I tell Mara about it.", "the key"),
    ],
)
def test_what_all_heard_is_understood(prose, line, thing):
    keeper = told(prose)
    keeper.begin(line)
    assert f"- {thing}" in keeper.brief("tom", "").text.casefold()


def test_the_player_it_is_read_for_is_told_what_is_meant():
    keeper = told(whispered("the lamp"))
    turn = keeper.begin("I ask Mara about it.")
    assert "lamp" in repr(turn.present.decided)
    assert any(each.candidate.id == "entity:lamp" for each in keeper.window("narrator").items)
    assert "Ann asks Mara." in keeper.window("tom").text


# ── what they are told by it ─────────────────────────────────────────────────────────────────


def claims(keeper):
    """Who is told that what is where."""
    keeper.end_scene()
    return {
        (part.entity.entity, p.entity.entity)
        for atom in keeper.history()[-1].atoms
        if isinstance(atom.what, InformationTold) and atom.what.at is not None
        for part in atom.participants
        if part.role is Role.SUBJECT and isinstance(part.entity, Resolved)
        for p in atom.participants
        if p.role in (Role.TARGET, Role.WITNESS)
    }


def test_who_did_not_hear_what_it_is_learns_nothing_of_where_it_is():
    keeper = told("Mara whispers to you, “You want the key.” Mara says, “It is on the desk.”")
    assert claims(keeper) == {("key", "ann")}


@pytest.mark.parametrize(
    "prose",
    [
        "“Where is the key?” asks Tom. “It is on the desk,” says Mara.",
        "“The key? It is on the desk,” says Mara.",
        "“The key is on the desk,” says Mara.",
    ],
)
def test_who_did_learns_it(prose):
    keeper = told(prose)
    assert claims(keeper) >= {("key", "tom"), ("key", "ann")}


# ── nouns that had to be found ───────────────────────────────────────────────────────────────

LETTER = Thing(id="letter", name="the letter", at="parlour", description="A letter.")
NOTE = "Tom unfolds the note and reads it. It says: “Come at nine.”"


@pytest.mark.parametrize("who", ["tom", "mara"])
def test_what_a_noun_is_found_to_mean_hangs_on_nothing_unheard(who):
    by = "Mara" if who == "tom" else "Tom"
    every = set()
    for words in ("", "a note", "the letter", "a note from Eve"):
        keeper = engine(with_things(parlour(), LETTER))
        tell(keeper, "Mara and Tom are here.")
        tell(keeper, f"{whispered(words, by=by)}“A fine day,” says Mara.")
        tell(keeper, NOTE)
        every.add(seen(keeper, "I wait.", who))
    assert len(every) == 1
