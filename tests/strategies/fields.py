"""Fields at random, and the same field with everything changed that one actor cannot perceive."""

from __future__ import annotations

from random import Random

from msgspec import structs

from storykeeper.canon.brief import EntityKind, Point, Sense
from storykeeper.canon.persona import PersonaCardV2, Senses
from storykeeper.canon.registry import CanonRegistry, CanonSource, SourceStatus
from storykeeper.canon.situation import (
    Barrier,
    Channel,
    EntityState,
    Happening,
    LastKnown,
    Learned,
    Report,
    Verb,
    WorldRule,
    WorldState,
)
from storykeeper.staging.field.perception import Perceiver
from storykeeper.staging.field.plane import band, bearing, distance
from storykeeper.story.people import Belief, Goal, Relation, Scope

NAMES = ("ana", "bo", "cai", "dov", "eda", "fil", "gus", "hal")
SIDES = ("north", "south")
LOOKS = ("carrying a lamp", "in a grey coat", "", "driving a cart", "kneeling")
SOUNDS = ("an engine", "steps", "", "hammering")
STABLE = CanonRegistry(
    sources=tuple(
        CanonSource(
            id=name, title=name, version="1", licence="CC0", path=f"{name}.md",
            status=SourceStatus.STABLE, sha256="00" * 32,
        )
        for name in ("manual", "survey")
    )
)  # fmt: skip
CITES = (("manual@1",), ("survey@1",), ("manual@0",), ())


def card_of(who: str, rng: Random) -> PersonaCardV2:
    """Somebody who acts."""
    return PersonaCardV2(
        id=who, name=who.title(), line=f"{who.title()} of the road.", faction=rng.choice(SIDES),
        senses=Senses(sight=rng.choice([20.0, 40.0, 80.0]), hearing=rng.choice([0.5, 1.0, 2.0])),
        channels=rng.choice([(), ("net",), ("net", "bell")]), scope=Scope(canon=("manual",)),
        beliefs=(Belief(text=f"{who.title()} keeps to the road.", weight=0.8),),
        goals=(Goal(text="Hold the ford."),), capabilities=("shoots",),
        relations=(Relation(to=rng.choice([n for n in NAMES if n != who]), affection=0.6),),
        deaf=rng.random() < 0.1,
    )  # fmt: skip


def world_of(rng: Random) -> WorldState:
    """A field of eight, with walls, channels, a past and what each side was told."""
    turn = rng.randrange(4, 30)
    entities = tuple(_entity(name, rng) for name in NAMES)
    spots = {each.id: each.at for each in entities}

    def known(who: str, entity: str) -> LastKnown:
        at = spots[entity] if rng.random() < 0.5 else _point(rng)  # where it is still, or was
        assert at is not None
        return LastKnown(
            who=who, entity=entity, turn=rng.randrange(turn), at=at, name="A face",
            looks=rng.choice(LOOKS), threat=rng.random(),
        )  # fmt: skip

    return WorldState(
        id="field", turn=turn, factions={side: side.title() for side in SIDES},
        hostile=(SIDES,), ages_after=8,
        entities=entities,
        barriers=tuple(
            Barrier(from_=_point(rng), to=_point(rng), blocks_sight=rng.random() < 0.7,
                    muffles=rng.choice([0.0, 0.5, 1.0]))
            for _ in range(rng.randrange(4))
        ),
        channels=(Channel(id="net", range=60.0, factions=("north",)), Channel(id="bell")),
        happenings=tuple(_happening(n, turn, rng) for n in range(rng.randrange(40))),
        reports=tuple(
            Report(id=f"r{n}", faction=rng.choice(SIDES), turn=rng.randrange(turn),
                   text=f"Carts seen, {n}.", about=rng.choice((*NAMES, None)), at=_point(rng),
                   threat=rng.random(), cites=rng.choice(CITES))
            for n in range(5)
        ),
        learned=tuple(
            Learned(id=f"l{n}", who=rng.choice(NAMES), text=f"The ford is deep, {n}.",
                    how="told by bo", sure=rng.random(), cites=rng.choice(CITES))
            for n in range(8)
        ),
        last_known=tuple(known(rng.choice(NAMES), rng.choice(NAMES)) for _ in range(24)),
        verbs=(Verb(id="wait", text="Wait."),
               Verb(id="fire", text="Fire.", target=True, reach=50.0, needs=("shoots",))),
        rules=(WorldRule(id="truce", text="No fire at the well.", factions=("north",)),),
    )  # fmt: skip


def _point(rng: Random) -> Point:
    return Point(x=float(rng.randrange(-60, 60)), y=float(rng.randrange(-60, 60)))


