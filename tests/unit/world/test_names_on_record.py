"""Which names a turn told is on record with its commit, and folded from there."""

from storykeeper.events.turns import InputReceived, NamesTold, Rendered, TurnCommitted
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.fold import fold
from storykeeper.world.heard import names_told
from strategies.worlds import begun

ONE = TurnNo(1)


def shown(prose):
    typed = InputReceived(ONE, EntityId("mara"), "I ask about Bob.")
    return fold([typed, Rendered(ONE, 1, prose)], begun())


def heard(world):
    return world.heard.get(EntityId("mara"), ()), world.guessed.get(EntityId("mara"), ())


def test_what_is_on_record_counts_whatever_is_read_today():
    names = NamesTold(("attic",), ("cellar",))
    after = fold([TurnCommitted(ONE, 1, names)], shown("They are on the stairs with Bob."))
    assert heard(after) == (("attic",), ("cellar",))


def test_of_before_they_were_on_record_it_is_read_as_it_always_was():
    world = shown("Bob’s key is in the attic.")
    now = fold([TurnCommitted(ONE, 1, names_told(world, world.pending))], world)
    assert heard(fold([TurnCommitted(ONE, 1)], world)) == heard(now)
    assert "attic" in heard(now)[0]


def test_names_that_were_told_stay_when_the_words_are_erased():
    names = NamesTold(("attic",))
    assert heard(fold([TurnCommitted(ONE, 1, names)], shown("")))[0] == ("attic",)
