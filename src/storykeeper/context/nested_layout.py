"""The layout of a window, around that of one of half the size.

    shown(τ) ⊆ shown(2τ), in some form        F4.7b

What a window of half the size shows is claimed first, so a larger one only adds. Where the last
turns leave it no room they give way: first the older of them, then all but two, all but one. The
order in which the past is quoted is found once for all sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from storykeeper.context.earlier import Kept, Order
from storykeeper.context.layout import Claims
from storykeeper.context.materials import Layout, Materials, Terms
from storykeeper.context.parts import Part
from storykeeper.context.tail import BASE_UNITS
from storykeeper.errors import WindowRefused

Sized = Callable[[int], tuple[Materials, Terms]]


def lay_out(materials: Materials, terms: Terms, sized: Sized) -> Layout:
    """The layout with as many mandatory recent turns as are legal: three, two or one.

    `sized` gives what there is, and the terms, of another size: a refusal says which would do.
    """
    made = _laid_out(materials, terms, sized, Order(materials, terms.price))
    if made is not None:
        return made
    enough = _enough(Claims(materials, terms, 1), sized)
    short = enough - terms.tokens
    raise WindowRefused(
        f"a window of {terms.tokens:,} tokens is {short:,} too small for what must be in it:"
        f" rules, the last turn and the player's words; allow at least {enough:,}",
        shortfall=short,
    )


def _laid_out(materials: Materials, terms: Terms, sized: Sized, order: Order) -> Layout | None:
    """The first layout that shows, in some form, all that one of half the size does.   F4.7b

    None if none is legal; if none shows all of it, the first.
    """
    most = BASE_UNITS
    while (claims := Claims(materials, terms, most)).short > 0 and most > 1:
        most -= 1
    if claims.short > 0:
        return None
    kept = _kept(terms.tokens // 2, sized, order)
    first = made = claims.layout(order, kept)
    for other in _other_ways(claims):
        if not kept.is_lost(made.shown, made.told_above):
            return made
        made = other.layout(order, kept)
    return first if kept.is_lost(made.shown, made.told_above) else made


def _other_ways(claims: Claims) -> Iterator[Claims]:
    """With what a smaller window shows before older turns; with no older turns; then with fewer."""
    materials, terms, most = claims.materials, claims.terms, claims.asked
    yield Claims(materials, terms, most, holds=True)
    alone = replace(terms, without=terms.without | {Part.TAIL, Part.SO_FAR})
    for units in range(most, 0, -1):
        yield Claims(materials, alone, units)


def _kept(tokens: int, sized: Sized, order: Order) -> Kept:
    """What a window of so many tokens shows, laid out around half in turn; nothing if not legal."""
    if tokens < 1:
        return Kept()
    materials, terms = sized(tokens)
    made = _laid_out(materials, replace(terms, slack=0), sized, order)
    return Kept() if made is None else Kept.of(made.shown, made.heading_tokens)


def _enough(claims: Claims, sized: Sized) -> int:
    """The least size that is legal, from one that is not.

    The reserve and the input's share grow with the size, each by less than it does: so what one
    size lacks is added until the size lacks nothing, and no smaller one is legal.
    """
    while claims.short > 0:
        _, terms = sized(claims.terms.tokens + claims.short)
        claims = Claims(claims.materials, terms, claims.asked)
    return claims.terms.tokens
