"""Tales within the tale, as they are felt outside of them: undertones, bridge objects, prophecies.

How much is said of a tale goes with its boundary: through a firm one only its themes come, through
a thin one what it left behind in those who were there, through one that falls who is who.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from storykeeper.context.boundary import Boundary
from storykeeper.context.items import Candidate, Class
from storykeeper.context.sources.proposing import (
    form_here,
    image_now,
    line,
    proposed,
    sentences,
)
from storykeeper.context.words import listed, name_of
from storykeeper.gravity.known_since import known_since
from storykeeper.gravity.landscape import Felt, Foretold, Landscape
from storykeeper.gravity.layers import emotion_crossing
from storykeeper.gravity.temperature import Valence
from storykeeper.scoring.composite import Terms
from storykeeper.story.layers import Layer
from storykeeper.story.places import Thing
from storykeeper.units import EntityId
from storykeeper.world.layers import CONVERGENCE
from storykeeper.world.state import LayerState, Mood

LAYER, BRIDGE, PROPHECY = "layer", "bridge", "prophecy"
LEAST, PER_STRENGTH, MOST = 0.1, 0.8, 0.9
BRIDGE_RELEVANCE, PROPHECY_RELEVANCE = 0.7, 0.5
THIN_FROM, FALLING_FROM = 0.3, 0.7  # permeability
RESIDUE_TURNS, FADING_TURNS = 10, 5  # how long it is felt, and until it is half of that
ANEW_TURNS = 10  # in so many turns what is seen anew has half its weight


def relevance(strength: float) -> float:
    """min(.9, .1 + .8·C·ψ).   F3d"""
    return min(MOST, LEAST + PER_STRENGTH * strength)


def anew(age: int) -> float:
    """.9 · .5^(age/10).   F3f: after some thirty turns it is too faint to be told."""
    faded: float = 0.5 ** (age / ANEW_TURNS)
    return MOST * faded


def resonances(boundary: Boundary, landscape: Landscape) -> Iterator[Candidate]:
    """What comes through from tales within the tale, and what was foretold."""
    for felt in landscape.layers:
        layer = boundary.plan.layers[felt.layer]
        come = _comes_through(boundary, layer, felt)
        yield _undertone(boundary, layer, felt, come)
        for place, thing in enumerate(_bridges(boundary, layer)):
            # The tale and the first thing of it are one item; which is first hangs on open ones.
            yield _bridge(boundary, layer, felt, thing, come if place == 0 else None)
    for layer in boundary.plan.layers.values():
        if layer.hidden and layer.reinterprets.strip() and boundary.open(f"layer:{layer.id}"):
            yield _seen_anew(boundary, layer)
    for foretold in landscape.prophecies:
        yield _foretold(boundary, foretold)


# ── a tale ───────────────────────────────────────────────────────────────────────────────────


class _Come(NamedTuple):
    """What comes through the boundary besides themes, and what it rests on."""

    role: str
    lingers: str
    doubles: str
    sources: tuple[str, ...]


def _comes_through(boundary: Boundary, layer: Layer, felt: Felt) -> _Come:
    role = _role(boundary, layer) if felt.active else ""
    lingers, mine = _residue(boundary, layer, felt) if felt.psi >= THIN_FROM else ("", ())
    said = boundary.minds if role else ()  # who they are there is said already
    doubles, theirs = _doubles(boundary, layer, said) if felt.psi >= CONVERGENCE else ("", ())
    return _Come(role, lingers, doubles, (*mine, *theirs))


def _undertone(boundary: Boundary, layer: Layer, felt: Felt, come: _Come) -> Candidate:
    image = image_now(layer.images, boundary.present.turn)
    themes = f"Under it all, faintly: {image}" if image else ""  # a list of themes is no image
    thin, falling = felt.psi >= THIN_FROM, felt.psi >= FALLING_FROM
    return proposed(
        f"{LAYER}:{layer.id}", origin=LAYER, klass=Class.GRAVITY,
        sources=(f"layer:{layer.id}", *come.sources),
        full=line(themes, *come[:3]) if falling or come.role else "",
        brief=line(themes, come.lingers) if thin else "", hint=line(themes),
        themes=layer.themes, same=f"layer:{layer.id}",
        terms=Terms(relevance=relevance(felt.strength)),
    )  # fmt: skip


def _role(boundary: Boundary, layer: Layer) -> str:
    """Who a player's character is in it."""
    names = listed([name_of(boundary.plan, mind) for mind in boundary.minds])
    role = layer.player_role.strip()
    return f"{names} in it: {role}" if role else ""


def _residue(boundary: Boundary, layer: Layer, felt: Felt) -> tuple[str, tuple[str, ...]]:
    """What it left in those who were there, shortly after they came out, as far as it crosses."""
    state = boundary.world.layers.get(layer.id, LayerState())
    left = state.last_left
    if felt.active or left is None or boundary.present.turn - left > RESIDUE_TURNS:
        return "", ()
    share = emotion_crossing(felt.psi)
    who = next(iter(boundary.minds))
    mood = boundary.world.moods.get(EntityId(who), Mood())
    moved = abs(mood.valence) + abs(mood.arousal - 0.5)
    felt_now = share * (0.5 + moved) * 0.5 ** ((boundary.present.turn - left) / FADING_TURNS)
    degree = "faintly" if felt_now < 0.35 else "still" if felt_now < 0.7 else "strongly"
    if not share:
        return "", ()
    return f"What that tale left is {degree} with {name_of(boundary.plan, who)}", (f"mood:{who}",)


