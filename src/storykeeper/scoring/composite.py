"""The composite score of an item, with its terms kept."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from storykeeper.gravity.modifier import WEIGHTLESS, Pulls

RECENCY_FLOOR = 0.5
RECENCY_HALF_LIFE_TURNS = 10.0


@dataclass(frozen=True, slots=True)
class Terms:
    """What a score is the product of. The boundary is 0 until the gate has ruled."""

    relevance: float = 1.0
    gravity: float = 1.0
    boundary: float = 0.0
    trust: float = 1.0
    recency: float = 1.0
    temperature: float = 1.0
    pulls: Pulls = WEIGHTLESS  # what gravity is made of

    @property
    def score(self) -> float:
        """F3: relevance · gravity · boundary · trust · recency · temperature."""
        return (
            self.relevance
            * self.gravity
            * self.boundary
            * self.trust
            * self.recency
            * self.temperature
        )


def recency(age_turns: float) -> float:
    """.5 + .5·.5^(age/10).   F3b: for event items; the floor keeps old ones above the cut-off."""
    halved: float = 0.5 ** (age_turns / RECENCY_HALF_LIFE_TURNS)
    return RECENCY_FLOOR + (1.0 - RECENCY_FLOOR) * halved


def in_range(terms: Terms) -> bool:
    """Whether every term is a number in its range: shares in [0,1], modifiers not negative."""
    shares = (terms.relevance, terms.boundary, terms.trust, terms.recency)
    modifiers = (terms.gravity, terms.temperature)
    return all(0.0 <= t <= 1.0 for t in shares) and all(isfinite(t) and t >= 0.0 for t in modifiers)
