"""People as a page shows them: who knows what, who is where, how they stand toward each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin
from typing import Any

from msgspec import structs

from storykeeper.context.facts import superseding
from storykeeper.context.words import name_of
from storykeeper.drawing.lines import curve
from storykeeper.drawing.svg import path
from storykeeper.play.knowing import Knowledge, Level, knowledge, matrix
from storykeeper.play.moments import Moments, Stood, Whereabouts, state
from storykeeper.play.presence import heard
from storykeeper.units import EntityId, TurnNo
from storykeeper.world.register import entry
from storykeeper.world.state import World, whose_turn

BEFORE = 12  # turns in which evidence is looked for
WIDTH, HEIGHT, RADIUS = 900.0, 640.0, 230.0
MEASURES = ("reliability", "competence", "benevolence", "affection", "debt")
MOST_PEOPLE = 40


def people(world: World) -> list[dict[str, Any]]:
    """The cast, in its order."""
    return [
        {"id": who, "name": name_of(world.plan, who), "line": each.line, "pronouns": each.pronouns,
         "player": who in world.plan.story.players}
        for who, each in world.plan.cast.items()
    ]  # fmt: skip


# ── who knows what ───────────────────────────────────────────────────────────────────────────


def known(world: World) -> dict[str, Any]:
    """Everybody and every fact: how each holds it, since when, from whom, and whether it is so."""
    minds = matrix(world)
    facts = [
        {"id": fact.id, "full": fact.full, "hint": fact.hint, "secret": fact.secret,
         "about": [name_of(world.plan, each) for each in fact.about], "of": fact.about}
        for fact in world.plan.facts.values()
    ]  # fmt: skip
    return {
        "turn": world.now, "people": people(world), "facts": facts,
        "held": {who: _held(world, mind) for who, mind in minds.items()},
        "former": {who: _former(world, mind) for who, mind in minds.items()},
        "places": {who: _places(world, mind) for who, mind in minds.items()},
    }  # fmt: skip


def _held(world: World, mind: Knowledge) -> dict[str, Any]:
    return {
        fact: {
            "level": each.level, "how": each.how, "since": each.since, "so": each.so,
            "said": each.said, "tellers": [name_of(world.plan, t) for t in each.tellers],
            "liar": None if each.liar is None else name_of(world.plan, each.liar),
            "guessed": each.guessed,
        }
        for fact, each in mind.items()
    }  # fmt: skip


def _former(world: World, mind: Knowledge) -> dict[str, Any]:
    """What they once believed, and what they know that overtook it."""
    better = superseding(world.plan)
    return {
        each.fact: {
            "level": each.level, "how": each.how, "since": each.since, "so": each.so,
            "said": each.said, "tellers": [name_of(world.plan, t) for t in each.tellers],
            "liar": None if each.liar is None else name_of(world.plan, each.liar),
            "overtaken": [
                {"fact": fact, "since": mind[fact].since, "said": mind[fact].said}
                for fact in (each.fact, *better.get(each.fact, ()))
                if fact in mind and mind[fact].level is Level.KNOWS
            ],
        }
        for each in mind.former
    }  # fmt: skip


def _places(world: World, mind: Knowledge) -> list[dict[str, Any]]:
    return [
        {"what": name_of(world.plan, each.what),
         "place": None if each.place is None else name_of(world.plan, each.place),
         "since": each.since, "so": each.so,
         "teller": None if each.teller is None else name_of(world.plan, each.teller)}
        for each in mind.places
    ]  # fmt: skip


def thought(world: World, fact: str) -> dict[str, Any]:
    """Who thinks that who holds a fact."""
    cast = [EntityId(who) for who in world.plan.cast]
    held = {one: {other: knowledge(world, other, thinker=one).get(fact)
                  for other in cast if other != one} for one in cast}  # fmt: skip
    return {
        "fact": fact,
        "thinks": {one: {other: each.level for other, each in row.items() if each is not None}
                   for one, row in held.items()},
    }  # fmt: skip


# ── who is where ─────────────────────────────────────────────────────────────────────────────


def lanes(moments: Moments) -> dict[str, Any]:
    """Scenes and everybody's places, turn by turn, as long as nothing changed in one piece."""
    stood = moments.line.stood
    if not stood:
        return {"scenes": [], "people": {}, "names": {}}
    world = moments.world(stood[-1].turn)
    cast = list(world.plan.cast)
    return {
        "first": stood[0].turn, "last": stood[-1].turn,
        "scenes": list(_runs((each.turn, each.scene) for each in stood)),
        "people": {who: list(_lane(stood, n)) for n, who in enumerate(cast)},
        "names": {
            **{s.id: s.title for s in world.plan.scenes.values()},
            **{place: name_of(world.plan, place) for place in world.plan.settings},
        },
        "tales": {
            scene: world.plan.layers[layer].name for scene, layer in world.plan.layer_of.items()
            if layer in world.plan.layers
        },
        "edited": sorted(moments.edited), "gone": sorted(moments.gone),
        "adopted": moments.adopted[1:],
    }  # fmt: skip


