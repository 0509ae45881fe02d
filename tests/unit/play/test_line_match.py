"""A line held against what the story waits for: what it does in words of its own, no more."""

import pytest
from msgspec import structs

from storykeeper.events.changes import ActMatched
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import StoryEvent
from storykeeper.story.people import Character
from storykeeper.story.places import Thing
from strategies.flips import all_shown
from strategies.parlour import engine, parlour, tell
from strategies.tables import table

THINGS = (
    Thing(id="key", name="the brass key", aliases=("my key",), at="parlour"),
    Thing(id="book", name="the visitors' book", aliases=("the register",), at="parlour"),
    Thing(id="letter", name="Ann's letter", held_by="ann"),
)
ASKED = ("ask", "mara", "book")
WAITED = (
    ASKED, ("ask", "tom", None), ("tell", "mara", "key"), ("give", "tom", "letter"),
    ("take", "key", None), ("listen", "mara", None), ("ask", "eve", "key"), ("shout", None, None),
)  # fmt: skip
SUMMARY = "The register has a page cut out."


def story(waited=WAITED, who="player"):
    events = tuple(
        StoryEvent(id=f"e{i}", summary=SUMMARY, when=Condition(
            did=Did(who=who, act=act, to=to, about=about)))
        for i, (act, to, about) in enumerate(waited)
    )  # fmt: skip
    return structs.replace(parlour(), events=events, things=THINGS)


def done(line, prose="Rain falls.", before="Tom sits by the window. Mara stirs her tea."):
    """The acts that a line did, in a parlour with Mara and Tom."""
    keeper = engine(story())
    tell(keeper, f"{before} The brass key and the register lie on the table.")
    tell(keeper, prose, line)
    keeper.end_scene()
    assert keeper.replay()
    happened = keeper.world().happened
    return {each for i, each in enumerate(WAITED) if f"e{i}" in happened}


@table(
    "line, acts",
    [
        ("I ask Mara about the visitors' book.", {ASKED}),
        ("Mara. who had the book that night?", {ASKED}),
        ("Mara, can I see the register?", {ASKED}),
        ("“The visitors’ book, Mara. You wrote in it.”", {ASKED}),
        ("I sit down beside Mara. what's in the register?", {ASKED}),
        ("Mara. who had the regsiter that night?", {ASKED}),
        ("where were you at nine, Tom", {("ask", "tom", None)}),
        ("*turns to Tom* why", {("ask", "tom", None)}),
        ("I turn to him. where were you?", {("ask", "tom", None)}),
        ("Mara! tell me the one about the well?", {("listen", "mara", None)}),
        ("I sit with Mara and tell her about the brass key.", {("tell", "mara", "key")}),
        ("I tell Mara everything.", {("tell", "mara", "key")}),
        ("*slides Tom the letter*", {("give", "tom", "letter")}),
        ("I put Ann's letter in front of Tom.", {("give", "tom", "letter")}),
        ("can i borrow the key a sec", {("take", "key", None)}),
        ("MARA! TOM!", {("shout", None, None)}),
        ("I yell with all I have.", {("shout", None, None)}),
        ("MARA. what about the register", {ASKED}),
        ("lol then i ask mara re the register", {ASKED}),
        ("ask about the register", {ASKED}),  # of nobody: one who is there waits for it
        ("ask what happened to the register", {ASKED}),
        ("what about the register?", {ASKED}),
        ("I see the key on the table, and casually grab it", {("take", "key", None)}),
        ("There is the key. I take it.", {("take", "key", None)}),
        # ── and not ──
        ("what's in the register?", set()),  # nobody is turned to, and two are there
        ("Mara, how are you?", set()),  # of nothing that is waited for
        ("what would I even ask a register? bed.", set()),
        ("do i have to give up my key?", set()),  # what one asks of oneself tells nobody
        ("no shouting. I wait.", set()),
        ("I was gonna tell Mara about the key, but it keeps", set()),
        ("Mara what's for dinner and don't say salt", set()),
        ("ask about the rain", set()),
        ("I ask Mara about the visitors.", set()),  # the half of a name that is not its noun
        ("I think of Tom.", set()),
        ("I look at the visitors' book.", set()),
        ("Nobody touches the key. I don't take the key.", set()),
        ("((ooc: who had the visitors' book, Mara?))", set()),
        ("“And take the brass key.”", set()),
        ("MARA TAKES THE LAMP.", set()),
        ("I wait.", set()),
        ("asdf", set()),
        ("李明 leaves.", set()),
        ("🙂", set()),
    ],
)
def test_what_a_line_does_of_what_is_waited_for(line, acts):
    assert done(line) == acts


def test_who_answers_was_asked():
    said = "“The register? Page nine,” says Mara, and “Hm,” says Tom."
    assert done("what's in the register?", said) == {ASKED}
    assert ASKED not in done("what's in the register?", "“Page nine,” says Tom.")


def test_who_is_there_in_the_telling_is_asked():
    line, before = "I look for Eve. Eve! where's my key?", "Eve digs in the garden."
    said = "Eve comes in. “In the shed,” says Eve."
    assert done(line, said, before) == {("ask", "eve", "key")}
    assert done(line, "Nobody answers.", before) == set()


def test_what_has_come_of_it_is_not_waited_for_again():
    keeper = engine(story())
    tell(keeper, "Tom sits by the window.")
    for _ in range(2):
        tell(keeper, "Rain falls.", "“The visitors’ book, Mara. You wrote in it.”")
    keeper.end_scene()
    found = [e.record for e in keeper.ledger.read(keeper.run) if isinstance(e.record, ActMatched)]
    assert [(each.act, each.to, each.about) for each in found] == [ASKED]


def test_odd_names():
    """One of a letter, one like a place, and two that share an alias."""
    odd = (("x", "X", ()), ("gard", "Garden", ("Twin",)), ("other", "Ida", ("Twin",)))
    cast = tuple(Character(id=i, name=n, aliases=a, line="Odd.", at="parlour") for i, n, a in odd)
    waited = [("ask", i, None) for i, _, _ in odd]
    shown = story(waited)
    keeper = engine(structs.replace(shown, cast=(*shown.cast, *cast)))
    tell(keeper, "Tom sits by the window with X, with Ida and with Garden.")
    for line, number in (("Twin, where is it?", None), ("I go to the garden.", None),
                         ("X, where is it?", "e0")):  # fmt: skip
        tell(keeper, "Rain falls.", line)
        keeper.end_scene()
        assert set(keeper.world().happened) == ({number} if number else set())


LINES = ("Mara. who had the book that night?", "*slides Tom the letter*", "where were you, Tom")


@pytest.mark.parametrize("audience", ["narrator", "ann", "mara"])
def test_what_a_hidden_part_waits_for_does_not_show(audience):
    """Eve would have to do it, or the player: no window says which."""
    found = []
    for who in ("player", "eve"):
        keeper = engine(story(who=who))
        tell(keeper, "Tom sits by the window. The register lies on the table.")
        for line in LINES:
            tell(keeper, "Rain falls.", line)
        keeper.end_scene()
        found.append(all_shown(keeper, audience, LINES))
    assert found[0] == found[1]
