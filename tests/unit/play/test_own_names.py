"""What is recalled has names that its audience has for it: they do not count what it missed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec import structs

from storykeeper.context.history import PastTurn
from storykeeper.events import atoms as a
from storykeeper.memory.found import Hit
from storykeeper.memory.items import Item
from storykeeper.play.own_names import Names
from storykeeper.play.recalling import Query, Recollection
from storykeeper.play.remembering import Minds, items_of, open_to
from storykeeper.story.model import NARRATOR
from storykeeper.units import EntityId, Key, SceneId, TurnNo
from strategies.guarded import atom, past, who
from strategies.parlour import engine, tell
from strategies.tables import table

ASKED = ("the well and the bell", "What happened in turn 1?", "What did Tom say?")
LOW = "Tom whispers to you, “{}.” "
ALOUD = "“The well is dry, and the bell is cracked,” says Tom. “A bell, is it,” says Mara."


def played(*low: str, line: str = "I wait."):
    """So many things said low, each time before something is said aloud."""
    keeper = engine()
    tell(keeper, "“It rains,” says Tom.")
    for _ in range(2):
        tell(keeper, "".join(map(LOW.format, low)) + ALOUD, line)
    keeper.end_scene()
    return keeper


def all_of(keeper, audience: str) -> str:
    """All that somebody recalls, to the last byte; in a prompt too."""
    found = [keeper.recall(query, audience, k=50) for query in ASKED]
    return repr([*found, keeper.recall(ASKED[0], audience, budget=300)])


# ── what was hidden does not count ───────────────────────────────────────────────────────────


@pytest.mark.parametrize("low", [("A ruby", "An opal"), ("The bell is mine",), ("It is a bell",)])
def test_more_of_what_somebody_missed_changes_no_byte(low):
    one, other = played("A ruby"), played(*low)
    assert all_of(one, "mara") == all_of(other, "mara")
    assert all_of(one, "tom") != all_of(other, "tom")


def test_it_means_to_those_who_were_there_what_they_heard():
    """In one of these the bell was spoken of before, so that "it" would be found to be that."""
    aloud = "“Is it old?” says Mara. “The bell is,” says Tom."
    two = [engine(), engine()]
    for keeper, low in zip(two, ("A bell and a cup", "Nothing"), strict=True):
        tell(keeper, "“It rains,” says Tom.")
        tell(keeper, LOW.format(low) + aloud, "I wait.")
        keeper.end_scene()
    assert all_of(two[0], "mara") == all_of(two[1], "mara")


# ── events ───────────────────────────────────────────────────────────────────────────────────


def test_an_event_has_its_place_among_those_perceived():
    keeper = played("A ruby", "An opal")
    found = [hit.item for hit in keeper.recall("What happened in turn 1?", "mara")]
    assert [item.id for item in found] == ["atom:t1.3", "atom:t1.5"]
    assert [item.sources for item in found] == [(item.id,) for item in found]
    theirs = [hit.item.id for hit in keeper.recall("What happened in turn 1?", "tom")]
    assert len(theirs) > len(found)


def test_a_window_and_a_recollection_have_one_name_for_an_event():
    keeper = played("A ruby")
    keeper.begin("I wait.")
    made = keeper.window("mara", tokens=20_000)
    listed = {entry.id for entry in made.receipt_for("mara").shown if entry.origin == "recent"}
    recalled = {hit.item.id for hit in keeper.recall("bell well rain wait", "mara", k=50)}
    assert recalled
    assert recalled == listed


def test_names_grow_with_the_run_as_if_made_at_once():
    keeper = engine()
    tell(keeper, "“It rains,” says Tom.")
    asked = Query(ASKED[0], "mara", 50)
    memory = Recollection()
    for line in ("I wait.", "I look at the bell", "I wait."):
        tell(keeper, LOW.format("A bell") + ALOUD, line)
        run = {"ledger": keeper.ledger, "run": keeper.run, "now": keeper._state}
        grown, fresh = memory.recall(asked, **run), Recollection().recall(asked, **run)
        assert repr(grown) == repr(fresh)
    assert "atom:t2." in repr(grown)


def test_a_window_gets_the_names_of_the_ledger():
    """Its gate rules on them."""
    keeper = played("A ruby")
    run = {"ledger": keeper.ledger, "run": keeper.run, "now": keeper._state}
    query = Query("What happened in turn 1?", "mara")
    memory = Recollection()
    found, told = memory.found(query, **run), memory.recall(query, **run)
    events = {f"atom:{each.id}" for each in keeper.history()[1].atoms}
    assert {hit.item.id for hit in found} <= events
    assert [hit.item.text for hit in found] == [hit.item.text for hit in told]
    assert [hit.item.id for hit in found] != [hit.item.id for hit in told]


def test_all_that_names_an_event_is_renamed():
    names, minds = Names("mara"), Minds(engine().world())
    events = names.events(minds, [_turn(1, _said(1, "eve"), _said(2, "mara"))])
    item = Item("atom:t1.2", "", 1, sources=("atom:t1.2", "turn:1"), links=("atom:t1.1",))
    hit = names.hit(Hit(item, 1.0, None, parent="atom:t1.2"), events)
    assert (hit.item.id, hit.item.sources) == ("atom:t1.1", ("atom:t1.1", "turn:1"))
    assert (hit.item.links, hit.parent) == (("atom:t",), "atom:t1.1")
    assert names.hit(Hit(item, 1.0, None), events).parent is None


# ── things ───────────────────────────────────────────────────────────────────────────────────


def _said(number: int, *watching: str, about: a.EntityRef | None = None, turn: int = 1) -> a.Atom:
    subject = () if about is None else (about,)
    return atom(a.SpeechUttered("So."), turn=turn, number=number, actor=who("tom"),
                subject=subject, witness=who(*watching))  # fmt: skip


def _thing(words: str, **more: object) -> a.Unresolved:
    return a.Unresolved(words, SceneId("first"), TurnNo(1), **more)


def _turn(number: int, *atoms: a.Atom, scene: str = "first") -> PastTurn:
    return replace(past(number, *atoms, scene=scene), player=EntityId("ann"))


@table(
    "about, named",
    [
        (_thing("the chipped cup", head="cup"), ("called:cup",)),
        (_thing("The Cup", joins=Key("t0.1#0")), ("called:cup",)),
        (a.Resolved("thing-0-1-0", "the cup", by="descriptive"), ("called:cup",)),
        (a.Resolved("eve", "the girl", by="descriptive"), ("called:girl",)),
        (a.Resolved("eve", "Eve", by="name"), ("eve",)),
        (a.Resolved("eve", "her", by="player"), ("eve",)),
        (a.Resolved("eve"), ("eve",)),
        (a.Resolved("eve", "she", by="anaphoric"), ()),
        (_thing("it", head="it"), ()),
        (_thing(""), ()),
        (a.Implicit("a chair", "sitting"), ()),
    ],
)
def test_to_those_who_were_there_a_thing_is_what_it_was_called(about, named):
    minds = Minds(engine().world())
    items = items_of(minds, [_turn(1, _said(1, "mara", about=about))])
    (item,) = open_to(items, "mara")
    assert item.entities == ("tom", *named)


def test_whoever_takes_part_is_seen_to_do_so():
    him = a.Resolved("tom", "him", by="anaphoric")
    event = atom(a.SpeechUttered("Yes."), turn=1, number=1, actor=(him,), witness=who("mara"))
    (item,) = open_to(items_of(Minds(engine().world()), [_turn(1, event)]), "mara")
    assert item.entities == ("tom",)


def test_to_the_narrator_a_thing_is_where_it_was_first_told_of():
    """Not where it began: that was a rule's doing, and nobody saw it."""
    minds, names = Minds(engine().world()), Names(NARRATOR)
    fallen = atom(a.ActionTaken("fall"), turn=1, number=1, subject=(_thing("a cup"),))
    unseen = structs.replace(fallen, source=a.Source.RULE)
    cup = _thing("the cup", joins=Key("t1.1#0"))
    turns = [_turn(1, unseen, _said(2, "ann", about=cup)), _turn(2, _said(1, about=cup, turn=2))]
    names.add(minds, turns)
    mine = map(names.item, open_to(items_of(minds, turns), NARRATOR))
    assert [item.entities for item in mine] == [("tom", "t1.1#1")] * 2


