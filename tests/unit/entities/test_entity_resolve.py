"""Which one is meant: each strategy with a case and a counter-case, ties, and other scenes."""

from msgspec import structs

from storykeeper.entities.reference import FRESH, Found, Reference, Strategy, Tied
from storykeeper.entities.resolve import ANAPHORA_TURNS, resolve
from storykeeper.events.turns import TurnCommitted
from storykeeper.events.vocabulary import Gender, Sort, Tier
from storykeeper.units import EntityId, Key, TurnNo
from storykeeper.world.evolve import evolve
from strategies.referred import (
    GARDEN,
    PARLOUR,
    goes_to,
    opened,
    pronoun,
    reference,
    with_thing,
)

ONE, TWO, THREE = Key("t0.1#0"), Key("t0.1#1"), Key("t0.1#2")


def meant(world, ref, scene=PARLOUR):
    return resolve(world, ref, scene=scene)


def cups(*fields, world=None):
    """A world with cups, each with what is said of it."""
    world = opened() if world is None else world
    for i, each in enumerate(fields):
        world = with_thing(world, f"t0.1#{i}", **each)
    return world


# ── what needs no search ─────────────────────────────────────────────────────────────────────


def test_the_authors_name_is_what_it_names():
    found = meant(opened(), reference("Mara", entity=EntityId("mara")))
    assert found == Found(Key("mara"), Strategy.NAME)


def test_the_author_named_one_that_got_its_key_in_play():
    world = cups({"id": EntityId("thing-0-1-0")})
    ref = reference(entity=EntityId("thing-0-1-0"))
    assert meant(world, ref) == Found(ONE, Strategy.NAME)


def test_a_part_stands_for_its_whole():
    ref = reference("the handle", part_of=ONE)
    assert meant(cups({}), ref) == Found(ONE, Strategy.POSSESSIVE)


def test_words_without_a_noun_are_of_nothing_known():
    assert meant(cups({}), reference(head="")) == FRESH


# ── by name ──────────────────────────────────────────────────────────────────────────────────


def tanya(world, **fields):
    usual = {"head": "Tanya", "named": True, "sort": Sort.PERSON, "gender": Gender.SHE}
    return with_thing(world, "t0.1#0", **usual | fields)


def named(words, **fields):
    return reference(words, **{"named": True, "head": words, "sort": Sort.PERSON} | fields)


def test_a_name_is_the_same_wherever_it_stands():
    world = tanya(opened())
    assert meant(world, named("Tanya")) == Found(ONE, Strategy.NAME)
    assert meant(world, named("Tanya"), GARDEN) == Found(ONE, Strategy.NAME)
    assert meant(world, named("Ilya")) == FRESH


def test_a_first_name_is_who_has_it_and_a_last_name_too():
    world = tanya(opened(), head="Tanya Orme")
    assert meant(world, named("Tanya")) == Found(ONE, Strategy.NAME)
    assert meant(world, named("Orme")) == Found(ONE, Strategy.NAME)
    assert meant(tanya(opened()), named("Tanya Orme")) == Found(ONE, Strategy.NAME)


def test_a_thing_is_not_found_by_half_its_name():
    world = tanya(opened(), head="Blue Star", sort=Sort.THING)
    assert meant(world, named("Star", sort=Sort.THING)) == FRESH


def test_a_noun_is_no_name():
    assert meant(cups({"head": "cup"}), named("cup")) == FRESH


def test_two_of_one_last_name_are_a_tie():
    world = tanya(opened(), head="Tanya Orme")
    world = with_thing(world, TWO, head="Ilya Orme", named=True, sort=Sort.PERSON)
    assert meant(world, named("Orme")) == Tied((ONE, TWO))


# ── possessive ───────────────────────────────────────────────────────────────────────────────


def owned(by, words="her cup"):
    return reference(words, head="cup", possessor=Key(by), descriptors=())


def test_whose_it_is_says_which_one():
    world = cups({"possessor": "tom"}, {"possessor": "mara"})
    assert meant(world, owned("mara")) == Found(TWO, Strategy.POSSESSIVE)


def test_also_in_another_scene():
    world = cups({"possessor": "mara"})
    assert meant(world, owned("mara"), GARDEN) == Found(ONE, Strategy.POSSESSIVE)


def test_who_holds_it_has_it():
    world = cups({"id": EntityId("thing-0-1-0"), "tier": Tier.TRACKED}, {})
    holders = world.holders.set(EntityId("thing-0-1-0"), EntityId("mara"))
    world = structs.replace(world, holders=holders)
    assert meant(world, owned("mara")) == Found(ONE, Strategy.POSSESSIVE)