def _entity(name: str, rng: Random) -> EntityState:
    return EntityState(
        id=name, name=name.title(), faction=rng.choice((*SIDES, None)), at=_point(rng),
        kind=rng.choice(tuple(EntityKind)), looks=rng.choice(LOOKS),
        details=rng.choice(((), ("a torn sleeve", "a ring"))), heard_as=rng.choice(SOUNDS),
        concealment=rng.choice([0.0, 0.0, 0.5, 1.0]), noise=rng.choice([0.0, 20.0, 60.0]),
        threat=rng.choice([0.0, 0.7]), status=rng.choice(((), ("wounded",))),
        resources={"rounds": float(rng.randrange(3))},
    )  # fmt: skip


def _happening(number: int, turn: int, rng: Random) -> Happening:
    some = rng.sample(NAMES, rng.randrange(4))
    return Happening(
        id=f"h{number}", turn=rng.randrange(turn), text=f"Something, {number}. And then more.",
        by=rng.choice(NAMES), heard_as=rng.choice(SOUNDS), words=rng.choice(("", "Now!")),
        channel=rng.choice((None, "net")),
        perceived={who: rng.choice(tuple(Sense)[:4]) for who in some}, cites=rng.choice(CITES),
    )  # fmt: skip


# ── the hidden part, changed ─────────────────────────────────────────────────────────────────


def flipped(world: WorldState, card: PersonaCardV2, rng: Random) -> WorldState:
    """The same to this actor, and otherwise in all that they cannot perceive."""
    who = card.id
    perceiver = Perceiver(world, card)
    seen = {each.id for each in perceiver.seen} | {who}
    entities = tuple(
        each if each.id in seen else _unseen(world, card, perceiver, each, rng)
        for each in world.entities
    )
    entities = tuple(each for each in entities if each is not None)
    return structs.replace(
        world,
        entities=entities,
        happenings=tuple(
            _otherwise(each, who, rng) if who in each.perceived
            else structs.replace(each, text="Hidden.", words="Secret!", by="bo", perceived={})
            for each in world.happenings if who in each.perceived or rng.random() < 0.5
        ),
        reports=tuple(
            each if each.faction == card.faction
            else structs.replace(each, text="Elsewhere.", turn=0, about="eda", cites=())
            for each in world.reports if each.faction == card.faction or rng.random() < 0.5
        ),
        learned=tuple(
            each if each.who == who else structs.replace(each, text="Hidden.", cites=())
            for each in world.learned if each.who == who or rng.random() < 0.5
        ),
        last_known=tuple(
            each if each.who == who else structs.replace(each, at=_point(rng), looks="Gone.")
            for each in world.last_known if each.who == who or rng.random() < 0.5
        ),
        rules=tuple(
            each if not each.factions or card.faction in each.factions
            else structs.replace(each, text="Hidden.")
            for each in world.rules
        ),
    )  # fmt: skip


def _otherwise(each: Happening, who: str, rng: Random) -> Happening:
    """The same in all that reached somebody of it."""
    others = {w: rng.choice(tuple(Sense)[:4]) for w in rng.sample(NAMES, 3)}
    other = structs.replace(each, perceived=others | {who: each.perceived[who]})
    hidden = rng.choice(CITES)
    match each.perceived[who]:
        case Sense.SEEN:
            return structs.replace(other, words="Secret words", cites=hidden, channel="bell")
        case Sense.HEARD:
            by = rng.choice([name for name in NAMES if name != who])
            return structs.replace(other, text="Hidden.", by=by, target=who, at=_point(rng))
        case _:
            return other


def _unseen(
    world: WorldState, card: PersonaCardV2, perceiver: Perceiver, each: EntityState, rng: Random
) -> EntityState | None:
    """Another, in its place or elsewhere, of which as little is perceived; perhaps nobody."""
    assert each.at is not None
    assert perceiver.place is not None
    heard = perceiver.hears(each.at, each.noise)
    if not heard and rng.random() < 0.3:
        return None
    other = structs.replace(
        each, name="Somebody Else", faction=rng.choice((*SIDES, None)), looks="quite otherwise",
        details=("a secret",), threat=rng.random(), status=("hidden",), resources={"gold": 9.0},
        kind=EntityKind.THING, heard_as=each.heard_as if heard else "a secret sound",
    )  # fmt: skip
    for _ in range(20):
        moved = structs.replace(other, at=_point(rng))
        assert moved.at is not None
        hears = perceiver.hears(moved.at, moved.noise)
        if perceiver.sees(moved) or hears != heard:
            continue
        if not heard or _alike(world, perceiver.place, each.at, moved.at):
            return moved
    return other


def _alike(world: WorldState, mine: Point, one: Point, other: Point) -> bool:
    first = (band(distance(mine, one), world), bearing(mine, one))
    return first == (band(distance(mine, other), world), bearing(mine, other))