def _runs(values: Iterable[tuple[TurnNo, Any]]) -> Iterator[list[Any]]:
    """[first turn, last turn, value] for each stretch of one value."""
    open_: list[Any] | None = None
    for turn, value in values:
        if open_ is None or open_[2] != value:
            if open_ is not None:
                yield open_
            open_ = [turn, turn, value]
        open_[1] = turn
    if open_ is not None:
        yield open_


def _lane(stood: Sequence[Stood], n: int) -> Iterator[list[Any]]:
    here = ((each.turn, each.people[n]) for each in stood if n < len(each.people))
    for first, last, found in _runs(here):
        assert isinstance(found, Whereabouts)
        yield [first, last, found.place, found.state, found.body]


def present(world: World, seen: Iterable[Any]) -> list[dict[str, Any]]:
    """Everybody's place, with the evidence for those who are with the player."""
    with_player, player = {each.who: each for each in seen}, whose_turn(world)
    return [
        {"who": who, "name": name_of(world.plan, who),
         "place": None if (at := world.places.get(EntityId(who))) is None
         else name_of(world.plan, at),
         "state": state(world, EntityId(who)), "player": who == player,
         "body": _body(world, EntityId(who)),
         "here": who in with_player or who == player,
         "evidence": with_player[who].evidence if who in with_player else "",
         "says": with_player[who].says if who in with_player else "",
         "turn": with_player[who].turn if who in with_player else None,
         "holds": [_called(world, t) for t, h in sorted(world.holders.items()) if h == who]}
        for who in map(EntityId, world.plan.cast)
    ]  # fmt: skip


def _body(world: World, who: EntityId) -> str | None:
    """Where the body is of somebody who is elsewhere in a tale."""
    body = world.bodies.get(who)
    return None if body in (None, world.places.get(who)) else name_of(world.plan, body)


def _called(world: World, thing: EntityId) -> str:
    """What a thing is called, also one that play brought forth."""
    known = entry(world, thing)
    return name_of(world.plan, thing) if known is None else known.words


def pieces(moments: Moments, turn: int) -> dict[str, Any]:
    """A turn in pieces: who perceived each, who was near and did not, and who says so."""
    told = moments.told(turn)
    before = [moments.line.turns[TurnNo(n)] for n in range(turn - BEFORE, turn)
              if TurnNo(n) in moments.line.turns]  # fmt: skip
    return {
        "turn": told.turn, "scene": told.scene, "player": told.player, "text": told.text,
        "prose": moments.edited.get(told.turn, told.prose),
        "pieces": [
            {"text": each.text, "kind": each.kind, "speaker": each.speaker,
             "perceived_by": list(dict.fromkeys(each.perceived_by)),
             "kept_from": [{"who": who, "why": why} for who, why in each.kept_from],
             "says": each.says}
            for each in heard(before, told, "")
        ],
    }  # fmt: skip


# ── how they stand ───────────────────────────────────────────────────────────────────────────


def relations(world: World) -> dict[str, Any]:
    """Standings as chords of a circle: names stand outside of it, and no line crosses them."""
    pairs = sorted(world.standings.items(), key=lambda item: item[0])
    shown = {who for pair, _ in pairs for who in pair}
    cast = [who for who in world.plan.cast if who in shown][:MOST_PEOPLE]
    at = {who: _on_circle(n, len(cast)) for n, who in enumerate(cast)}
    edges = [
        {"from": one, "to": other, "values": {name: getattr(each, name) for name in MEASURES},
         "shifts": each.shifts, "last": each.last_shift,
         "d": path([curve(at[one], at[other], 26.0)])}
        for (one, other), each in pairs if one in at and other in at
    ]  # fmt: skip
    return {
        "turn": world.now, "width": WIDTH, "height": HEIGHT,
        "people": [
            {"id": who, "name": name_of(world.plan, who), "x": round(x, 1), "y": round(y, 1),
             "mood": structs.asdict(world.moods[EntityId(who)])
             if EntityId(who) in world.moods else None}
            for who, (x, y) in at.items()
        ],
        "edges": edges,
    }  # fmt: skip


def _on_circle(n: int, count: int) -> tuple[float, float]:
    angle = 2 * pi * n / max(1, count) - pi / 2
    return WIDTH / 2 + RADIUS * cos(angle), HEIGHT / 2 + RADIUS * sin(angle)