def _doubles(
    boundary: Boundary, layer: Layer, said: Collection[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """Who in it stands for whom outside, of those both met: told once the two worlds are one.

    Before that it may be the very secret that the tale keeps.
    """
    pairs = [
        (inner, outer)
        for inner, outer in layer.entity_map.projected.items()
        if outer not in said and boundary.open(f"cast:{inner}") and boundary.open(f"cast:{outer}")
    ]
    said = [
        f"{name_of(boundary.plan, inner)} there is as {name_of(boundary.plan, outer)} here"
        for inner, outer in pairs
    ]
    return listed(said), tuple(f"cast:{each}" for pair in pairs for each in pair)


def _seen_anew(boundary: Boundary, layer: Layer) -> Candidate:
    """What looks different now that a hidden tale is known of."""
    known = known_since(boundary.world, layer)
    return proposed(
        f"reread:{layer.id}", origin=LAYER, klass=Class.GRAVITY, sources=(f"layer:{layer.id}",),
        full=line(f"Seen anew: {layer.reinterprets}"), themes=layer.themes,
        valence=Valence.REFLECTION,
        terms=Terms(relevance=anew(max(0, boundary.present.turn - known))),
    )  # fmt: skip


# ── a thing of two worlds ────────────────────────────────────────────────────────────────────


def _bridges(boundary: Boundary, layer: Layer) -> Iterator[Thing]:
    """Bridge objects of a tale that are here as far as they know; not what may be in a pocket."""
    for thing in boundary.plan.things.values():
        if layer.id in thing.forms and boundary.at_hand(EntityId(thing.id)):
            yield thing


def _bridge(
    boundary: Boundary, layer: Layer, felt: Felt, thing: Thing, come: _Come | None
) -> Candidate:
    """A thing of both worlds; with it, if it speaks for the tale, what else comes through."""
    name, look, elsewhere = _looks(boundary, layer, thing)
    symbol = thing.symbolism.strip().rstrip(".")
    falling, thin = felt.psi >= FALLING_FROM, felt.psi >= THIN_FROM
    role, lingers, doubles, sources = come or _Come("", "", "", ())
    whole = falling or bool(role)
    all_ = (elsewhere if falling else "", role, lingers, doubles)
    some = (lingers,) if thin else ()
    says = symbol or look or any(all_ if whole else some)  # a name alone says nothing
    head, own = f"{name}: {symbol}" if symbol else name, f"{BRIDGE}:{thing.id}/{layer.id}"
    return proposed(
        own, origin=BRIDGE, klass=Class.GRAVITY, sources=(own, f"thing:{thing.id}", *sources),
        full=line(head, look, *all_) if whole and says else "",
        brief=line(head, look, *some) if thin and says else "",
        hint=line(head) if symbol and (thin or whole) else "",
        entities=(thing.id,), themes=(*thing.themes, *layer.themes),
        same=own if come is None else f"layer:{layer.id}",
        adds=sentences(symbol, *(all_ if whole else some)) if whole or thin else "",
        terms=Terms(relevance=BRIDGE_RELEVANCE),
    )  # fmt: skip


def _looks(boundary: Boundary, layer: Layer, thing: Thing) -> tuple[str, str, str]:
    """What a thing is called where they are; how it looks in the tale, if they are there; and what
    it is elsewhere. How it looks outside of the tale is for its card.
    """
    form, here = thing.forms[layer.id], form_here(boundary, thing)
    name = thing.name.strip() or thing.id
    if here is None or here[0] != layer.id:
        return name, "", f"Elsewhere it is {_named(form.name, form.description)}"
    elsewhere = f"Elsewhere it is {_named(name, thing.description)}"
    return form.name.strip() or name, form.description, elsewhere


def _named(name: str, description: str) -> str:
    return ": ".join(filter(None, (name.strip(), description.strip().rstrip("."))))


# ── what was foretold ────────────────────────────────────────────────────────────────────────


def _foretold(boundary: Boundary, foretold: Foretold) -> Candidate:
    prophecy = boundary.plan.prophecies[foretold.prophecy]
    images = [image.strip().rstrip(".") for image in prophecy.imagery if image.strip()]
    return proposed(
        f"{PROPHECY}:{prophecy.id}", origin=PROPHECY, klass=Class.GRAVITY,
        full=line(f"Seen before it comes: {'; '.join(images)}") if images else "",
        brief=line(f"Seen before it comes: {'; '.join(images[:2])}") if images else "",
        hint=line(f"Seen before it comes: {images[0]}") if images else "",
        themes=prophecy.themes, valence=Valence.TENSION,
        terms=Terms(relevance=PROPHECY_RELEVANCE),
    )  # fmt: skip
