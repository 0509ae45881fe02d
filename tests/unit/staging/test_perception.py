"""Who perceives a piece: who does it, whom it is for, and those present for whom nothing speaks
against it; and why the others do not.
"""

import pytest
from msgspec import structs

from storykeeper.events.atoms import PieceKind
from storykeeper.staging.perception import (
    ASLEEP,
    DEAF,
    GONE,
    INWARD,
    OUTSIDE,
    PRIVATE,
    UNSURE,
    Scene,
    perceive,
)
from storykeeper.story.adopt import adoption
from storykeeper.story.layers import EntityMap, Layer, LayerKind
from storykeeper.story.people import Character
from storykeeper.world.fold import fold
from storykeeper.world.state import Inside, LayerState
from strategies.wherry import wherry, world

SPEECH, ACTION, SEEN = PieceKind.SPEECH, PieceKind.ACTION, PieceKind.DESCRIPTION
IN_ROOM = ("ilse", "dov", "renna")


def perceived(kind=SPEECH, by=("dov",), *, at=None, **more):
    """By whom, and why not by others."""
    found = perceive(at or world(), Scene(kind, "ilse", by, **more))
    return found.by, dict(found.kept_from)


def with_(**changes):
    return structs.replace(world(), **changes)


def put(who, place):
    return with_(places=world().places.set(who, place))


# ── who is there ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", [SPEECH, ACTION, SEEN])
def test_those_present_perceive_it_and_nobody_elsewhere(kind):
    assert perceived(kind) == (IN_ROOM, {})
    assert perceived(kind, by=()) == (IN_ROOM, {})


def test_it_happens_where_who_does_it_is():
    assert perceived(by=("hagen",)) == (("hagen",), {})
    assert perceived(by=("hagen", "dov")) == ((*IN_ROOM, "hagen"), {})


def test_who_is_nowhere_known_perceives_what_they_do_themselves():
    assert perceived(by=("petra",)) == ((*IN_ROOM, "petra"), {})


def test_nobody_is_anywhere_if_nobody_knows_where_the_player_is():
    nowhere = with_(places=world().places.delete("ilse"))
    assert perceived(by=(), at=nowhere) == ((), {})
    assert perceived(by=("dov",), at=nowhere) == (("dov", "renna"), {})


def test_the_player_follows_where_the_prose_leads():
    assert perceived(by=("hagen",), follows="ilse")[0] == ("ilse", "hagen")


# ── who is not, and why ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("state", "why"), [("asleep", ASLEEP), ("unsure", UNSURE), ("away", GONE), ("deaf", DEAF)]
)
def test_who_cannot_does_not_and_it_is_said_why(state, why):
    assert perceived(at=with_(**{state: ("renna",)})) == (("ilse", "dov"), {"renna": why})


@pytest.mark.parametrize("state", ["asleep", "unsure", "away", "deaf"])
def test_so_it_is_for_a_player(state):
    by, kept = perceived(at=with_(**{state: ("ilse",)}), follows="ilse")
    assert by == ("dov", "renna")
    assert kept.keys() == {"ilse"}


def test_the_deaf_see():
    assert perceived(ACTION, at=with_(deaf=("renna",)))[0] == IN_ROOM


def test_whom_the_author_made_deaf_is():
    deaf = Character(id="renna", name="Renna", line="Sews.", at="parlour", deaf=True)
    cast = tuple(deaf if c.id == "renna" else c for c in wherry().cast)
    at = fold([adoption(structs.replace(wherry(), cast=cast))])
    assert perceived(at=at) == (("ilse", "dov"), {"renna": DEAF})


def test_who_speaks_perceives_it_unless_in_their_sleep():
    for state in ("unsure", "away", "deaf"):
        assert "dov" in perceived(at=with_(**{state: ("dov",)}))[0]
    assert perceived(at=with_(asleep=("dov",)))[1] == {"dov": ASLEEP}
    assert "dov" in perceived(ACTION, at=with_(asleep=("dov",)))[0]


def test_whom_it_is_said_to_is_there_after_all():
    unsure = with_(unsure=("renna",))
    assert perceived(at=unsure, to=("renna",)) == (IN_ROOM, {})


@pytest.mark.parametrize("state", ["asleep", "away", "deaf"])
def test_but_it_wakes_nobody(state):
    assert "renna" not in perceived(at=with_(**{state: ("renna",)}), to=("renna",))[0]


def test_who_is_elsewhere_is_not_here_because_they_are_spoken_to():
    assert perceived(to=("hagen",)) == (IN_ROOM, {})


# ── from afar ────────────────────────────────────────────────────────────────────────────────


def test_from_the_yard_one_hears_the_parlour_and_does_not_see_it():
    yard = put("hagen", "yard")
    assert perceived(SPEECH, at=yard)[0] == (*IN_ROOM, "hagen")
    assert perceived(ACTION, at=yard)[0] == IN_ROOM


def test_in_the_parlour_one_does_not_hear_the_yard():
    assert perceived(by=("hagen",), at=put("hagen", "yard")) == (("hagen",), {})


def test_a_line_carries_the_words_of_who_is_on_it():
    line = with_(lines=(("dov", "hagen"),))
    assert perceived(by=("dov",), at=line)[0] == (*IN_ROOM, "hagen")
    assert perceived(by=("renna",), at=line)[0] == IN_ROOM
    assert perceived(ACTION, by=("dov",), at=line)[0] == IN_ROOM


def test_on_speaker_all_are_heard():
    line = with_(lines=(("dov", "hagen"),), aloud=("dov",))
    assert perceived(by=("renna",), at=line)[0] == (*IN_ROOM, "hagen")
    muted = structs.replace(line, muted=("dov",))
    assert perceived(by=("renna",), at=muted)[0] == IN_ROOM