def test_the_only_one_here_that_is_nobodys_may_be_hers():
    assert meant(cups({}), owned("mara")) == Found(ONE, Strategy.POSSESSIVE)
    assert meant(cups({}), owned("mara"), GARDEN) == FRESH
    assert meant(cups({}, {}), owned("mara")) == FRESH  # which of the two?


def test_what_is_somebody_elses_is_not_hers():
    assert meant(cups({"possessor": "tom"}), owned("mara")) == FRESH


def test_two_of_hers_are_a_tie():
    world = cups({"possessor": "mara"}, {"possessor": "mara"})
    assert meant(world, owned("mara")) == Tied((ONE, TWO))


def test_hers_may_be_told_apart_by_what_it_is_like():
    world = cups({"possessor": "mara", "descriptors": ("red",)},
                 {"possessor": "mara", "descriptors": ("blue",)})  # fmt: skip
    ref = reference("her blue cup", head="cup", possessor=Key("mara"), descriptors=("blue",))
    assert meant(world, ref) == Found(TWO, Strategy.POSSESSIVE)


# ── spatial ──────────────────────────────────────────────────────────────────────────────────


def test_where_it_is_says_which_one():
    world = cups({"place": "on the table"}, {"place": "on the shelf"})
    assert meant(world, reference(place="on the shelf")) == Found(TWO, Strategy.SPATIAL)


def test_the_cup_on_the_sill_is_neither():
    world = cups({"place": "on the table"}, {"place": "on the shelf"})
    assert meant(world, reference(place="on the sill")) == FRESH


def test_two_at_one_place_are_a_tie():
    world = cups({"place": "on the shelf"}, {"place": "on the shelf"})
    assert meant(world, reference(place="on the shelf")) == Tied((ONE, TWO))


def test_a_cup_on_the_shelf_is_a_new_one():
    world = cups({"place": "on the shelf"})
    assert meant(world, reference("a cup", place="on the shelf")) == FRESH


def test_a_shelf_in_another_scene_is_another_shelf():
    world = cups({"place": "on the shelf"})
    assert meant(world, reference(place="on the shelf"), GARDEN) == FRESH


# ── anaphoric ────────────────────────────────────────────────────────────────────────────────


def test_it_is_what_was_spoken_of_last():
    world = cups({"last": TurnNo(0)})
    world = evolve(world, TurnCommitted(TurnNo(1), 1))
    world = with_thing(world, TWO, last=TurnNo(1), head="bell")
    assert meant(world, pronoun("it")) == Found(TWO, Strategy.ANAPHORIC)


def test_she_is_no_cup():
    world = cups({})
    assert meant(world, pronoun("she")) == FRESH
    world = with_thing(world, TWO, sort=Sort.PERSON, gender=Gender.SHE, head="woman")
    assert meant(world, pronoun("she")) == Found(TWO, Strategy.ANAPHORIC)
    assert meant(world, pronoun("he")) == FRESH


def test_two_of_one_moment_go_by_weight_and_else_are_a_tie():
    assert meant(cups({}, {}), pronoun("it")) == Tied((ONE, TWO))
    heavy = cups({}, {"total": 0.4})
    assert meant(heavy, pronoun("it")) == Found(TWO, Strategy.ANAPHORIC)


def test_it_is_nothing_of_another_scene():
    assert meant(cups({}), pronoun("it"), GARDEN) == FRESH


def test_it_is_nothing_of_long_ago_as_its_scene_counts():
    world = cups({})
    for turn in range(1, ANAPHORA_TURNS + 1):
        world = evolve(world, TurnCommitted(TurnNo(turn), 1))
    assert meant(world, pronoun("it")) == Found(ONE, Strategy.ANAPHORIC)
    assert meant(evolve(world, TurnCommitted(TurnNo(9), 1)), pronoun("it")) == FRESH


def test_turns_elsewhere_do_not_count():
    world = goes_to(cups({}), GARDEN, turn=0)
    for turn in range(1, 9):
        world = evolve(world, TurnCommitted(TurnNo(turn), 1))
    world = goes_to(world, PARLOUR, turn=8)
    assert meant(world, pronoun("it")) == Found(ONE, Strategy.ANAPHORIC)


def test_she_is_never_the_player_herself():
    world = with_thing(opened(), "ann", id=EntityId("ann"), sort=Sort.PERSON, gender=Gender.SHE)
    assert meant(world, pronoun("she")) == FRESH


