"""How often something was called by words of its own, as the register counts it."""

import pytest
from msgspec import structs

from storykeeper.events import atoms as a
from storykeeper.units import Key
from storykeeper.world.evolve import evolve
from strategies.referred import atom, looks, opened, person, said, with_thing

CUP = Key("t0.1#0")


def entry_after(*atoms, **fields):
    world = with_thing(opened(), CUP, **fields)
    for each in atoms:
        world = evolve(world, each)
    return world.register[CUP]


def called(words, **fields):
    return said(words, joins=CUP, **fields)


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        ("the cup", True), ("Cup", True), ("her cup", True), ("their cups", True),
        ("it", False), ("It", False), ("that one", False), ("her hand", False), ("this", False),
    ],
)  # fmt: skip
def test_a_pronoun_is_no_word_of_its_own(words, counts):
    assert entry_after(looks(at=called(words))).mentions == (2 if counts else 0)


def test_what_has_its_id_is_called_too():
    fields = {"id": "thing-0-1-0"}
    assert entry_after(looks(at=person("thing-0-1-0", "the cup")), **fields).mentions == 2
    assert entry_after(looks(at=person("thing-0-1-0", "it")), **fields).mentions == 0
    assert entry_after(looks(at=person("thing-0-1-0")), **fields).mentions == 0


@pytest.mark.parametrize(
    ("what", "counts"),
    [
        (a.ActionTaken("take"), 2),
        (a.StateAsserted("stands on the table"), 2),
        (a.StateAsserted(""), 1),  # among other things
        (a.SpeechUttered("The cup?"), 1),
    ],
)
def test_to_tell_of_it_is_more_than_to_name_it(what, counts):
    assert entry_after(atom(("subject", called("the cup")), what=what)).mentions == counts


def by_player(ref, role="target", kind="attention", weight=0.2):
    return atom(("actor", person("ann")), (role, ref), source=a.Source.PLAYER,
                implied=[(kind, 0, 1, weight)])  # fmt: skip


def test_a_player_turns_to_what_was_told_of():
    known = entry_after(by_player(called("the cup")))
    assert (known.mentions, known.by_player) == (2, 0.2)


def test_what_a_player_only_speaks_of_is_named():
    assert entry_after(by_player(called("the cup")), told=False).mentions == 1
    assert entry_after(by_player(called("the cup"), role="subject")).mentions == 1


def test_what_a_player_takes_is_as_good_as_told():
    takes = by_player(called("the cup"), kind="possession", weight=0.5)
    assert entry_after(takes, told=False).mentions == 2


def test_a_players_pronoun_weighs_half_and_turns_to_nothing():
    known = entry_after(by_player(called("it")))
    assert (known.mentions, known.by_player, known.total) == (0, 0.0, 0.1)


def test_the_storys_pronoun_weighs_all():
    assert entry_after(looks(at=called("it"), weight=0.2)).total == 0.2


def test_a_pronoun_tells_of_nothing_that_only_a_player_spoke_of():
    told = structs.replace(looks(at=called("it")), source=a.Source.NARRATOR)
    assert not entry_after(told, told=False).told
    assert entry_after(looks(at=called("the cup")), told=False).told


def test_what_is_implied_is_as_good_as_called():
    world = evolve(opened(), atom(("actor", person("mara")),
                                  ("location", a.Implicit("chair", "sit"))))  # fmt: skip
    assert world.register[Key("t1.1#1")].mentions == 2
