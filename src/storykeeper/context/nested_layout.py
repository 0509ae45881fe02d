"""The layout of a window, around that of one of half the size.

    shown(τ) ⊆ shown(2τ), in some form        F4.7b

What a window of half the size shows is claimed first, so a larger one only adds. The order in which
the past is quoted is found once for all sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from storykeeper.context.earlier import Kept, Order
from storykeeper.context.layout import Claims
from storykeeper.context.materials import Layout, Materials, Terms
from storykeeper.context.tail import BASE_UNITS
from storykeeper.errors import WindowRefused


def lay_out(materials: Materials, terms: Terms, sized: Callable[[int], Terms]) -> Layout:
    """The layout with as many mandatory recent turns as are legal: three, two or one.

    `sized` gives the terms of another size: a refusal says which would do.
    """
    order = Order(materials, terms.price)
    claims = _most_units(materials, terms)
    if claims.short <= 0:
        return claims.layout(order, _kept(materials, terms.tokens // 2, sized, order))
    enough = _enough(claims, sized)
    short = enough - terms.tokens
    raise WindowRefused(
        f"a window of {terms.tokens:,} tokens is {short:,} too small for what must be in it:"
        f" rules, the last turn and the player's words; allow at least {enough:,}",
        shortfall=short,
    )


def _most_units(materials: Materials, terms: Terms) -> Claims:
    """The claims with as many mandatory recent turns as are legal, or of the last alone."""
    for units in range(BASE_UNITS, 0, -1):
        claims = Claims(materials, terms, units)
        if claims.short <= 0:
            break
    return claims


def _kept(materials: Materials, tokens: int, sized: Callable[[int], Terms], order: Order) -> Kept:
    """F4.7b: what a window of so many tokens shows, if it is legal. One of twice the size shows it
    too, so it is laid out first; and before it, in turn, one of half.
    """
    if tokens < 1:
        return Kept()
    claims = _most_units(materials, replace(sized(tokens), slack=0))
    if claims.short > 0:
        return Kept()
    return Kept.of(claims.layout(order, _kept(materials, tokens // 2, sized, order)).shown)


def _enough(claims: Claims, sized: Callable[[int], Terms]) -> int:
    """The least size that is legal, from one that is not.

    The reserve and the input's share grow with the size, each by less than it does: so what one
    size lacks is added until the size lacks nothing, and no smaller one is legal.
    """
    while claims.short > 0:
        terms = sized(claims.terms.tokens + claims.short)
        claims = Claims(claims.materials, terms, claims.asked)
    return claims.terms.tokens