def test_what_was_implied_is_where_it_is_first_spoken_of():
    """Also by names that were kept before it was."""
    minds = Minds(engine().world())
    key = atom(a.ActionTaken("unlock"), turn=1, number=1, actor=who("mara"), witness=who("ann"),
               instrument=(a.Implicit("a key", "unlocks"),))  # fmt: skip
    first = _turn(1, key)
    later = _turn(2, _said(1, "ann", about=_thing("the key", joins=Key("t1.1#1")), turn=2))
    at_once, before = Names(NARRATOR), Names(NARRATOR)
    at_once.add(minds, [first, later])
    before.add(minds, [first])
    since = Names(NARRATOR, kept=before.kept(), look={1: first, 2: later}.get)
    since.add(minds, [later])
    (item,) = open_to(items_of(minds, [later]), NARRATOR)
    assert at_once.item(item).entities == ("tom", "t2.1#1")
    assert since.item(item) == at_once.item(item)


def test_what_is_recalled_is_about_things_by_these_names():
    keeper = engine()
    tell(keeper, "“It rains,” says Tom.")
    tell(keeper, LOW.format("A bell") + "“The bell is cracked,” says Mara.", "I wait.")
    keeper.end_scene()
    (told,), (heard,) = (keeper.recall("cracked", each, k=1) for each in (NARRATOR, "tom"))
    assert (told.item.session, heard.item.session) == ("in-parlour", "scene:1")
    assert heard.item.entities == ("mara", "called:bell")  # not to Tom: his words were low


# ── scenes ───────────────────────────────────────────────────────────────────────────────────


def test_a_scene_is_the_narrators_by_name_and_a_characters_by_number():
    minds = Minds(engine().world())
    turns = [
        _turn(1, _said(1, "eve"), scene="the-murder"),
        _turn(2, _said(1, "mara", turn=2), scene="before"),
        _turn(3, _said(1, "mara", turn=3), scene="the-murder"),
        _turn(4, _said(1, "mara", turn=4), scene="before"),
    ]

    def scenes(audience: str) -> list[str]:
        names = Names(audience)
        names.add(minds, turns)
        mine = open_to(items_of(minds, turns), audience)
        return [names.item(item).session for item in mine]

    assert scenes("mara") == ["scene:1", "scene:2", "scene:1"]
    assert scenes("eve") == ["scene:1"]
    assert scenes(NARRATOR) == ["the-murder", "before", "the-murder", "before"]
