"""Whom the mentions of a text mean."""

from dataclasses import replace
from time import process_time

import pytest

from storykeeper.entities.reference import FRESH, Found, Strategy, Tied
from storykeeper.events.atoms import Resolved, Unresolved
from storykeeper.events.vocabulary import Gender, Sort, Tier
from storykeeper.language.names import Names
from storykeeper.language.reading import Mention, MentionKind
from storykeeper.play.meant import Meant
from storykeeper.story.places import Thing
from storykeeper.units import EntityId, Key, TurnNo
from strategies.parlour import parlour, with_things
from strategies.readings import Read
from strategies.referred import PARLOUR, opened, with_thing


def meant(read, world=None):
    world = opened() if world is None else world
    names = Names.of(world.plan.story)
    return Meant(read.done, names, world, player=EntityId("ann"), turn=TurnNo(1)), world


def outcome(read, i, world=None):
    who, world = meant(read, world)
    return who.outcome(world, i)


def participant(read, i, world=None):
    who, world = meant(read, world)
    return who.participant(world, i)


def test_the_authors_names_come_first():
    read = Read("Mara nods.")
    assert outcome(read, read.name("Mara")) == Found(Key("mara"), Strategy.NAME)


def test_a_name_at_the_end_of_a_phrase_names_it_and_inside_it_does_not():
    read = Read("Old Mara nods. Mara's cup falls.")
    old, cup = read.name("Old Mara", head="Mara"), read.noun("Mara's cup", descriptors=())
    assert outcome(read, old) == Found(Key("mara"), Strategy.NAME)
    assert outcome(read, cup) == FRESH


def test_a_long_text_full_of_names_is_read_in_no_time():
    read = Read("Mara nods to Tom. " * 12_000)
    places = [(i * 18, i * 18 + 13) for i in range(12_000)]
    mentions = [m for one, other in places for m in (_named_at(one, "Mara"),
                                                     _named_at(other, "Tom"))]  # fmt: skip
    read._reading = replace(read.done, mentions=tuple(mentions))
    began = process_time()
    who, world = meant(read)
    assert process_time() - began < 10.0  # it took eighteen seconds once
    assert who.outcome(world, 23_999) == Found(Key("tom"), Strategy.NAME)


def _named_at(start, words):
    return Mention(start, start + len(words), words, words, MentionKind.NAME, Sort.PERSON)


def test_a_thing_of_the_authors_by_its_name():
    key = Thing(id="key", name="the brass key", at="parlour")
    world = opened(with_things(parlour(), key))
    read = Read("The brass key hangs there.")
    assert outcome(read, read.noun("The brass key"), world) == Found(Key("key"), Strategy.NAME)


def test_you_are_the_player_and_i_too_where_nobody_speaks():
    read = Read("You nod. I nod.")
    for word in ("You", "I"):
        found = outcome(read, read.pronoun(word))
        assert found == Found(Key("ann"), Strategy.ANAPHORIC)


def test_in_what_somebody_says_i_am_the_speaker_and_you_are_addressed():
    read = Read("“I saw you,” Mara tells Tom.")
    i, you = read.pronoun("I", quotation=0), read.pronoun("you", quotation=0)
    mara, tom = read.name("Mara"), read.name("Tom")
    read.quote("I saw you,", speaker=mara, addressee=tom)
    assert outcome(read, i) == Found(Key("mara"), Strategy.NAME)
    assert outcome(read, you) == Found(Key("tom"), Strategy.NAME)


def test_nobody_knows_who_speaks():
    read = Read("“I saw you.”")
    i = read.pronoun("I", quotation=0)
    read.quote("I saw you.")
    assert outcome(read, i) == FRESH
    assert participant(read, i) is None


def test_we_are_nobody_in_particular():
    read = Read("We nod.")
    we = read.pronoun("We", person=1, plural=True)
    assert outcome(read, we) == FRESH


def test_a_part_is_its_whole():
    world = with_thing(opened(), "t0.1#0")
    read = Read("The cup has a chip. Its rim is dull.")
    cup = read.noun("The cup")
    chip = read.noun("a chip", sort=Sort.PART, whole=cup)
    ref = participant(read, chip, world)
    assert (ref.joins, ref.descriptors) == ("t0.1#0", ("chip",))


def test_her_hand_is_she():
    read = Read("Mara lifts her hand.")
    mara, her = read.name("Mara", cluster=1), read.pronoun("her", cluster=1)
    hand = read.noun("her hand", sort=Sort.PART, possessor=her, descriptors=())
    who, world = meant(read)
    who.participant(world, mara)
    assert who.outcome(world, hand).key == "mara"


def test_a_part_of_nothing_known_is_no_thing():
    read = Read("A hand waves.")
    assert participant(read, read.noun("A hand", sort=Sort.PART)) is None


