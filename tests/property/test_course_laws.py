"""What happens on a field: nobody is told what they cannot see of a deed, or of where one is."""

from __future__ import annotations

from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import structs

from storykeeper.canon.action import CharacterAction
from storykeeper.canon.brief import Point
from storykeeper.canon.files import as_json
from storykeeper.canon.situation import Barrier, Verb, WorldState
from storykeeper.context.field.assembly import brief_of
from storykeeper.context.field.fog import Fog
from storykeeper.language.tokens import counter
from storykeeper.play.field_course import after, done
from storykeeper.staging.field.perception import Perceiver
from storykeeper.story.tuning import Encoding
from strategies.fields import NAMES, STABLE, card_of, flipped, world_of
from strategies.sizes import times

COUNT = counter(Encoding.O200K)
TEND = Verb(id="tend", text="Tend somebody.", done="{who} tends {target}.", target=True)
TELL = Verb(
    id="tell", text="Tell where it is.", done="{who} waves.", target=True, speaks=True, shares=True
)
GO = Verb(id="go", text="Go.", done="{who} goes.", moves=True)


def act(who: str, verb: Verb, **more: object) -> CharacterAction:
    return CharacterAction(who=who, turn=0, verb=verb.id, justification="So.", **more)  # type: ignore[arg-type]


def told(world: WorldState, card) -> bytes:
    return as_json(brief_of(Fog(world, card, STABLE), count=COUNT).brief)


def deed_on_somebody_unseen(seed: int, who: str):
    """Two fields that are the same to `who`, and a deed that they see, done to whom they do not."""
    rng = Random(seed)
    world, card = structs.replace(world_of(rng), verbs=(TEND,)), card_of(who, rng)
    other = flipped(world, card, rng)
    seen = {each.id for each in Perceiver(world, card).seen}
    both = {each.id for each in other.entities}
    hidden = [each for each in NAMES if each not in seen and each != who and each in both]
    assume(seen and hidden)
    action = act(rng.choice(sorted(seen)), TEND, target=rng.choice(hidden))
    cast = {name: card_of(name, Random(name)) for name in seen} | {who: card}
    return world, other, card, action, cast


@settings(max_examples=times(60, 1_000))
@given(st.integers(0, 10_000), st.sampled_from(NAMES))
def test_to_whom_a_deed_is_done_is_told_to_who_sees_that(seed: int, who: str):
    world, other, card, action, cast = deed_on_somebody_unseen(seed, who)
    first, second = after(world, [action], cast), after(other, [action], cast)
    assert told(first, card) == told(second, card)
    assert b"tends some" in told(first, card)


def ford(*barriers: Barrier) -> tuple[WorldState, dict]:
    """Ana and Bo in each other's sight, with a wall beside Bo."""
    rng = Random(1)
    world, ana, bo = world_of(rng), card_of("ana", rng), card_of("bo", rng)
    ana = structs.replace(ana, faction="north", senses=structs.replace(ana.senses, sight=80.0))
    spots = {"ana": Point(x=0.0, y=0.0), "bo": Point(x=10.0, y=0.0)}
    entities = tuple(
        structs.replace(each, at=spots[each.id], concealment=0.0, held_by=None, faction="north")
        for each in world.entities
        if each.id in spots
    )
    world = structs.replace(
        world, entities=entities, barriers=barriers, reports=(), last_known=(), happenings=(),
        verbs=(TEND, TELL, GO),
    )  # fmt: skip
    return after(world, [], {"ana": ana, "bo": bo}), {"ana": ana, "bo": bo}


WALL = Barrier(from_=Point(x=5.0, y=2.0), to=Point(x=5.0, y=40.0))


def test_a_side_is_told_where_somebody_was_seen_and_not_where_they_went():
    world, cast = ford(WALL)
    world = done(world, act("bo", GO, to=Point(x=10.0, y=30.0)), cast)
    world = done(world, act("ana", TELL, target="bo", words="There!"), cast)
    (report,) = world.reports
    assert report.at == Point(x=10.0, y=0.0)  # before Bo went behind the wall


def test_a_side_is_told_where_somebody_is_while_they_are_seen():
    world, cast = ford()
    world = done(world, act("bo", GO, to=Point(x=10.0, y=30.0)), cast)
    world = done(world, act("ana", TELL, target="bo", words="There!"), cast)
    (report,) = world.reports
    assert (report.at, report.turn) == (Point(x=10.0, y=30.0), world.turn)


def test_nothing_is_told_of_whom_nobody_ever_saw():
    world, cast = ford(Barrier(from_=Point(x=5.0, y=-40.0), to=Point(x=5.0, y=40.0)))
    world = done(world, act("ana", TELL, target="bo", words="There!"), cast)
    assert world.reports == ()
