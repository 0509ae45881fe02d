"""Who is not there learns nothing by being the only other, nor by what is revealed there."""

from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.story.conditions import Condition, Did
from storykeeper.story.knowledge import Fact, Reveal
from strategies.parlour import engine, parlour, tell

RUNG = Condition(did=Did(who="player", act="ring"))
DEBT = Fact(id="debt", full="It is owed.", revealed_by=(Reveal(when=RUNG, to=("present",)),))


def told(*proses):
    keeper = engine(structs.replace(parlour(), facts=(DEBT,)))
    for prose in proses:
        tell(keeper, prose)
    return keeper


def perceiving(keeper):
    said = [e.record for e in keeper.ledger.read(keeper.run) if isinstance(e.record, a.Atom)]
    last = [x for x in said if isinstance(x.what, a.SpeechUttered)][-1]
    roles = (a.Role.TARGET, a.Role.WITNESS)
    return {p.entity.entity for p in last.participants if p.role in roles}


def test_the_only_other_who_has_gone_is_not_spoken_to():
    keeper = told("Mara went to the garden.", "Tom goes out.")
    tell(keeper, "Rain.", 'I say "The key is under the mat."')
    keeper.end_scene()
    assert perceiving(keeper) == set()


def test_what_is_revealed_to_those_present_reaches_those_who_attend():
    for prose in ("Tom goes out.", "Tom is asleep."):
        keeper = told(prose)
        tell(keeper, "Ding.", "I ring.")
        keeper.end_scene()
        assert [w for w in ("ann", "mara", "tom") if "debt" in keeper.knows(w)] == ["ann", "mara"]
