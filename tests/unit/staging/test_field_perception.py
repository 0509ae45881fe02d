"""Sight, sound and channels on a field, each with what stands between."""

from __future__ import annotations

import pytest
from msgspec import structs

from storykeeper.canon.brief import Band, Bearing, Point, Sense
from storykeeper.canon.persona import PersonaCardV2, Senses
from storykeeper.canon.situation import Barrier, Channel, EntityState, Happening, WorldState
from storykeeper.errors import UnknownPerson
from storykeeper.staging.field.perception import Perceiver, as_perceived, settled
from storykeeper.staging.field.plane import band, bearing


def at(x: float, y: float = 0.0) -> Point:
    return Point(x=x, y=y)


ANA = PersonaCardV2(
    id="ana", name="Ana", line="x", faction="north", channels=("net",),
    senses=Senses(sight=50, hearing=1),
)  # fmt: skip
WALL = Barrier(from_=at(10, -5), to=at(10, 5), muffles=0.5)


def field(*others: EntityState, **more) -> WorldState:
    me = EntityState(id="ana", name="Ana", at=at(0))
    return WorldState(id="f", entities=(me, *others), **more)


def somebody(x: float, y: float = 0.0, **more) -> EntityState:
    return EntityState(id="bo", name="Bo", at=at(x, y), **more)


@pytest.mark.parametrize(
    ("bo", "barriers", "seen"),
    [
        (somebody(50), (), True),
        (somebody(50.1), (), False),
        (somebody(20), (WALL,), False),
        (somebody(20, 30), (WALL,), True),
        (somebody(20), (structs.replace(WALL, blocks_sight=False),), True),
        (somebody(26, concealment=0.5), (), False),
        (somebody(24, concealment=0.5), (), True),
        (EntityState(id="bo", name="Bo", at=None), (), False),
        (EntityState(id="bo", name="Bo", held_by="ana"), (), True),
    ],
)
def test_sight(bo: EntityState, barriers: tuple[Barrier, ...], seen: bool):
    assert Perceiver(field(bo, barriers=barriers), ANA).sees(bo) is seen


@pytest.mark.parametrize(
    ("noise", "barriers", "hearing", "heard"),
    [(60, (), 1, True), (59, (), 1, False), (60, (WALL,), 1, False), (120, (WALL,), 1, True),
     (30, (), 2, True)],
)  # fmt: skip
def test_sound(noise: float, barriers: tuple[Barrier, ...], hearing: float, heard: bool):
    bo = somebody(60, noise=noise, heard_as="steps")
    card = structs.replace(ANA, senses=Senses(sight=5, hearing=hearing))
    perceiver = Perceiver(field(bo, barriers=barriers), card)
    assert [each.heard_as for each in perceiver.sounds] == (["steps"] if heard else [])
    assert not Perceiver(field(bo), structs.replace(card, deaf=True)).sounds


def test_two_sounds_alike_are_one():
    others = (somebody(60, noise=90), structs.replace(somebody(61, noise=90), id="cai"))
    (sound,) = Perceiver(field(*others), ANA).sounds
    assert (sound.where, sound.heard_as) == ((Band.FAR, Bearing.E), "something")


def test_bands_and_bearings():
    world = field()
    assert [band(d, world) for d in (1, 15, 16, 41)] == [
        Band.HERE,
        Band.NEAR,
        Band.MIDDLE,
        Band.FAR,
    ]
    around = [
        bearing(at(0), at(x, y)) for x, y in ((9, 0), (9, 9), (0, 9), (-9, 9), (0, -9), (0, 1))
    ]
    assert around == [Bearing.E, Bearing.NE, Bearing.N, Bearing.NW, Bearing.S, Bearing.NONE]


NET = Channel(id="net", range=80, factions=("north",))


@pytest.mark.parametrize(
    ("x", "channel", "loud", "seen", "how"),
    [
        (70, NET, 0, True, Sense.CHANNEL),
        (90, NET, 0, True, None),
        (70, structs.replace(NET, factions=("south",)), 0, True, None),
        (70, structs.replace(NET, id="bell"), 0, True, None),
        (20, NET, 5, True, Sense.CHANNEL),
        (20, NET, 30, True, Sense.WITNESSED),
        (20, None, 5, True, Sense.SEEN),
        (60, None, 70, True, Sense.HEARD),
        (20, None, 5, False, None),
    ],
)
def test_how_something_is_perceived(x, channel, loud, seen, how):
    world = field(somebody(x), channels=() if channel is None else (channel,))
    said = Happening(id="h", turn=0, text="Bo talks.", by="bo", loud=loud, seen=seen, words="Hm.",
                     channel=None if channel is None else "net", cites=("a@1",))  # fmt: skip
    mine = Perceiver(world, ANA)
    bo = Perceiver(world, structs.replace(ANA, id="bo", faction=None))
    found = settled(said, [mine, bo]).perceived
    assert found.get("ana") == how
    assert found["bo"] == Sense.SELF


def test_what_does_not_reach_somebody_is_not_there():
    said = Happening(id="h", turn=0, text="Bo talks.", by="bo", target="cai", words="Hm.",
                     heard_as="a voice", channel="net", cites=("a@1",),
                     perceived={"s": Sense.SEEN, "h": Sense.HEARD, "c": Sense.CHANNEL})  # fmt: skip
    seen, heard, over = (as_perceived(said, who) for who in "shc")
    assert (seen.text, seen.words, seen.cites, seen.channel) == ("Bo talks.", "", (), None)
    assert (heard.text, heard.by, heard.target, heard.words) == ("", None, None, "Hm.")
    assert (over.text, over.by, over.target, over.words) == ("", "bo", None, "Hm.")


def test_who_is_not_there_perceives_nothing():
    with pytest.raises(UnknownPerson, match="ana is not on the field f; add it to `entities`"):
        Perceiver(WorldState(id="f"), ANA)