def test_who_sleeps_at_the_other_end_hears_nothing():
    line = with_(lines=(("dov", "hagen"),), asleep=("hagen",))
    assert perceived(by=("dov",), at=line) == (IN_ROOM, {"hagen": ASLEEP})


# ── for some alone ───────────────────────────────────────────────────────────────────────────


def test_what_is_private_is_for_those_it_is_for():
    assert perceived(only=("dov", "ilse")) == (("ilse", "dov"), {"renna": PRIVATE})
    assert perceived(only=("dov",)) == (("dov",), {"ilse": PRIVATE, "renna": PRIVATE})
    assert perceived(by=(), only=()) == ((), dict.fromkeys(IN_ROOM, PRIVATE))


def test_it_is_private_also_from_the_player_whom_the_prose_follows():
    assert perceived(only=("dov", "renna"), follows="ilse")[0] == ("dov", "renna")


@pytest.mark.parametrize("state", ["asleep", "unsure", "away", "deaf"])
def test_what_is_meant_for_somebody_does_not_reach_who_cannot(state):
    by, _ = perceived(only=("dov", "renna"), at=with_(**{state: ("renna",)}))
    assert by == ("dov",)


def test_nobody_elsewhere_makes_out_what_is_meant_for_them():
    assert perceived(only=("dov", "hagen"))[0] == ("dov",)


# ── in a mind, and on paper ──────────────────────────────────────────────────────────────────


def test_a_thought_is_for_whose_it_is():
    assert perceived(PieceKind.THOUGHT, by=("dov",)) == (
        ("dov",), {"ilse": INWARD, "renna": INWARD},
    )  # fmt: skip
    assert perceived(PieceKind.THOUGHT, by=())[0] == ("ilse",)


def test_an_aside_of_the_narrator_is_for_the_player():
    assert perceived(PieceKind.ASIDE, by=("dov",))[0] == ("ilse",)


def test_what_is_written_is_for_who_reads_it():
    writing = PieceKind.WRITING
    assert perceived(writing, readers=("renna",)) == (
        ("renna",), {"ilse": PRIVATE, "dov": PRIVATE},
    )  # fmt: skip
    assert perceived(writing, by=("dov",))[0] == ("dov",)
    assert perceived(writing, by=())[0] == ("ilse",)


def test_nobody_reads_asleep():
    asleep = with_(asleep=("renna",))
    assert perceived(PieceKind.WRITING, readers=("renna", "dov"), at=asleep)[0] == ("dov",)


# ── a tale within the tale ───────────────────────────────────────────────────────────────────


def in_a_tale(**state):
    tale = Layer(
        id="tale", name="The tale", kind=LayerKind.MEMORY, scenes=("evening",),
        entity_map=EntityMap(shared=("ilse",)),
    )  # fmt: skip
    at = fold([adoption(structs.replace(wherry(), layers=(tale,)))])
    layers = at.layers.set("tale", LayerState(**state))
    return structs.replace(at, inside=(Inside("tale", "evening"),), layers=layers)


def test_inside_a_tale_nobody_perceives_the_room_outside():
    assert perceived(by=("ilse",), at=in_a_tale()) == (
        ("ilse",), {"dov": OUTSIDE, "renna": OUTSIDE},
    )  # fmt: skip
    assert perceived(by=("ilse",), at=in_a_tale(merged=True))[0] == IN_ROOM


# ── the next room ────────────────────────────────────────────────────────────────────────────


def test_who_is_said_to_hear_it_does_so_from_the_next_room():
    hall = put("hagen", "hall")
    both = {"only": ("dov", "ilse", "hagen"), "afar": ("hagen",)}
    assert perceived(at=hall, **both)[0] == ("ilse", "dov", "hagen")
    assert perceived(at=hall, **both | {"afar": ()})[0] == ("ilse", "dov")


@pytest.mark.parametrize("place", ["cellar", "attic", "reef"])
def test_no_further(place):
    far = put("hagen", place)
    assert perceived(at=far, only=("dov", "hagen"), afar=("hagen",))[0] == ("dov",)


@pytest.mark.parametrize("state", ["asleep", "unsure", "away"])
def test_nor_who_sleeps_may_be_gone_or_stepped_out(state):
    there = structs.replace(put("hagen", "hall"), **{state: ("hagen",)})
    assert perceived(at=there, only=("dov", "hagen"), afar=("hagen",))[0] == ("dov",)


def test_where_one_hears_each_other_words_carry_and_nothing_is_seen():
    hall = put("hagen", "hall")
    joined = frozenset({"hall", "parlour"})
    assert perceived(at=hall, joined=joined)[0] == (*IN_ROOM, "hagen")
    assert perceived(by=("hagen",), at=hall, joined=joined)[0] == (*IN_ROOM, "hagen")
    assert perceived(ACTION, at=hall, joined=joined)[0] == IN_ROOM
    assert perceived(by=("hagen",), joined=joined)[0] == ("hagen",)


def test_from_afar_one_sees_who_does_what_and_no_more():
    settings = tuple(
        structs.replace(each, sees=("parlour",)) if each.id == "cellar" else each
        for each in wherry().settings
    )
    seen = fold([adoption(structs.replace(wherry(), settings=settings))])
    assert perceived(ACTION, at=seen)[0] == (*IN_ROOM, "hagen")
    assert perceived(ACTION, by=(), at=seen)[0] == IN_ROOM
    assert perceived(ACTION, seen=False, at=seen)[0] == IN_ROOM  # the words do not say who
    assert perceived(SEEN, at=seen)[0] == IN_ROOM