def test_what_the_reader_found_to_be_one_is_one():
    read = Read("A dog barks. The beast growls.")
    dog = read.noun("A dog", sort=Sort.ANIMAL, cluster=3)
    beast = read.noun("The beast", sort=Sort.ANIMAL, cluster=3)
    who, world = meant(read)
    assert who.outcome(world, beast) == FRESH
    who.placed(dog, Key("t1.1#0"))
    assert who.outcome(world, beast) == Found(Key("t1.1#0"), Strategy.ANAPHORIC)
    assert who.keys == {dog: "t1.1#0"}


def test_whose_it_is_is_found_first():
    world = with_thing(opened(), "t0.1#0", possessor="mara")
    world = with_thing(world, "t0.1#1", possessor="tom")
    read = Read("Tom's cup falls.")
    tom = read.name("Tom")
    cup = read.noun("Tom's cup", possessor=tom, descriptors=())
    assert outcome(read, cup, world) == Found(Key("t0.1#1"), Strategy.POSSESSIVE)


def test_owners_of_owners_come_to_an_end():
    read = Read("The cup of the cup of the cup.")
    for i in range(3):
        read.noun("cup" if i else "The cup", possessor=(i + 1) % 3, whole=None)
    assert outcome(read, 0) == FRESH


def test_a_pronoun_for_nobody_known_takes_no_part():
    read = Read("She nods.")
    assert participant(read, read.pronoun("She"), with_thing(opened(), "t0.1#0")) is None


def test_ideas_take_no_part():
    read = Read("The silence grows.")
    assert participant(read, read.noun("The silence", sort=Sort.ABSTRACT)) is None


def test_what_is_put_somewhere_is_found_without_its_place():
    world = with_thing(opened(), "t0.1#0", place="on the table")
    read = Read("the cup on the shelf")
    cup = read.noun("the cup", place="on the shelf")
    who, world = meant(read, world)
    assert who.outcome(world, cup) == FRESH
    who.moving([cup])
    assert who.outcome(world, cup) == Found(Key("t0.1#0"), Strategy.DESCRIPTIVE)


# ── as a participant ─────────────────────────────────────────────────────────────────────────


def test_unresolved_it_says_all_that_its_words_said():
    read = Read("A small Red cup stands on  the Table.")
    cup = read.noun("A small Red cup", place="on  the Table", head="cup")
    assert participant(read, cup) == Unresolved(
        "A small Red cup", PARLOUR, TurnNo(1), ("small", "red"), "on the table", None, head="cup",
        sort=Sort.THING, gender=Gender.IT,
    )  # fmt: skip


def test_joined_it_says_when_it_was_first_mentioned():
    world = with_thing(opened(), "t0.1#0", first=TurnNo(0))
    read = Read("The cup gleams.")
    ref = participant(read, read.noun("The cup"), world)
    assert (ref.joins, ref.first_turn, ref.among) == ("t0.1#0", 0, ())


def test_tied_it_says_between_which():
    world = with_thing(with_thing(opened(), "t0.1#0"), "t0.1#1")
    read = Read("The cup gleams.")
    cup = read.noun("The cup")
    assert outcome(read, cup, world) == Tied((Key("t0.1#0"), Key("t0.1#1")))
    assert participant(read, cup, world).among == ("t0.1#0", "t0.1#1")
    assert participant(read, cup, world).joins is None


def test_with_an_id_it_is_resolved_and_says_how():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.TRACKED)
    read = Read("Tom's chipped cup gleams.")
    tom = read.name("Tom")
    cup = read.noun(
        "Tom's chipped cup", possessor=tom, descriptors=("chipped",), place="on the sill"
    )
    assert participant(read, cup, world) == Resolved(
        EntityId("thing-0-1-0"), "Tom's chipped cup", ("chipped",), "possessive", "on the sill",
        Key("tom"),
    )  # fmt: skip


def test_a_pronoun_describes_nothing():
    world = with_thing(opened(), "t0.1#0", id=EntityId("thing-0-1-0"), tier=Tier.TRACKED)
    read = Read("It gleams.")
    ref = participant(read, read.pronoun("It"), world)
    assert ref == Resolved(EntityId("thing-0-1-0"), "It", (), "anaphoric")


@pytest.mark.parametrize(("words", "joins"), [("The white one", "t0.1#1"), ("A white one", None)])
def test_the_white_one_is_what_is_known_to_be_white(words, joins):
    world = with_thing(opened(), "t0.1#0", descriptors=("blue",))
    world = with_thing(world, "t0.1#1", descriptors=("white",))
    read = Read(f"{words} gleams.")
    ref = participant(read, read.noun(words, sort=Sort.UNKNOWN), world)
    assert (ref.head, ref.joins) == ("cup", joins)


def test_an_owner_without_an_id_is_named_by_its_key():
    world = with_thing(opened(), "t0.1#0", head="Tanya", named=True, sort=Sort.PERSON)
    read = Read("Tanya's phone rings.")
    tanya = read.name("Tanya")
    phone = read.noun("Tanya's phone", possessor=tanya, descriptors=())
    assert participant(read, phone, world).possessor.joins == "t0.1#0"