def test_it_is_no_place_if_it_can_be_a_thing():
    world = with_thing(evolve(cups({}), TurnCommitted(TurnNo(1), 1)), TWO, head="garden",
                       sort=Sort.PLACE, last=TurnNo(1))  # fmt: skip
    assert meant(world, pronoun("it")) == Found(ONE, Strategy.ANAPHORIC)
    only = with_thing(opened(), TWO, head="garden", sort=Sort.PLACE)
    assert meant(only, pronoun("it")) == Found(TWO, Strategy.ANAPHORIC)


def test_the_thing_is_a_long_it():
    assert meant(cups({}), reference("the thing")) == Found(ONE, Strategy.ANAPHORIC)
    assert meant(cups({}), reference("the strange thing")) == FRESH


# ── descriptive ──────────────────────────────────────────────────────────────────────────────


def test_the_cup_is_the_one_that_is_here():
    assert meant(cups({}), reference()) == Found(ONE, Strategy.DESCRIPTIVE)
    assert meant(cups({}), reference("a cup")) == FRESH
    assert meant(cups({}), reference("the bell")) == FRESH
    assert meant(cups({}), reference(), GARDEN) == FRESH


def test_what_it_is_like_says_which_one():
    world = cups({"descriptors": ("chipped",)}, {"descriptors": ("blue",)})
    assert meant(world, reference("the chipped cup")) == Found(ONE, Strategy.DESCRIPTIVE)
    assert meant(world, reference("the blue cup")) == Found(TWO, Strategy.DESCRIPTIVE)


def test_one_that_is_like_neither_is_a_third():
    world = cups({"descriptors": ("chipped",)}, {"descriptors": ("blue",)})
    assert meant(world, reference("the cracked cup")) == FRESH


def test_one_of_two_that_are_like_it_is_a_tie():
    world = cups({"descriptors": ("chipped",)}, {"descriptors": ("chipped",)})
    assert meant(world, reference("the chipped cup")) == Tied((ONE, TWO))


def test_the_only_one_may_turn_out_to_be_chipped():
    assert meant(cups({}), reference("the chipped cup")) == Found(ONE, Strategy.DESCRIPTIVE)
    red = cups({"descriptors": ("red",)})
    assert meant(red, reference("the blue cup")) == FRESH


def test_two_of_one_turn_are_a_tie_and_the_last_spoken_of_is_not():
    assert meant(cups({}, {}), reference()) == Tied((ONE, TWO))
    world = with_thing(evolve(cups({}), TurnCommitted(TurnNo(1), 1)), TWO, last=TurnNo(1))
    assert meant(world, reference()) == Found(TWO, Strategy.DESCRIPTIVE)


def test_the_other_one_is_not_the_one_just_spoken_of():
    world = cups({"descriptors": ("red",)}, {"descriptors": ("blue",)})
    assert meant(world, reference("the other cup")) == Found(ONE, Strategy.DESCRIPTIVE)
    assert meant(cups({}), reference("the other cup")) == FRESH
    assert meant(cups({}, {}, {}), reference("the other cup")) == Tied((ONE, TWO))


def test_the_other_one_stays_the_other_one():
    world = cups({}, {"descriptors": ("other",)})
    assert meant(world, reference("the other cup")) == Found(TWO, Strategy.DESCRIPTIVE)


def test_the_chip_is_the_cup_that_has_one():
    world = cups({"descriptors": ("chip",)}, {})
    chip = reference("the chip", sort=Sort.PART)
    assert meant(world, chip) == Found(ONE, Strategy.DESCRIPTIVE)
    assert meant(world, chip, GARDEN) == FRESH
    assert meant(world, reference("a chip", sort=Sort.PART)) == FRESH
    assert meant(world, reference("the chip")) == FRESH  # one that is a thing of its own
    both = cups({"descriptors": ("chip",)}, {"descriptors": ("chip",)})
    assert meant(both, chip) == FRESH


# ── other scenes ─────────────────────────────────────────────────────────────────────────────


def test_across_scenes_only_a_description_that_nothing_else_has():
    world = cups({"descriptors": ("chipped",)})
    chipped = reference("the chipped cup")
    assert meant(world, chipped, GARDEN) == Found(ONE, Strategy.DESCRIPTIVE)
    assert meant(world, reference("the cracked cup"), GARDEN) == FRESH
    two = cups({"descriptors": ("chipped",)}, {"descriptors": ("chipped",)})
    assert meant(two, chipped, GARDEN) == FRESH


def test_a_thing_is_here_again_where_something_happened_to_it():
    world = cups({"scene": GARDEN, "scenes": (GARDEN, PARLOUR)})
    assert meant(world, reference()) == Found(ONE, Strategy.DESCRIPTIVE)


def test_what_somebody_here_holds_is_here():
    world = cups({"id": EntityId("thing-0-1-0"), "scene": GARDEN, "scenes": (GARDEN,)})
    assert meant(world, reference()) == FRESH
    holders = world.holders.set(EntityId("thing-0-1-0"), EntityId("ann"))
    assert meant(structs.replace(world, holders=holders), reference()) == Found(
        ONE, Strategy.DESCRIPTIVE
    )
    away = world.holders.set(EntityId("thing-0-1-0"), EntityId("eve"))
    assert meant(structs.replace(world, holders=away), reference()) == FRESH


def test_what_was_put_down_here_is_here():
    world = cups({"id": EntityId("thing-0-1-0"), "scene": GARDEN, "scenes": (GARDEN,)})
    places = world.places.set(EntityId("thing-0-1-0"), EntityId("parlour"))
    here = structs.replace(world, places=places)
    assert meant(here, reference()) == Found(ONE, Strategy.DESCRIPTIVE)


def test_what_was_let_go_of_is_met_anew():
    world = cups({})
    world = structs.replace(world, register=world.register.delete(ONE))
    assert meant(world, reference()) == FRESH
    assert meant(world, pronoun("it")) == FRESH


# ── names ────────────────────────────────────────────────────────────────────────────────────

NAMED = {"named": True, "sort": Sort.PERSON}


def test_a_name_typed_small_is_that_name():
    world = with_thing(opened(), "t0.1#0", words="Balgus", head="Balgus", **NAMED)
    typed = reference("balgus", sort=Sort.UNKNOWN)
    assert resolve(world, typed, scene=PARLOUR) == Found(Key("t0.1#0"), Strategy.NAME)
    assert resolve(world, reference("balgus"), scene=PARLOUR) == FRESH  # a word of the language
    assert resolve(world, reference("the balgus", sort=Sort.UNKNOWN), scene=PARLOUR) == FRESH


def test_a_name_that_only_a_player_has_said_is_taken_up():
    fields = {"words": "balgus", "head": "balgus", "sort": Sort.UNKNOWN}
    world = with_thing(opened(), "t0.1#0", told=False, **fields)
    assert resolve(world, named("Balgus"), scene=PARLOUR) == Found(Key("t0.1#0"), Strategy.NAME)
    told = with_thing(opened(), "t0.1#0", **fields)
    assert resolve(told, named("Balgus"), scene=PARLOUR) == FRESH


def test_mr_and_mrs_are_two():
    mrs = {"words": "Mrs. Pett", "head": "Pett", "descriptors": ("mrs.",), **NAMED}
    world = with_thing(opened(), "t0.1#0", **mrs)
    mister = named("Mr. Pett", head="Pett", descriptors=("mr.",))
    assert resolve(world, mister, scene=PARLOUR) == FRESH
    assert resolve(world, named("Pett"), scene=PARLOUR) == Found(Key("t0.1#0"), Strategy.NAME)


# ── the woman ────────────────────────────────────────────────────────────────────────────────

SHE = {"sort": Sort.PERSON, "gender": Gender.SHE}


def test_the_woman_is_the_only_one_spoken_of():
    world = with_thing(opened(), "t0.1#0", words="Rose", head="Rose", named=True, **SHE)
    found = Found(Key("t0.1#0"), Strategy.DESCRIPTIVE)
    assert resolve(world, reference("the woman", **SHE), scene=PARLOUR) == found
    for other in ("the baker", "the old woman", "a woman"):
        assert resolve(world, reference(other, **SHE), scene=PARLOUR) == FRESH
    man = reference("the man", sort=Sort.PERSON, gender=Gender.HE)
    assert resolve(world, man, scene=PARLOUR) == FRESH


def test_of_two_women_the_woman_is_neither():
    world = with_thing(opened(), "t0.1#0", words="Rose", head="Rose", named=True, **SHE)
    world = with_thing(world, "t0.1#1", words="Ada", head="Ada", named=True, **SHE)
    assert resolve(world, reference("the woman", **SHE), scene=PARLOUR) == FRESH


def test_you_is_somebody():
    world = with_thing(opened(), "t0.1#0")
    you = Reference("you", head="you", sort=Sort.PERSON, pronoun=True)
    assert resolve(world, you, scene=PARLOUR) == FRESH
    world = with_thing(opened(), "t0.1#0", words="Rose", head="Rose", named=True, **SHE)
    assert resolve(world, you, scene=PARLOUR) == Found(Key("t0.1#0"), Strategy.ANAPHORIC)
